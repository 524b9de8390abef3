import * as z from 'zod/mini'
import { additionStep, additionStepState, macAddress, newCamera } from '../camera-additions/index.ts'
import { additionStatus, additionSubStatus, connectionResult } from '../cameras/index.ts'
import { deviceChannel } from '../device-channels/index.ts'
import { deviceJob } from '../device-jobs/index.ts'
import { checkedText, filledText } from '../user-details/index.ts'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'
import { deviceNameProblem } from './rules.ts'

export { deviceNameProblem, MAX_DEVICE_NAME_LENGTH } from './rules.ts'

/** A recorder: one address with several video inputs (api.md §9). */
export const device = z.object({
  deviceId: id,
  name: z.string(),
  zoneId: id,
  accountId: id,
  /** Empty until the device reported it. */
  ethMacAddress: z.string(),
  deviceTypeId: z.int(),
  brand: z.nullable(z.string()),
  model: z.nullable(z.string()),
  /** The firmware version that it reported. */
  firmware: z.nullable(z.string()),
  status: z.enum(['online', 'offline']),
  additionStatus,
  additionSubStatus,
  /** Empty until the device reported them. */
  channels: z.array(deviceChannel),
  /** The latest jobs, for callers with the right editCamera. */
  jobs: z.array(deviceJob),
  createdAt: dateTime,
})
export type RecorderDevice = z.infer<typeof device>

export const newDevice = z.object({
  name: checkedText(deviceNameProblem),
  zoneId: id,
  address: newCamera.shape.address,
  /** The port of ONVIF; the usual ones are tried if omitted. */
  port: newCamera.shape.port,
  username: newCamera.shape.username,
  password: newCamera.shape.password,
  allowBasic: newCamera.shape.allowBasic,
  /** Instead of `address`: the server looks for it in the networks of the account. */
  ethMacAddress: z.optional(macAddress),
  /** The machines with media workers that reach it, as getCameraDiscovery says. All of them if omitted or empty. */
  machines: newCamera.shape.machines,
})
export type NewDevice = z.infer<typeof newDevice>

export const deviceStatus = z.object({
  deviceId: id,
  online: z.boolean(),
  firmwareStatus: z.enum(['upToDate', 'upgradable', 'upgrading', 'failed']),
  /** Null if the device doesn't say. */
  storage: z.nullable(z.object({ totalBytes: z.int(), usedBytes: z.int() })),
  lastConnectionResult: connectionResult,
  lastSeen: z.nullable(dateTime),
})
export type DeviceStatus = z.infer<typeof deviceStatus>

export const deviceAddition = z.object({
  deviceId: id,
  status: additionStatus,
  subStatus: additionSubStatus,
  /** The first four steps of adding a camera, in their order. */
  steps: z.array(z.object({ step: additionStep, state: additionStepState })),
  /** How many video inputs the device has; 0 until it said so. */
  channels: z.int(),
  /** Of a failed addition: the error code of operation 241; otherwise null. */
  code: z.nullable(z.int()),
  /** What to do about the failure; otherwise null. */
  message: z.nullable(z.string()),
  /** The same two with the capitals that existing clients expect. */
  Status: additionStatus,
  SubStatus: additionSubStatus,
})
export type DeviceAddition = z.infer<typeof deviceAddition>

const deviceParams = z.object({ deviceId: idText })
const ofDevice = { ids: { 'params.deviceId': 'device' }, params: deviceParams } as const
const reading = { method: 'GET', access: 'object', right: 'CameraView', support: 'yes', ...ofDevice } as const
const readingSettings = { ...reading, right: 'editCamera' } as const

export const getDevices = route({
  name: 'getDevices',
  summary: 'List the recorders the caller can access',
  method: 'GET',
  path: 'devices',
  access: 'tenant',
  right: 'CameraView',
  support: 'yes',
  operation: 239,
  query: z.object({
    /** The only kind there is. */
    type: z.optional(z.enum(['recorder'])),
    online: z.optional(z.enum(['true', 'false'])),
  }),
  reply: z.array(device),
  list: { key: 'deviceId', sort: ['name', 'deviceId', 'zoneId', 'createdAt'], defaultLimit: 'all' },
  errors: ['validation'],
})

export const postDevice = route({
  name: 'postDevice',
  summary:
    'Add a recorder by its address with the right addCameraManually, or by its MAC address with addPnpCamera; ' +
    'getDeviceAddition reports the result',
  method: 'POST',
  path: 'devices',
  access: 'tenant',
  right: 'CameraView',
  support: 'yes',
  operation: 235,
  ids: { 'body.zoneId': 'zone' },
  status: 201,
  created: 'devices/{deviceId}',
  body: newDevice,
  reply: device,
  errors: ['validation', 'notFound', 'duplicate', 'businessRule', 'deviceNotReady'],
})

export const getDevice = route({
  ...reading,
  name: 'getDevice',
  summary: 'Get a recorder',
  path: 'devices/{deviceId}',
  operation: 240,
  reply: device,
  errors: ['notFound'],
})

export const devicePatch = z.partial(
  z.object({
    name: newDevice.shape.name,
    /** Moves the device to that zone; its cameras stay where they are. The caller needs full access to both zones. */
    zoneId: id,
  }),
)
export type DevicePatch = z.infer<typeof devicePatch>

