import { readFile } from 'node:fs/promises'
import { BlockList, isIP } from 'node:net'
import type { Place } from '@sightline/contract/sessions'
import { StartRefused } from '@sightline/platform/startup'
import { Reader } from 'mmdb-lib'

/** Where addresses are. */
export interface Places {
  of(address: string | null): Place
}

/** RFC 1918, 6598, 4193, 3927, 4291: nothing outside one's own network has them. */
const LOCAL = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  LOCAL.addSubnet(network, bits, 'ipv4')
}
LOCAL.addAddress('::1', 'ipv6')
LOCAL.addSubnet('fc00::', 7, 'ipv6')
LOCAL.addSubnet('fe80::', 10, 'ipv6')

const NOWHERE: Place = { isLocal: false, country: null, city: null }

/** Told by the address alone: local networks. */
export const noPlaces: Places = placesBy(() => undefined)

/**
 * Places of a database in the MaxMind DB format, by country or by city, which is read into memory once.
 * @throws StartRefused where there is none in that file.
 */
export async function openPlaces(file: string): Promise<Places> {
  try {
    const reader = new Reader(await readFile(file))
    return placesBy((address) => reader.get(address))
  } catch (cause) {
    const expected = 'expected a readable database in the MaxMind DB format (.mmdb)'
    throw new StartRefused(`SIGHTLINE_PLACE_DATABASE: ${file} cannot be used: ${expected}.`, { cause })
  }
}

function placesBy(find: (address: string) => unknown): Places {
  return {
    of(given) {
      const address = (given ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
      const version = isIP(address)
      if (version === 0) return NOWHERE
      if (LOCAL.check(address, version === 4 ? 'ipv4' : 'ipv6')) return { ...NOWHERE, isLocal: true }
      return placeOf(find(address))
    },
  }
}

/** Entries as MaxMind and DB-IP write them, or with plain fields as others do. */
function placeOf(entry: unknown): Place {
  const country = textAt(entry, 'country', 'iso_code') ?? textAt(entry, 'country_code') ?? textAt(entry, 'country')
  const city = textAt(entry, 'city', 'names', 'en') ?? textAt(entry, 'city')
  const isCode = country !== undefined && /^[A-Za-z]{2}$/.test(country)
  return { isLocal: false, country: isCode ? country.toUpperCase() : null, city: city?.slice(0, 100) ?? null }
}

function textAt(entry: unknown, ...path: readonly string[]): string | undefined {
  let value = entry
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return typeof value === 'string' && value !== '' ? value : undefined
}
