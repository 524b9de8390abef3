import * as z from 'zod/mini'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

/** Maximum duration of a support session; the owner's grant may end sooner. */
export const SUPPORT_SESSION_MS = 12 * 3_600_000

/** Per person and account; one more ends that person's oldest. */
export const MAX_SUPPORT_SESSIONS_PER_USER = 5
/** Per account, for all staff. */
export const MAX_SUPPORT_SESSIONS = 20

/** The body of `/oauth/token` that API clients of this family know; it can't be refreshed. */
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
 * A session in an account for the calling staff member, as the user in the address. Rejected with code 9 and the
 * missing condition: the brand's module, the permission, or the owner's grant. A person can have at most {@link
 * MAX_SUPPORT_SESSIONS_PER_USER} in an account; one more ends the oldest. Above {@link MAX_SUPPORT_SESSIONS} in total,
 * it is rejected.
 */
export const postSupportToken = route({
  name: 'postSupportToken',
  summary: 'Start a support session as a user of the account, within what its owner allows',
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
  /** `readOnly` is the scope `read`. Without either, the token has the caller's scopes. */
  body: z.optional(z.object({ scope: z.optional(supportScope), readOnly: z.optional(z.boolean()) })),
  reply: supportToken,
  notReplayed: 'the reply contains a token that isn’t stored, and an extra session ends like any other',
  errors: ['validation', 'notFound', 'businessRule'],
})

const video = z.enum(['shown', 'hidden'])

const visit = {
  staffId: id,
  staffName: z.string(),
  /** Of the reseller, the distributor or the provider. */
  organisation: z.string(),
  since: dateTime,
  /** The end of the session or of the owner's grant, whichever is first. */
  until: dateTime,
  video,
  readOnly: z.boolean(),
}

/** A staff member inside an account. */
export const ownSupportSession = z.object(visit)
export type OwnSupportSession = z.infer<typeof ownSupportSession>

export const getOwnSupportSession = route({
  name: 'getOwnSupportSession',
  summary: 'Get the current support session; null if the call isn’t made in one',
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
  /** The user for whom they act. */
  userId: id,
  /** The address from which the session was started, as the edge saw it. */
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
  summary: 'List the open support sessions in the account',
  method: 'GET',
  path: 'accounts/self/supportSessions',
  reply: z.array(supportSession),
  list: { key: 'tokenId', sort: ['since', 'until'], defaultLimit: 'all' },
  errors: [],
})

export const deleteSupportSessions = route({
  ...byOwner,
  name: 'deleteSupportSessions',
  summary: 'End all support sessions in the account immediately; support access stays as it is',
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
  summary: 'End a support session in the account immediately',
  method: 'DELETE',
  path: 'accounts/self/supportSessions/{tokenId}',
  endsAccess: true,
  ids: { 'params.tokenId': 'token' },
  params: z.object({ tokenId: idText }),
  reply: nothing,
  status: 204,
  errors: ['notFound'],
})
