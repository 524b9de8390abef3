import { getUserDetails, patchUserDetails } from '@sightline/contract/user-details'
import type { Db } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { languageFault } from '../reference-lists/index.ts'
import { applyPatch } from './rules.ts'
import { loadDetails, lockUser, saveDetails } from './store.ts'

export { applyPatch } from './rules.ts'
export { loadDetails, saveDetails } from './store.ts'

interface UserDetailsDeps {
  readonly db: Db
  readonly isTranslated?: boolean
}

export const userDetails = ({ db, ...translating }: UserDetailsDeps) => [
  serve(getUserDetails, async (caller) => ok(await db.inTenant(caller, (tx) => loadDetails(tx, caller)))),

  serveChange(patchUserDetails, async (change, { body }) => {
    const fault = languageFault(body.language, translating)
    if (fault !== undefined) return fail(fault)
    const { caller } = change
    return change.tx(caller, async (tx) => {
      await lockUser(tx, caller)
      const before = await loadDetails(tx, caller)
      change.ifMatch(before)
      const next = applyPatch(before, body, caller)
      if (!next.ok) return next
      await saveDetails(tx, caller, next.value)
      const target = { kind: 'user', id: caller.userId }
      await change.audit({ action: 'patchUserDetails', target, before, after: next.value })
      return next
    })
  }),
]
