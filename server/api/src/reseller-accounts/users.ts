import type { ApiError } from '@sightline/contract/errors'
import {
  type AccountUser,
  type AccountUserPatch,
  findAccountUsers,
  getAccountUser,
  getAccountUsers,
  patchAccountUser,
} from '@sightline/contract/reseller-accounts'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { StaffCaller } from '@sightline/platform/sessions'
import { applied } from '../distributors/index.ts'
import { languageFault, timeZoneFault } from '../reference-lists/index.ts'
import { inAccount, inReseller } from '../resellers/index.ts'
import { findByEmail, findUser, isAddressOfAnother, listUsers, lockUser, saveUser } from './users-store.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  /** Whether the operator set up a dedicated translation host. */
  readonly isTranslated?: boolean
}

/** The users of an account as its dealer sees them, without rights, access and passwords. */
export const accountUsers = ({ db, ids, ...translating }: Deps) => [
  serve(getAccountUsers, (caller, { params }) =>
    inAccount({ db, caller, ...params }, async (tx) => ok(await listUsers(tx, params.accountId))),
  ),

  serve(getAccountUser, (caller, { params }) =>
    inAccount({ db, caller, ...params }, async (tx) => {
      const user = await findUser(tx, params)
      return user === undefined ? fail({ error: 'notFound' }) : ok(user)
    }),
  ),

  serveChange(patchAccountUser, async (change, { params, body }) => {
    const { caller } = change
    const fault = timeZoneFault(body.timeZone) ?? languageFault(body.language, translating)
    if (fault !== undefined) return fail(fault)
    const { accountId, userId } = params
    return inAccount({ db, change, caller, ...params, seesReseller: true }, async (tx, { resellerId }) => {
      const changed = await changeUser(tx, { of: { accountId, userId, resellerId }, body, change })
      if (!changed.ok) return changed
      const { before, after, wanted } = changed.value
      const entry = { action: 'patchAccountUser', accountId, target: { kind: 'user', id: userId }, before, after }
      await change.audit(entry)
      if (wanted !== undefined) await askForEmail(tx, { of: { accountId, userId }, email: after.email, wanted, change })
      return ok(after)
    })
  }),

  serve(findAccountUsers, (caller, { params, query }) =>
    inReseller({ db, caller, ...params }, async (tx, { resellerId }) =>
      ok(await findByEmail(tx, { resellerId, accountIds: caller.accountIds, email: query.email })),
    ),
  ),
]

interface UserChange {
  readonly before: AccountUser
  readonly after: AccountUser
  /** A new email address, which the user must confirm. */
  readonly wanted: string | undefined
}

async function changeUser(
  tx: Tx,
  given: {
    readonly of: { readonly accountId: number; readonly userId: number; readonly resellerId: number }
    readonly body: AccountUserPatch
    readonly change: Pick<Change<StaffCaller, AccountUser>, 'ifMatch'>
  },
): Promise<Result<UserChange, ApiError>> {
  const { of, body } = given
  const before = await lockUser(tx, of)
  if (before === undefined) return fail({ error: 'notFound' })
  given.change.ifMatch(before)
  const wanted = body.email === before.email ? undefined : body.email
  const refusal = wanted === undefined ? undefined : await emailError(tx, before, { ...of, email: wanted })
  if (refusal !== undefined) return fail(refusal)
  // Anyone who sets a user's address could have a password link sent to it and take over the user, so the change waits.
  const { email } = before
  const after = applied(before, { ...body, email, phone: body.phone === '' ? null : body.phone, pendingEmail: wanted })
  await saveUser(tx, after)
  return ok({ before, after, wanted })
}

/** Asks the user at the current address, and notifies the owner if the user is someone else. */
async function askForEmail(
  tx: Tx,
  given: {
    readonly of: { readonly accountId: number; readonly userId: number }
    readonly email: string
    readonly wanted: string
    readonly change: Pick<Change, 'notify'>
  },
): Promise<void> {
  const { of, email, wanted, change } = given
  await change.notify({ ...of, kind: 'emailChange', to: email, newEmail: wanted })
  if (of.userId === of.accountId) return
  const owner = await findUser(tx, { ...of, userId: of.accountId })
  if (owner !== undefined) await change.notify({ ...of, kind: 'emailChangeNote', to: owner.email })
}

async function emailError(
  tx: Tx,
  user: AccountUser,
  wanted: { readonly resellerId: number; readonly userId: number; readonly email: string },
): Promise<ApiError | undefined> {
  if (user.blocked)
    return {
      error: 'businessRule',
      detail: "the user is blocked and can't confirm a new address: unblock the user first",
    }
  if (!(await isAddressOfAnother(tx, wanted))) return undefined
  return { error: 'duplicate', detail: 'a user of this reseller already has this email address' }
}
