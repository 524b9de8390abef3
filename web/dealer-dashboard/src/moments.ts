import { useApplication } from '@sightline/shell'

/** Formats a time (milliseconds since 1970 or a text of the API) in the current language. */
export function useMoment(): (moment: string | number, style?: 'day') => string {
  const { languages } = useApplication()
  const language = languages.current()
  const locale = navigator.languages.find((wish) => wish.toLowerCase().split('-')[0] === language) ?? language
  return (moment, style) =>
    new Date(moment).toLocaleString(locale, {
      dateStyle: 'medium',
      ...(style === 'day' ? {} : { timeStyle: 'short' }),
    })
}