export const patchDevice = route({
  name: 'patchDevice',
  summary: 'Rename a recorder, or move it to another zone',
  method: 'PATCH',
  path: 'devices/{deviceId}',
  access: 'object',
  right: 'editCamera',
  support: 'yes',
  operation: 258,
  ids: { 'params.deviceId': 'device', 'body.zoneId': 'zone' },
  params: deviceParams,
  body: devicePatch,
  reply: device,
  errors: ['validation', 'notFound'],
})

export const deleteDevice = route({
  name: 'deleteDevice',
  summary:
    'Remove a recorder without attached cameras; the password of the caller is in the header X-Password as base64url of its UTF-8 bytes',
  method: 'DELETE',
  path: 'devices/{deviceId}',
  access: 'object',
  right: 'deleteCamera',
  support: 'no',
  operation: 236,
  ...ofDevice,
  status: 204,
  reply: nothing,
  errors: ['validation', 'notFound', 'businessRule', 'tooManyRequests'],
})

export const getDeviceAddition = route({
  ...reading,
  name: 'getDeviceAddition',
  summary: 'Wait for the result of adding a recorder, up to 180 seconds',
  path: 'devices/{deviceId}/additionStatus/poll',
  right: 'CameraView',
  operation: 241,
  query: z.object({
    /** The status that the caller knows: the response comes as soon as it is another one. */
    known: z.optional(additionStatus),
    /** The step that the caller knows to be running or failed: the response comes as soon as it is another one. */
    knownStep: z.optional(additionStep),
  }),
  waitsForOthers: true,
  reply: deviceAddition,
  errors: ['validation', 'notFound'],
})

export const getDeviceStatus = route({
  ...reading,
  name: 'getDeviceStatus',
  summary: 'Get the status of a recorder and its storage',
  path: 'devices/{deviceId}/status',
  operation: 246,
  reply: deviceStatus,
  errors: ['notFound'],
})

export const deviceCredentials = z.object({
  username: z.nullable(z.string()),
  passwordKnown: z.boolean(),
  /** The owner agreed that passwords are sent to it in plain text. */
  allowBasic: z.boolean(),
})
export type DeviceCredentials = z.infer<typeof deviceCredentials>

export const getDeviceCredentials = route({
  ...readingSettings,
  name: 'getDeviceCredentials',
  summary: 'Get the user name for a recorder; its password is never returned',
  path: 'devices/{deviceId}/connection/credentials',
  operation: 247,
  reply: deviceCredentials,
  errors: ['notFound'],
})

export const deviceCredentialsPatch = z.partial(
  z.object({
    username: filledText(64),
    password: z.string().check(z.maxLength(128)),
  }),
)

export const patchDeviceCredentials = route({
  name: 'patchDeviceCredentials',
  summary:
    'Change the user name and password that the server uses for a recorder and for the cameras at its inputs. They are saved once the recorder accepts them',
  method: 'PATCH',
  path: 'devices/{deviceId}/connection/credentials',
  access: 'object',
  right: 'editCamera',
  support: 'yes',
  ...ofDevice,
  operation: 247,
  body: deviceCredentialsPatch,
  reply: deviceCredentials,
  waitsForOthers: true,
  errors: [
    'validation',
    'notFound',
    'capabilityNotSupported',
    'deviceCredentialsIncorrect',
    'deviceInternal',
    'deviceOffline',
    'timedOut',
  ],
})

export const deviceConnection = z.object({
  /** Both are null if they aren't known, and for callers without the right localExceptions. */
  localIp: z.nullable(z.string()),
  localPort: z.nullable(z.int()),
  /** Null: the server reaches the device at its local address. */
  globalIp: z.nullable(z.string()),
  globalPort: z.nullable(z.int()),
  https: z.boolean(),
  streamType: z.enum(['rtsp']),
  connectionType: z.enum(['Ethernet', 'WiFi', 'Mobile']),
})

export const getDeviceConnection = route({
  ...readingSettings,
  name: 'getDeviceConnection',
  summary: 'Get how the server connects to a recorder',
  path: 'devices/{deviceId}/connection/details',
  operation: 248,
  reply: deviceConnection,
  errors: ['notFound'],
})

export const deviceInfo = z.object({
  brand: z.nullable(z.string()),
  model: z.nullable(z.string()),
  firmwareVersion: z.nullable(z.string()),
  serial: z.nullable(z.string()),
  type: z.enum(['recorder']),
  ethMacAddress: z.string(),
  channelCount: z.int(),
})

const ofDeviceInfo = { ...reading, operation: 249, reply: deviceInfo, errors: ['notFound'] } as const

export const getRecorderInfo = route({
  ...ofDeviceInfo,
  name: 'getRecorderInfo',
  summary: 'Get the make, model and firmware of a recorder',
  path: 'devices/{deviceId}/deviceInfo',
})

/** The specification's path, which is singular (product.md decision 9). */
export const getSingularRecorderInfo = route({
  ...ofDeviceInfo,
  name: 'getSingularRecorderInfo',
  summary: 'The same as devices/{deviceId}/deviceInfo',
  path: 'device/{deviceId}/deviceInfo',
})
