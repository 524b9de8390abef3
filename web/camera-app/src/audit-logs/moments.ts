import { accountQueries, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { localeOf } from '../locale.ts'

/** The time zone of the account and how moments are written in it. */
export function useMoments() {
  const { client, languages } = useApplication()
  const known = useQuery(accountQueries(client).timeZone).data?.timeZone
  const timeZone = known ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const language = languages.current()
  const when = useMemo(() => {
    const format = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'medium', timeZone })
    return (time: string | Date) => format.format(new Date(time))
  }, [language, timeZone])
  return { timeZone, when }
}
