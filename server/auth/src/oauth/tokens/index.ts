import { deleteCurrentToken, deleteToken, getTokens, postSession, type TokenSummary } from '@sightline/contract/tokens'
import { toDateTime } from '@sightline/contract/wire'
import type { Clock } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { type ServedRoute, serve } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { WriteAudit } from '../../people/audit/index.ts'
import type { Sessions } from '../../sessions/index.ts'
import { findToken, listTokens } from './store.ts'

export interface TokensDeps {
  readonly db: Db
  readonly clock: Clock
  readonly sessions: Sessions
  readonly audit: WriteAudit
}

/** `users/self/tokens` and `users/self/sessions`: the user's own sign-ins. */
export const tokens = (deps: TokensDeps): readonly ServedRoute[] => [
  serve(getTokens, async (caller) => {
    const rows = await listTokens(deps.db, caller, deps.clock.now())
    return ok(
      rows.map(
        (row): TokenSummary => ({
          tokenId: row.token_id,
          clientId: row.client_id,
          appId: row.app_id,
          createdAt: toDateTime(row.created_at),
          expiresAt: toDateTime(row.expires_at),
          address: row.address,
          current: row.current,
        }),
      ),
    )
  }),
  serve(deleteCurrentToken, async (caller, { address }) => {
    await deps.sessions.endToken(caller.tokenSha256)
    const isGuest = caller.kind === 'member' && caller.isGuest
    if (!isGuest) await deps.audit({ ...caller, action: 'logout', address })
    return ok(undefined)
  }),
  serve(deleteToken, async (caller, { params, address }) => {
    const { userId } = caller
    if (params.tokenId === 'all') {
      await deps.sessions.endUser(userId)
    } else {
      const hash = await findToken(deps.db, userId, params.tokenId)
      if (hash === undefined || !(await deps.sessions.endToken(hash))) return fail({ error: 'notFound' })
    }
    await deps.audit({ ...caller, action: 'tokenRevoked', address })
    return ok(undefined)
  }),
  serve(postSession, async ({ tokenId, userId }) => ok({ session: { sessionId: tokenId, userId } })),
]
