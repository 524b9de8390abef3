import type { ApiError } from '@sightline/contract/errors'
import {
  type AccountSubscription,
  changeSubscription,
  getAccountSubscription,
  getAccountSubscriptions,
  getCurrentSubscription,
  getSubscriptionPackages,
  getSubscriptions,
  onDay,
  patchSubscription,
  putSubscriptionPackage,
  type SubscriptionChoice,
  type SubscriptionPackage,
} from '@sightline/contract/subscriptions'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { Caller, MemberCaller, StaffCaller } from '@sightline/platform/sessions'
import { inAccount, inAnyAccount, inReseller } from '../resellers/index.ts'
import { saveDueChange } from './apply-due.ts'
import { movedState, readChoice, toChangeError } from './rules.ts'
import {
  findPackage,
  listPackages,
  loadLargestUsage,
  loadSubscription,
  lockPackage,
  lockSubscription,
  type StoredSubscription,
  savePackage,
  saveSubscription,
  toSubscription,
} from './store.ts'

export { subscriptionTasks } from './apply-due.ts'
export { findPackage, saveSubscription, today } from './store.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly now: () => number
}

/** Fixed by the specification §9: self-service clients use this reseller id, whatever their reseller is. */
const SELF_SERVICE_RESELLER_ID = 255

export const subscriptions = (deps: Deps) => [...reading(deps), ...changing(deps), ...packages(deps)]

const reading = ({ db, now }: Deps) => [
  serve(getCurrentSubscription, async (caller, { params }) => {
    const { accountId } = params
    if (caller.kind === 'staff')
      return inAnyAccount({ db, caller, accountId }, (tx, of) => current(tx, of.accountId, now()))
    if (!isOwn(caller, accountId)) return fail({ error: 'notFound' })
    return db.inTenant(caller, (tx) => current(tx, caller.accountId, now()))
  }),

  serve(getSubscriptions, async (caller, { params, query }) => {
    if (caller.kind === 'staff')
      return inAnyAccount({ db, caller, ...params }, async (tx, { resellerId }) =>
        ok(offeredTo(await listPackages(tx, resellerId), query, 'withPrice')),
      )
    if (!isOwn(caller, params.accountId)) return fail({ error: 'notFound' })
    const refusal = selfServiceError(caller)
    if (refusal !== undefined) return fail(refusal)
    return ok(await db.inTenant(caller, async (tx) => offeredTo(await listPackages(tx, caller.resellerId), query)))
  }),

  serve(getAccountSubscriptions, async (caller, { params, query }) => {
    if (params.accountId === 'self') return fail({ error: 'notFound' })
    const named = { db, caller, resellerId: params.resellerId, accountId: params.accountId }
    return inAccount(named, async (tx, reseller) =>
      ok(offeredTo(await listPackages(tx, reseller.resellerId), query, 'withPrice')),
    )
  }),

  serve(getAccountSubscription, async (caller, { params }) => {
    const { accountId } = params
    if (accountId === 'self') return fail({ error: 'notFound' })
    return inAccount({ db, caller, resellerId: params.resellerId, accountId }, (tx) => current(tx, accountId, now()))
  }),
]

type Outcome = Promise<Result<AccountSubscription, ApiError>>

interface Subscribing {
  readonly change: Change<Caller, AccountSubscription>
  readonly accountId: number
  readonly choice: SubscriptionChoice
}

const changing = ({ db, ids, now }: Deps) => {
  const subscribe = async (tx: Tx, given: Subscribing): Promise<Result<AccountSubscription, ApiError>> => {
    const { accountId, change } = given
    const stored = await lockSubscription(tx, accountId, now())
    const before = await shown(tx, stored)
    change.ifMatch(before)
    if (!stored.isActive) return fail({ error: 'businessRule', detail: 'the account is not active' })
    // If the last day has just passed, the next subscription has its own entry.
    await saveDueChange(tx, { accountId, stored, now: now(), ids })
    const { packageId, from } = readChoice(given.choice)
    const target = packageId === -1 ? 'none' : await findPackage(tx, stored.resellerId, packageId)
    if (target === undefined) return fail({ error: 'notFound' })
    const changed = changeSubscription({ ...stored, current: before, target, from })
    if (changed.kind === 'refused') return fail(toChangeError(changed))
    await saveSubscription(tx, { accountId, resellerId: stored.resellerId }, changed.state)
    const after = await shown(tx, { ...stored, state: changed.state })
    if (after === undefined) throw new Error(`the package of account ${accountId} not found after it was chosen`)
    const target_ = { kind: 'account', id: accountId }
    const entry = { action: 'patchSubscription', accountId, target: target_, before, after }
    await change.audit(entry)
    return ok(after)
  }
  const asMember = async (caller: MemberCaller, given: Omit<Subscribing, 'accountId'>, named: Named): Outcome => {
    const isOwnReseller = [caller.resellerId, SELF_SERVICE_RESELLER_ID, 'self'].includes(named.resellerId)
    if (!isOwnReseller || !isOwn(caller, named.accountId)) return fail({ error: 'notFound' })
    const refusal = selfServiceError(caller) ?? trialError(caller)
    if (refusal !== undefined) return fail(refusal)
    return given.change.tx(caller, (tx) => subscribe(tx, { ...given, accountId: caller.accountId }))
  }
  const asStaff = async (caller: StaffCaller, given: Omit<Subscribing, 'accountId'>, named: Named): Outcome => {
    const { resellerId, accountId } = named
    if (accountId === 'self') return fail({ error: 'notFound' })
    const inside = { db, change: given.change, caller, resellerId, accountId }
    return inAccount(inside, (tx) => subscribe(tx, { ...given, accountId }))
  }
  return [
    serveChange(patchSubscription, async (change, { params, body }) => {
      const { caller } = change
      const given = { change, choice: body }
      return caller.kind === 'member' ? asMember(caller, given, params) : asStaff(caller, given, params)
    }),
  ]
}

