import { useApplication } from '@sightline/shell'
import { useEffect, useMemo, useState } from 'react'

/** How a moment is written for whoever reads it here: in the language shown and the time of the browser. */
export function useMoment(): (time: string | number) => string {
  const { languages } = useApplication()
  const language = languages.current()
  return useMemo(() => {
    // With the region that the browser asks for: `en` is `en-GB` to some.
    const locale = navigator.languages.find((wish) => wish.toLowerCase().split('-')[0] === language) ?? language
    const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
    return (time) => format.format(new Date(time))
  }, [language])
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The time, which is new once `until` has come: what was open is closed then. */
export function useNow(until: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (until === undefined || until <= now) return undefined
    const timer = setTimeout(() => setNow(Date.now()), Math.min(until - Date.now() + 1, LONGEST_TIMER_MS))
    return () => clearTimeout(timer)
  }, [until, now])
  return now
}
