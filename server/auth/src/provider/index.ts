import type Provider from 'oidc-provider'
import { type ProviderParts, providerFor } from './provider.ts'

export type { ProviderFailure } from './provider.ts'

export interface Providers {
  at(issuer: string): Provider
}

const MOST_ISSUERS = 200

/** One provider per issuer, made when first asked for; the least recently used one goes where there are too many. */
export function providers(parts: ProviderParts): Providers {
  const made = new Map<string, Provider>()
  return {
    at(issuer) {
      const known = made.get(issuer) ?? providerFor(issuer, parts)
      made.delete(issuer)
      made.set(issuer, known)
      const [oldest] = made.keys()
      if (made.size > MOST_ISSUERS && oldest !== undefined) made.delete(oldest)
      return known
    },
  }
}
