import { allModules, allPermissions, type Modules, type Permissions } from '@sightline/contract/rights'
import {
  addDistributorStaff,
  addProviderStaff,
  addResellerStaff,
  deleteDistributorStaffUser,
  deleteProviderStaffUser,
  deleteResellerStaffUser,
  getDistributorStaff,
  getDistributorStaffUser,
  getOwnStaff,
  getProviderStaff,
  getProviderStaffUser,
  getResellerStaff,
  getResellerStaffUser,
  getStaffProfiles,
  patchDistributorStaffUser,
  patchProviderStaffUser,
  patchResellerStaffUser,
} from '@sightline/contract/staff'
import { serve, serveChange } from '@sightline/platform/http'
import { ok } from '@sightline/platform/result'
import type { StaffCaller } from '@sightline/platform/sessions'
import { inReseller } from '../resellers/index.ts'
import { findDistributorOrganisation, findResellerOrganisation, theProvider } from './organisation.ts'
import { type StaffDeps, staffService } from './staff-service.ts'
import { listProfiles, organisationName } from './store.ts'

interface OfReseller {
  readonly params: { readonly resellerId: number | 'self' }
}
interface OfDistributor {
  readonly params: { readonly distributorId: number | 'self' }
}

export function staff(deps: StaffDeps) {
  const { db } = deps
  const people = staffService(deps)
  const ofReseller = async (caller: StaffCaller, { params }: OfReseller) => ({
    caller,
    of: await findResellerOrganisation(db, caller, params.resellerId),
  })
  const ofDistributor = async (caller: StaffCaller, { params }: OfDistributor) => ({
    caller,
    of: await findDistributorOrganisation(db, caller, params.distributorId),
  })
  const ofProvider = (caller: StaffCaller) => ({ caller, of: theProvider })
  return [
    serve(getResellerStaff, async (caller, at) => people.list(await ofReseller(caller, at))),
    serveChange(addResellerStaff, async (change, at) => {
      const acting = { ...(await ofReseller(change.caller, at)), change }
      return people.add(acting, at.body)
    }),
    serve(getResellerStaffUser, async (caller, at) => people.one(await ofReseller(caller, at), at.params.userId)),
    serveChange(patchResellerStaffUser, async (change, at) => {
      const acting = { ...(await ofReseller(change.caller, at)), change }
      return people.change(acting, at.params.userId, at.body)
    }),
    serveChange(deleteResellerStaffUser, async (change, at) => {
      const acting = { ...(await ofReseller(change.caller, at)), change }
      return people.remove(acting, at.params.userId)
    }),

    serve(getDistributorStaff, async (caller, at) => people.list(await ofDistributor(caller, at))),
    serveChange(addDistributorStaff, async (change, at) => {
      const acting = { ...(await ofDistributor(change.caller, at)), change }
      return people.add(acting, at.body)
    }),
    serve(getDistributorStaffUser, async (caller, at) => people.one(await ofDistributor(caller, at), at.params.userId)),
    serveChange(patchDistributorStaffUser, async (change, at) => {
      const acting = { ...(await ofDistributor(change.caller, at)), change }
      return people.change(acting, at.params.userId, at.body)
    }),
    serveChange(deleteDistributorStaffUser, async (change, at) => {
      const acting = { ...(await ofDistributor(change.caller, at)), change }
      return people.remove(acting, at.params.userId)
    }),

    serve(getProviderStaff, (caller) => people.list(ofProvider(caller))),
    serveChange(addProviderStaff, async (change, at) => {
      const acting = { ...ofProvider(change.caller), change }
      return people.add(acting, at.body)
    }),
    serve(getProviderStaffUser, (caller, at) => people.one(ofProvider(caller), at.params.userId)),
    serveChange(patchProviderStaffUser, async (change, at) => {
      const acting = { ...ofProvider(change.caller), change }
      return people.change(acting, at.params.userId, at.body)
    }),
    serveChange(deleteProviderStaffUser, async (change, at) => {
      const acting = { ...ofProvider(change.caller), change }
      return people.remove(acting, at.params.userId)
    }),

    serve(getStaffProfiles, (caller, { params }) =>
      inReseller({ db, caller, ...params }, async (tx, { resellerId }) => ok(await listProfiles(tx, resellerId))),
    ),

    serve(getOwnStaff, async (caller) =>
      ok({
        level: caller.level,
        resellerId: caller.resellerId ?? null,
        distributorId: caller.distributorId ?? null,
        organisationName: (await organisationName(db.plain, caller)) ?? 'Provider',
        permissions: Object.fromEntries(allPermissions.map((one) => [one, caller.permissions.has(one)])) as Permissions,
        modules: Object.fromEntries(allModules.map((one) => [one, caller.modules.has(one)])) as Modules,
      }),
    ),
  ]
}
