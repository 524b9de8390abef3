import * as z from 'zod/mini'
import { dateTime, idText, route } from '../wire/index.ts'
import { recordingMode } from '../zones/index.ts'
import { hasOverlap, parseTimeOfDay, weekdays } from './rules.ts'

export {
  findSpan,
  type LocalMinute,
  parseTimeOfDay,
  toLocalMinute,
  type Weekday,
  type WeeklySpan,
  weekdays,
} from './rules.ts'

/** No schedule needs more: a different one for each hour of the week would. */
const MAX_SPANS = 100

/** `HH:mm`, up to `24:00`. */
export const timeOfDay = z
  .string()
  .check(z.refine((text) => parseTimeOfDay(text) !== undefined, { error: 'Enter a time as HH:mm, up to 24:00' }))

export const scheduleSpan = z
  .object({
    days: z.array(z.enum(weekdays)).check(
      z.minLength(1),
      z.refine((days) => new Set(days).size === days.length, { error: 'Name each day once' }),
    ),
    /** In the zone's time. */
    from: timeOfDay,
    /** If not later than `from`, the span ends on the next day. */
    to: timeOfDay,
    /** Of a recording span; by default the camera's recording mode. */
    type: z.optional(recordingMode),
  })
  .check(z.refine(({ from }) => from !== '24:00', { path: ['from'], error: 'A span starts before 24:00' }))
export type ScheduleSpan = z.infer<typeof scheduleSpan>

const spans = z.array(scheduleSpan).check(
  z.maxLength(MAX_SPANS),
  z.refine((list) => !hasOverlap(list), { error: 'Spans overlap: join them or change their times' }),
)

/** Three independent lists: when to record, when to send push messages and when to send emails. */
export const scheduleSpans = z.object({ recording: spans, push: spans, email: spans })
export type ScheduleSpans = z.infer<typeof scheduleSpans>

/** Whether a stored schedule has times to record at. */
export const hasRecordingTimes = (stored: unknown): boolean => scheduleSpans.parse(stored).recording.length > 0

export const schedule = z.extend(scheduleSpans, {
  /** The time zone of the spans: the camera's, the zone's or the account's. */
  timeZone: z.string(),
  /** Of that time zone now, in seconds east of Greenwich, as the server knows it. */
  utcOffset: z.int(),
  /** The next change of the clocks there within a year, and the offset after it; null if there is none. */
  nextOffsetChange: z.nullable(z.object({ at: dateTime, utcOffset: z.int() })),
  /** Whether this is the zone's schedule, because the camera has none of its own. */
  inherited: z.boolean(),
})
export type Schedule = z.infer<typeof schedule>

const ofCamera = {
  path: 'cameras/{cameraId}/schedule',
  access: 'object',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
} as const

const ofZone = {
  path: 'zones/{zoneId}/schedule',
  access: 'object',
  support: 'yes',
  ids: { 'params.zoneId': 'zone' },
  params: z.object({ zoneId: idText }),
  reply: schedule,
} as const

export const getCameraSchedule = route({
  ...ofCamera,
  name: 'getCameraSchedule',
  summary: 'Get the schedule of a camera: its own, or that of its zone',
  method: 'GET',
  right: 'CameraView',
  reply: schedule,
  errors: ['notFound'],
})

export const putCameraSchedule = route({
  ...ofCamera,
  name: 'putCameraSchedule',
  summary: 'Give a camera a schedule of its own; it applies in the mode scheduled',
  method: 'PUT',
  right: 'editSchedule',
  body: scheduleSpans,
  reply: schedule,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const deleteCameraSchedule = route({
  ...ofCamera,
  name: 'deleteCameraSchedule',
  summary: 'Delete the own schedule of a camera, so that the schedule of its zone applies',
  method: 'DELETE',
  right: 'editSchedule',
  status: 204,
  reply: z.undefined(),
  errors: ['notFound', 'businessRule'],
})

export const getZoneSchedule = route({
  ...ofZone,
  name: 'getZoneSchedule',
  summary: 'Get the schedule of a zone',
  method: 'GET',
  right: 'ZonesView',
  errors: ['notFound'],
})

export const putZoneSchedule = route({
  ...ofZone,
  name: 'putZoneSchedule',
  summary: 'Replace the schedule of a zone; it applies to its cameras without a schedule of their own',
  method: 'PUT',
  right: 'editSchedule',
  body: scheduleSpans,
  errors: ['validation', 'notFound', 'businessRule'],
})
