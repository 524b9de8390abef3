import { patchAccountStatus } from '@sightline/contract/reseller-accounts'
import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource } from '@sightline/platform/db'
import { serve } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { lockVisibility, saveVisibility } from './status-store.ts'

/** `accounts/{accountId}/status`: whether anybody may look around a demonstration (decision 0026). */
export const accountStatus = ({ db, ids }: { readonly db: Db; readonly ids: IdSource }) => [
  serve(patchAccountStatus, (caller, { params, body, address, changedSince }) => {
    const { accountId } = params
    return db.inOrganisation({ organisationId: accountId, userId: caller.userId }, async (tx) => {
      const locked = await lockVisibility(tx, accountId)
      if (locked === undefined) return fail({ error: 'notFound' })
      const before = { publicDemo: locked.publicDemo }
      const stale = changedSince(before)
      if (stale !== undefined) return fail(stale)
      const after = { publicDemo: body.publicDemo ?? before.publicDemo }
      if (after.publicDemo && locked.userType !== 'demo') {
        return fail({ error: 'businessRule', detail: 'only an account of the user type demo can be made public' })
      }
      await saveVisibility(tx, accountId, after.publicDemo)
      const target = { kind: 'account', id: accountId }
      const entry = { action: patchAccountStatus.name, accountId, target, before, after }
      await appendAudit(tx, { ids, caller, address, entry })
      return ok(after)
    })
  }),
]
