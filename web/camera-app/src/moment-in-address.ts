/** How far a device's clock may be behind the server's, whose times are in addresses. */
const CLOCK_SLACK_MS = 60_000

/** A time in an address is a date-time, so that a person can read and edit it. An invalid one means live. */
export function searchOfCamera(search: Record<string, unknown>): { t?: string | undefined } {
  // `t` is always present; an omitted parameter would keep its value.
  return { t: typeof search.t === 'string' && !Number.isNaN(Date.parse(search.t)) ? search.t : undefined }
}

/** Whether nothing can be recorded for that time yet. Both in milliseconds since 1970. */
export const isToCome = (moment: number, now: number): boolean => moment > now + CLOCK_SLACK_MS
