import type { ApiError } from '@sightline/contract/errors'
import {
  addMobileSubscription,
  deleteMobileSubscription,
  getMobileSubscription,
  getMobileSubscriptions,
  MAX_MOBILE_SUBSCRIPTIONS,
  type MobileSubscription,
  patchMobileSubscription,
} from '@sightline/contract/mobile-subscriptions'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { type Change, serve, serveChange } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { StaffCaller } from '@sightline/platform/sessions'
import { mapFailures } from '../distributors/index.ts'
import { getModuleDenyReason, inAccount, type KnownReseller } from '../resellers/index.ts'
import {
  countMobileSubscriptions,
  findMobileSubscription,
  insertMobileSubscription,
  isIccidInUse,
  listMobileSubscriptions,
  lockMobileSubscription,
  removeMobileSubscription,
  saveMobileSubscription,
} from './store.ts'

export { listMobileSubscriptions } from './store.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly now: () => number
}

export const mobileSubscriptions = (deps: Deps) => [...reading(deps), ...adding(deps), ...changing(deps)]

interface NamedAccount {
  readonly db: Db
  readonly caller: StaffCaller
  readonly resellerId: number | 'self'
  readonly accountId: number
  readonly change?: Pick<Change<StaffCaller>, 'tx'>
}

/** Work inside an account whose brand has mobile subscriptions. */
const withModule = <T>(
  named: NamedAccount,
  work: (tx: Tx, reseller: KnownReseller) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> =>
  inAccount(named, (tx, reseller) => {
    const denied = getModuleDenyReason(reseller, 'mobileSubscriptions')
    return denied === undefined ? work(tx, reseller) : Promise.resolve(fail(denied))
  })

const reading = ({ db }: Deps) => [
  serve(getMobileSubscriptions, (caller, { params }) =>
    withModule({ db, caller, ...params }, async (tx) => ok(await listMobileSubscriptions(tx, params.accountId))),
  ),

  serve(getMobileSubscription, (caller, { params }) =>
    withModule({ db, caller, ...params }, async (tx) => {
      const found = await findMobileSubscription(tx, params)
      return found === undefined ? fail(noSuchSubscription) : ok(found)
    }),
  ),
]

const adding = ({ db, ids, now }: Deps) => [
  serveChange(addMobileSubscription, async (change, { params, body }) => {
    const { caller } = change
    const { accountId } = params
    const mobileSubscriptionId = await ids.next()
    return mapFailures(
      () =>
        withModule({ db, change, caller, ...params }, async (tx, { resellerId }) => {
          if ((await countMobileSubscriptions(tx, accountId)) >= MAX_MOBILE_SUBSCRIPTIONS) return fail(tooMany)
          const after = await insertMobileSubscription(tx, { accountId, mobileSubscriptionId, ...body, now: now() })
          await audit(change, { action: addMobileSubscription.name, accountId, resellerId, after })
          return ok(after)
        }),
      inUseError,
    )
  }),
]

const changing = ({ db, now }: Deps) => [
  serveChange(patchMobileSubscription, (change, { params, body }) => {
    const { caller } = change
    const { accountId } = params
    return mapFailures(
      () =>
        withModule({ db, change, caller, ...params }, async (tx, { resellerId }) => {
          const before = await lockMobileSubscription(tx, params)
          if (before === undefined) return fail(noSuchSubscription)
          change.ifMatch(before)
          const { sku = before.sku, status = before.status } = body
          const endedAt = status === 'ended' ? endOf(before, now()) : null
          const after = await saveMobileSubscription(tx, params, { sku, status, endedAt })
          await audit(change, { action: patchMobileSubscription.name, accountId, resellerId, before, after })
          return ok(after)
        }),
      inUseError,
    )
  }),

  serveChange(deleteMobileSubscription, (change, { params }) => {
    const { caller } = change
    const { accountId } = params
    return withModule({ db, change, caller, ...params }, async (tx, { resellerId }) => {
      const before = await lockMobileSubscription(tx, params)
      if (before === undefined) return fail(noSuchSubscription)
      await removeMobileSubscription(tx, params)
      await audit(change, { action: deleteMobileSubscription.name, accountId, resellerId, before })
      return ok(undefined)
    })
  }),
]

/** In the log of the account, and in that of the reseller, who bills for it. */
async function audit(
  change: Pick<Change, 'audit'>,
  entry: {
    readonly action: string
    readonly accountId: number
    readonly resellerId: number
    readonly before?: object
    readonly after?: object
  },
): Promise<void> {
  const { accountId, resellerId, ...what } = entry
  const target = { kind: 'account', id: accountId }
  for (const log of [accountId, resellerId]) await change.audit({ ...what, accountId: log, target })
}

/** A subscription that has ended keeps its last day. */
const endOf = ({ endDate }: MobileSubscription, now: number): number => (endDate === null ? now : Date.parse(endDate))

const noSuchSubscription: ApiError = { error: 'notFound' }
const tooMany: ApiError = {
  error: 'businessRule',
  detail: `an account has at most ${MAX_MOBILE_SUBSCRIPTIONS} mobile subscriptions`,
}

const inUseError = (error: unknown): ApiError | undefined =>
  isIccidInUse(error)
    ? { error: 'businessRule', detail: 'another mobile subscription that has not ended has this ICCID' }
    : undefined
