import { type Weekday, weekdays } from '@sightline/contract/schedules'
import { useApplication } from '@sightline/shell'
import { useMemo } from 'react'
import { browserLocale } from '../locale.ts'

/** 1 January 2024 was a Monday. */
const MONDAY = Date.UTC(2024, 0, 1)
const dateOf = (day: Weekday) => new Date(MONDAY + weekdays.indexOf(day) * 86_400_000)

/** Days and times of a week as the language writes them. */
export function useWeekWords() {
  const locale = browserLocale(useApplication().languages.current())
  return useMemo(() => {
    const short = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
    const long = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
    const list = new Intl.ListFormat(locale, { type: 'conjunction', style: 'short' })
    const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' })
    const at = (minute: number) => new Date(MONDAY + minute * 60_000)
    return {
      day: (day: Weekday) => long.format(dateOf(day)),
      shortDay: (day: Weekday) => short.format(dateOf(day)),
      /** Three days or more in a row as a range. */
      days: (days: readonly Weekday[]) => {
        const at = days.map((day) => weekdays.indexOf(day))
        const [first, last] = [days[0], days.at(-1)]
        const isRow = days.length > 2 && at.every((one, index) => index === 0 || one === (at[index - 1] ?? 0) + 1)
        return isRow && first !== undefined && last !== undefined
          ? `${short.format(dateOf(first))} – ${short.format(dateOf(last))}`
          : list.format(days.map((day) => short.format(dateOf(day))))
      },
      /** Of minutes since midnight. */
      time: (minute: number) => clock.format(at(minute)),
      /** A moment on the clock of a zone with that offset in seconds. */
      clock: (moment: number, utcOffset: number) => clock.format(new Date(moment + utcOffset * 1000)),
      dayAndTime: (moment: number, utcOffset: number) =>
        new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(
          new Date(moment + utcOffset * 1000),
        ),
    }
  }, [locale])
}
