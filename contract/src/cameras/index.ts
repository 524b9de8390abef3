import * as z from 'zod/mini'
import { bothCoordinates, cameraLatitude, cameraLongitude } from '../camera-location/index.ts'
import { searchText } from '../user-details/index.ts'
import { dateTime, id, idListText, idText, nothing, route } from '../wire/index.ts'
import { timeZoneName, zoneMode, zoneOrCameraName } from '../zones/index.ts'

/** The `deviceTypeId` of body-worn cameras: they have a track, and no video yet. */
export const BODY_WORN = 1000

export const camera = z.object({
  cameraId: id,
  name: z.string(),
  deviceTypeId: z.int(),
  ethMacAddress: z.string(),
  zoneId: id,
  accountId: id,
  brand: z.nullable(z.string()),
  model: z.nullable(z.string()),
  /** Hours of recording that are kept. */
  retention: z.int(),
  /** The most hours that the account's package allows. */
  maxRetention: z.int(),
  /** Null: the account's time zone. */
  timeZone: z.nullable(z.string()),
  /** Decimal degrees; both null if the camera has no location. */
  latitude: z.nullable(z.number()),
  longitude: z.nullable(z.number()),
  createdAt: dateTime,
  /** Since when the camera belongs to another account. Its footage from before stays here; it isn't connected any more. */
  transferredAt: z.nullable(dateTime),
})
export type Camera = z.infer<typeof camera>

/** The result of the last connection attempt. */
export const connectionResult = z.enum([
  'ok',
  'neverConnected',
  'credentialsIncorrect',
  'timeout',
  'unreachable',
  'addressNotAllowed',
  'authenticationNotSupported',
  'streamNotFound',
  'redirected',
  'transportNotSupported',
  'codecNotSupported',
  'noVideo',
  'noPicture',
  'connectionLost',
  'cameraBusy',
  'protocolError',
  'certificateChanged',
  'serverOverloaded',
])
export type ConnectionResult = z.infer<typeof connectionResult>

/** `validated`: the camera responded and its stream is known. `added`: its video arrives, and is recorded if it should be. */
export const additionStatus = z.enum(['inProgress', 'validated', 'added', 'failure'])
export type AdditionStatus = z.infer<typeof additionStatus>

/** The steps of an addition, in their order. */
export const additionStep = z.enum(['reachable', 'identified', 'signedIn', 'streams', 'samplePicture', 'recording'])
export type AdditionStep = z.infer<typeof additionStep>

/** Why an addition failed; of one that succeeded, `cloudUnreachable`: the camera can't be recorded now. */
export const additionSubStatus = z.enum([
  'none',
  'deviceOffline',
  'credentialsIncorrect',
  'alreadyAttached',
  /** It was removed less than two minutes ago. */
  'recentlyRemoved',
  'unsupportedDevice',
  /** It responds, but breaks off or answers wrongly. */
  'deviceError',
  'addressNotAllowed',
  'firmwareUpgrading',
  'cloudUnreachable',
  'unknown',
])
export type AdditionSubStatus = z.infer<typeof additionSubStatus>

/** The smaller second stream of a camera. It is connected and recorded independently of the main stream. */
export const subStreamStatus = z.object({
  online: z.boolean(),
  recordingOnCloud: z.boolean(),
  /** `cameraBusy`: the camera has no connection left for it; it is tried again in an hour. */
  lastConnectionResult: connectionResult,
})

/**
 * Something about a camera that its owner should change. `streamsSwapped`: the sub-stream is larger than the main stream;
 * `clockWrong`: the camera's clock is off by five seconds or more; `eventsLost`: what the camera detects doesn't arrive;
 * `storageFull`: footage is deleted early, because the account has used its storage.
 */
export const cameraWarning = z.enum(['streamsSwapped', 'clockWrong', 'eventsLost', 'storageFull'])
export type CameraWarning = z.infer<typeof cameraWarning>

export const cameraStatus = z.object({
  cameraId: id,
  online: z.boolean(),
  /** A private camera isn't connected, so it is neither online nor recorded. */
  mode: zoneMode,
  recordingOnCloud: z.boolean(),
  recordingOnSd: z.boolean(),
  audioEnabled: z.boolean(),
  passwordKnown: z.boolean(),
  passwordStatus: z.enum(['known', 'unknown', 'resetting', 'incorrect']),
  firmwareStatus: z.enum(['upToDate', 'upgradable', 'upgrading', 'failed']),
  connectionType: z.enum(['Ethernet', 'WiFi', 'Mobile']),
  lastConnectionResult: connectionResult,
  /** When the camera is tried again; null while it is connected. */
  nextAttemptAt: z.nullable(dateTime),
  additionStatus,
  additionSubStatus,
  lastSeen: z.nullable(dateTime),
  /** Null for a camera without a sub-stream. */
  subStream: z.nullable(subStreamStatus),
  warnings: z.array(cameraWarning),
  /** Those of them that the caller has dismissed. */
  dismissedWarnings: z.array(cameraWarning),
})
export type CameraStatus = z.infer<typeof cameraStatus>

