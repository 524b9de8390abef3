import type { AuthPlane } from '@sightline/contract/auth-plane'
import { downloadPersonalData, getPersonalData } from '@sightline/contract/personal-data'
import { toDateTime } from '@sightline/contract/wire'
import type { Db } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { createSemaphore, toOverloadError } from '@sightline/platform/limits'
import { fail, ok } from '@sightline/platform/result'
import { getProofDenyReason } from '../account-deletion/index.ts'
import { personalDocument } from './document.ts'
import { heldChunks } from './held-chunks.ts'
import { seesFootage } from './sources.ts'
import { loadSubscription, loadSummary } from './store.ts'

interface Deps {
  readonly db: Db
  readonly auth: Pick<AuthPlane, 'confirmIdentity' | 'personalData'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Per user. Each download uses a database connection from time to time while its reader reads. */
const DOWNLOADS = { perKey: { concurrency: 1 }, overall: { concurrency: 4 } }
const REFUSAL = { doing: 'downloading personal data', retryAfterS: 5 }

/** The download of a user's data (docs/guide/personal-data.md). */
export const personalData = ({ db, auth, now }: Deps) => {
  const downloads = createSemaphore<number>(DOWNLOADS)
  return [
    serve(getPersonalData, async (caller) => {
      const { accountId, userId } = caller
      const isOwner = userId === accountId
      return db.inTenant(caller, async (tx) => {
        const found = await loadSummary(tx, caller)
        const subscription = isOwner ? await loadSubscription(tx, accountId) : null
        const seen = seesFootage(caller) ? found : undefined
        const textOf = (at: number | null | undefined) => (at === null || at === undefined ? null : toDateTime(at))
        return ok({
          cameras: found?.cameras ?? 0,
          subUsers: isOwner ? (found?.sub_users ?? 0) : 0,
          subscription: subscription?.name ?? null,
          footage: { bytes: Number(seen?.bytes ?? 0), oldest: textOf(seen?.oldest), newest: textOf(seen?.newest) },
        })
      })
    }),

    serveChange(downloadPersonalData, async (change, { body, address, host }) => {
      const { caller } = change
      const { userId, tokenId } = caller
      const permit = downloads.tryAcquire(userId)
      if (!permit.ok) return fail(toOverloadError(permit.failure, REFUSAL))
      try {
        // After the slot is taken, so that a rejection for lack of slots doesn't use up a code.
        const refusal = await getProofDenyReason(auth, { userId, tokenId, ...body, address, host })
        if (refusal !== undefined) {
          permit.value.release()
          return fail(refusal)
        }
        const madeAt = now()
        const entry = { action: downloadPersonalData.name, target: { kind: 'user', id: userId } }
        const recorded = await change.tx(caller, async () => ok(await change.audit(entry)))
        if (!recorded.ok) {
          permit.value.release()
          return recorded
        }
        const signIn = await auth.personalData({ userId })
        const chunks = heldChunks(permit.value, personalDocument({ db, caller, madeAt, signIn }))
        const name = `personal-data-${toDateTime(madeAt).slice(0, 10)}.json`
        const headers = { 'content-disposition': `attachment; filename="${name}"` }
        return ok({ contentType: 'application/json; charset=utf-8', chunks, headers })
      } catch (error) {
        permit.value.release()
        throw error
      }
    }),
  ]
}
