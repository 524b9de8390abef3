import { setImmediate } from 'node:timers/promises'
import { countryCodes } from '@sightline/contract/reference-lists'

/** The display names of a time zone in one language. */
export interface ZoneName {
  /** Its location: the country, preceded by the city if its name in that language differs. Empty for UTC. */
  readonly place: string
  /** The name of its time: `Mitteleuropäische Zeit`. */
  readonly name: string
}

/** ICU takes half a millisecond per name, so other work runs after this many. */
const AT_ONCE = 10

/** Not in TypeScript's library yet; Node and browsers have it. */
interface WithTimeZones {
  getTimeZones?(): readonly string[] | undefined
}

/** The country of each zone, according to ICU. */
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

/** `CET`, `GMT+1`: for times known by an abbreviation, ICU has no location. */
const LETTERS = /^(?:[A-Z]{1,5}|GMT.*)$/

/** ICU's name for a zone's location, if it says more than the zone's name: `Moskau (Ortszeit)`, `シカゴ時間`. */
function cityOf(timeZone: string, told: string, country: string): string | undefined {
  const city = (timeZone.split('/').at(-1) ?? '').replaceAll('_', ' ')
  const isKnown = [city, country].some((known) => fold(told).includes(fold(known)))
  return LETTERS.test(told) || isKnown ? undefined : told
}

const partOf = (timeZone: string, language: string, timeZoneName: 'longGeneric' | 'shortGeneric', at: number) =>
  new Intl.DateTimeFormat(language, { timeZone, timeZoneName })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** Names of all `timeZones` in a language; computed once per language, which takes most of a second. */
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
