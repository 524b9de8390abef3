import * as z from 'zod/mini'
import { additionStatus, additionStep, additionSubStatus, camera } from '../cameras/index.ts'
import { errorBody } from '../errors/index.ts'
import { boundedText, checkedText } from '../user-details/index.ts'
import { id, idText, nothing, route } from '../wire/index.ts'
import { zoneOrCameraName } from '../zones/index.ts'
import {
  cameraAddressProblem,
  macAddressProblem,
  normalizeCameraAddress,
  parseMacAddress,
  streamPathProblem,
} from './rules.ts'
import { additionStepState } from './steps.ts'

export {
  type AdditionStatus,
  type AdditionStep,
  type AdditionSubStatus,
  additionStatus,
  additionStep,
  additionSubStatus,
} from '../cameras/index.ts'
export {
  cameraAddressProblem,
  DEFAULT_RTSP_PORT,
  DEFAULT_RTSPS_PORT,
  macAddressProblem,
  mayAddCameras,
  normalizeCameraAddress,
  parseMacAddress,
  streamPathProblem,
} from './rules.ts'
export { type AdditionProgress, type AdditionStepState, additionStepState, additionSteps } from './steps.ts'

/** Rejects the address with the rule's sentence. */
const problemCheck = (problem: (text: string) => string | undefined) =>
  z.refine<string>((text) => problem(text) === undefined, { error: ({ input }) => problem(String(input)) ?? '' })

/** As people type it: with colons, dashes, dots or nothing between the digits. */
export const macAddress = z.string().check(
  z.maxLength(32),
  problemCheck(macAddressProblem),
  z.overwrite((text) => parseMacAddress(text) ?? text),
)

/** A machine with media workers, as the operator named it; `front` is that of the front. */
export const machineName = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9]{0,30}$/, 'must be 1 to 31 lowercase letters and digits, and begin with a letter'))
/** Of one installation. */
const MAX_MACHINES = 32
const machineNames = z.array(machineName).check(z.maxLength(MAX_MACHINES))

const MAX_PATH_LENGTH = 512
/** As many as a camera's profiles are read. */
const MAX_INPUTS = 256

export const newCamera = z.object({
  name: zoneOrCameraName('Camera'),
  zoneId: id,
  /** An IP address or host name. Either this or `ethMacAddress`. */
  address: z.optional(z.string().check(z.overwrite(normalizeCameraAddress), problemCheck(cameraAddressProblem))),
  /** With `streamPath`, the RTSP port (554 by default, over TLS 322); otherwise the port of ONVIF (the usual ones by default). */
  port: z.optional(z.int().check(z.gte(1), z.lte(65_535))),
  /** Only over TLS: the stream (RTSPS) with `streamPath`, otherwise ONVIF (the ports 443 and 8443 by default). */
  https: z.optional(z.boolean()),
  username: z.optional(boundedText(1, 64)),
  password: z.optional(z.string().check(z.maxLength(128))),
  /** True sends the password in plain text if the camera knows no better authentication. */
  allowBasic: z.optional(z.boolean()),
  brand: z.optional(boundedText(1, 64)),
  model: z.optional(boundedText(1, 64)),
  /** The path of the main stream. Without it, the camera is asked by ONVIF. */
  streamPath: z.optional(checkedText(streamPathProblem).check(z.maxLength(MAX_PATH_LENGTH))),
  /** The path of a smaller stream beside the main one, for small pictures. Only with `streamPath`. */
  subStreamPath: z.optional(checkedText(streamPathProblem).check(z.maxLength(MAX_PATH_LENGTH))),
  /** Which input of a recorder, counted from 1 in the order of its profiles; the first by default. Not with `streamPath`. */
  channel: z.optional(z.int().check(z.gte(1), z.lte(MAX_INPUTS))),
  /** The server looks for the camera with that MAC address in the networks of the account. Not with `streamPath`. */
  ethMacAddress: z.optional(macAddress),
  /**
   * The machines with media workers that reach it, as getCameraDiscovery says: one of them connects to it while one is running. All of
   * them if omitted or empty.
   */
  machines: z.optional(machineNames),
})
export type NewCamera = z.infer<typeof newCamera>

