import { getTimeZone, patchTimeZone } from '@sightline/contract/accounts'
import type { Db } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { timeZoneFault } from '../reference-lists/index.ts'
import { loadTimeZone, lockAccount, saveTimeZone } from './store.ts'

export { loadTimeZone, lockAccount } from './store.ts'

export const accounts = ({ db }: { readonly db: Db }) => [
  serve(getTimeZone, async (caller) =>
    ok({ timeZone: await db.inTenant(caller, (tx) => loadTimeZone(tx, caller.accountId)) }),
  ),

  serveChange(patchTimeZone, async (change, { body }) => {
    const { caller } = change
    const fault = timeZoneFault(body.timeZone)
    if (fault !== undefined) return fail(fault)
    return change.tx(caller, async (tx) => {
      await lockAccount(tx, caller.accountId)
      const before = await loadTimeZone(tx, caller.accountId)
      change.ifMatch({ timeZone: before })
      await saveTimeZone(tx, caller.accountId, body.timeZone)
      const target = { kind: 'account', id: caller.accountId }
      const entry = { action: 'patchTimeZone', target, before: { timeZone: before }, after: body }
      await change.audit(entry)
      return ok(body)
    })
  }),
]
