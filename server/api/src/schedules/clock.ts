import type { Schedule } from '@sightline/contract/schedules'
import { toDateTime } from '@sightline/contract/wire'
import { utcOffset } from '../reference-lists/index.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** The first minute after `from` with another offset than there; undefined if the offset at `to` is the same. */
function findChange(timeZone: string, from: number, to: number): number | undefined {
  const before = utcOffset(timeZone, from)
  if (utcOffset(timeZone, to) === before) return undefined
  let [same, other] = [from, to]
  while (other - same > MINUTE_MS) {
    const middle = Math.floor((same + other) / 2 / MINUTE_MS) * MINUTE_MS
    if (utcOffset(timeZone, middle) === before) same = middle
    else other = middle
  }
  return other
}

/**
 * The offset of a time zone now, and the next change of its clocks within a year. Browsers may know other rules of a
 * zone than the server, whose workers obey the schedule.
 */
export function toClock(timeZone: string, now: number): Pick<Schedule, 'utcOffset' | 'nextOffsetChange'> {
  const start = Math.floor(now / MINUTE_MS) * MINUTE_MS
  // No zone changes its clocks twice within two weeks.
  const steps = Array.from({ length: 27 }, (_, step) => start + step * 14 * DAY_MS)
  const at = steps.map((from) => findChange(timeZone, from, from + 14 * DAY_MS)).find((change) => change !== undefined)
  return {
    utcOffset: utcOffset(timeZone, start),
    nextOffsetChange: at === undefined ? null : { at: toDateTime(at), utcOffset: utcOffset(timeZone, at) },
  }
}
