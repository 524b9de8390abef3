import { getCountries, getLanguages, getTimeZones, type TimeZoneEntry } from '@sightline/contract/reference-lists'
import { serve } from '@sightline/platform/http'
import { ok } from '@sightline/platform/result'
import { countryList, goodUntil, languageList, preferredLanguage, timeZoneList } from './rules.ts'

export { isTimeZone } from './rules.ts'

export const referenceLists = ({ now }: { now: () => number }) => {
  // Building the list formats 400 zones (about 40 ms), so it is kept while it is true.
  let zones: { list: TimeZoneEntry[]; until: number } = { list: [], until: 0 }
  return [
    serve(getTimeZones, async () => {
      if (zones.until <= now()) zones = { list: timeZoneList(now()), until: goodUntil(now()) }
      return ok(zones.list)
    }),
    serve(getCountries, async (_caller, { header }) => ok(countryList(preferredLanguage(header('accept-language'))))),
    serve(getLanguages, async () => ok(languageList({ translationTool: false }))),
  ]
}
