import { zoneClock } from '../recordings/index.ts'

/** How the clock on pictures writes a time (milliseconds since 1970), in the camera's time zone. */
export function clockFormat(timeZone: string, locale: string): (time: number) => string {
  const date = { weekday: 'short', day: 'numeric', month: 'short' } as const
  const clock = { hourCycle: 'h23', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  const format = new Intl.DateTimeFormat(locale, { timeZone, ...date, ...clock })
  // The zone tells apart the two hours of the night when the clocks go back, by the name that the timeline has too.
  const zone = zoneClock(timeZone)
  return (time) => `${format.format(time)} ${zone.nameAt(time)}`
}
