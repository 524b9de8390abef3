/** The clock of a device may be so far behind that of the server, whose times stand in addresses. */
const CLOCK_SLACK_MS = 60_000

/** A moment in an address is a date-time, so that a person can read and change it; what is none means live. */
export function searchOfCamera(search: Record<string, unknown>): { t?: string | undefined } {
  // `t` is always named: what is left out here stays as it came.
  return { t: typeof search.t === 'string' && !Number.isNaN(Date.parse(search.t)) ? search.t : undefined }
}

/** Whether nothing can be recorded of that moment yet. Both in milliseconds since 1970. */
export const isToCome = (moment: number, now: number): boolean => moment > now + CLOCK_SLACK_MS
