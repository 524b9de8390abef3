import { readFile } from 'node:fs/promises'
import { BlockList, isIP } from 'node:net'
import type { SessionLocation } from '@sightline/contract/sessions'
import { StartError } from '@sightline/platform/startup'
import { Reader } from 'mmdb-lib'

/** The location of addresses. */
export interface GeoLocator {
  of(address: string | null): SessionLocation
}

/** RFC 1918, 6598, 4193, 3927, 4291: private ranges. */
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

const NOWHERE: SessionLocation = { isLocal: false, country: null, city: null }

/** Recognizes only local networks, by their address. */
export const localGeoLocator: GeoLocator = placesBy(() => undefined)

const FORMAT = 'database in the MaxMind DB format (.mmdb)'

/**
 * Locations from a database in the MaxMind DB format, by country or city, read into memory once.
 *
 * @throws StartError if the file is missing or incomplete.
 */
export async function openGeoLocator(file: string): Promise<GeoLocator> {
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    const why = `can't be read (${cause.code ?? cause.message}): expected a ${FORMAT}`
    throw new StartError(`SIGHTLINE_PLACE_DATABASE: ${file} ${why}.`, { cause })
  })
  try {
    return placesBy(lookUpIn(bytes))
  } catch (cause) {
    const why = `is not a complete ${FORMAT}: download it again and unpack it`
    throw new StartError(`SIGHTLINE_PLACE_DATABASE: ${file} ${why}.`, { cause })
  }
}

type LookUp = (address: string, version: 4 | 6) => unknown

const VERSION = 2
/** Zeros between the network tree and the data section. */
const SEPARATOR = Buffer.alloc(16)

/** Throws if the bytes aren't a complete database; the reader itself checks only their end. */
function lookUpIn(bytes: Buffer): LookUp {
  const reader = new Reader(bytes)
  const { binaryFormatMajorVersion, ipVersion, searchTreeSize } = reader.metadata
  if (binaryFormatMajorVersion !== VERSION) throw new Error(`version ${binaryFormatMajorVersion}, not ${VERSION}`)
  const separator = bytes.subarray(searchTreeSize, searchTreeSize + SEPARATOR.length)
  if (!separator.equals(SEPARATOR)) throw new Error(`no end of the tree of networks at byte ${searchTreeSize}`)
  return (address, version) => {
    // The reader would follow the bits of a longer address through a tree of shorter ones.
    if (version > ipVersion) return undefined
    try {
      return reader.get(address)
    } catch {
      // One damaged entry must not prevent users from signing in or seeing where they are signed in.
      return undefined
    }
  }
}

function placesBy(find: LookUp): GeoLocator {
  return {
    of(given) {
      const address = (given ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
      const version = isIP(address)
      if (version === 0) return NOWHERE
      if (LOCAL.check(address, version === 4 ? 'ipv4' : 'ipv6')) return { ...NOWHERE, isLocal: true }
      return parseLocation(find(address, version === 4 ? 4 : 6))
    },
  }
}

/** Entries as MaxMind and DB-IP write them, or with plain fields as others do. */
function parseLocation(entry: unknown): SessionLocation {
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
