import { DAY, HOUR, MINUTE, SECOND, type Span, spanLength } from './span.ts'
import type { ZoneClock } from './zone-clock.ts'

/** A label of the time axis. */
export interface Tick {
  readonly time: number
  readonly text: string
  /** Where a larger unit begins, such as a day among hours. */
  readonly isMajor: boolean
}

type CalendarUnit = 'day' | 'week' | 'month' | 'quarter' | 'year'

/** The distance between labels: equal parts of a day, or a unit of the calendar. */
export type TickStep = { readonly ms: number } | { readonly unit: CalendarUnit; readonly ms: number }

const CLOCK_STEPS: readonly TickStep[] = [
  ...[1, 2, 5, 10, 15, 30].map((n) => ({ ms: n * SECOND })),
  ...[1, 2, 5, 10, 15, 30].map((n) => ({ ms: n * MINUTE })),
  ...[1, 2, 3, 6, 12].map((n) => ({ ms: n * HOUR })),
]
const CALENDAR_STEPS: readonly TickStep[] = [
  { unit: 'day', ms: DAY },
  { unit: 'week', ms: 7 * DAY },
  { unit: 'month', ms: 28 * DAY },
  { unit: 'quarter', ms: 90 * DAY },
  { unit: 'year', ms: 365 * DAY },
]

/** Less than a second: the labels of a second would all be the same. */
const FINEST: TickStep = { ms: 100 }
const STEPS = [FINEST, ...CLOCK_STEPS, ...CALENDAR_STEPS]

/** The finest step between labels that leaves at least `room` CSS pixels for each. */
export function tickStep(span: Span, width: number, room: number): TickStep {
  return STEPS.find(({ ms }) => (ms / spanLength(span)) * width >= room) ?? { unit: 'year', ms: 365 * DAY }
}

/** Labels of a language. Formats are expensive to make, and a label stays the same, so both are kept. */
export class TickTexts {
  readonly #clock: ZoneClock
  readonly #kept = new Map<string, string>()
  readonly #day: Intl.DateTimeFormat
  readonly #month: Intl.DateTimeFormat
  readonly #year: Intl.DateTimeFormat

  constructor(clock: ZoneClock, locale: string) {
    const { timeZone } = clock
    this.#clock = clock
    this.#day = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short' })
    this.#month = new Intl.DateTimeFormat(locale, { timeZone, month: 'short' })
    this.#year = new Intl.DateTimeFormat(locale, { timeZone, year: 'numeric' })
  }

  of(time: number, kind: 'fraction' | 'second' | 'minute' | 'day' | 'month' | 'year'): string {
    const key = `${kind}${time}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const text = this.#make(time, kind)
    // A timeline that moves for hours passes many times.
    if (this.#kept.size > 2000) this.#kept.clear()
    this.#kept.set(key, text)
    return text
  }

  #make(time: number, kind: 'fraction' | 'second' | 'minute' | 'day' | 'month' | 'year'): string {
    if (kind === 'day') return this.#day.format(time)
    if (kind === 'month') return this.#month.format(time)
    if (kind === 'year') return this.#year.format(time)
    if (kind === 'fraction') return `${this.#clock.timeText(time, true)}.${Math.floor((time % 1000) / 100)}`
    return this.#clock.timeText(time, kind === 'second')
  }
}

/**
 * The labels of a range: at whole local times, so that steps of three hours are 0:00, 3:00 … also after the clocks
 * changed. Both passes of an hour that the clocks show twice are labeled.
 */
export function ticks(span: Span, step: TickStep, { clock, texts }: { clock: ZoneClock; texts: TickTexts }): Tick[] {
  return 'unit' in step ? calendarTicks(span, step.unit, { clock, texts }) : clockTicks(span, step.ms, { clock, texts })
}

interface Words {
  readonly clock: ZoneClock
  readonly texts: TickTexts
}

function clockTicks(span: Span, step: number, { clock, texts }: Words): Tick[] {
  const found: Tick[] = []
  const fine = step < SECOND ? 'fraction' : 'second'
  const kind = step < MINUTE ? fine : 'minute'
  for (const { from, till, offset } of clock.stretches(span)) {
    for (let local = Math.ceil((from + offset) / step) * step; local - offset < till; local += step) {
      const time = local - offset
      const isMajor = local % DAY === 0
      found.push({ time, isMajor, text: texts.of(time, isMajor ? 'day' : kind) })
    }
  }
  return found
}

/** The local date of a tick before or at this local date, as if it were UTC. */
function startOf(local: number, unit: CalendarUnit): number {
  const date = new Date(local)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const day = Math.floor(local / DAY) * DAY
  if (unit === 'day') return day
  // 1970-01-01 was a Thursday; weeks start on Monday (ISO 8601).
  if (unit === 'week') return day - ((((day / DAY + 3) % 7) + 7) % 7) * DAY
  if (unit === 'year') return Date.UTC(year, 0, 1)
  return Date.UTC(year, unit === 'quarter' ? Math.floor(month / 3) * 3 : month, 1)
}

function nextOf(local: number, unit: CalendarUnit): number {
  const date = new Date(local)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  if (unit === 'day') return local + DAY
  if (unit === 'week') return local + 7 * DAY
  if (unit === 'year') return Date.UTC(year + 1, 0, 1)
  return Date.UTC(year, month + (unit === 'quarter' ? 3 : 1), 1)
}

function calendarTicks(span: Span, unit: CalendarUnit, { clock, texts }: Words): Tick[] {
  const found: Tick[] = []
  const last = span.till + clock.offsetAt(span.till)
  for (let local = startOf(span.from + clock.offsetAt(span.from), unit); local <= last; local = nextOf(local, unit)) {
    const time = clock.toTime(local)
    if (time < span.from || time > span.till) continue
    const date = new Date(local)
    const isYear = date.getUTCMonth() === 0 && date.getUTCDate() === 1
    const isMonth = date.getUTCDate() === 1
    if (unit === 'day' || unit === 'week') found.push({ time, isMajor: isMonth, text: texts.of(time, 'day') })
    else found.push({ time, isMajor: isYear, text: texts.of(time, isYear ? 'year' : 'month') })
  }
  return found
}
