import { setImmediate } from 'node:timers/promises'
import { countryCodes } from '@sightline/contract/reference-lists'

/** What people call a time zone, in one language. */
export interface ZoneName {
  /** Where it is: the country, after the city where its name in that language is another one. Empty of UTC. */
  readonly place: string
  /** What its time is called: `Mitteleuropäische Zeit`. */
  readonly name: string
}

/** Each costs ICU half a millisecond, so others get their turn after so many. */
const AT_ONCE = 10

/** Not yet among the types of the language; Node and browsers have it. */
interface WithTimeZones {
  getTimeZones?(): readonly string[] | undefined
}

/** The country that each zone lies in, as ICU knows it. */
async function countriesOfZones(): Promise<ReadonlyMap<string, string>> {
  const countries = new Map<string, string>()
  for (const [index, country] of [...countryCodes].entries()) {
    const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & WithTimeZones
    for (const timeZone of locale.getTimeZones?.() ?? []) countries.set(timeZone, country)
    if (index % AT_ONCE === 0) await setImmediate()
  }
  return countries
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** `CET`, `GMT+1`: of a time that is known by its letters ICU tells no place. */
const LETTERS = /^(?:[A-Z]{1,5}|GMT.*)$/

/** What ICU calls the place of a zone where that says more than the name of the zone: `Moskau (Ortszeit)`, `シカゴ時間`. */
function cityOf(timeZone: string, told: string, country: string): string | undefined {
  const city = (timeZone.split('/').at(-1) ?? '').replaceAll('_', ' ')
  const isKnown = [city, country].some((known) => fold(told).includes(fold(known)))
  return LETTERS.test(told) || isKnown ? undefined : told
}

const partOf = (timeZone: string, language: string, timeZoneName: 'longGeneric' | 'shortGeneric', at: number) =>
  new Intl.DateTimeFormat(language, { timeZone, timeZoneName })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** Names of all `timeZones` in a language; computed once for each, which takes most of a second. */
export function zoneNames(timeZones: readonly string[], now: () => number) {
  let countries: Promise<ReadonlyMap<string, string>> | undefined
  const known = new Map<string, Promise<ReadonlyMap<string, ZoneName>>>()

  const compute = async (language: string): Promise<ReadonlyMap<string, ZoneName>> => {
    countries ??= countriesOfZones()
    const codes = await countries
    const regions = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' })
    const names = new Map<string, ZoneName>()
    for (const [index, timeZone] of timeZones.entries()) {
      const code = codes.get(timeZone)
      const country = code === undefined ? '' : (regions.of(code) ?? code)
      const city = cityOf(timeZone, partOf(timeZone, language, 'shortGeneric', now()), country)
      const place = [code === undefined ? undefined : city, country].filter((part) => part !== undefined && part !== '')
      names.set(timeZone, { place: place.join(', '), name: partOf(timeZone, language, 'longGeneric', now()) })
      if (index % AT_ONCE === 0) await setImmediate()
    }
    return names
  }

  return (language: string): Promise<ReadonlyMap<string, ZoneName>> => {
    const names = known.get(language) ?? compute(language)
    known.set(language, names)
    return names
  }
}
