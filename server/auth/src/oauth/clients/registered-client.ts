import type { EpochMs } from '@sightline/platform/clock'

/** Whether a client can keep a secret decides how it authenticates and how long its tokens last (api.md §3). */
export const clientKinds = ['confidential', 'native', 'browser'] as const
export type ClientKind = (typeof clientKinds)[number]

export const clientScopes = ['openid', 'profile', 'email', 'phone', 'address', 'read', 'write'] as const
export type ClientScope = (typeof clientScopes)[number]

/** A third-party application that may request tokens, as the operator registered it. */
export interface RegisteredClient {
  readonly clientId: string
  readonly kind: ClientKind
  readonly name: string
  /** Of the secret; confidential clients only. */
  readonly secretSha256: Buffer | undefined
  /** Exact addresses; redirects go only to these. Without any, users can't sign in to it by a page. */
  readonly redirectUris: readonly string[]
  readonly loggedOutUris: readonly string[]
  readonly scopes: readonly ClientScope[]
  readonly passwordGrant: boolean
  readonly legacyTokenCallback: boolean
  /** Of the brand it belongs to: it serves that brand's people only. */
  readonly resellerId: number | undefined
  /** The user that it acts as on its own. */
  readonly userId: number | undefined
  /** For an API key, which users create themselves; other clients are the operator's. */
  readonly apiKey: ApiKeyFacts | undefined
}

/** The restrictions of a key in addition to a client's. Survives JSON. */
export interface ApiKeyFacts {
  readonly apiKeyId: number
  /** IP addresses and CIDR ranges; an empty list allows any address. */
  readonly allowedAddresses: readonly string[]
  /** The previous secret as hexadecimal SHA-256, and the end of its validity. */
  readonly previousSecret?: { readonly sha256: string; readonly until: EpochMs }
}

/** Whether it belongs to a different reseller's brand than the host's. */
export const isForeign = ({ resellerId }: RegisteredClient, ofHost: number | undefined): boolean =>
  resellerId !== undefined && ofHost !== undefined && resellerId !== ofHost
