import * as z from 'zod/mini'
import { consentScopes } from '../sign-in-pages/index.ts'
import { dateTime, nothing, route } from '../wire/index.ts'

/** A third-party application that may act for the signed-in person. */
export const connectedApp = z.object({
  clientId: z.string(),
  /** As the operator registered it. */
  name: z.string(),
  scopes: z.array(z.enum(consentScopes)),
  /** When the person first allowed it, or extended its access. */
  allowedAt: dateTime,
  /** To the minute; null if it has no open access. */
  lastUsedAt: z.nullable(dateTime),
})
export type ConnectedApp = z.infer<typeof connectedApp>

const own = { plane: 'auth', access: 'authenticated', callers: 'both', apiKey: 'no', support: 'no' } as const

export const getConnectedApps = route({
  ...own,
  name: 'getConnectedApps',
  summary: 'List the third-party apps that the signed-in user has authorized',
  method: 'GET',
  path: 'users/self/connectedApps',
  visitor: 'no',
  reply: z.array(connectedApp),
  list: { key: 'clientId', sort: ['name', 'allowedAt', 'lastUsedAt'], defaultLimit: 'all' },
  errors: [],
})

export const deleteConnectedApp = route({
  ...own,
  name: 'deleteConnectedApp',
  summary: 'Revoke the access of a third-party app and all its tokens immediately',
  method: 'DELETE',
  path: 'users/self/connectedApps/{clientId}',
  endsAccess: true,
  params: z.object({ clientId: z.string().check(z.maxLength(128)) }),
  reply: nothing,
  status: 204,
  errors: ['notFound'],
})
