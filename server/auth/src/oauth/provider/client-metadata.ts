import type { Db } from '@sightline/platform/db'
import type { Adapter, AdapterPayload, Client, ClientMetadata } from 'oidc-provider'
import type { Audience } from '../../people/index.ts'
import { TOKEN_CALLBACK } from '../authorize/index.ts'
import { type ApiKeyFacts, findClient, isForeign, listOwnClients, type RegisteredClient } from '../clients/index.ts'

/** Our data of a client beyond the provider's metadata. Survives JSON, because the provider stores it that way. */
export interface ClientFacts {
  /** One of our own applications: users don't have to allow it. */
  readonly isOwn: boolean
  /** Gets its token with the specification's callback on request. */
  readonly tokenCallback: boolean
  readonly resellerId?: number
  readonly userId?: number
  readonly serves: Audience
  readonly apiKey?: ApiKeyFacts
}

/** The one member we add to the provider's metadata. */
export const FACTS = 'sightline'

const OWN_SCOPES = 'openid read write'

export const getClientFacts = (client: Client | undefined): ClientFacts =>
  (client?.[FACTS] as ClientFacts | undefined) ?? { isOwn: false, tokenCallback: false, serves: 'both' }

/** Where `/oauth/authorize` may return its response. */
const responseModes = (tokenCallback: boolean): string[] =>
  tokenCallback ? ['query', TOKEN_CALLBACK] : ['query', 'fragment', 'form_post']

/**
 * Our own applications on one host; the account portal gets its token by the callback if the operator configured that.
 */
export const ownClients = (issuer: string, tokenCallback: boolean): ClientMetadata[] =>
  listOwnClients(issuer).map((client) => ({
    client_id: client.clientId,
    redirect_uris: [...client.redirectUris],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    response_modes: responseModes(tokenCallback),
    scope: OWN_SCOPES,
    [FACTS]: { isOwn: true, tokenCallback, serves: client.serves } satisfies ClientFacts,
  }))

function grantTypes({ kind, redirectUris, passwordGrant, userId }: RegisteredClient): string[] {
  const hasCode = redirectUris.length > 0
  return [
    ...(hasCode ? ['authorization_code'] : []),
    ...(kind !== 'browser' && (hasCode || passwordGrant) ? ['refresh_token'] : []),
    ...(passwordGrant ? ['password'] : []),
    ...(userId === undefined ? [] : ['client_credentials']),
  ]
}

function metadataOf(client: RegisteredClient): ClientMetadata {
  const { resellerId, userId, secretSha256, apiKey, legacyTokenCallback: tokenCallback } = client
  const facts: ClientFacts = {
    isOwn: false,
    tokenCallback,
    serves: 'both',
    ...(resellerId === undefined ? {} : { resellerId }),
    ...(userId === undefined ? {} : { userId }),
    ...(apiKey === undefined ? {} : { apiKey }),
  }
  return {
    client_id: client.clientId,
    client_name: client.name,
    application_type: client.kind === 'native' ? 'native' : 'web',
    redirect_uris: [...client.redirectUris],
    grant_types: grantTypes(client),
    response_types: client.redirectUris.length === 0 ? [] : ['code'],
    response_modes: responseModes(tokenCallback),
    scope: client.scopes.join(' '),
    ...(secretSha256 === undefined
      ? { token_endpoint_auth_method: 'none' }
      : // Both methods are accepted; client-secrets.ts compares the secret.
        { token_endpoint_auth_method: 'client_secret_basic', client_secret: secretSha256.toString('hex') }),
    [FACTS]: facts,
  }
}

/** The brand's registered clients, read again for each request; the provider never writes any. */
export class ClientRecords implements Adapter {
  readonly #db: Db
  readonly #resellerId: number | undefined

  constructor(db: Db, resellerId: number | undefined) {
    this.#db = db
    this.#resellerId = resellerId
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const client = await findClient(this.#db, id)
    if (client === undefined) return undefined
    return isForeign(client, this.#resellerId) ? undefined : (metadataOf(client) as AdapterPayload)
  }

  upsert(): Promise<void> {
    return neverWritten()
  }
  consume(): Promise<void> {
    return neverWritten()
  }
  destroy(): Promise<void> {
    return neverWritten()
  }
  revokeByGrantId(): Promise<void> {
    return neverWritten()
  }
  async findByUid(): Promise<undefined> {
    return undefined
  }
  async findByUserCode(): Promise<undefined> {
    return undefined
  }
}

function neverWritten(): Promise<never> {
  return Promise.reject(new Error('clients are registered by the operator, not by the provider'))
}
