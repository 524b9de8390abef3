import { getTimeZone, patchTimeZone } from '@sightline/contract/accounts'
import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource } from '@sightline/platform/db'
import { serve } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { timeZoneFault } from '../reference-lists/index.ts'
import { loadTimeZone, lockAccount, saveTimeZone } from './store.ts'

export { loadTimeZone, lockAccount } from './store.ts'

export const accounts = ({ db, ids }: { db: Db; ids: IdSource }) => [
  serve(getTimeZone, async (caller) =>
    ok({ timeZone: await db.inTenant(caller, (tx) => loadTimeZone(tx, caller.accountId)) }),
  ),

  serve(patchTimeZone, async (caller, { body, address, changedSince }) => {
    const fault = timeZoneFault(body.timeZone)
    if (fault !== undefined) return fail(fault)
    return db.inTenant(caller, async (tx) => {
      await lockAccount(tx, caller.accountId)
      const before = await loadTimeZone(tx, caller.accountId)
      const stale = changedSince({ timeZone: before })
      if (stale !== undefined) return fail(stale)
      await saveTimeZone(tx, caller.accountId, body.timeZone)
      const target = { kind: 'account', id: caller.accountId }
      const entry = { action: 'patchTimeZone', target, before: { timeZone: before }, after: body }
      await appendAudit(tx, { ids, caller, address, entry })
      return ok(body)
    })
  }),
]
