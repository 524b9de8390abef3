import type { TranslateKit } from './kit-text.tsx'
import { pageLocale } from './page-locale.ts'

export interface DayBounds {
  /** `yyyy-mm-dd`, or with a time as the value has it. */
  min?: string | undefined
  max?: string | undefined
}

/** A day as people write it: `2026-11-21` is "Nov 21, 2026". */
const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(pageLocale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day.slice(0, 10)))

/** The problem with a date or time that a field finds without its form; texts in ISO order compare like dates. */
export function dateProblem(
  value: string,
  { min, max, isIncomplete }: DayBounds & { isIncomplete: boolean },
  text: TranslateKit,
): string | undefined {
  if (isIncomplete) return text('Complete this field or clear it')
  if (value === '') return undefined
  if (min !== undefined && value < min) return text('Choose {date} or later', { date: formatDay(min) })
  if (max !== undefined && value > max) return text('Choose {date} or earlier', { date: formatDay(max) })
  return undefined
}
