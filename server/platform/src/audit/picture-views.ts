import { toDateTime } from '@sightline/contract/wire'

const HOUR_MS = 3_600_000

/**
 * The hour of the footage that a picture of `at` (milliseconds since 1970) is from. Entries about single pictures say it instead of the
 * time, because a timeline shows dozens of pictures in a minute.
 */
export function pictureHour(at: number): { readonly from: string; readonly till: string } {
  const start = Math.floor(at / HOUR_MS) * HOUR_MS
  return { from: toDateTime(start), till: toDateTime(start + HOUR_MS) }
}
