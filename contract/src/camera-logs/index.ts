import * as z from 'zod/mini'
import { dateTime, dateTimeText, id, idText, route } from '../wire/index.ts'

/** From the least to the worst. */
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
  /** Footage goes on after a break; comes at its end. */
  'gap',
  /** How many more lines an hour had than are kept. */
  'repeated',
] as const
export const cameraLogEvent = z.enum(cameraLogEvents)
export type CameraLogEvent = z.infer<typeof cameraLogEvent>

/** Days that lines are kept. */
export const CAMERA_LOG_DAYS = 90

/** Something that happened to a camera's connection or recording (api.md §20). */
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
  summary: 'What happened to the connection and recording of a camera in the last 90 days, newest first',
  method: 'GET',
  path: 'cameras/{cameraId}/logs',
  access: 'object',
  right: 'logFiles',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  query: z.object({
    /** Earliest, inclusive. */
    from: z.optional(dateTimeText),
    /** Latest, exclusive. */
    till: z.optional(dateTimeText),
    /** That one and worse. */
    level: z.optional(cameraLogLevel),
  }),
  reply: z.array(cameraLogEntry),
  list: { key: 'cameraLogId', sort: ['-time'], defaultLimit: 100, pagedBy: 'store' },
  errors: ['validation', 'notFound'],
})
