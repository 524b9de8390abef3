import type { EpochMs } from '../clock.ts'

/** More would push the clock out of a strip of 80 characters. */
const LONGEST_NAME = 24

/**
 * The text of the strip: the camera's name and its clock, `CAR PARK 2026-01-31 23:59:59.9`. `timeZone` is an IANA name.
 * Remembers the last second, because asking Intl costs more than writing the strip.
 */
export function createCaption(name: string, timeZone: string): (at: EpochMs) => string {
  // Swedish writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const shortName = name.slice(0, LONGEST_NAME)
  let second = Number.NaN
  let text = ''
  return (at) => {
    if (Math.floor(at / 1000) !== second) {
      second = Math.floor(at / 1000)
      text = `${shortName}  ${format.format(second * 1000)}`
    }
    return `${text}.${Math.floor(at / 100) - second * 10}`
  }
}
