import * as z from 'zod/mini'
import { route } from '../wire/index.ts'

export const timeZoneEntry = z.object({
  timeZone: z.string(),
  /** Seconds east of Greenwich at this moment; changes with daylight saving. */
  utcOffset: z.int(),
  /** `(UTC+01:00) Europe/Amsterdam` */
  label: z.string(),
})
export type TimeZoneEntry = z.infer<typeof timeZoneEntry>

export const getTimeZones = route({
  name: 'getTimeZones',
  summary: 'Every time zone with its offset now',
  method: 'GET',
  path: 'timeZones',
  access: 'public',
  support: 'yes',
  reply: z.array(timeZoneEntry),
  errors: [],
})

export const countryEntry = z.object({ country: z.string(), name: z.string() })

export const getCountries = route({
  name: 'getCountries',
  summary: 'Every country, named in the first language of Accept-Language that there is a translation for',
  method: 'GET',
  path: 'countries',
  access: 'public',
  support: 'yes',
  reply: z.array(countryEntry),
  errors: [],
})

export const languageEntry = z.object({ language: z.string(), name: z.string() })

export const getLanguages = route({
  name: 'getLanguages',
  summary: 'Every language of the portal, each named in itself',
  method: 'GET',
  path: 'languages',
  access: 'public',
  support: 'yes',
  reply: z.array(languageEntry),
  errors: [],
})
