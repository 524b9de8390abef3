import type { ApiError } from '@sightline/contract/errors'
import { countryCodes, type TimeZoneEntry } from '@sightline/contract/reference-lists'
import { languageCodes } from '@sightline/contract/user-details'

// ICU lists only canonical names, which don't include UTC, but every list of options needs it.
const timeZones: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])

export const knownTimeZones: readonly string[] = [...timeZones]

const isTimeZone = (name: string): boolean => timeZones.has(name)

/** The error for a time zone; undefined if it is valid. Null and undefined mean the account's own. */
export function timeZoneFault(timeZone: string | null | undefined): ApiError | undefined {
  if (timeZone === null || timeZone === undefined || isTimeZone(timeZone)) return undefined
  const field = { field: 'timeZone', message: 'Please choose a time zone from the list' }
  return { error: 'validation', detail: `unknown time zone "${timeZone}"`, fields: [field] }
}

/**
 * The markers for in-page translation are a language only if the operator set up a dedicated host (specification §1).
 */
export function languageFault(
  language: string | undefined,
  { isTranslated = false }: { readonly isTranslated?: boolean },
): ApiError | undefined {
  if (language !== 'aa' || isTranslated) return undefined
  const field = { field: 'language', message: 'Please choose a language from the list' }
  return { error: 'validation', detail: 'no host is reserved for translation', fields: [field] }
}

const MS_PER_MINUTE = 60_000

/** Seconds east of Greenwich at `at`. */
export function utcOffset(timeZone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const name = format.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name)
  if (match === null) return 0
  const [, sign, hours, minutes, seconds = '0'] = match
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -size : size
}

const twoDigits = (n: number): string => String(n).padStart(2, '0')

/** `(UTC+05:30)` */
export function offsetLabel(seconds: number): string {
  const minutes = Math.abs(Math.trunc(seconds / 60))
  return `(UTC${seconds < 0 ? '-' : '+'}${twoDigits(Math.trunc(minutes / 60))}:${twoDigits(minutes % 60)})`
}

/** A time zone without its display names. */
export type BareTimeZone = Omit<TimeZoneEntry, 'place' | 'name'>

/** All time zones, from west to east, then by name. */
export function timeZoneList(at: number): readonly BareTimeZone[] {
  return [...timeZones]
    .map((timeZone) => {
      const offset = utcOffset(timeZone, at)
      return { timeZone, utcOffset: offset, label: `${offsetLabel(offset)} ${timeZone}` }
    })
    .sort((a, b) => a.utcOffset - b.utcOffset || (a.timeZone < b.timeZone ? -1 : 1))
}

/** Offsets change on a full quarter of an hour at the earliest, so a list is valid until then. */
export const computeExpiry = (at: number): number => (Math.floor(at / (15 * MS_PER_MINUTE)) + 1) * 15 * MS_PER_MINUTE

/** All countries by name in `language`. */
export function countryList(language: string): { country: string; name: string }[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' })
  const order = new Intl.Collator(language)
  return [...countryCodes]
    .map((country) => ({ country, name: names.of(country) ?? country }))
    .sort((a, b) => order.compare(a.name, b.name))
}

/** All languages by their own names; `aa` only if the translation tool is on (specification §1). */
export function languageList(options: { translationTool: boolean }): { language: string; name: string }[] {
  return languageCodes
    .filter((language) => language !== 'aa' || options.translationTool)
    .map((language) => ({
      language,
      name: new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language,
    }))
    .map(({ language, name }) => ({ language, name: name.charAt(0).toLocaleUpperCase(language) + name.slice(1) }))
}
