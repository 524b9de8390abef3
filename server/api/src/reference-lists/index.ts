import { getCountries, getDeviceTypes, getLanguages, getTimeZones } from '@sightline/contract/reference-lists'
import { chooseLanguage } from '@sightline/platform/accept-language'
import { serve } from '@sightline/platform/http'
import { ok } from '@sightline/platform/result'
import { deviceTypes } from './device-types.ts'
import { type BareTimeZone, computeExpiry, countryList, knownTimeZones, languageList, timeZoneList } from './rules.ts'
import { zoneNames } from './zone-names.ts'

export { languageFault, timeZoneFault, utcOffset } from './rules.ts'

export const referenceLists = ({ now, isTranslated = false }: { now: () => number; isTranslated?: boolean }) => {
  // Formatting the list of 400 zones takes about 40 ms, so it is cached while it is valid.
  let zones: { list: readonly BareTimeZone[]; until: number } = { list: [], until: 0 }
  const namesIn = zoneNames(knownTimeZones, now)
  // ICU takes 10 µs per name. Names don't change while this process runs.
  const countries = new Map<string, ReturnType<typeof countryList>>()
  const countriesIn = (language: string) => {
    const list = countries.get(language) ?? countryList(language)
    countries.set(language, list)
    return list
  }
  const languages = languageList({ translationTool: isTranslated })
  return [
    serve(getTimeZones, async (_caller, { header }) => {
      const names = await namesIn(chooseLanguage(header('accept-language')))
      if (zones.until <= now()) zones = { list: timeZoneList(now()), until: computeExpiry(now()) }
      return ok(zones.list.map((zone) => ({ ...zone, ...(names.get(zone.timeZone) ?? { place: '', name: '' }) })))
    }),
    serve(getCountries, async (_caller, { header }) => ok(countriesIn(chooseLanguage(header('accept-language'))))),
    serve(getLanguages, async () => ok(languages)),
    serve(getDeviceTypes, async () => ok(deviceTypes)),
  ]
}
