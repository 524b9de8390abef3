import { useApplication } from '@sightline/shell'
import { useEffect, useMemo, useState } from 'react'

/** The format of a time: in the current language and the browser's time zone. */
export function useMoment(): (time: string | number) => string {
  const { languages } = useApplication()
  const language = languages.current()
  return useMemo(() => {
    // With the browser's region: for some people, `en` is `en-GB`.
    const locale = navigator.languages.find((wish) => wish.toLowerCase().split('-')[0] === language) ?? language
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
    return (time) => format.format(new Date(time))
  }, [language])
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The current time, updated when `until` passes, because the grant ends then. */
export function useNow(until: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (until === undefined || until <= now) return undefined
    const timer = setTimeout(() => setNow(Date.now()), Math.min(until - Date.now() + 1, LONGEST_TIMER_MS))
    return () => clearTimeout(timer)
  }, [until, now])
  return now
}
