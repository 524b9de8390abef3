import { utcOffset } from '@sightline/shell/local-day'
import { DAY, type Span } from './span.ts'

/** A range in which the clocks of a zone have one offset from UTC, in milliseconds. */
export interface OffsetStretch extends Span {
  readonly offset: number
}

/** Rules differ by region; a zone is named as people there name it. */
const NAMING_LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-CA', 'en-NZ', 'en-ZA', 'en-IN', 'en-IE']
/** No zone changes its offset and changes it back within a week. */
const SEARCH_STEP = 7 * DAY

const two = (n: number): string => String(n).padStart(2, '0')

/**
 * The clocks of a time zone. The offsets of a year are found once, because asking the browser for each label of each frame
 * would take most of the frame.
 */
export class ZoneClock {
  readonly timeZone: string
  readonly #years = new Map<number, readonly OffsetStretch[]>()
  readonly #names = new Map<number, string>()

  constructor(timeZone: string) {
    this.timeZone = timeZone
  }

  /** Milliseconds that the clocks are ahead of UTC. */
  offsetAt(time: number): number {
    const year = this.#year(new Date(time).getUTCFullYear())
    return (year.find(({ till }) => time < till) ?? year.at(-1))?.offset ?? 0
  }

  /** The parts of a range with their offsets. */
  stretches({ from, till }: Span): readonly OffsetStretch[] {
    const found: OffsetStretch[] = []
    for (let year = new Date(from).getUTCFullYear(); year <= new Date(till).getUTCFullYear(); year += 1) {
      for (const stretch of this.#year(year)) {
        if (stretch.till <= from || stretch.from >= till) continue
        const last = found.at(-1)
        const end = Math.min(stretch.till, till)
        if (last?.offset === stretch.offset) found[found.length - 1] = { ...last, till: end }
        else found.push({ from: Math.max(stretch.from, from), till: end, offset: stretch.offset })
      }
    }
    return found
  }

  /**
   * When the clocks show this local time (as if it were UTC). If they show it twice, the first; if never, the time after
   * the jump.
   */
  toTime(local: number): number {
    const candidates = [local - this.offsetAt(local - DAY), local - this.offsetAt(local + DAY)]
    const fitting = candidates.filter((time) => time + this.offsetAt(time) === local)
    return fitting.length > 0 ? Math.min(...fitting) : Math.max(...candidates)
  }

  /** When the clocks show the same time of day under the zone's name `CET` or `CEST`, in any case; undefined if they don't on that day. */
  sameIn(time: number, zoneName: string): number | undefined {
    const local = time + this.offsetAt(time)
    const passes = this.stretches({ from: time - DAY, till: time + DAY }).map(({ offset }) => local - offset)
    const isNamed = (pass: number) => this.nameAt(pass).toLowerCase() === zoneName.toLowerCase()
    return passes.find((pass) => pass + this.offsetAt(pass) === local && isNamed(pass))
  }

  /** Whether the clocks show the same time of that day once more, because they are or were set back. */
  isRepeated(time: number): boolean {
    const parts = this.stretches({ from: time - DAY, till: time + DAY })
    return parts.some(({ till, offset }, index) => {
      const next = parts[index + 1]
      if (next === undefined || next.offset >= offset) return false
      const back = offset - next.offset
      return time >= till - back && time < till + back
    })
  }

  /** `02:30`, or `02:30:05` with seconds; `02:30 CET` if the clocks show it twice on that day. */
  timeText(time: number, withSeconds = false): string {
    const at = new Date(time + this.offsetAt(time))
    const short = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`
    const text = withSeconds ? `${short}:${two(at.getUTCSeconds())}` : short
    return this.isRepeated(time) ? `${text} ${this.nameAt(time)}` : text
  }

  /** The name of the zone at that time: `CEST`, or `GMT+2` if it has none. */
  nameAt(time: number): string {
    const offset = this.offsetAt(time)
    const known = this.#names.get(offset)
    if (known !== undefined) return known
    const names = NAMING_LOCALES.map(
      (locale) =>
        new Intl.DateTimeFormat(locale, { timeZone: this.timeZone, timeZoneName: 'short' })
          .formatToParts(time)
          .find(({ type }) => type === 'timeZoneName')?.value ?? '',
    )
    const name = names.find((one) => !/^(GMT|UTC)./.test(one)) ?? names[0] ?? ''
    this.#names.set(offset, name)
    return name
  }

  #year(year: number): readonly OffsetStretch[] {
    const known = this.#years.get(year)
    if (known !== undefined) return known
    const found = this.#search({ from: Date.UTC(year, 0, 1), till: Date.UTC(year + 1, 0, 1) })
    this.#years.set(year, found)
    return found
  }

  #search({ from, till }: Span): readonly OffsetStretch[] {
    const found: OffsetStretch[] = []
    let start = from
    let offset = utcOffset(from, this.timeZone)
    for (let time = from; time < till; time += SEARCH_STEP) {
      const next = Math.min(time + SEARCH_STEP, till)
      const after = utcOffset(next - 1, this.timeZone)
      if (after === offset) continue
      const change = this.#change({ from: time, till: next }, offset)
      found.push({ from: start, till: change, offset })
      start = change
      offset = after
    }
    return [...found, { from: start, till, offset }]
  }

  /** The first whole second with another offset. */
  #change({ from, till }: Span, offset: number): number {
    let [before, after] = [Math.floor(from / 1000), Math.ceil(till / 1000)]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (utcOffset(middle * 1000, this.timeZone) === offset) before = middle
      else after = middle
    }
    return after * 1000
  }
}

const clocks = new Map<string, ZoneClock>()

/** The clock of a zone; the same object each time. */
export function zoneClock(timeZone: string): ZoneClock {
  const clock = clocks.get(timeZone) ?? new ZoneClock(timeZone)
  clocks.set(timeZone, clock)
  return clock
}
