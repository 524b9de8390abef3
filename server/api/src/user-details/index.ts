import type { ApiError } from '@sightline/contract/errors'
import { getUserDetails, patchUserDetails, type UserDetails } from '@sightline/contract/user-details'
import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource } from '@sightline/platform/db'
import { serve } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import { languageFault } from '../reference-lists/index.ts'
import { applyPatch } from './rules.ts'
import { loadDetails, lockUser, saveDetails } from './store.ts'

export { applyPatch } from './rules.ts'
export { loadDetails, saveDetails } from './store.ts'

interface UserDetailsParts {
  readonly db: Db
  readonly ids: IdSource
  readonly isTranslated?: boolean
}

export const userDetails = ({ db, ids, ...translating }: UserDetailsParts) => [
  serve(getUserDetails, async (caller) => ok(await db.inTenant(caller, (tx) => loadDetails(tx, caller)))),

  serve(patchUserDetails, async (caller, { body, address, changedSince }) => {
    const fault = languageFault(body.language, translating)
    if (fault !== undefined) return fail(fault)
    return db.inTenant(caller, async (tx): Promise<Result<UserDetails, ApiError>> => {
      await lockUser(tx, caller)
      const before = await loadDetails(tx, caller)
      const stale = changedSince(before)
      if (stale !== undefined) return fail(stale)
      const next = applyPatch(before, body, caller)
      if (!next.ok) return next
      await saveDetails(tx, caller, next.value)
      const target = { kind: 'user', id: caller.userId }
      const entry = { action: 'patchUserDetails', target, before, after: next.value }
      await appendAudit(tx, { ids, caller, address, entry })
      return next
    })
  }),
]
