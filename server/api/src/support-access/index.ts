import { describeStep, getDenyReason, type Rule } from '@sightline/contract/rights'
import { ALWAYS, getSupportAccess, patchSupportAccess, type SupportAccess } from '@sightline/contract/support-access'
import type { Db } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { loadAccess, lockAccess, saveAccess } from './store.ts'

export { loadAccess } from './store.ts'

/** The owner of a demonstration may close the account to support but not open it. */
const opening: Rule = { ...patchSupportAccess, endsAccess: false }

interface Deps {
  readonly db: Db
  readonly now: () => number
}

/** The access that the owner grants to support. Open sessions are checked every second. */
export const supportAccess = ({ db, now }: Deps) => [
  serve(getSupportAccess, async (caller) => ok(await db.inTenant(caller, (tx) => loadAccess(tx, caller.accountId)))),

  serveChange(patchSupportAccess, async (change, { body }) => {
    const { caller } = change
    const { allowsHelpdeskExpirationDate: wanted, allowsHelpdeskShowVideo: showVideo } = body
    if (typeof wanted === 'number' && wanted <= now()) {
      const field = { field: 'allowsHelpdeskExpirationDate', message: 'Choose a time in the future' }
      return fail({ error: 'validation', detail: field.message, fields: [field] })
    }
    // In a time zone west of Greenwich, the end of the year 9999 is in the year 10000.
    const until = typeof wanted === 'number' ? Math.min(wanted, ALWAYS) : wanted
    const { accountId } = caller
    return change.tx(caller, async (tx) => {
      const before = await lockAccess(tx, accountId)
      change.ifMatch(before)
      const denyReason = opensMore(before, { until, showVideo }) ? getDenyReason(opening, caller) : undefined
      if (denyReason !== undefined) return fail({ error: 'notAuthorized', detail: describeStep(denyReason) })
      const after = await saveAccess(tx, accountId, { until, showVideo })
      const entry = { action: 'patchSupportAccess', target: { kind: 'account', id: accountId }, before, after }
      await change.audit(entry)
      return ok(after)
    })
  }),
]

/** Extends access, or shows hidden video. */
const opensMore = (
  before: SupportAccess,
  next: { readonly until: number | null | undefined; readonly showVideo: boolean | undefined },
): boolean => {
  const ends = before.allowsHelpdeskExpirationDate
  const isLonger = typeof next.until === 'number' && (ends === null || Date.parse(ends) < next.until)
  return isLonger || (next.showVideo === true && !before.allowsHelpdeskShowVideo)
}
