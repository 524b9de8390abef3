import { patchAccountStatus } from '@sightline/contract/reseller-accounts'
import { serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { lockVisibility, saveVisibility } from './status-store.ts'

/** `accounts/{accountId}/status`: whether anybody may look around a demonstration (decision 0026). */
export const accountStatus = [
  serveChange(patchAccountStatus, (change, { params, body }) => {
    const { caller } = change
    const { accountId } = params
    return change.tx({ organisationId: accountId, userId: caller.userId }, async (tx) => {
      const locked = await lockVisibility(tx, accountId)
      if (locked === undefined) return fail({ error: 'notFound' })
      const before = { publicDemo: locked.publicDemo }
      change.ifMatch(before)
      const after = { publicDemo: body.publicDemo ?? before.publicDemo }
      if (after.publicDemo && locked.userType !== 'demo') {
        return fail({ error: 'businessRule', detail: 'only an account of the user type demo can be made public' })
      }
      await saveVisibility(tx, accountId, after.publicDemo)
      const target = { kind: 'account', id: accountId }
      const entry = { action: patchAccountStatus.name, accountId, target, before, after }
      await change.audit(entry)
      return ok(after)
    })
  }),
]
