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
import { serve } from '@sightline/platform/http'
import { ok } from '@sightline/platform/result'
import type { StaffCaller } from '@sightline/platform/sessions'
import { inReseller } from '../resellers/index.ts'
import { distributorOf, type Organisation, resellerOf, theProvider } from './organisation.ts'
import { type Acting, type StaffParts, staffOf } from './people.ts'
import { listProfiles, organisationName } from './store.ts'

type At = Pick<Acting, 'address' | 'host' | 'callerNow'>

export function staff(parts: StaffParts) {
  const { db } = parts
  const people = staffOf(parts)
  const as = (caller: StaffCaller, of: Organisation | undefined, { address, host, callerNow }: At) => ({
    caller,
    of,
    address,
    host,
    callerNow,
  })
  const ofReseller = async (caller: StaffCaller, at: At & { params: { resellerId: number | 'self' } }) =>
    as(caller, await resellerOf(db, caller, at.params.resellerId), at)
  const ofDistributor = async (caller: StaffCaller, at: At & { params: { distributorId: number | 'self' } }) =>
    as(caller, await distributorOf(db, caller, at.params.distributorId), at)
  const ofProvider = (caller: StaffCaller, at: At) => as(caller, theProvider, at)
  return [
    serve(getResellerStaff, async (caller, at) => people.list(await ofReseller(caller, at))),
    serve(addResellerStaff, async (caller, at) => people.add(await ofReseller(caller, at), at.body)),
    serve(getResellerStaffUser, async (caller, at) => people.one(await ofReseller(caller, at), at.params.userId)),
    serve(patchResellerStaffUser, async (caller, at) => {
      const acting = { ...(await ofReseller(caller, at)), changedSince: at.changedSince }
      return people.change(acting, at.params.userId, at.body)
    }),
    serve(deleteResellerStaffUser, async (caller, at) => people.remove(await ofReseller(caller, at), at.params.userId)),

    serve(getDistributorStaff, async (caller, at) => people.list(await ofDistributor(caller, at))),
    serve(addDistributorStaff, async (caller, at) => people.add(await ofDistributor(caller, at), at.body)),
    serve(getDistributorStaffUser, async (caller, at) => people.one(await ofDistributor(caller, at), at.params.userId)),
    serve(patchDistributorStaffUser, async (caller, at) => {
      const acting = { ...(await ofDistributor(caller, at)), changedSince: at.changedSince }
      return people.change(acting, at.params.userId, at.body)
    }),
    serve(deleteDistributorStaffUser, async (caller, at) =>
      people.remove(await ofDistributor(caller, at), at.params.userId),
    ),

    serve(getProviderStaff, (caller, at) => people.list(ofProvider(caller, at))),
    serve(addProviderStaff, (caller, at) => people.add(ofProvider(caller, at), at.body)),
    serve(getProviderStaffUser, (caller, at) => people.one(ofProvider(caller, at), at.params.userId)),
    serve(patchProviderStaffUser, (caller, at) => {
      const acting = { ...ofProvider(caller, at), changedSince: at.changedSince }
      return people.change(acting, at.params.userId, at.body)
    }),
    serve(deleteProviderStaffUser, (caller, at) => people.remove(ofProvider(caller, at), at.params.userId)),

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
