import { randomBytes } from 'node:crypto'
import { firstPartyClients } from '@sightline/contract/runtime-config'
import { fail, ok, type Result } from '@sightline/platform/result'
import { tokenSha256 } from '@sightline/platform/sessions'
import type { RegisteredClient } from './registered-client.ts'

/** The operator's input for a new client; the server creates the secret. */
export type ClientRegistration = Omit<RegisteredClient, 'secretSha256' | 'apiKey'>

export interface ClientSecret {
  /** Shown once and never stored. */
  readonly secret: string
  readonly sha256: Buffer
}

const SECRET_BYTES = 32
const CLIENT_ID = /^[A-Za-z0-9._-]{3,64}$/
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** A private-use scheme is a domain name backwards, so that no two applications claim the same one (RFC 8252 §7.1). */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/

export function newClientSecret(): ClientSecret {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return { secret, sha256: tokenSha256(secret) }
}

/** The default id of a client: 72 random bits. */
export const newClientId = (kind: 'client' | 'key' = 'client'): string =>
  `${kind}-${randomBytes(9).toString('base64url')}`

/** The client to store, or a sentence that describes the invalid input. */
export function checkRegistration(given: ClientRegistration): Result<ClientRegistration, string> {
  const problem = problemOf(given)
  return problem === undefined ? ok(given) : fail(problem)
}

function problemOf(given: ClientRegistration): string | undefined {
  if (!CLIENT_ID.test(given.clientId)) return 'A client id must be 3 to 64 letters, digits, . _ or -.'
  if (Object.values(firstPartyClients).some(({ clientId }) => clientId === given.clientId)) {
    return `${given.clientId} is reserved for a built-in app.`
  }
  if (given.name.trim() === '' || given.name.length > 100) return 'The name must be 1 to 100 characters.'
  if (given.scopes.length === 0) return 'At least one scope is required.'
  const isToldOfPeople = given.scopes.some((scope) => !['openid', 'read', 'write'].includes(scope))
  if (isToldOfPeople && !given.scopes.includes('openid'))
    return 'profile, email, phone and address also require openid.'
  return problemOfGrants(given) ?? problemOfAddresses(given)
}

function problemOfGrants(given: ClientRegistration): string | undefined {
  const { kind, redirectUris, passwordGrant, legacyTokenCallback, userId } = given
  if (kind !== 'confidential' && (passwordGrant || userId !== undefined)) {
    return "Only confidential clients can use passwords or act as a user, because others can't authenticate."
  }
  if (legacyTokenCallback && kind === 'native')
    return "Native clients can't get tokens in an address. Use an authorization code with PKCE."
  const needsAddress = kind !== 'confidential' || legacyTokenCallback || (!passwordGrant && userId === undefined)
  if (needsAddress && redirectUris.length === 0) return 'A redirect address is required.'
  return undefined
}

function problemOfAddresses({ kind, redirectUris, loggedOutUris }: ClientRegistration): string | undefined {
  return [...redirectUris, ...loggedOutUris]
    .map((uri) => problemOfAddress(uri, kind))
    .find((problem) => problem !== undefined)
}

function problemOfAddress(uri: string, kind: RegisteredClient['kind']): string | undefined {
  if (!URL.canParse(uri) || /[*\s]/.test(uri)) return `${uri} is not a complete URL.`
  const { protocol, hostname, hash, username, password } = new URL(uri)
  if (hash !== '' || uri.endsWith('#')) return `${uri}: a redirect address can't have a fragment.`
  if (username !== '' || password !== '') return `${uri}: a redirect address can't contain a user name or password.`
  const isLoopback = LOOPBACK.has(hostname)
  if (protocol === 'https:') {
    return kind === 'native' && isLoopback ? `${uri}: native clients on loopback must use http.` : undefined
  }
  if (protocol === 'http:' && isLoopback) return undefined
  if (protocol === 'http:') return `${uri}: redirect addresses must use https, except on loopback.`
  if (kind === 'native' && PRIVATE_SCHEME.test(protocol)) return undefined
  return `${uri}: expected https, or for a native client a scheme such as com.example.app.`
}
