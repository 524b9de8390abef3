import type { ApiError } from '@sightline/contract/errors'
import { type Account, moveAccount } from '@sightline/contract/reseller-accounts'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { type Change, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { StaffCaller } from '@sightline/platform/sessions'
import { mapFailures } from '../distributors/index.ts'
import { findResellerInScope, inAccount, type KnownReseller } from '../resellers/index.ts'
import { moveSubscription } from '../subscriptions/index.ts'
import { loadAccess, recordEndedGrant } from './ended-grant.ts'
import { isBillableConflict, loadAccount, lockAccount, setAccountReseller } from './store.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly now: () => number
}

interface Move {
  readonly accountId: number
  readonly from: KnownReseller
  readonly to: KnownReseller
  readonly change: Pick<Change<StaffCaller, Account>, 'ifMatch'>
}

export const moving = ({ db, now }: Deps) => [
  serveChange(moveAccount, async (change, { params, body }) => {
    const { caller } = change
    const { accountId } = params
    const to = await findResellerInScope(db, caller, body.resellerId)
    if (to === undefined) return fail({ error: 'notFound' })
    // The package is compared with the new reseller's packages.
    const named = { db, change, caller, ...params, alsoLogOf: to, seesReseller: true } as const
    return mapFailures(
      () =>
        inAccount(named, async (tx, from) => {
          const access = await loadAccess(tx, accountId)
          const moved = await move(tx, { accountId, from, to, change }, now())
          if (!moved.ok) return moved
          const target = { kind: 'account', id: accountId }
          for (const log of new Set([accountId, from.resellerId, to.resellerId])) {
            const entry = { action: 'moveAccount', accountId: log, target, ...moved.value }
            await change.audit(entry)
          }
          await recordEndedGrant(tx, access, { accountId, now: now(), change })
          return ok(moved.value.after)
        }),
      moveError,
    )
  }),
]

async function move(
  tx: Tx,
  { accountId, from, to, change }: Move,
  now: number,
): Promise<Result<{ before: Account; after: Account }, ApiError>> {
  const locked = await lockAccount(tx, accountId)
  // It was removed or moved in the meantime.
  if (locked === undefined) return fail({ error: 'notFound' })
  const { account: before } = locked
  change.ifMatch(before)
  if (to.resellerId === from.resellerId) return ok({ before, after: before })
  await setAccountReseller(tx, { accountId, resellerId: to.resellerId })
  const isMoved = await moveSubscription(tx, { accountId, from: from.resellerId, to: to.resellerId }, now)
  if (!isMoved) throw new NoSuchPackage()
  return ok({ before, after: (await loadAccount(tx, accountId)).account })
}

/** Rolls the move back. */
class NoSuchPackage extends Error {}

function moveError(error: unknown): ApiError | undefined {
  if (error instanceof NoSuchPackage) {
    return { error: 'businessRule', detail: "the other reseller does not have the account's package" }
  }
  if (!isBillableConflict(error)) return undefined
  return {
    error: 'businessRule',
    detail: 'the other reseller already has a user with the same email address or Zoho ID',
  }
}
