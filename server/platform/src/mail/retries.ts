import { type EpochMs, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from '../clock/index.ts'

/** Pauses after the first, second, … try; the last one goes on. A receiver that greylists lets us in after some minutes. */
const PAUSES = [
  10 * MS_PER_SECOND,
  30 * MS_PER_SECOND,
  2 * MS_PER_MINUTE,
  5 * MS_PER_MINUTE,
  15 * MS_PER_MINUTE,
  30 * MS_PER_MINUTE,
  MS_PER_HOUR,
] as const

/** How long a mail is tried at all, unless it is of no use earlier. */
export const LONGEST_TRYING_MS = 24 * MS_PER_HOUR

/** When to try again after `tries` in vain; undefined where that would be too late. */
export function nextTryAt(given: {
  readonly tries: number
  readonly now: EpochMs
  readonly giveUpAt: EpochMs
}): EpochMs | undefined {
  const { tries, now, giveUpAt } = given
  const pause = PAUSES[Math.min(tries, PAUSES.length) - 1] ?? PAUSES[0]
  const next = now + pause
  return next < giveUpAt ? next : undefined
}
