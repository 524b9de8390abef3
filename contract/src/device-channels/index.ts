import * as z from 'zod/mini'
import { camera } from '../cameras/index.ts'
import { id, idText, route } from '../wire/index.ts'
import { zoneOrCameraName } from '../zones/index.ts'

/** One video input of a recorder. */
export const deviceChannel = z.object({
  /** The number of the input, from 1: unique within its device. */
  channelId: z.int(),
  channel: z.int(),
  /** As the device names it. */
  name: z.string(),
  /** Whether a camera is connected to the input and sends video that can be played. */
  online: z.boolean(),
  /** Whether the input is a camera of the account. */
  attached: z.boolean(),
  /** That camera, if the caller has access to it. */
  cameraId: z.nullable(id),
})
export type DeviceChannel = z.infer<typeof deviceChannel>

const ofDevice = { 'params.deviceId': 'device' } as const
/** A channel that the device lacks is not found. */
const channelParams = z.object({ deviceId: idText, channelId: idText })

const reading = { method: 'GET', access: 'object', right: 'CameraView', support: 'yes', ids: ofDevice } as const

export const getDeviceChannels = route({
  ...reading,
  name: 'getDeviceChannels',
  summary: 'List the inputs of a recorder',
  path: 'devices/{deviceId}/channels',
  operation: 243,
  params: z.object({ deviceId: idText }),
  query: z.object({
    /** `true`: only inputs that are cameras of the account; `false`: only others. */
    attached: z.optional(z.enum(['true', 'false'])),
  }),
  reply: z.array(deviceChannel),
  list: { key: 'channelId', sort: ['channel', 'name'], defaultLimit: 'all' },
  errors: ['validation', 'notFound'],
})

export const getDeviceChannel = route({
  ...reading,
  name: 'getDeviceChannel',
  summary: 'Get an input of a recorder',
  path: 'devices/{deviceId}/channels/{channelId}',
  operation: 244,
  params: channelParams,
  reply: deviceChannel,
  errors: ['notFound'],
})

export const newChannelCamera = z.object({
  name: zoneOrCameraName('Camera'),
  /** The zone of the device if omitted. */
  zoneId: z.optional(id),
})
export type NewChannelCamera = z.infer<typeof newChannelCamera>

export const postChannelCamera = route({
  name: 'postChannelCamera',
  summary: 'Add an input of a recorder as a camera',
  method: 'POST',
  path: 'devices/{deviceId}/channels/{channelId}/camera',
  access: 'object',
  right: 'addCameraManually',
  support: 'yes',
  operation: 242,
  ids: { ...ofDevice, 'body.zoneId': 'zone' },
  status: 201,
  created: 'cameras/{cameraId}',
  params: channelParams,
  body: newChannelCamera,
  reply: camera,
  errors: ['validation', 'notFound', 'businessRule', 'subscriptionLimit'],
})

export const getChannelSnapshot = route({
  name: 'getChannelSnapshot',
  summary: "Get a current snapshot of a recorder's input, which needn't be a camera of the account",
  method: 'GET',
  path: 'devices/{deviceId}/channels/{channelId}/snapshot',
  access: 'object',
  right: 'CameraView',
  // The picture comes from the recorder as a JPEG, which nothing here can blur.
  support: 'video',
  operation: 245,
  ids: ofDevice,
  params: channelParams,
  query: z.object({
    /** Rejected with code 17: pictures have the size that the device sends. */
    resolution: z.optional(z.string()),
  }),
  waitsForOthers: true,
  tokenInAddress: true,
  media: ['image/jpeg'],
  reply: z.unknown(),
  errors: [
    'notFound',
    'capabilityNotSupported',
    'mediaNotSupported',
    'deviceCredentialsIncorrect',
    'deviceInternal',
    'deviceOffline',
    'cameraOffline',
    'timedOut',
  ],
})
