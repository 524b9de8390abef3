import type Provider from 'oidc-provider'
import { createProvider, type Issuer, type ProviderDeps } from './provider.ts'

export { getClientFacts } from './client-metadata.ts'
export { type Issuer, type ProviderFailure, toLookup } from './provider.ts'

export interface Providers {
  at(issuer: Issuer): Provider
}

const MAX_ISSUERS = 200

/** One provider per issuer, created on first use; the least recently used one is dropped if there are too many. */
export function providers(deps: ProviderDeps): Providers {
  const made = new Map<string, Provider>()
  return {
    at(issuer) {
      // A brand with other lifetimes gets another provider, so that they take effect within seconds.
      const { accessMinutes, refreshDays } = issuer.theme?.tokenLifetimes ?? {}
      const key = [issuer.origin, issuer.resellerId, accessMinutes, refreshDays].join(' ')
      const known = made.get(key) ?? createProvider(issuer, deps)
      made.delete(key)
      made.set(key, known)
      const [oldest] = made.keys()
      if (made.size > MAX_ISSUERS && oldest !== undefined) made.delete(oldest)
      return known
    },
  }
}
