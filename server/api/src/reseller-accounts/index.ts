import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { ApiError } from '@sightline/contract/errors'
import {
  type Account,
  type AccountInput,
  type AccountPatch,
  addAccount,
  deleteResellerAccount,
  getAccount,
  getAccountDetails,
  getPackageId,
  getResellerAccount,
  getResellerAccounts,
  patchAccountDetails,
  patchAccountStatus,
  patchResellerAccount,
  putZohoId,
} from '@sightline/contract/reseller-accounts'
import { zohoId } from '@sightline/contract/resellers'
import { changeSubscription } from '@sightline/contract/subscriptions'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { type Change, serve, serveChange, toStorePage } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { Caller } from '@sightline/platform/sessions'
import * as z from 'zod/mini'
import { HELD_MS, removeAccount } from '../account-deletion/index.ts'
import { applied, applyContactPatch, mapFailures } from '../distributors/index.ts'
import { languageFault, timeZoneFault } from '../reference-lists/index.ts'
import { findResellerInScope, inAccount, inAnyAccount, inReseller, type KnownReseller } from '../resellers/index.ts'
import { findPackage, saveSubscription, today } from '../subscriptions/index.ts'
import { loadAccess, recordEndedGrant } from './ended-grant.ts'
import { moving } from './move.ts'
import { firstZoneName, getAccountName, limitFault } from './rules.ts'
import { lockVisibility, saveVisibility } from './status-store.ts'
import {
  addToOwn,
  countAccounts,
  findAccounts,
  insertAccount,
  isEmailTaken,
  isParentMissing,
  isZohoIdTaken,
  loadAccount,
  loadUserIds,
  lockAccount,
  saveAccount,
  saveZohoId,
  toAccount,
} from './store.ts'
import { accountUsers } from './users.ts'

/** `accounts/{accountId}/status`: whether a demo is open to guests (decision 0026). */
const accountStatus = [
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
        return fail({ error: 'businessRule', detail: 'only accounts of the type demo can be made public' })
      }
      await saveVisibility(tx, accountId, after.publicDemo)
      const target = { kind: 'account', id: accountId }
      const entry = { action: patchAccountStatus.name, accountId, target, before, after }
      await change.audit(entry)
      return ok(after)
    })
  }),
]

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly auth: Pick<AuthPlane, 'forgetUser'>
  readonly now: () => number
  /** Whether the operator set up a dedicated translation host. */
  readonly isTranslated?: boolean
}

export const resellerAccounts = (deps: Deps) => [
  ...own(deps),
  ...reading(deps),
  ...adding(deps),
  ...changing(deps),
  ...leaving(deps),
  ...moving(deps),
  ...accountUsers(deps),
  ...accountStatus,
]

const noSuchAccount: ApiError = { error: 'notFound' }
const noUsage = { subUsers: 0, cameras: 0, devices: 0 }
const customer = (accountId: number) => ({ kind: 'account', id: accountId })

/**
 * Work inside the account in `accounts/{accountId}`: the member's own, by its id or as `self`, or one that staff may
 * manage.
 */
function inNamedAccount<T>(
  named: {
    readonly db: Db
    readonly caller: Caller
    readonly accountId: number | 'self'
    readonly change?: Pick<Change, 'tx'>
  },
  work: (tx: Tx, accountId: number) => Promise<Result<T, ApiError>>,
): Promise<Result<T, ApiError>> {
  const { db, caller, accountId, change } = named
  if (caller.kind === 'staff') return inAnyAccount({ ...named, caller }, (tx, of) => work(tx, of.accountId))
  if (accountId !== 'self' && accountId !== caller.accountId) return Promise.resolve(fail(noSuchAccount))
  const own = (tx: Tx) => work(tx, caller.accountId)
  return change === undefined ? db.inTenant(caller, own) : change.tx(caller, own)
}

