import {
  cancelDeletion,
  type Deletion,
  GRACE_DAYS,
  getDeletion,
  requestDeletion,
} from '@sightline/contract/account-deletion'
import type { AuthPlane } from '@sightline/contract/auth-plane'
import { toDateTime } from '@sightline/contract/wire'
import { MS_PER_DAY } from '@sightline/platform/clock'
import type { Db, IdSource } from '@sightline/platform/db'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { type DeletionNotificationDeps, notifyDeletion } from './notify.ts'
import { getProofDenyReason } from './proof.ts'
import { type DeletableUser, findDeletableUser, lockDeletableUser, saveDeletion } from './store.ts'

export { deletionTasks } from './carry-out.ts'
export { erasureTasks } from './erase.ts'
export type { DeletionNotificationDeps } from './notify.ts'
export { getProofDenyReason } from './proof.ts'
export { HELD_MS, removeAccount, removeMember } from './removal-store.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly auth: Pick<AuthPlane, 'confirmIdentity'>
  readonly telling: DeletionNotificationDeps
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** An owner can request the deletion of the account, other users their own, with 14 days to cancel (decision 0021). */
export const accountDeletion = ({ db, ids, auth, telling, now }: Deps) => {
  /** The account's rows, and its entries in its reseller's log. */
  const scopeOf = ({ accountId, userId, resellerId }: MemberCaller) => ({
    organisationId: accountId,
    userId,
    logOfResellerId: resellerId,
  })

  const record = async (
    change: Pick<Change<MemberCaller>, 'caller' | 'audit'>,
    given: { action: string; deletesAt: number },
  ) => {
    const { action } = given
    const { accountId, userId, resellerId } = change.caller
    const isOwner = userId === accountId
    const deletesAt = toDateTime(given.deletesAt)
    const states = action === requestDeletion.name ? { after: { deletesAt } } : { before: { deletesAt } }
    const entry = { action, target: { kind: isOwner ? 'account' : 'user', id: userId }, ...states }
    await change.audit(entry)
    if (isOwner) await change.audit({ ...entry, accountId: resellerId })
  }

  return [
    serve(getDeletion, async (caller) => {
      const person = await db.inTenant(caller, (tx) => findDeletableUser(tx, caller))
      return person === undefined ? fail({ error: 'notAuthorized' }) : ok(toDeletion(person))
    }),

    serveChange(requestDeletion, async (change, { body, address, host }) => {
      const { caller } = change
      const { userId, tokenId } = caller
      const refusal = await getProofDenyReason(auth, { userId, tokenId, ...body, address, host })
      if (refusal !== undefined) return fail(refusal)
      const mailId = await ids.next()
      return change.tx(scopeOf(caller), async (tx) => {
        const person = await lockDeletableUser(tx, caller)
        if (person === undefined) return fail({ error: 'notAuthorized' })
        if (person.deletesAt !== null) return ok(toDeletion(person))
        const requestedAt = now()
        const deletesAt = requestedAt + GRACE_DAYS * MS_PER_DAY
        await saveDeletion(tx, caller, { requestedAt, deletesAt })
        await record(change, { action: requestDeletion.name, deletesAt })
        await notifyDeletion(tx, { person, news: 'deletionRequested', deletesAt, mailId }, telling)
        const isOwner = userId === caller.accountId
        return ok(
          toDeletion({ ...person, requestedAt, deletesAt, ...(isOwner ? { accountDeletesAt: deletesAt } : {}) }),
        )
      })
    }),

    serveChange(cancelDeletion, async (change) => {
      const { caller } = change
      const mailId = await ids.next()
      return change.tx(scopeOf(caller), async (tx) => {
        const person = await lockDeletableUser(tx, caller)
        if (person === undefined || person.deletesAt === null) {
          return fail({ error: 'businessRule', detail: 'no deletion is scheduled' })
        }
        const { deletesAt } = person
        await saveDeletion(tx, caller, null)
        await record(change, { action: cancelDeletion.name, deletesAt })
        await notifyDeletion(tx, { person, news: 'deletionCancelled', deletesAt, mailId }, telling)
        return ok(undefined)
      })
    }),
  ]
}

const textOf = (at: number | null) => (at === null ? null : toDateTime(at))

const toDeletion = (person: DeletableUser): Deletion => ({
  what: person.userId === person.accountId ? 'account' : 'person',
  requestedAt: textOf(person.requestedAt),
  deletesAt: textOf(person.deletesAt),
  accountDeletesAt: textOf(person.accountDeletesAt),
  asksForCode: person.hasSecondFactor,
})