export const cameraAddition = z.object({
  cameraId: id,
  status: additionStatus,
  subStatus: additionSubStatus,
  /** All six steps in their order. */
  steps: z.array(z.object({ step: additionStep, state: additionStepState })),
  /** Of a failed addition: the error code of operation 59; otherwise null. */
  code: z.nullable(z.int()),
  /** What to do about the failure; otherwise null. */
  message: z.nullable(z.string()),
  /** How many video inputs the device has; 0 until it said so, and for cameras with `streamPath`. */
  channels: z.int(),
  /** The same two with the capitals that existing clients expect. */
  Status: additionStatus,
  SubStatus: additionSubStatus,
})
export type CameraAddition = z.infer<typeof cameraAddition>

const cameraParams = z.object({ cameraId: idText })

export const postCamera = route({
  name: 'postCamera',
  summary:
    'Add a camera by its address with the right addCameraManually, or by its MAC address with addPnpCamera; ' +
    'getCameraAddition reports the result',
  method: 'POST',
  path: 'cameras',
  access: 'tenant',
  right: 'CameraView',
  support: 'yes',
  operation: 20,
  ids: { 'body.zoneId': 'zone' },
  status: 201,
  created: 'cameras/{cameraId}',
  body: newCamera,
  reply: camera,
  errors: ['validation', 'notFound', 'duplicate', 'businessRule', 'deviceNotReady'],
})

/** As many are added with one call. */
export const MAX_CAMERAS_AT_ONCE = 50

export const cameraOfBatch = z.omit(newCamera, { zoneId: true })

export const addedCamera = z.object({
  /** Null if it wasn't added. */
  camera: z.nullable(camera),
  /** Why it wasn't added, as postCamera would have said; otherwise null. */
  error: z.nullable(errorBody),
})
export type AddedCamera = z.infer<typeof addedCamera>

export const postCameras = route({
  name: 'postCameras',
  summary: 'Add several cameras to a zone; the reply has the result of each, in the order of the request',
  method: 'POST',
  path: 'cameras/batch',
  access: 'tenant',
  right: 'CameraView',
  support: 'yes',
  operation: 20,
  ids: { 'body.zoneId': 'zone' },
  body: z.object({
    zoneId: id,
    /** Like the body of postCamera. An invalid one is rejected alone. */
    cameras: z
      .array(z.union([cameraOfBatch, z.record(z.string(), z.unknown())]))
      .check(z.minLength(1), z.maxLength(MAX_CAMERAS_AT_ONCE)),
  }),
  reply: z.array(addedCamera),
  errors: ['validation', 'notFound'],
})

export const getCameraAddition = route({
  name: 'getCameraAddition',
  summary: 'Wait for the result of adding a camera, up to 180 seconds',
  method: 'GET',
  path: 'cameras/{cameraId}/additionStatus/poll',
  access: 'object',
  right: 'CameraView',
  support: 'yes',
  operation: 59,
  ids: { 'params.cameraId': 'camera' },
  params: cameraParams,
  query: z.object({
    /** The status that the caller knows: the response comes as soon as it is another one. */
    known: z.optional(additionStatus),
    /** The step that the caller knows to be running or failed: the response comes as soon as it is another one. */
    knownStep: z.optional(additionStep),
  }),
  waitsForOthers: true,
  reply: cameraAddition,
  errors: ['validation', 'notFound'],
})

export const retryCameraAddition = route({
  name: 'retryCameraAddition',
  summary: 'Try a failed addition again, with other credentials if the body has them',
  method: 'POST',
  path: 'cameras/{cameraId}/additionStatus',
  access: 'object',
  right: 'CameraView',
  support: 'yes',
  operation: 20,
  ids: { 'params.cameraId': 'camera' },
  params: cameraParams,
  body: z.object({
    username: newCamera.shape.username,
    password: newCamera.shape.password,
    allowBasic: newCamera.shape.allowBasic,
  }),
  reply: camera,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const dismissCameraAddition = route({
  name: 'dismissCameraAddition',
  summary: 'Remove a camera whose addition failed; without this, it is removed after a day',
  method: 'DELETE',
  path: 'cameras/{cameraId}/additionStatus',
  access: 'object',
  right: 'CameraView',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: cameraParams,
  status: 204,
  reply: nothing,
  errors: ['notFound', 'businessRule'],
})
