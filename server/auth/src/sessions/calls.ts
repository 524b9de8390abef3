import type { ApiError } from '@sightline/contract/errors'
import { deleteSession, getSessions, type Session } from '@sightline/contract/sessions'
import { toDateTime } from '@sightline/contract/wire'
import type { Clock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { type ServedRoute, serve } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { Caller } from '@sightline/platform/sessions'
import type { WriteAudit } from '../people/audit/index.ts'
import type { EndResult, Sessions } from './index.ts'
import { type GeoLocator, toWireOrigin } from './request-origin/index.ts'
import { isShared } from './shared-user.ts'
import { deleteUserSessionRows, liveSessions, type UserSessionRow } from './user-sessions-store.ts'

export interface SessionCallDeps {
  readonly db: Db
  readonly clock: Clock
  readonly sessions: Sessions
  readonly audit: WriteAudit
  readonly geoLocator: GeoLocator
}

/** `users/self/sessions`: where the user is signed in. */
export const sessionCalls = (deps: SessionCallDeps): readonly ServedRoute[] => [
  serve(getSessions, async (caller) => {
    const rows = await liveSessions(deps.db.plain, { ...caller, now: deps.clock.now() })
    return ok(rows.filter(shownTo(caller)).map((row) => toSession(row, deps.geoLocator)))
  }),
  serve(deleteSession, (caller, { params: { sessionId }, address }) =>
    deps.sessions.endWith(async (tx): Promise<EndResult<Result<undefined, ApiError>>> => {
      const rows = await liveSessions(tx, { ...caller, now: deps.clock.now() })
      const isMeant = (row: UserSessionRow) => (sessionId === 'others' ? !row.current : row.session_id === sessionId)
      const meant = rows.filter(isMeant)
      if (meant.length === 0 && sessionId !== 'others') return { value: fail({ error: 'notFound' }), ended: [] }
      const ended: Buffer[] = []
      // In one order, so that two who end the same ones do not wait for each other.
      for (const row of meant.toSorted((a, b) => a.session_id - b.session_id)) {
        ended.push(...(await deleteUserSessionRows(tx, row)))
      }
      if (meant.length > 0) await deps.audit({ ...caller, action: 'tokenRevoked', address }, tx)
      return { value: ok(undefined), ended }
    }),
  ),
]

const shownTo = (caller: Caller) => (row: UserSessionRow) => row.current || !isShared(caller)

const toSession = (row: UserSessionRow, geoLocator: GeoLocator): Session => ({
  sessionId: row.session_id,
  ...toWireOrigin(row, geoLocator),
  clientId: row.client_id,
  clientName: row.client_name,
  begunAt: toDateTime(row.begun_at),
  lastSeenAt: toDateTime(row.last_seen_at),
  current: row.current,
})
