/** A hostile camera may send any number of digits, and an infinite number is no JSON. */
const DURATION = /^P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/

/** Milliseconds of a duration as `PT1M30.5S` (XML Schema §3.2.6), without months and years. */
export function durationMs(text: string | undefined): number | undefined {
  const found = DURATION.exec(text ?? '')
  if (found === null) return undefined
  const [days, hours, minutes, seconds] = [1, 2, 3, 4].map((at) => Number(found[at] ?? 0))
  return Math.round((((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60_000 + (seconds ?? 0) * 1000)
}
