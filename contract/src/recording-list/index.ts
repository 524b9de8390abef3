import * as z from 'zod/mini'
import { recordedEvent } from '../events/index.ts'
import { urlTypesText } from '../streams/index.ts'
import { dateTime, dateTimeText, id, idListText, idText, route } from '../wire/index.ts'

/** A camera's id and the run that its files name (docs/design/recording-format.md): `123-0123456789abcdef0123456789abcdef`. */
const recordingIdText = z.pipe(
  z.string().check(z.regex(/^[1-9][0-9]{0,14}-[0-9a-f]{32}$/)),
  z.transform((text) => {
    const [cameraId = '', runId = ''] = text.split('-')
    return { cameraId: Number(cameraId), runId }
  }),
)

/**
 * Footage of a camera without a break, whole hours or days of it. What was deleted from its middle is a gap in the
 * camera's timeline.
 */
export const recording = z.object({
  recordingId: z.string(),
  cameraId: id,
  startTime: dateTime,
  /** Of a recording in progress: what is on the disk by now. */
  endTime: dateTime,
  inProgress: z.boolean(),
  type: z.enum(['continuous', 'event']),
  storage: z.enum(['cloud', 'edge']),
  /** Whether all of it is protected from deletion. */
  locked: z.boolean(),
  /** Those that `includeUrlTypes` names. Clients append `&ticket=` or `&access_token=` (docs/guide/video.md). */
  urls: z.object({
    mseWss: z.optional(z.string()),
    hlsHttp: z.optional(z.string()),
    hlsHttps: z.optional(z.string()),
    /** If the operator switched RTSP on; `rtspHttp` and `rtspHttps` are the same over HTTP. */
    rtsp: z.optional(z.string()),
    rtspHttp: z.optional(z.string()),
    rtspHttps: z.optional(z.string()),
    /** A file; clients may append `&from=` and `&till=` for a part of it. Only for those who may export. */
    mp4: z.optional(z.string()),
  }),
})
export type Recording = z.infer<typeof recording>

const filter = {
  /** Recordings that end after this; a day before `maxTimestamp` if omitted. */
  minTimestamp: z.optional(dateTimeText),
  /** Recordings that start before this; now if omitted. */
  maxTimestamp: z.optional(dateTimeText),
  /** Types separated by commas, as in the list of streams; unknown ones are ignored. */
  includeUrlTypes: z.optional(urlTypesText),
}
const list = { key: 'recordingId', sort: ['startTime', 'endTime'], defaultLimit: 50 } as const
const watching = { method: 'GET', right: 'playback', support: 'yes' } as const
const ofCamera = { ids: { 'params.cameraId': 'camera' }, access: 'object' } as const
const cameraParams = z.object({ cameraId: idText })

export const getRecordings = route({
  ...watching,
  name: 'getRecordings',
  summary: 'List the recordings of several cameras that touch a range, oldest first',
  path: 'recordings',
  access: 'tenant',
  ids: { 'query.cameraIds': 'camera' },
  query: z.object({ ...filter, cameraIds: z.optional(idListText) }),
  reply: z.array(recording),
  list,
  errors: ['validation'],
})

export const getCameraRecordings = route({
  ...watching,
  ...ofCamera,
  name: 'getCameraRecordings',
  summary: 'List the recordings of a camera that touch a range, oldest first',
  path: 'cameras/{cameraId}/recordings',
  params: cameraParams,
  query: z.object(filter),
  reply: z.array(recording),
  list,
  errors: ['validation', 'notFound'],
})

export const getRecording = route({
  ...watching,
  name: 'getRecording',
  operation: 77,
  summary: 'Get a recording with its addresses',
  path: 'recordings/{recordingId}',
  access: 'object',
  ids: { 'params.recordingId': 'camera' },
  params: z.object({ recordingId: recordingIdText }),
  reply: recording,
  errors: ['notFound'],
})

export const getAdjacentEvent = route({
  ...watching,
  ...ofCamera,
  name: 'getAdjacentEvent',
  summary: 'Get the event of a camera that starts next after a time, or last before it; 204 if there is none',
  path: 'cameras/{cameraId}/recordings/adjacentEvent',
  params: cameraParams,
  query: z.object({ time: dateTimeText, direction: z.enum(['next', 'previous']) }),
  reply: z.optional(recordedEvent),
  errors: ['validation', 'notFound'],
})

/** The widest picture that is drawn; wider ones are made smaller. */
export const MAX_PICTURE_WIDTH = 3840

export const getRecordedPicture = route({
  ...watching,
  ...ofCamera,
  name: 'getRecordedPicture',
  summary:
    "Get the picture of a camera's footage at a time: a JPEG if the server has a decoder, or one MP4 sample with Accept: video/mp4",
  path: 'cameras/{cameraId}/recordings/snapshot',
  /** A recorded picture of any time is video; blurred pictures are those of now and of events. */
  support: 'video',
  params: cameraParams,
  query: z.object({
    time: dateTimeText,
    /** The width of the JPEG in pixels; its height follows. At most the width of the footage, which it has if omitted. */
    width: z.optional(z.pipe(z.string().check(z.regex(/^[1-9][0-9]{1,3}$/)), z.transform(Number))),
  }),
  waitsForOthers: true,
  media: ['image/jpeg', 'video/mp4'],
  reply: z.unknown(),
  errors: ['validation', 'notFound', 'mediaNotSupported', 'timedOut'],
})