const own = ({ db }: Deps) => [
  serve(getAccount, (caller, { params }) =>
    inNamedAccount({ db, caller, ...params }, async (tx, accountId) => ok((await loadAccount(tx, accountId)).account)),
  ),

  serve(getAccountDetails, (caller, { params }) =>
    inNamedAccount({ db, caller, ...params }, async (tx, accountId) =>
      ok((await loadAccount(tx, accountId)).account.contactDetails),
    ),
  ),

  serveChange(patchAccountDetails, (change, { params, body }) => {
    const { caller } = change
    return inNamedAccount({ db, change, caller, ...params }, async (tx, accountId) => {
      const locked = await lockAccount(tx, accountId)
      if (locked === undefined) return fail(noSuchAccount)
      const { account } = locked
      const before = account.contactDetails
      change.ifMatch(before)
      const after = applyContactPatch(before, body)
      await saveAccount(tx, { ...account, contactDetails: after })
      const entry = { action: 'patchAccountDetails', accountId, target: customer(accountId), before, after }
      await change.audit(entry)
      return ok(after)
    })
  }),
]

const reading = ({ db }: Deps) => [
  serve(getResellerAccounts, (caller, { params, query, page: question }) =>
    inReseller({ db, caller, ...params }, async (tx, { resellerId }) => {
      const filter = { ...query, resellerId, accountIds: caller.accountIds }
      const { page, usage } = await findAccounts(tx, filter, question)
      const total = question.wantsCount ? await countAccounts(tx, filter) : undefined
      return ok(
        toStorePage(page, question, { item: (row) => toAccount(row, usage.get(row.account_id) ?? noUsage), total }),
      )
    }),
  ),

  serve(getResellerAccount, (caller, { params }) =>
    inAccount({ db, caller, ...params }, async (tx) => ok((await loadAccount(tx, params.accountId)).account)),
  ),
]

const adding = ({ db, ids, now, ...translating }: Deps) => {
  /** Creates the rows; undefined if the reseller doesn't have an available package of that kind. */
  const insert = async (tx: Tx, given: AccountInput, of: { accountId: number; reseller: KnownReseller }) => {
    const { accountId, reseller } = of
    const { resellerId } = reseller
    const timeZone = given.timeZone ?? reseller.timeZone
    const target = await findPackage(tx, resellerId, getPackageId(given) ?? 0)
    if (target === undefined) return undefined
    const day = today(timeZone, now())
    const wish = { state: undefined, current: undefined, from: 'soonest', camerasInUse: 0, today: day } as const
    const chosen = changeSubscription({ ...wish, target })
    if (chosen.kind === 'refused') return undefined
    const { language = 'en', userType = 'regular', contactDetails } = given
    const { firstName, lastName } = contactDetails
    await insertAccount(tx, {
      accountId,
      resellerId,
      name: getAccountName(given),
      status: 'active',
      userType,
      timeZone,
      language,
      contactDetails: applyContactPatch({}, contactDetails),
      featureFlags: {
        userSelfServiceManagement: given.featureFlags?.userSelfServiceManagement ?? false,
        preventEditUserDetails: given.featureFlags?.preventEditUserDetails ?? false,
      },
      subUsersBarred: false,
      maxSubUsers: given.maxSubUsers ?? null,
      maxCameras: given.maxCameras ?? null,
      maxDevices: given.maxDevices ?? null,
      owner: { email: given.email, firstName, lastName },
      zone: { zoneId: await ids.next(), name: firstZoneName[language] },
    })
    await saveSubscription(tx, { accountId, resellerId }, chosen.state)
    return loadAccount(tx, accountId)
  }
  return [
    serveChange(addAccount, async (change, { params, body }) => {
      const { caller } = change
      const fault = timeZoneFault(body.timeZone) ?? languageFault(body.language, translating)
      if (fault !== undefined) return fail(fault)
      const reseller = await findResellerInScope(db, caller, params.resellerId)
      if (reseller === undefined) return fail({ error: 'notFound' })
      const { resellerId } = reseller
      const accountId = await ids.next()
      const scope = { organisationId: accountId, userId: caller.userId, resellerId }
      return mapFailures(
        () =>
          change.tx(scope, async (tx) => {
            const added = await insert(tx, body, { accountId, reseller })
            if (added === undefined) return fail({ error: 'notFound', detail: 'package not found, or not available' })
            const tooMuch = limitFault(body, added)
            if (tooMuch !== undefined) return fail(tooMuch)
            if (caller.accountIds !== undefined) await addToOwn(tx, { userId: caller.userId, accountId })
            const { account } = added
            const entry = { action: 'addAccount', target: customer(accountId), after: account }
            await change.audit({ ...entry, accountId })
            await change.audit({ ...entry, accountId: resellerId })
            await change.notify({ kind: 'invitation', userId: accountId, accountId, to: body.email })
            return ok(account)
          }),
        addingError,
      )
    }),
  ]
}

