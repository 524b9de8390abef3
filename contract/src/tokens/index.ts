import * as z from 'zod/mini'
import { dateTime, id, idText, nothing, route } from '../wire/index.ts'

/** One sign-in of the user in a list of sessions. It never contains the token. */
export const tokenSummary = z.object({
  tokenId: id,
  clientId: z.string(),
  appId: z.string(),
  createdAt: dateTime,
  /** Of the refresh token if there is one: the sign-in is valid until then. */
  expiresAt: dateTime,
  /** The address from which it was obtained, as the edge saw it. */
  address: z.nullable(z.string()),
  current: z.boolean(),
})
export type TokenSummary = z.infer<typeof tokenSummary>

export const getTokens = route({
  name: 'getTokens',
  summary: 'List the active sign-ins of the user',
  method: 'GET',
  path: 'users/self/tokens',
  plane: 'auth',
  access: 'authenticated',
  callers: 'both',
  apiKey: 'no',
  support: 'no',
  visitor: 'no',
  reply: z.array(tokenSummary),
  list: { key: 'tokenId', sort: ['createdAt', 'expiresAt'], defaultLimit: 'all' },
  errors: [],
})

export const deleteCurrentToken = route({
  name: 'deleteCurrentToken',
  summary: 'Revoke the token of this call (sign out)',
  method: 'DELETE',
  path: 'users/self/tokens/current',
  plane: 'auth',
  access: 'authenticated',
  callers: 'both',
  support: 'yes',
  changesNothing: true,
  anyScope: true,
  reply: nothing,
  status: 204,
  errors: [],
})

export const deleteToken = route({
  name: 'deleteToken',
  summary: 'End one sign-in of the user, or all of them including the current one',
  method: 'DELETE',
  path: 'users/self/tokens/{tokenId}',
  plane: 'auth',
  access: 'authenticated',
  callers: 'both',
  apiKey: 'no',
  support: 'no',
  endsAccess: true,
  ids: { 'params.tokenId': 'token' },
  params: z.object({ tokenId: z.union([z.literal('all'), idText]) }),
  reply: nothing,
  status: 204,
  errors: ['notFound'],
})

/** For existing clients, which call it after sign-in; the session is the token. */
export const postSession = route({
  name: 'postSession',
  summary: 'Get the session of the token',
  method: 'POST',
  path: 'users/self/sessions',
  plane: 'auth',
  access: 'authenticated',
  callers: 'both',
  support: 'yes',
  changesNothing: true,
  replayedToTokenOnly: true,
  body: z.optional(z.unknown()),
  reply: z.object({ session: z.object({ sessionId: id, userId: id }) }),
  errors: [],
})
