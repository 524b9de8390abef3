import type { ApiError } from '@sightline/contract/errors'
import { describeStep, getDenyReason } from '@sightline/contract/rights'
import type { Route } from '@sightline/contract/wire'
import type { FastifyRequest } from 'fastify'
import { type Caller, isAllowedAddress, type SessionReader } from '../../sessions/index.ts'

/** The token is missing, dead or unknown: a 401 that ends the client's session (RFC 6750 §3). */
export class TokenFault extends Error {}

/** The same 401, with a reason that a client may show the user: the token works again once the account is active. */
export class SuspendedFault extends TokenFault {}

export const ENDED = 'the token is unknown, expired or revoked'

/**
 * The caller; undefined for a public call without a token.
 *
 * @throws TokenFault
 */
export async function findCaller(
  route: Route,
  request: FastifyRequest,
  sessions: SessionReader,
): Promise<Caller | undefined> {
  const token = bearerToken(route, request)
  if (token === undefined) {
    if (route.access === 'public') return undefined
    throw new TokenFault('a bearer token is needed')
  }
  const caller = await sessions.find(token)
  if (caller !== undefined || route.access === 'public') return caller
  if (await sessions.isSuspended(token)) throw new SuspendedFault('the account is suspended')
  throw new TokenFault(ENDED)
}

/** RFC 6750 §2.1; a token in the address only where existing clients need it, on media paths (api.md §3). */
function bearerToken(route: Route, request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header !== undefined) return /^bearer ([\x21-\x7e]{1,512})$/i.exec(header)?.[1] ?? ''
  if (route.tokenInAddress === undefined) return undefined
  const inQuery = (request.query as Record<string, unknown>).access_token
  return typeof inQuery === 'string' ? inQuery : undefined
}

/** Why the caller can't make that call, or undefined. */
export function mayCall(route: Route, caller: Caller | undefined, address: string): ApiError | undefined {
  if (route.access === 'public' || caller === undefined) return undefined
  if (!isAllowedAddress(address, caller.allowedAddresses)) {
    return { error: 'notAuthorized', detail: 'this API key is not allowed from this address' }
  }
  const step = getDenyReason(route, caller)
  return step === undefined ? undefined : { error: 'notAuthorized', detail: describeStep(step) }
}