interface Named {
  readonly resellerId: number | 'self'
  readonly accountId: number | 'self'
}

const packages = ({ db }: Deps) => [
  serve(getSubscriptionPackages, (caller, { params }) =>
    inReseller({ db, caller, ...params }, async (tx, { resellerId }) => ok(await listPackages(tx, resellerId))),
  ),

  serveChange(putSubscriptionPackage, (change, { params, body }) => {
    const { caller } = change
    return inReseller({ db, change, caller, resellerId: params.resellerId }, async (tx, { resellerId }) => {
      const { subscriptionPackageId } = params
      const before = await lockPackage(tx, resellerId, subscriptionPackageId)
      change.ifMatch(before)
      const after: SubscriptionPackage = {
        subscriptionId: subscriptionPackageId,
        subscriptionPackageId,
        ...body,
        maxAmountOfDevices: body.maxAmountOfDevices ?? null,
        maxStorageBytes: body.maxStorageBytes ?? null,
        available: body.available ?? true,
        valid: body.valid ?? true,
        priceReference: body.priceReference ?? null,
        sortOrder: body.sortOrder ?? 0,
      }
      const held = await loadLargestUsage(tx, subscriptionPackageId)
      const isTooSmall =
        isBelow(after.maxAmountOfCameras, held.cameras) || isBelow(after.maxAmountOfDevices, held.devices)
      if (isTooSmall)
        return fail({ error: 'businessRule', detail: 'an account with this package has more than that in use' })
      await savePackage(tx, resellerId, after)
      const target = { kind: 'subscriptionPackage', id: subscriptionPackageId }
      const entry = { action: 'putSubscriptionPackage', accountId: resellerId, target, before, after }
      await change.audit(entry)
      return ok(after)
    })
  }),
]

const isBelow = (limit: number | null, held: number): boolean => limit !== null && limit < held

const isOwn = (caller: MemberCaller, accountId: number | 'self'): boolean =>
  accountId === 'self' || accountId === caller.accountId

const selfServiceError = (caller: MemberCaller): ApiError | undefined =>
  caller.userSelfServiceManagement
    ? undefined
    : { error: 'notAuthorized', detail: 'the reseller manages the subscription of this account' }

/** The reseller decides what follows a trial (specification §4: trial and demo are disabled). */
const trialError = (caller: MemberCaller): ApiError | undefined =>
  caller.userType === 'trial'
    ? { error: 'notAuthorized', detail: 'the reseller manages the subscription of a trial account' }
    : undefined

/** The available packages; only dealers see the billing name. */
function offeredTo(
  all: readonly SubscriptionPackage[],
  wanted: { readonly available?: string | undefined; readonly valid?: string | undefined },
  price?: 'withPrice',
): SubscriptionPackage[] {
  const fits = (value: boolean, asked: string | undefined) => asked === undefined || value === (asked === 'true')
  return all
    .filter((one) => fits(one.available, wanted.available) && fits(one.valid, wanted.valid))
    .map(({ priceReference, ...one }) => (price === undefined ? one : { ...one, priceReference }))
}

/** The subscription on this day, with its package. */
async function shown(tx: Tx, { state, resellerId, today }: StoredSubscription) {
  if (state === undefined) return undefined
  const now = onDay(state, today)
  const of = await findPackage(tx, resellerId, now.packageId)
  return of === undefined ? undefined : toSubscription(now, of)
}

async function current(tx: Tx, accountId: number, now: number): Promise<Result<AccountSubscription, ApiError>> {
  const subscription = await shown(tx, await loadSubscription(tx, accountId, now))
  if (subscription === undefined) return fail({ error: 'notFound', detail: 'the account has no subscription' })
  return ok(subscription)
}

/**
 * Moves an account's subscription to the same packages of another reseller, in the scope of the account, which has
 * already moved. False if that reseller doesn't have them.
 */
export async function moveSubscription(
  tx: Tx,
  of: { readonly accountId: number; readonly from: number; readonly to: number },
  now: number,
): Promise<boolean> {
  const { state } = await loadSubscription(tx, of.accountId, now)
  if (state === undefined) return true
  const moved = movedState(state, await listPackages(tx, of.from), await listPackages(tx, of.to))
  if (moved === undefined) return false
  await saveSubscription(tx, { accountId: of.accountId, resellerId: of.to }, moved)
  return true
}
