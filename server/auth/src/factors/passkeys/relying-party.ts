import { isIP } from 'node:net'
import type { Brand } from '@sightline/platform/brands'

/** The relying party of a host: each host of a brand is its own (docs/decisions/0019). */
export interface RelyingParty {
  /** The host without its port (WebAuthn Level 3, "RP ID"). */
  readonly id: string
  /** The origin that browsers include in the signed data; compared as a whole. */
  readonly origin: string
  readonly name: string
}

/**
 * Undefined if browsers can't create passkeys: at IP addresses (WebAuthn Level 3, §5.1.3 step 8: the host must be a
 * domain).
 */
export function relyingParty({ origin, theme }: Pick<Brand, 'origin' | 'theme'>): RelyingParty | undefined {
  const { hostname } = new URL(origin)
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return undefined
  return { id: hostname, origin, name: theme.companyName }
}
