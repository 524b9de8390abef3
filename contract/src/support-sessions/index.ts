import * as z from 'zod/mini'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

/** The longest that a support session lasts; the owner's grant may end sooner. */
export const SUPPORT_SESSION_MS = 12 * 3_600_000

/** Of one person in one account; with one more the oldest of theirs ends. */
export const MAX_SUPPORT_SESSIONS_PER_USER = 5
/** Of everybody in one account. */
export const MAX_SUPPORT_SESSIONS = 20

/** What API clients of this family know as the body of `/oauth/token`; nothing can refresh it. */
export const supportToken = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  /** Seconds. */
  expires_in: z.int(),
  scope: z.string(),
})
export type SupportToken = z.infer<typeof supportToken>

const supportScope = z.enum(['read', 'write', 'read write', 'write read'])

/**
 * A session in somebody's account for the member of staff who calls, as the user that the address names. Refused with
 * code 9 and what is missing: the brand's module, the permission, or the owner's grant. One person has at most
 * {@link MAX_SUPPORT_SESSIONS_PER_USER} in an account, the oldest of which ends for one more; beyond
 * {@link MAX_SUPPORT_SESSIONS} of everybody there is none.
 */
export const postSupportToken = route({
  name: 'postSupportToken',
  summary: 'Begins a support session as a user of the account, as far and as long as its owner allows',
  method: 'POST',
  path: 'resellers/{resellerId}/accounts/{accountId}/users/{userId}/tokens',
  plane: 'auth',
  access: 'object',
  callers: 'staff',
  permission: 'generateAccessToken',
  module: 'generateAccessToken',
  apiKey: 'no',
  support: 'no',
  ids: { 'params.resellerId': 'reseller', 'params.accountId': 'account', 'params.userId': 'user' },
  params: z.object({ resellerId: idText, accountId: idText, userId: idText }),
  /** `readOnly` is the scope `read`; without either it is all that the caller's own token may. */
  body: z.optional(z.object({ scope: z.optional(supportScope), readOnly: z.optional(z.boolean()) })),
  reply: supportToken,
  notReplayed: 'the reply holds a token that is kept nowhere, and a session more ends like the first',
  errors: ['validation', 'notFound', 'businessRule'],
})

const video = z.enum(['shown', 'hidden'])

const visit = {
  staffId: id,
  staffName: z.string(),
  /** Of the reseller, the distributor or the provider. */
  organisation: z.string(),
  since: dateTime,
  /** The session's own end or that of the owner's grant, whichever comes first. */
  until: dateTime,
  video,
  readOnly: z.boolean(),
}

/** Somebody of the staff inside an account. */
export const ownSupportSession = z.object(visit)
export type OwnSupportSession = z.infer<typeof ownSupportSession>

export const getOwnSupportSession = route({
  name: 'getOwnSupportSession',
  summary: 'The support session that the call is made in; null where it is none',
  method: 'GET',
  path: 'users/self/supportSession',
  plane: 'auth',
  access: 'authenticated',
  support: 'yes',
  reply: z.object({ supportSession: z.nullable(ownSupportSession) }),
  errors: [],
})

export const supportSession = z.object({
  ...visit,
  tokenId: id,
  /** Whom they act as. */
  userId: id,
  /** Where the session was begun from, as the edge saw it. */
  address: z.nullable(z.string()),
})
export type SupportSession = z.infer<typeof supportSession>

const byOwner = {
  plane: 'auth',
  access: 'tenant',
  superUserOnly: true,
  apiKey: 'no',
  support: 'no',
} as const

export const getSupportSessions = route({
  ...byOwner,
  name: 'getSupportSessions',
  summary: 'Who of the support is inside the account at this moment',
  method: 'GET',
  path: 'accounts/self/supportSessions',
  reply: z.array(supportSession),
  list: { key: 'tokenId', sort: ['since', 'until'], defaultLimit: 'all' },
  errors: [],
})

export const deleteSupportSessions = route({
  ...byOwner,
  name: 'deleteSupportSessions',
  summary: 'Ends every support session in the account at once; the grant stays as it is',
  method: 'DELETE',
  path: 'accounts/self/supportSessions',
  endsAccess: true,
  reply: nothing,
  status: 204,
  errors: [],
})

export const deleteSupportSession = route({
  ...byOwner,
  name: 'deleteSupportSession',
  summary: 'Ends one support session in the account at once',
  method: 'DELETE',
  path: 'accounts/self/supportSessions/{tokenId}',
  endsAccess: true,
  ids: { 'params.tokenId': 'token' },
  params: z.object({ tokenId: idText }),
  reply: nothing,
  status: 204,
  errors: ['notFound'],
})
