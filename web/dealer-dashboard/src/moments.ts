import { useApplication } from '@sightline/shell'
import { useCallback } from 'react'

/** Formats a time (milliseconds since 1970 or a text of the API) in the current language. */
export function useMoment(): (moment: string | number, style?: 'day' | 'second') => string {
  const { languages } = useApplication()
  const language = languages.current()
  const locale = navigator.languages.find((wish) => wish.toLowerCase().split('-')[0] === language) ?? language
  return useCallback(
    (moment, style) =>
      new Date(moment).toLocaleString(locale, {
        dateStyle: 'medium',
        ...(style === 'day' ? {} : { timeStyle: style === 'second' ? 'medium' : 'short' }),
      }),
    [locale],
  )
}
