import { useApplication } from '@sightline/shell'
import { lengthText } from '../length-text.ts'
import { browserLocale } from '../locale.ts'

/** Days, hours, minutes and seconds. */
const ALL_UNITS = 4

/** Says the length of a range to the second, in the language of the app. */
export function useLengthText(): (ms: number) => string {
  const { languages } = useApplication()
  const locale = browserLocale(languages.current())
  return (ms) => lengthText(ms, locale, ALL_UNITS)
}