const changing = ({ db, now, ...translating }: Deps) => [
  serveChange(patchResellerAccount, async (change, { params, body }) => {
    const { caller } = change
    const fault = timeZoneFault(body.timeZone) ?? languageFault(body.language, translating)
    if (fault !== undefined) return fail(fault)
    const { accountId } = params
    return inAccount({ db, change, caller, ...params }, async (tx) => {
      const loaded = await lockAccount(tx, accountId)
      if (loaded === undefined) return fail(noSuchAccount)
      const before = loaded.account
      change.ifMatch(before)
      const limit = limitFault(body, loaded)
      if (limit !== undefined) return fail(limit)
      const access = await loadAccess(tx, accountId)
      await saveAccount(tx, patched(before, body))
      const { account: after } = await loadAccount(tx, accountId)
      const entry = { action: 'patchResellerAccount', accountId, target: customer(accountId), before, after }
      await change.audit(entry)
      await recordEndedGrant(tx, access, { accountId, now: now(), change })
      return ok(after)
    })
  }),

  serveChange(putZohoId, async (change, { params, body }) => {
    const { caller } = change
    const { accountId } = params
    if (body.zohoId !== null && !z.safeParse(zohoId, body.zohoId).success) {
      return fail({ error: 'businessRule', detail: 'not a valid Zoho ID' })
    }
    return mapFailures(
      () =>
        inAccount({ db, change, caller, ...params }, async (tx) => {
          const locked = await lockAccount(tx, accountId)
          if (locked === undefined) return fail(noSuchAccount)
          const { account } = locked
          await saveZohoId(tx, accountId, body.zohoId)
          const before = { zohoId: account.zohoId }
          const entry = { action: 'putZohoId', accountId, target: customer(accountId), before, after: body }
          await change.audit(entry)
          return ok(undefined)
        }),
      (error) =>
        isZohoIdTaken(error)
          ? { error: 'businessRule', detail: 'another account of this reseller already has this Zoho ID' }
          : undefined,
    )
  }),
]

function patched(current: Account, patch: AccountPatch): Account {
  const contactDetails = applyContactPatch(current.contactDetails, patch.contactDetails)
  const featureFlags = applied(current.featureFlags, patch.featureFlags ?? {})
  return applied(current, { ...patch, contactDetails, featureFlags })
}

const leaving = ({ db, auth, now }: Deps) => [
  serveChange(deleteResellerAccount, async (change, { params }) => {
    const { caller } = change
    const { accountId } = params
    const removed = await inAccount({ db, change, caller, ...params }, async (tx, { resellerId }) => {
      const locked = await lockAccount(tx, accountId)
      if (locked === undefined) return fail(noSuchAccount)
      const { account: before } = locked
      const { cameras, devices } = before.usage
      if (cameras + devices > 0) {
        return fail({
          error: 'businessRule',
          detail: `the account has ${cameras} cameras and ${devices} devices: remove them first`,
        })
      }
      const entry = { action: 'deleteResellerAccount', target: customer(accountId), before }
      await change.audit({ ...entry, accountId })
      await change.audit({ ...entry, accountId: resellerId })
      const userIds = await loadUserIds(tx, accountId)
      await removeAccount(tx, { accountId, removedAt: now(), eraseAfter: now() + HELD_MS })
      return ok(userIds)
    })
    if (!removed.ok) return removed
    for (const userId of removed.value) await auth.forgetUser({ userId })
    return ok(undefined)
  }),
]

const emailError = (error: unknown): ApiError | undefined =>
  isEmailTaken(error)
    ? { error: 'duplicate', detail: 'a user of this reseller already has this email address' }
    : undefined

const addingError = (error: unknown): ApiError | undefined =>
  emailError(error) ?? (isParentMissing(error) ? { error: 'notFound' } : undefined)
