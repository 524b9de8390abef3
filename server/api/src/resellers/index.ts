import type { AuthPlane } from '@sightline/contract/auth-plane'
import type { ApiError } from '@sightline/contract/errors'
import {
  addReseller,
  type BrandThemePatch,
  deleteReseller,
  getReseller,
  getResellers,
  getResellerTheme,
  getTheme,
  patchModules,
  patchReseller,
  patchResellerTheme,
} from '@sightline/contract/resellers'
import { allModules, type Modules } from '@sightline/contract/rights'
import { createBrandLookup } from '@sightline/platform/brands'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { applied, applyContactPatch, findDistributorInScope, mapFailures } from '../distributors/index.ts'
import { timeZoneFault } from '../reference-lists/index.ts'
import { type DownloadRules, publicInternet } from './brand-pictures/index.ts'
import { newPictures, ownPictures } from './pictures.ts'
import { getModuleDenyReason, inReseller } from './scope.ts'
import {
  findReseller,
  insertReseller,
  isReferenced,
  isResellerNameTaken,
  listResellers,
  loadTheme,
  lockReseller,
  mostSubUsers,
  type PlainReseller,
  removeReseller,
  saveReseller,
  saveTheme,
  withAccounts,
} from './store.ts'
import { appliedTheme, getEffectiveTheme, themeOfHost } from './theme.ts'

export { brandPictureTasks } from './pictures.ts'
export { findResellerInScope, getModuleDenyReason, inAccount, inAnyAccount, inReseller } from './scope.ts'
export { type KnownReseller, lockReseller } from './store.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly auth: Pick<AuthPlane, 'forgetUser'>
  readonly downloads?: DownloadRules | undefined
}

/** Optional for new brands; a distributor turns on what was agreed. */
const noModules = Object.fromEntries(allModules.map((module) => [module, false])) as Modules

const firstOf = async (tx: Tx, reseller: PlainReseller) => {
  const [counted] = await withAccounts(tx, [reseller])
  if (counted === undefined) throw new Error(`reseller ${reseller.resellerId} was not counted`)
  return counted
}

export const resellers = (deps: Deps) => [
  ...reading(deps),
  ...adding(deps),
  ...changing(deps),
  ...leaving(deps),
  ...brands(deps),
]

const reading = ({ db }: Deps) => [
  serve(getResellers, async (caller, { params }) => {
    const distributorId = await findDistributorInScope(db, caller, params.distributorId)
    if (distributorId === undefined) return fail({ error: 'notFound' })
    const scope = { organisationId: distributorId, userId: caller.userId, distributorId }
    return ok(await db.inOrganisation(scope, async (tx) => withAccounts(tx, await listResellers(tx, distributorId))))
  }),

  serve(getReseller, (caller, { params }) =>
    inReseller({ db, caller, ...params }, async (tx, { resellerId }) => {
      const found = await findReseller(tx, resellerId)
      return found === undefined ? fail({ error: 'notFound' }) : ok(await firstOf(tx, found))
    }),
  ),
]

const adding = ({ db, ids }: Deps) => [
  serveChange(addReseller, async (change, { params, body }) => {
    const { caller } = change
    const refusal = timeZoneFault(body.timeZone)
    if (refusal !== undefined) return fail(refusal)
    const distributorId = await findDistributorInScope(db, caller, params.distributorId)
    if (distributorId === undefined) return fail({ error: 'notFound' })
    const resellerId = await ids.next()
    const { name, zohoId = null, timeZone = 'UTC', maxSubUsers = 100 } = body
    const contactDetails = applyContactPatch({}, body.contactDetails)
    const modules = applied(noModules, body.modules ?? {})
    return mapFailures(
      () =>
        change.tx({ organisationId: distributorId, userId: caller.userId, distributorId }, async (tx) => {
          const given = { resellerId, distributorId, name, modules, contactDetails, zohoId, timeZone, maxSubUsers }
          await insertReseller(tx, given)
          const added = await findReseller(tx, resellerId)
          if (added === undefined) throw new Error(`reseller ${resellerId} not found after it was created`)
          const target = { kind: 'reseller', id: resellerId }
          const entry = { action: 'addReseller', target, after: added }
          await change.audit({ ...entry, accountId: distributorId })
          await change.audit({ ...entry, accountId: resellerId })
          return ok({ ...added, accounts: 0 })
        }),
      (error) => nameError(error) ?? (isReferenced(error) ? { error: 'notFound' } : undefined),
    )
  }),
]

