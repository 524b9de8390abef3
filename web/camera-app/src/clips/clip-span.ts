import { MAX_CLIP_HOURS } from '@sightline/contract/streams'
import { localDate, parseTimeOfDay, timeOfDay } from '@sightline/shell/local-day'
import type { Text } from './text.ts'

const MINUTE = 60_000

/** Milliseconds since 1970. */
export interface ClipSpan {
  readonly from: number
  readonly till: number
}

/** The form's values, `yyyy-mm-ddThh:mm` by the clock of the camera. */
export interface SpanFields extends Record<string, string> {
  readonly from: string
  readonly till: string
}

const toField = (time: number, timeZone: string): string =>
  `${localDate(time, timeZone)}T${timeOfDay(time, timeZone, true)}`

function toTime(field: string, timeZone: string): number | undefined {
  const [date = '', time = ''] = field.split('T')
  return parseTimeOfDay(time, date, timeZone)
}

/** The minute before and after what is watched; live: the last two minutes. */
export function suggestSpan(
  watched: number | undefined,
  { now, timeZone }: { now: number; timeZone: string },
): SpanFields {
  const around = watched ?? now - MINUTE
  const from = Math.floor((around - MINUTE) / MINUTE) * MINUTE
  const till = Math.min(Math.ceil((around + MINUTE) / MINUTE) * MINUTE, Math.ceil(now / MINUTE) * MINUTE)
  return { from: toField(from, timeZone), till: toField(till, timeZone) }
}

/** A range that was selected in the timeline, to whole minutes around it. */
export function suggestMarked({ from, till }: ClipSpan, timeZone: string): Suggestion {
  const span = { from: Math.floor(from / MINUTE) * MINUTE, till: Math.ceil(till / MINUTE) * MINUTE }
  return { fields: { from: toField(span.from, timeZone), till: toField(span.till, timeZone) }, span }
}

/** What a form begins with, and what it means: where clocks are set back, the fields alone could mean another hour. */
export interface Suggestion {
  readonly fields: SpanFields
  readonly span: ClipSpan
}

/** Undefined while one of its times cannot be read. A field that still says what was suggested means that. */
export function readTimes({ from, till }: SpanFields, timeZone: string, suggested?: Suggestion): ClipSpan | undefined {
  const start = from === suggested?.fields.from ? suggested.span.from : toTime(from, timeZone)
  const end = till === suggested?.fields.till ? suggested.span.till : toTime(till, timeZone)
  return start === undefined || end === undefined ? undefined : { from: start, till: end }
}

/** Undefined if it is not a span yet. */
export function readSpan(fields: SpanFields, timeZone: string, suggested?: Suggestion): ClipSpan | undefined {
  const span = readTimes(fields, timeZone, suggested)
  return span === undefined || spanProblem(span) !== undefined ? undefined : span
}

/** What is wrong with a span, if both of its times can be read. */
function spanProblem({ from, till }: ClipSpan): Text | undefined {
  if (till <= from) return 'The end must be after the start'
  return till - from > MAX_CLIP_HOURS * 60 * MINUTE ? 'A clip can be up to 12 hours long' : undefined
}

/** The same for the fields of the form; an incomplete one is no problem yet. */
export function fieldProblem(fields: SpanFields, timeZone: string, suggested?: Suggestion): Text | undefined {
  const span = readTimes(fields, timeZone, suggested)
  return span === undefined ? undefined : spanProblem(span)
}

/** Where the next file of a span begins if one has ended before it; undefined if that was the last one. */
export function nextStart({ till }: ClipSpan, ended: string | undefined): number | undefined {
  const end = Date.parse(ended ?? '')
  return end < till ? end : undefined
}
