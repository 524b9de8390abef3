import * as z from 'zod/mini'
import { dateTime, dateTimeText, id, idListText, idText, route } from '../wire/index.ts'

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
  /** Only events are recorded, and nothing happened. */
  'noEvent',
  'deleted',
  /** Older than the subscription keeps footage. */
  'deletedByRetention',
  /** More than the subscription has room for. */
  'deletedByQuota',
  /** The server's disk was full. */
  'deletedForSpace',
  'deletedByUser',
  'unknown',
])
export type EndReason = z.infer<typeof endReason>

export const timelineSegment = z.object({
  start: dateTime,
  end: dateTime,
  type: z.enum(['continuous', 'event']),
  storage: z.enum(['cloud', 'edge']),
  /** `card`: it filled a gap from the camera's card. */
  origin: z.enum(['camera', 'card']),
  locked: z.boolean(),
})
export const timelineGap = z.object({ start: dateTime, end: dateTime, reason: endReason })

const stretches = { segments: z.array(timelineSegment), gaps: z.array(timelineGap) }
export const recordingTimeline = z.object({ from: dateTime, till: dateTime, ...stretches })
export type RecordingTimeline = z.infer<typeof recordingTimeline>

/** Seconds: shorter gaps are shown as footage. */
const resolution = z.optional(z.pipe(z.string().check(z.regex(/^[0-9]{1,6}$/)), z.transform(Number)))

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
  query: z.object({ from: dateTimeText, till: dateTimeText, resolution }),
  reply: recordingTimeline,
  errors: ['validation', 'notFound'],
})

/** The maximum number of cameras in one timeline: the tiles of the largest view. */
export const MAX_TIMELINE_CAMERAS = 36

const ofCameras = { 'query.cameraIds': 'camera' } as const

export const recordingTimelines = z.object({
  from: dateTime,
  till: dateTime,
  /** Those of the requested cameras that the caller can access, in the requested order. */
  cameras: z.array(z.object({ cameraId: id, ...stretches })),
})
export type RecordingTimelines = z.infer<typeof recordingTimelines>

export const getRecordingTimelines = route({
  name: 'getRecordingTimelines',
  summary: 'List the recorded times of several cameras in a range, with the reasons for gaps',
  method: 'GET',
  path: 'recordings/timeline',
  access: 'tenant',
  right: 'playback',
  support: 'yes',
  ids: ofCameras,
  query: z.object({ cameraIds: idListText, from: dateTimeText, till: dateTimeText, resolution }),
  reply: recordingTimelines,
  errors: ['validation'],
})

/** The maximum number of intervals in one reply, over all cameras. */
export const MAX_TIMELINE_INTERVALS = 10_000

/** One value per interval, from the first on: the seconds of it. */
const seconds = z.array(z.int())

export const recordingSums = z.object({
  /** Start of the first interval; intervals start at whole hours or days in UTC. */
  from: dateTime,
  /** End of the last interval. */
  till: dateTime,
  intervalSeconds: z.int(),
  /** Those of the requested cameras that the caller can access, in the requested order. */
  cameras: z.array(
    z.object({
      cameraId: id,
      recorded: seconds,
      /** Recorded because of events; omitted if there is none. Part of `recorded`, like `locked`. */
      event: z.optional(seconds),
      locked: z.optional(seconds),
      /** By reason; reasons without a gap are omitted. */
      gaps: z.partialRecord(endReason, seconds),
    }),
  ),
})
export type RecordingSums = z.infer<typeof recordingSums>

export const getRecordingSums = route({
  name: 'getRecordingSums',
  summary: 'Get how much several cameras recorded per hour or day, with the reasons for gaps',
  method: 'GET',
  path: 'recordings/timelineSums',
  access: 'tenant',
  right: 'playback',
  support: 'yes',
  ids: ofCameras,
  query: z.object({
    cameraIds: idListText,
    from: dateTimeText,
    till: dateTimeText,
    interval: z.enum(['hour', 'day']),
  }),
  reply: recordingSums,
  errors: ['validation'],
})
