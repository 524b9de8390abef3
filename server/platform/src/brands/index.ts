import { isDeepStrictEqual } from 'node:util'
import { type BrandTheme, brandTheme, providerTheme } from '@sightline/contract/theme'
import * as z from 'zod/mini'
import type { Clock } from '../clock/index.ts'
import type { Db } from '../db/index.ts'

/** Who a host belongs to. */
export interface Brand {
  /** `https://host[:port]`; issuer of the tokens from there, and base of its addresses. */
  readonly origin: string
  /** As in the Host header, lower case, with the port if it isn't the scheme's default. */
  readonly host: string
  /** Undefined on the provider's own hosts: sign-in looks in every reseller there (decision 27). */
  readonly resellerId: number | undefined
  readonly theme: BrandTheme
}

export interface BrandSource {
  /**
   * The brand of a host; for an unknown host the provider's own at its first host, so that the header is never
   * reflected.
   */
  forHost(host: string): Promise<Brand>
}

export interface BrandRow {
  readonly resellerId: number
  readonly theme: unknown
}

export interface BrandSettings {
  readonly scheme: 'http' | 'https'
  /** The provider's own hosts; the first one replaces unknown ones. Read again after `maxAgeMs`. */
  readonly ownHosts: () => readonly string[]
  readonly clock: Clock
  /** How long an answer is cached. */
  readonly maxAgeMs?: number
}

const MAX_REMEMBERED = 1000
/** RFC 1123 names, IPv4, or IPv6 in brackets, each with a port or without. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/

/** A host in the registered form, or undefined if it can't be a host. */
export function normalHost(host: string | undefined, scheme: 'http' | 'https'): string | undefined {
  const lower = host?.toLowerCase() ?? ''
  if (!HOST.test(lower)) return undefined
  return lower.replace(scheme === 'https' ? /:443$/ : /:80$/, '')
}

interface OwnBrands {
  readonly first: Brand
  readonly byHost: ReadonlyMap<string, Brand>
  readonly until: number
}

/**
 * Brands by host, from tables `brand_hosts` and `resellers`, cached for `maxAgeMs` (5 s). Unknown hosts aren't cached
 * by name, because anyone can send any.
 */
export function brandSource(
  find: (host: string) => Promise<BrandRow | undefined>,
  settings: BrandSettings,
): BrandSource {
  const { scheme, clock, maxAgeMs = 5000 } = settings
  const remembered = new Map<string, { brand: Brand; row: BrandRow; until: number }>()
  const own = (host: string): Brand => ({
    origin: `${scheme}://${host}`,
    host,
    resellerId: undefined,
    theme: providerTheme,
  })
  let ownKnown: OwnBrands | undefined
  // Who listens on every address of a machine asks the system for them, which costs as much as the rest of a request.
  const ownBrands = (): OwnBrands => {
    if (ownKnown !== undefined && ownKnown.until > clock.now()) return ownKnown
    const brands = settings.ownHosts().map((given) => {
      const host = normalHost(given, scheme) ?? given
      return ownKnown?.byHost.get(host) ?? own(host)
    })
    const [first] = brands
    if (first === undefined) throw new Error('the provider needs at least one host')
    ownKnown = { first, byHost: new Map(brands.map((brand) => [brand.host, brand])), until: clock.now() + maxAgeMs }
    return ownKnown
  }
  const registered = async (host: string): Promise<Brand | undefined> => {
    const known = remembered.get(host)
    if (known !== undefined && known.until > clock.now()) return known.brand
    try {
      const row = await find(host)
      if (row === undefined) return undefined
      // Keeps the object's identity unless it changed, so that callers can cache by it.
      const brand =
        known !== undefined && isDeepStrictEqual(row, known.row)
          ? known.brand
          : { origin: `${scheme}://${host}`, host, resellerId: row.resellerId, theme: parseTheme(row) }
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      remembered.set(host, { brand, row, until: clock.now() + maxAgeMs })
      return brand
    } catch (error) {
      // Without a database the apps can still report that, with the last known brand.
      if (known !== undefined) return known.brand
      throw error
    }
  }
  return {
    async forHost(given) {
      const host = normalHost(given, scheme)
      const { first, byHost } = ownBrands()
      if (host === undefined) return first
      return byHost.get(host) ?? (await registered(host)) ?? first
    },
  }
}

/** The reseller's changes to the provider's look; an invalid theme isn't used. */
export function parseTheme(row: Pick<BrandRow, 'theme'>): BrandTheme {
  const parsed = z.safeParse(z.partial(brandTheme), row.theme)
  if (!parsed.success) return providerTheme
  // A brand with its own logo must not show the provider's on dark backgrounds.
  const { logoDark: _, ...base } = providerTheme
  return withoutForeignPictures({ ...(parsed.data.logo === undefined ? providerTheme : base), ...parsed.data })
}

/** Whether a customer's browser would load the picture from the reseller's server. */
export const isForeignPicture = (picture: string | null | undefined): picture is string =>
  picture?.startsWith('https:') === true

/** Until the server has its own copy of such a picture, the company name is shown instead. */
function withoutForeignPictures({ logoDark, ...theme }: BrandTheme): BrandTheme {
  return {
    ...theme,
    logo: isForeignPicture(theme.logo) ? null : theme.logo,
    favicon: isForeignPicture(theme.favicon) ? null : theme.favicon,
    ...(logoDark === undefined || isForeignPicture(logoDark) ? {} : { logoDark }),
  }
}

/** Looks up a host in the database, under any plane's role. */
export const createBrandLookup =
  (db: Db) =>
  async (host: string): Promise<BrandRow | undefined> => {
    const row = await db.plain
      .selectFrom('brand_hosts as h')
      .innerJoin('resellers as r', 'r.reseller_id', 'h.reseller_id')
      .select(['r.reseller_id', 'r.theme'])
      .where('h.host', '=', host)
      .executeTakeFirst()
    return row === undefined ? undefined : { resellerId: row.reseller_id, theme: row.theme }
  }
