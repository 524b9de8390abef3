import * as z from 'zod/mini'
import { stateListText } from '../event-states/index.ts'
import { boundedText, filledText } from '../user-details/index.ts'
import { dateTime, dateTimeText, id, idListText, idText, route } from '../wire/index.ts'

/** Types of events by the group that screens show them in. */
export const eventGroups = {
  motion: 'detection',
  audio: 'detection',
  pir: 'detection',
  intrusion: 'detection',
  tripwire: 'detection',
  object: 'detection',
  cameraOnline: 'camera',
  cameraOffline: 'camera',
  cameraAdded: 'camera',
  cameraRemoved: 'camera',
  /** Another device takes its place. */
  cameraReplaced: 'camera',
  recordingStarted: 'recording',
  recordingStopped: 'recording',
  edgeStorageError: 'recording',
  ioInput: 'device',
  doorbell: 'device',
  tampered: 'device',
  userAction: 'other',
  custom: 'other',
} as const

export type EventType = keyof typeof eventGroups
export const eventTypes = Object.keys(eventGroups) as readonly EventType[]
export const eventType = z.enum(Object.keys(eventGroups) as [EventType, ...EventType[]])

/** Days that events are kept. */
export const EVENT_DAYS = 365

const event = z.object({
  eventId: id,
  type: eventType,
  /** The same as `type`, for clients that choose a class by it. */
  objectType: eventType,
  /** Of user actions id and name are those of the user, for callers who see the account's users; otherwise null and empty. */
  source: z.object({ kind: z.enum(['camera', 'device', 'user', 'system']), id: z.nullable(id), name: z.string() }),
  /** When it began. */
  timestamp: dateTime,
  /** Seconds; 0 for a moment and while the event is in progress. */
  duration: z.number(),
  /** Whether it is still in progress. */
  active: z.boolean(),
  /** When the server learned of it. */
  writtenAt: dateTime,
  cameraId: z.nullable(id),
  /** Details by name, depending on the type; of user actions `action` is as in the audit log. */
  data: z.record(z.string(), z.string()),
  read: z.boolean(),
  bookmarked: z.boolean(),
  note: z.string(),
})

export { event as recordedEvent }
export type RecordedEvent = z.infer<typeof event>

/** Types separated by commas; unknown ones match nothing. */
const typeListText = z.pipe(
  z.string().check(z.regex(/^([A-Za-z]{1,64}(,[A-Za-z]{1,64}){0,49})?$/)),
  z.transform((text) => (text === '' ? [] : text.split(','))),
)

export const eventFilter = z.object({
  cameraIds: z.optional(idListText),
  zoneIds: z.optional(idListText),
  types: z.optional(typeListText),
  /** Earliest start, inclusive. */
  minTimestamp: z.optional(dateTimeText),
  /** Latest start, exclusive. */
  maxTimestamp: z.optional(dateTimeText),
  read: z.optional(z.enum(['true', 'false'])),
  bookmarked: z.optional(z.enum(['true', 'false'])),
})

const seeing = { right: 'CameraView', support: 'yes' } as const
const filterIds = { 'query.cameraIds': 'camera', 'query.zoneIds': 'zone' } as const

export const getEvents = route({
  name: 'getEvents',
  summary: 'List events of the cameras the caller can access, newest first',
  method: 'GET',
  path: 'events',
  access: 'tenant',
  ...seeing,
  ids: filterIds,
  query: eventFilter,
  reply: z.array(event),
  list: { key: 'eventId', sort: ['-eventId'], defaultLimit: 50, pagedBy: 'store' },
  errors: ['validation'],
})

export const getEvent = route({
  name: 'getEvent',
  summary: 'Get an event',
  method: 'GET',
  path: 'events/{eventId}',
  access: 'object',
  ...seeing,
  ids: { 'params.eventId': 'event' },
  params: z.object({ eventId: idText }),
  reply: event,
  errors: ['notFound'],
})

export const getEventPicture = route({
  name: 'getEventPicture',
  summary:
    "Get the picture of an event from its camera's footage: a JPEG if the server has a decoder, or one MP4 sample with Accept: video/mp4",
  method: 'GET',
  path: 'events/{eventId}/picture',
  access: 'object',
  right: 'playback',
  support: 'blurred',
  ids: { 'params.eventId': 'event' },
  params: z.object({ eventId: idText }),
  waitsForOthers: true,
  media: ['image/jpeg', 'video/mp4'],
  reply: z.unknown(),
  errors: ['notFound', 'mediaNotSupported', 'timedOut'],
})

export const getEventTypes = route({
  name: 'getEventTypes',
  summary: 'List the types of events',
  method: 'GET',
  path: 'events/types',
  access: 'tenant',
  ...seeing,
  reply: z.array(z.object({ type: eventType, group: z.string() })),
  list: { key: 'type', sort: ['type', 'group'], defaultLimit: 'all' },
  errors: ['validation'],
})

const marks = {
  read: z.optional(z.boolean()),
  bookmarked: z.optional(z.boolean()),
  /** Empty: none. */
  note: z.optional(z.union([z.literal(''), boundedText(1, 1000)])),
}

export const patchEvent = route({
  name: 'patchEvent',
  summary: 'Mark an event as read, bookmark it, or add a note, for all users of the account',
  method: 'PATCH',
  path: 'events/{eventId}',
  access: 'object',
  right: 'playback',
  support: 'yes',
  ids: { 'params.eventId': 'event' },
  params: z.object({ eventId: idText }),
  body: z.object(marks),
  reply: event,
  errors: ['validation', 'notFound'],
})

/** Name of the request header that a client which reconnects sends (HTML, server-sent events). */
export const LAST_EVENT_ID = 'last-event-id'

export const getEventStream = route({
  name: 'getEventStream',
  summary:
    'Follow events, and states of cameras, recorders, their jobs, exports, shares and support sessions, as server-sent events: each when it changes; Last-Event-ID continues where a stream broke',
  method: 'GET',
  path: 'events/stream',
  access: 'tenant',
  ...seeing,
  ids: filterIds,
  query: z.object({
    ...eventFilter.shape,
    /** Like the header Last-Event-ID: continues after this id; 0 is the beginning. */
    after: z.optional(z.string().check(z.regex(/^[0-9]{1,15}$/))),
    /** `false`: only what there is now. */
    follow: z.optional(z.enum(['true', 'false'])),
    /** States that come along, separated by commas. Those that the caller may not list are left out. */
    statesOf: z.optional(stateListText),
  }),
  media: ['text/event-stream'],
  reply: z.unknown(),
  errors: ['validation'],
})

/** Details of a custom event. */
const MAX_DETAILS = 20
const details = z
  .record(z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/)), boundedText(1, 200))
  .check(z.refine((data) => Object.keys(data).length <= MAX_DETAILS, `must have at most ${MAX_DETAILS} details`))

export const postCameraEvent = route({
  name: 'postCameraEvent',
  summary: 'Add an event of your own to a camera, such as one of an access control system',
  method: 'POST',
  path: 'cameras/{cameraId}/events',
  access: 'object',
  right: 'editCamera',
  support: 'no',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  status: 201,
  created: 'events/{eventId}',
  body: z.object({
    type: z.literal('custom'),
    name: filledText(64),
    /** Now by default. */
    timestamp: z.optional(dateTimeText),
    data: z.optional(details),
  }),
  reply: event,
  errors: ['validation', 'notFound'],
})
