import * as z from 'zod/mini'
import { dateTime, dateTimeText, idText, route } from '../wire/index.ts'

/** Why footage stops; shown at a gap in the timeline. */
export const endReason = z.enum([
  'cameraOffline',
  'network',
  'disk',
  'schedule',
  'mode',
  'restart',
  'clock',
  'stopped',
  /** Another worker now records the camera. */
  'takeover',
  /** The database didn't respond in time about who may record the camera. */
  'database',
  'deleted',
  'unknown',
])
export type EndReason = z.infer<typeof endReason>

export const timelineSegment = z.object({
  start: dateTime,
  end: dateTime,
  type: z.enum(['continuous', 'event']),
  storage: z.enum(['cloud', 'edge']),
  locked: z.boolean(),
})
export const timelineGap = z.object({ start: dateTime, end: dateTime, reason: endReason })

export const recordingTimeline = z.object({
  from: dateTime,
  till: dateTime,
  segments: z.array(timelineSegment),
  gaps: z.array(timelineGap),
})
export type RecordingTimeline = z.infer<typeof recordingTimeline>

export const getRecordingTimeline = route({
  name: 'getRecordingTimeline',
  summary: 'List the recorded times in a range, with the reasons for gaps',
  method: 'GET',
  path: 'cameras/{cameraId}/recordingTimeline',
  access: 'object',
  right: 'playback',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  query: z.object({
    from: dateTimeText,
    till: dateTimeText,
    /** Seconds: shorter gaps are shown as footage. */
    resolution: z.optional(z.pipe(z.string().check(z.regex(/^[0-9]{1,6}$/)), z.transform(Number))),
  }),
  reply: recordingTimeline,
  errors: ['validation', 'notFound'],
})
