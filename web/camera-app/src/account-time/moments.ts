import { accountQueries, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { browserLocale } from '../locale.ts'

const utc = (date: string): Date => new Date(`${date}T00:00:00Z`)

/** The account's time zone, and the format of times and days in it. */
export function useMoments() {
  const { client, languages } = useApplication()
  const known = useQuery(accountQueries(client).timeZone).data?.timeZone
  const timeZone = known ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const locale = browserLocale(languages.current())
  return useMemo(() => {
    const toSecond = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone })
    const toMinute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
    // A calendar day is the same in every zone.
    const ofDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
    return {
      timeZone,
      locale,
      when: (time: string | Date) => toSecond.format(new Date(time)),
      /** Without seconds. */
      shortly: (time: string | Date) => toMinute.format(new Date(time)),
      /** From one time to another, without seconds; the day once if it is the same. */
      span: (from: string | Date, till: string | Date) => toMinute.formatRange(new Date(from), new Date(till)),
      /** Of `yyyy-mm-dd`. */
      day: (date: string) => ofDay.format(utc(date)),
      /** A range of two `yyyy-mm-dd`; a single day is shown alone. */
      days: (from: string, till: string) => ofDay.formatRange(utc(from), utc(till)),
    }
  }, [locale, timeZone])
}
