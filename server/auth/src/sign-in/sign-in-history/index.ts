import { getSignIns, SIGN_IN_DAYS, type SignIn } from '@sightline/contract/sign-in-history'
import { toDateTime } from '@sightline/contract/wire'
import { type Clock, MS_PER_DAY } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { type ServedRoute, serve, toStorePage } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { isShared } from '../../sessions/index.ts'
import { type GeoLocator, toWireOrigin } from '../../sessions/request-origin/index.ts'
import { countHistory, type HistoryRow, loadHistoryPage } from './store.ts'

export { deviceCookie } from './device-cookie.ts'
export { getSignInMethod, type HistoryDeps, recordFailures, recordGuestSignIn, recordSignIn } from './record.ts'

export interface HistoryCallDeps {
  readonly db: Db
  readonly clock: Clock
  readonly geoLocator: GeoLocator
}

/** `users/self/signIns`: who got in as the user, or tried to. */
export const signInHistory = ({ db, clock, geoLocator }: HistoryCallDeps): readonly ServedRoute[] => [
  serve(getSignIns, async (caller, { page }) => {
    if (page.edge !== undefined && !Number.isSafeInteger(page.edge.value)) {
      return fail({ error: 'validation', detail: 'query: pageToken: must come from a Link header of this list' })
    }
    if (isShared(caller))
      return ok({ items: [], next: undefined, prev: undefined, total: page.wantsCount ? 0 : undefined })
    const of = { userId: caller.userId, since: clock.now() - SIGN_IN_DAYS * MS_PER_DAY }
    const found = await loadHistoryPage(db, of, page)
    const total = page.wantsCount ? await countHistory(db, of) : undefined
    return ok(toStorePage(found, page, { item: (row) => toSignIn(row, geoLocator), total }))
  }),
]

const toSignIn = (row: HistoryRow, geoLocator: GeoLocator): SignIn => ({
  signInId: row.sign_in_id,
  outcome: row.outcome,
  method: row.method,
  time: toDateTime(row.last_at),
  firstTime: toDateTime(row.first_at),
  tries: row.tries,
  ...toWireOrigin(row, geoLocator),
  clientId: row.client_id,
  clientName: row.client_name,
})
