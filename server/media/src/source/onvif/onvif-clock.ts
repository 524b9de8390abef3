import * as z from 'zod/mini'
import { element, text } from './shapes.ts'

/** The reply to GetSystemDateAndTime (ONVIF Core §8.3.5). */
export const clockShape = z.object({
  SystemDateAndTime: element(
    z.object({
      UTCDateTime: element(
        z.object({
          Time: element(z.object({ Hour: text, Minute: text, Second: text })),
          Date: element(z.object({ Year: text, Month: text, Day: text })),
        }),
      ),
    }),
  ),
})

const EARLIEST = Date.UTC(1970, 0)
/** Later ones have no ISO date of four digits. */
const LATEST = Date.UTC(9999, 0)

/** Milliseconds since 1970 in the middle of the second that the camera named; undefined for `0000-00-00` and other nonsense. */
export function toCameraTime({ SystemDateAndTime }: z.infer<typeof clockShape>): number | undefined {
  const { Time, Date: date } = SystemDateAndTime.UTCDateTime
  const day = Date.UTC(Number(date.Year), Number(date.Month) - 1, Number(date.Day))
  const time = day + ((Number(Time.Hour) * 60 + Number(Time.Minute)) * 60 + Number(Time.Second)) * 1000 + 500
  return time >= EARLIEST && time < LATEST ? time : undefined
}
