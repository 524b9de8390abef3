import * as z from 'zod/mini'
import { dateTime, dateTimeText, id, idText, route } from '../wire/index.ts'

/** From the lowest to the highest level. */
export const cameraLogLevels = ['info', 'warning', 'error'] as const
export const cameraLogLevel = z.enum(cameraLogLevels)
export type CameraLogLevel = z.infer<typeof cameraLogLevel>

export const cameraLogEvents = [
  'connected',
  'connectionLost',
  'connectionFailed',
  'credentialsRefused',
  'recordingStarted',
  'recordingStopped',
  'recordingFailed',
  'subStreamConnected',
  'subStreamLost',
  /** The camera was found at another address of the account's networks. */
  'addressChanged',
  /** A device names this camera's MAC address, but isn't this camera. */
  'addressNotTrusted',
  /** What the camera detects is followed (again). */
  'eventsFollowed',
  'eventsLost',
  /** The camera's clock is wrong by five seconds or more. */
  'clockWrong',
  /** A user set the camera's clock. */
  'clockSet',
  /** Footage continues after a gap; written at its end. */
  'gap',
  /** How many entries of an hour were dropped. */
  'repeated',
] as const
export const cameraLogEvent = z.enum(cameraLogEvents)
export type CameraLogEvent = z.infer<typeof cameraLogEvent>

/** Days that entries are kept. */
export const CAMERA_LOG_DAYS = 90

/** An event of a camera's connection or recording (api.md §20). */
export const cameraLogEntry = z.object({
  cameraLogId: id,
  time: dateTime,
  level: cameraLogLevel,
  event: cameraLogEvent,
  /** A sentence in English; never a password. */
  detail: z.string(),
})
export type CameraLogEntry = z.infer<typeof cameraLogEntry>

export const getCameraLogs = route({
  name: 'getCameraLogs',
  summary: 'List connection and recording events of a camera from the last 90 days, newest first',
  method: 'GET',
  path: 'cameras/{cameraId}/logs',
  access: 'object',
  right: 'logFiles',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  query: z.object({
    /** Earliest time, inclusive. */
    from: z.optional(dateTimeText),
    /** Latest time, exclusive. */
    till: z.optional(dateTimeText),
    /** This level and higher. */
    level: z.optional(cameraLogLevel),
  }),
  reply: z.array(cameraLogEntry),
  list: { key: 'cameraLogId', sort: ['-time'], defaultLimit: 100, pagedBy: 'store' },
  errors: ['validation', 'notFound'],
})
