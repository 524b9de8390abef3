import { type ConnectedApp, deleteConnectedApp, getConnectedApps } from '@sightline/contract/connected-apps'
import type { ApiError } from '@sightline/contract/errors'
import { consentScopes } from '@sightline/contract/sign-in-pages'
import { toDateTime } from '@sightline/contract/wire'
import type { Db } from '@sightline/platform/db'
import { type ServedRoute, serve } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { WriteAudit } from '../../people/audit/index.ts'
import { deleteUserClientTokens, type EndResult, type Sessions } from '../../sessions/index.ts'
import { type ConsentRow, listConsents, removeConsent } from '../consent/index.ts'

export interface ConnectedAppDeps {
  readonly db: Db
  readonly sessions: Sessions
  readonly audit: WriteAudit
}

/** `users/self/connectedApps`: third-party applications that the user allowed to act for them. */
export const connectedApps = ({ db, sessions, audit }: ConnectedAppDeps): readonly ServedRoute[] => [
  serve(getConnectedApps, async ({ userId }) => ok((await listConsents(db, userId)).map(toConnectedApp))),
  serve(deleteConnectedApp, (caller, { params: { clientId }, address }) =>
    sessions.endWith(async (tx): Promise<EndResult<Result<undefined, ApiError>>> => {
      const key = { userId: caller.userId, clientId }
      // The consent goes first: an authorization that relies on it either finishes before or finds none.
      if (!(await removeConsent(tx, key))) return { value: fail({ error: 'notFound' }), ended: [] }
      const ended = await deleteUserClientTokens(tx, key)
      await audit({ ...caller, action: 'clientWithdrawn', clientId, address }, tx)
      return { value: ok(undefined), ended }
    }),
  ),
]

const toConnectedApp = (row: ConsentRow): ConnectedApp => ({
  clientId: row.client_id,
  name: row.name,
  scopes: consentScopes.filter((scope) => row.scopes.includes(scope)),
  allowedAt: toDateTime(row.given_at),
  lastUsedAt: row.last_used_at === null ? null : toDateTime(row.last_used_at),
})