const changing = ({ db }: Deps) => [
  serveChange(patchReseller, async (change, { params, body }) => {
    const { caller } = change
    const refusal = timeZoneFault(body.timeZone)
    if (refusal !== undefined) return fail(refusal)
    return mapFailures(
      () =>
        inReseller({ db, change, caller, ...params }, async (tx, { resellerId }) => {
          const before = await lockReseller(tx, resellerId)
          if (before === undefined) return fail({ error: 'notFound' })
          const shown = await firstOf(tx, before)
          const contactDetails = applyContactPatch(before.contactDetails, body.contactDetails)
          const after = applied(shown, { ...body, contactDetails })
          change.ifMatch(shown)
          const fault = await slotFault(tx, before, after)
          if (fault !== undefined) return fail(fault)
          await saveReseller(tx, after)
          const entry = { action: 'patchReseller', accountId: resellerId, ...changeOf(resellerId, before, after) }
          await change.audit(entry)
          return ok(after)
        }),
      nameError,
    )
  }),

  serveChange(patchModules, (change, { params, body }) => {
    const { caller } = change
    return inReseller({ db, change, caller, ...params }, async (tx, { resellerId }) => {
      const before = await lockReseller(tx, resellerId)
      if (before === undefined) return fail({ error: 'notFound' })
      change.ifMatch(before.modules)
      const modules = applied(before.modules, body)
      await saveReseller(tx, { ...before, modules })
      const changed = changeOf(resellerId, before.modules, modules)
      await change.audit({ action: 'patchModules', accountId: resellerId, ...changed })
      return ok(modules)
    })
  }),
]

const leaving = ({ db, auth }: Deps) => [
  serveChange(deleteReseller, async (change, { params }) => {
    const { caller } = change
    const removed = await mapFailures(
      () =>
        inReseller({ db, change, caller, ...params }, async (tx, { resellerId, distributorId }) => {
          const before = await lockReseller(tx, resellerId)
          if (before === undefined) return fail({ error: 'notFound' })
          const { accounts } = await firstOf(tx, before)
          if (accounts > 0)
            return fail({
              error: 'businessRule',
              detail: `the reseller has ${accounts} accounts: delete or move them first`,
            })
          const entry = { action: 'deleteReseller', target: { kind: 'reseller', id: resellerId }, before }
          await change.audit({ ...entry, accountId: distributorId })
          await change.audit({ ...entry, accountId: resellerId })
          return ok(await removeReseller(tx, resellerId))
        }),
      (error) =>
        isReferenced(error)
          ? { error: 'businessRule', detail: 'the reseller is still in use by an account, a host or a client' }
          : undefined,
    )
    if (!removed.ok) return removed
    for (const userId of removed.value) await auth.forgetUser({ userId })
    return ok(undefined)
  }),
]

const brands = ({ db, downloads }: Deps) => [
  serve(getTheme, async (_caller, { params }) => ok(await themeOfHost(params.host, createBrandLookup(db)))),

  serve(getResellerTheme, (caller, { params }) =>
    inReseller({ db, caller, ...params }, async (tx, reseller) => {
      const refusal = getModuleDenyReason(reseller, 'whiteLabel')
      return refusal === undefined ? ok(getEffectiveTheme(await loadTheme(tx, reseller.resellerId))) : fail(refusal)
    }),
  ),

  serveChange(patchResellerTheme, async (change, { params, body }) => {
    const { caller } = change
    const pictures = await picturesOfChange({ db, caller, ...params }, body, downloads)
    if (!pictures.ok) return pictures
    return inReseller({ db, change, caller, ...params }, async (tx, { resellerId }) => {
      const reseller = await lockReseller(tx, resellerId)
      if (reseller === undefined) return fail({ error: 'notFound' })
      const refusal = getModuleDenyReason(reseller, 'whiteLabel')
      if (refusal !== undefined) return fail(refusal)
      const stored = await loadTheme(tx, resellerId)
      const before = getEffectiveTheme(stored)
      change.ifMatch(before)
      const next = appliedTheme(stored, { ...body, ...pictures.value })
      await saveTheme(tx, resellerId, next)
      const after = getEffectiveTheme(next)
      const entry = { action: 'patchResellerTheme', accountId: resellerId, ...changeOf(resellerId, before, after) }
      await change.audit(entry)
      return ok(after)
    })
  }),
]

/** Processed before the transaction, which would otherwise lock the reseller's row during the download. */
async function picturesOfChange(
  named: Parameters<typeof inReseller>[0],
  patch: BrandThemePatch,
  downloads: DownloadRules = publicInternet,
): ReturnType<typeof ownPictures> {
  const found = await inReseller(named, async (tx, reseller) => {
    const refusal = getModuleDenyReason(reseller, 'whiteLabel')
    if (refusal !== undefined) return fail(refusal)
    const { resellerId } = reseller
    return ok({ resellerId, pictures: newPictures(patch, getEffectiveTheme(await loadTheme(tx, resellerId))) })
  })
  if (!found.ok) return found
  return ownPictures(found.value.pictures, { resellerId: found.value.resellerId, rules: downloads })
}

async function slotFault(tx: Tx, before: PlainReseller, after: PlainReseller): Promise<ApiError | undefined> {
  if (after.maxSubUsers >= before.maxSubUsers) return undefined
  const most = await mostSubUsers(tx)
  if (most <= after.maxSubUsers) return undefined
  return { error: 'businessRule', detail: `an account of this reseller already has ${most} sub-users` }
}

const changeOf = (resellerId: number, before: unknown, after: unknown) => ({
  target: { kind: 'reseller', id: resellerId },
  before,
  after,
})

const nameError = (error: unknown): ApiError | undefined =>
  isResellerNameTaken(error) ? { error: 'duplicate', detail: 'a reseller with this name already exists' } : undefined
