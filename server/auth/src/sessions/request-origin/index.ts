import type { Device, SessionLocation } from '@sightline/contract/sessions'
import { parseDevice } from './device.ts'
import type { GeoLocator } from './geo-locator.ts'

export { type GeoLocator, localGeoLocator, openGeoLocator } from './geo-locator.ts'

/** The origin of a request. */
export interface Sender {
  readonly address: string | undefined
  readonly userAgent: string | undefined
}

/** The part of it that is stored. */
export interface SessionOrigin {
  readonly address: string | null
  readonly device: Device
  readonly place: SessionLocation
}

export function toOrigin({ address, userAgent }: Sender, geoLocator: GeoLocator): SessionOrigin {
  const kept = address ?? null
  return { address: kept, device: parseDevice(userAgent), place: geoLocator.of(kept) }
}

export const originColumns = ({ address, device, place }: SessionOrigin) => ({
  browser: device.browser,
  system: device.system,
  device: device.kind,
  address,
  country: place.country,
  city: place.city,
})

export interface OriginRow {
  readonly browser: string | null
  readonly system: string | null
  readonly device: string | null
  readonly address: string | null
  readonly country: string | null
  readonly city: string | null
}

const kinds = ['desktop', 'phone', 'tablet', 'tv'] as const

/** As it was stored; the address says whether the network is local. */
export function toWireOrigin(row: OriginRow, geoLocator: GeoLocator): SessionOrigin {
  const { browser, system, address, country, city } = row
  const kind = kinds.find((known) => known === row.device) ?? null
  return {
    address,
    device: { browser, system, kind },
    place: { isLocal: geoLocator.of(address).isLocal, country, city },
  }
}
