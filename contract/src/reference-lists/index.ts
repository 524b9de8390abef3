import * as z from 'zod/mini'
import { route } from '../wire/index.ts'

export const timeZoneEntry = z.object({
  timeZone: z.string(),
  /** Current seconds east of Greenwich; changes with daylight saving time. */
  utcOffset: z.int(),
  /** `(UTC+01:00) Europe/Amsterdam` */
  label: z.string(),
  /**
   * Its location in the language of the list: its country, preceded by its city if the city has another name there.
   * Empty for UTC.
   */
  place: z.string(),
  /** The name of its time: `Central European Time`. */
  name: z.string(),
})
export type TimeZoneEntry = z.infer<typeof timeZoneEntry>

export const getTimeZones = route({
  name: 'getTimeZones',
  summary: 'List time zones with their current offset, named in the best available language of Accept-Language',
  method: 'GET',
  path: 'timeZones',
  access: 'public',
  support: 'yes',
  reply: z.array(timeZoneEntry),
  list: { key: 'timeZone', sort: ['timeZone', 'utcOffset'], defaultLimit: 'all' },
  // Offsets change on a full quarter of an hour at the earliest.
  keptFor: { untilMultipleOfSeconds: 900 },
  variesBy: ['accept-language'],
  errors: [],
})

export const countryEntry = z.object({ country: z.string(), name: z.string() })

export const getCountries = route({
  name: 'getCountries',
  summary: 'List countries, named in the best available language of Accept-Language',
  method: 'GET',
  path: 'countries',
  access: 'public',
  support: 'yes',
  reply: z.array(countryEntry),
  list: { key: 'country', sort: ['country', 'name'], defaultLimit: 'all' },
  keptFor: { seconds: 86_400 },
  variesBy: ['accept-language'],
  errors: [],
})

export const languageEntry = z.object({ language: z.string(), name: z.string() })

export const getLanguages = route({
  name: 'getLanguages',
  summary: 'List the languages of the portal, each in its own name',
  method: 'GET',
  path: 'languages',
  access: 'public',
  support: 'yes',
  reply: z.array(languageEntry),
  list: { key: 'language', sort: ['language', 'name'], defaultLimit: 'all' },
  keptFor: { seconds: 86_400 },
  errors: [],
})

/** ISO 3166-1 alpha-2, the 249 officially assigned codes. */
export const countryCodes: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
    'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
    'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
    'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
    'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
    'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
)

export const deviceType = z.object({
  deviceTypeId: z.int(),
  /** Null: any. */
  brand: z.nullable(z.string()),
  model: z.nullable(z.string()),
  /** What some devices of this type can do; `cameras/{cameraId}/capabilities` says what one camera can. */
  capabilities: z.array(z.string()),
})
export type DeviceType = z.infer<typeof deviceType>

export const getDeviceTypes = route({
  name: 'getDeviceTypes',
  summary: 'List the types of devices that this server can drive',
  method: 'GET',
  path: 'deviceTypes',
  access: 'public',
  support: 'yes',
  reply: z.array(deviceType),
  list: { key: 'deviceTypeId', sort: ['deviceTypeId'], defaultLimit: 'all' },
  keptFor: { seconds: 86_400 },
  errors: [],
})
