import {
  findAccountUsers,
  getAccountUser,
  getAccountUsers,
  patchAccountUser,
} from '@sightline/contract/reseller-accounts'
import { appendAudit } from '@sightline/platform/audit'
import type { Db, IdSource } from '@sightline/platform/db'
import { serve } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { applied } from '../distributors/index.ts'
import { timeZoneFault } from '../reference-lists/index.ts'
import { inAccount, inReseller } from '../resellers/index.ts'
import { findByEmail, findUser, listUsers, lockUser, saveUser } from './users-store.ts'

/** The people of an account as its dealer sees them; rights, access and passwords are the account's own. */
export const accountUsers = ({ db, ids }: { readonly db: Db; readonly ids: IdSource }) => [
  serve(getAccountUsers, (caller, { params }) =>
    inAccount({ db, caller, ...params }, async (tx) => ok(await listUsers(tx, params.accountId))),
  ),

  serve(getAccountUser, (caller, { params }) =>
    inAccount({ db, caller, ...params }, async (tx) => {
      const user = await findUser(tx, params)
      return user === undefined ? fail({ error: 'notFound' }) : ok(user)
    }),
  ),

  serve(patchAccountUser, async (caller, { params, body, address, changedSince }) => {
    const fault = timeZoneFault(body.timeZone)
    if (fault !== undefined) return fail(fault)
    return inAccount({ db, caller, ...params }, async (tx) => {
      const before = await lockUser(tx, params)
      if (before === undefined) return fail({ error: 'notFound' })
      const stale = changedSince(before)
      if (stale !== undefined) return fail(stale)
      if (body.email !== undefined && body.email !== before.email) return fail(emailRefusal)
      const after = applied(before, { ...body, phone: body.phone === '' ? null : body.phone })
      await saveUser(tx, after)
      const { accountId, userId } = params
      const entry = { action: 'patchAccountUser', accountId, target: { kind: 'user', id: userId }, before, after }
      await appendAudit(tx, { ids, caller, address, entry })
      return ok(after)
    })
  }),

  serve(findAccountUsers, (caller, { params, query }) =>
    inReseller({ db, caller, ...params }, async (tx, { resellerId }) =>
      ok(await findByEmail(tx, { resellerId, accountIds: caller.accountIds, email: query.email })),
    ),
  ),
]

// Whoever may set the address of somebody could have a new password sent to it and become that person.
const emailRefusal = {
  error: 'validation',
  detail: 'an e-mail address is changed by the person whose it is, in My Account',
  fields: [{ field: 'email', message: 'Only the user can change the e-mail address' }],
} as const