const cameraParams = z.object({ cameraId: idText })
const ofCamera = { 'params.cameraId': 'camera' } as const

export const getCameras = route({
  name: 'getCameras',
  summary: 'List the cameras the caller can access',
  method: 'GET',
  path: 'cameras',
  access: 'tenant',
  right: 'CameraView',
  support: 'yes',
  ids: { 'query.zoneId': 'zone', 'query.zoneIds': 'zone', 'query.cameraIds': 'camera' },
  query: z.object({
    zoneId: z.optional(idText),
    zoneIds: z.optional(idListText),
    cameraIds: z.optional(idListText),
    online: z.optional(z.enum(['true', 'false'])),
    /** Part of the name; case-insensitive. */
    q: z.optional(searchText(64)),
  }),
  reply: z.array(camera),
  list: { key: 'cameraId', sort: ['name', 'cameraId', 'zoneId', 'createdAt'], defaultLimit: 'all' },
  errors: ['validation'],
})

export const getCamera = route({
  name: 'getCamera',
  summary: 'Get a camera',
  method: 'GET',
  path: 'cameras/{cameraId}',
  access: 'object',
  right: 'CameraView',
  support: 'yes',
  ids: ofCamera,
  params: cameraParams,
  reply: camera,
  errors: ['notFound'],
})

export const cameraPatch = z
  .partial(
    z.object({
      name: zoneOrCameraName('Camera'),
      /** Moves the camera to that zone. The caller needs full access to both zones. */
      zoneId: id,
      /** Null: the account's time zone. */
      timeZone: z.nullable(timeZoneName),
      /**
       * Hours, at most `maxRetention`. Fewer than now delete footage, so they need the right deleteRecording and are refused in a
       * support session.
       */
      retention: z.int().check(z.gte(0), z.lte(100_000)),
      latitude: cameraLatitude,
      longitude: cameraLongitude,
      /** The same two coordinates together; null clears them. */
      location: z.nullable(z.object({ latitude: cameraLatitude, longitude: cameraLongitude }).check(bothCoordinates)),
    }),
  )
  .check(bothCoordinates)
export type CameraPatch = z.infer<typeof cameraPatch>

export const patchCamera = route({
  name: 'patchCamera',
  summary: 'Update the name, location, retention or time zone of a camera, or move it to another zone',
  method: 'PATCH',
  path: 'cameras/{cameraId}',
  access: 'object',
  right: 'editCamera',
  support: 'yes',
  ids: { ...ofCamera, 'body.zoneId': 'zone' },
  params: cameraParams,
  body: cameraPatch,
  reply: camera,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const deleteCamera = route({
  name: 'deleteCamera',
  summary: 'Remove a camera; the password of the caller is in the header X-Password as base64url of its UTF-8 bytes',
  method: 'DELETE',
  path: 'cameras/{cameraId}',
  access: 'object',
  right: 'deleteCamera',
  support: 'no',
  operation: 32,
  ids: ofCamera,
  params: cameraParams,
  status: 204,
  reply: nothing,
  errors: ['validation', 'notFound', 'tooManyRequests'],
})

export const getCameraStatuses = route({
  name: 'getCameraStatuses',
  summary: 'List the status of all cameras the caller can access',
  method: 'GET',
  path: 'cameras/all/status',
  access: 'tenant',
  right: 'CameraView',
  support: 'yes',
  ids: { 'query.zoneIds': 'zone', 'query.cameraIds': 'camera' },
  query: z.object({ zoneIds: z.optional(idListText), cameraIds: z.optional(idListText) }),
  reply: z.array(cameraStatus),
  list: { key: 'cameraId', sort: ['cameraId', 'online', 'lastSeen'], defaultLimit: 'all' },
  errors: ['validation'],
})

export const getCameraStatus = route({
  name: 'getCameraStatus',
  summary: 'Get the status of a camera',
  method: 'GET',
  path: 'cameras/{cameraId}/status',
  access: 'object',
  right: 'CameraView',
  support: 'yes',
  ids: ofCamera,
  params: cameraParams,
  reply: cameraStatus,
  errors: ['notFound'],
})

export const getSnapshot = route({
  name: 'getSnapshot',
  summary: 'Get the latest snapshot: a JPEG if the server has a decoder, or one MP4 sample with Accept: video/mp4',
  method: 'GET',
  path: 'cameras/{cameraId}/snapshot',
  access: 'object',
  right: 'CameraView',
  support: 'blurred',
  ids: ofCamera,
  params: cameraParams,
  query: z.object({
    /** Rejected with code 17: a picture of another time would be false evidence. */
    time: z.optional(z.string()),
    /** Rejected with code 17: pictures have the size that the camera sends. */
    resolution: z.optional(z.string()),
  }),
  waitsForOthers: true,
  tokenInAddress: true,
  media: ['image/jpeg', 'video/mp4'],
  reply: z.unknown(),
  errors: ['notFound', 'cameraOffline', 'mediaNotSupported', 'timedOut'],
})
