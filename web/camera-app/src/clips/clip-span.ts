import { MAX_CLIP_HOURS } from '@sightline/contract/streams'
import { localDate, parseTimeOfDay, repeatedTime, timeOfDay } from '@sightline/shell/local-day'
import type { Text } from './text.ts'

const MINUTE = 60_000

/** Milliseconds since 1970. */
export interface ClipSpan {
  readonly from: number
  readonly till: number
}

/** The form's values, `yyyy-mm-ddThh:mm:ss` by the clock of the camera. */
export interface SpanFields extends Record<string, string> {
  readonly from: string
  readonly till: string
}

/** What a form begins with, and what it means: where clocks are set back, the fields alone could mean another hour. */
export interface Suggestion {
  readonly fields: SpanFields
  readonly span: ClipSpan
}

const toField = (time: number, timeZone: string): string => `${localDate(time, timeZone)}T${timeOfDay(time, timeZone)}`

const suggest = (span: ClipSpan, timeZone: string): Suggestion => ({
  fields: { from: toField(span.from, timeZone), till: toField(span.till, timeZone) },
  span,
})

/**
 * The time that a field says. Where clocks show it twice, the one that `fits`, else the first.
 */
function toTime(field: string, timeZone: string, fits: (time: number, other: number) => boolean): number | undefined {
  const [date = '', time = ''] = field.split('T')
  const first = parseTimeOfDay(time, date, timeZone)
  const again = first === undefined ? undefined : repeatedTime(first, timeZone)
  return first !== undefined && again !== undefined && fits(again, first) ? again : first
}

/** The range that was selected in the timeline; else the minute before and after what is watched; live: the last two minutes. */
export function suggestSpan(
  { watched, marked }: { readonly watched: number | undefined; readonly marked?: ClipSpan | undefined },
  { now, timeZone }: { now: number; timeZone: string },
): Suggestion {
  if (marked !== undefined) return suggest(marked, timeZone)
  const around = watched ?? now - MINUTE
  const from = Math.floor((around - MINUTE) / MINUTE) * MINUTE
  const till = Math.min(Math.ceil((around + MINUTE) / MINUTE) * MINUTE, Math.ceil(now / MINUTE) * MINUTE)
  return suggest({ from, till }, timeZone)
}

/**
 * Undefined while one of its times cannot be read. A field that still says what was suggested means that; one that was changed, the
 * time nearest to it.
 */
export function readTimes(
  { from, till }: SpanFields,
  timeZone: string,
  { fields, span }: Suggestion,
): ClipSpan | undefined {
  const near = (wanted: number) => (time: number, other: number) => Math.abs(time - wanted) < Math.abs(other - wanted)
  const start = from === fields.from ? span.from : toTime(from, timeZone, near(span.from))
  if (start === undefined) return undefined
  const isNearer = near(span.till)
  const end =
    till === fields.till ? span.till : toTime(till, timeZone, (time, other) => other <= start || isNearer(time, other))
  return end === undefined ? undefined : { from: start, till: end }
}

/** What is wrong with a span for a file. */
export function spanProblem({ from, till }: ClipSpan): Text | undefined {
  if (till <= from) return 'The end must be after the start'
  return till - from > MAX_CLIP_HOURS * 60 * MINUTE ? 'A clip can be up to 12 hours long' : undefined
}

/** Where the next file of a span begins if one has ended before it; undefined if that was the last one. */
export function nextStart({ till }: ClipSpan, ended: string | undefined): number | undefined {
  const end = Date.parse(ended ?? '')
  return end < till ? end : undefined
}
