import type { EpochMs } from '@sightline/platform/clock'

/** What a client is able to keep to itself decides how it proves who it is and how long its tokens last (api.md §3). */
export const clientKinds = ['confidential', 'native', 'browser'] as const
export type ClientKind = (typeof clientKinds)[number]

export const clientScopes = ['openid', 'profile', 'email', 'phone', 'address', 'read', 'write'] as const
export type ClientScope = (typeof clientScopes)[number]

/** An application of somebody else that may ask for tokens, as the operator registered it. */
export interface RegisteredClient {
  readonly clientId: string
  readonly kind: ClientKind
  readonly name: string
  /** Of the secret; confidential clients only. */
  readonly secretSha256: Buffer | undefined
  /** Exact addresses; nothing else is ever redirected to. Without any, nobody can sign in to it by a page. */
  readonly redirectUris: readonly string[]
  readonly loggedOutUris: readonly string[]
  readonly scopes: readonly ClientScope[]
  readonly passwordGrant: boolean
  readonly legacyTokenCallback: boolean
  /** Of the brand it belongs to: it serves that brand's people only. */
  readonly resellerId: number | undefined
  /** Whom it acts as with nobody present. */
  readonly userId: number | undefined
  /** Of a key that people made themselves; other clients are the operator's. */
  readonly apiKey: ApiKeyFacts | undefined
}

/** What a key is bound to beyond other clients. Survives JSON. */
export interface ApiKeyFacts {
  readonly apiKeyId: number
  /** IP addresses and CIDR ranges; none is anywhere. */
  readonly allowedAddresses: readonly string[]
  /** The secret before the present one, as hexadecimal SHA-256, and until when it is good. */
  readonly previousSecret?: { readonly sha256: string; readonly until: EpochMs }
}

/** Does it belong to another brand than that of the host, where that is one reseller's? */
export const isForeign = ({ resellerId }: RegisteredClient, ofHost: number | undefined): boolean =>
  resellerId !== undefined && ofHost !== undefined && resellerId !== ofHost
