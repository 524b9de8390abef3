import type { ApiError } from '@sightline/contract/errors'
import { allPermissions, type Permission, type Permissions, type Staff } from '@sightline/contract/rights'
import type { NewStaffUser, StaffPatch, StaffUser } from '@sightline/contract/staff'

type Grants = Pick<StaffUser, 'permissions' | 'permissionProfileId' | 'allAccounts' | 'accountIds'>
type GivenGrants = Pick<NewStaffUser | StaffPatch, 'permissions' | 'permissionProfileId' | 'allAccounts' | 'accountIds'>

const granted = (permissions: Permissions): readonly Permission[] =>
  allPermissions.filter((permission) => permissions[permission])

/** Why the caller can't manage that staff member: it is the caller, or someone with more permissions. */
export function guardFault(caller: Staff, target: StaffUser): ApiError | undefined {
  if (caller.userId === target.userId)
    return { error: 'businessRule', detail: "you can't change or delete your own staff user" }
  return excess(caller, target) === undefined
    ? undefined
    : { error: 'notAuthorized', detail: 'this staff member has more permissions than you' }
}

/** The staff member as the caller may see them: a caller limited to some accounts sees no others. */
export const limitVisibleAccounts = (caller: Staff, person: StaffUser): StaffUser =>
  caller.accountIds === undefined
    ? person
    : { ...person, accountIds: person.accountIds.filter((accountId) => caller.accountIds?.has(accountId)) }

/** Why the caller can't assign that: it is more than the caller has. */
export function grantFault(caller: Staff, next: Grants): ApiError | undefined {
  const more = excess(caller, next)
  return more === undefined
    ? undefined
    : { error: 'notAuthorized', detail: `you can't grant permissions you don't have: ${more}` }
}

function excess(caller: Staff, of: Grants): string | undefined {
  const lacking = granted(of.permissions).find((permission) => !caller.permissions.has(permission))
  if (lacking !== undefined) return lacking
  const { accountIds } = caller
  if (accountIds === undefined) return undefined
  return of.allAccounts || of.accountIds.some((accountId) => !accountIds.has(accountId)) ? 'accounts' : undefined
}

/**
 * A staff member's permissions after a change. Setting permissions removes the profile; a profile sets its permissions;
 * listing accounts limits the staff member to these.
 */
export function appliedGrants(
  current: Grants,
  given: GivenGrants,
  ofProfile: ReadonlySet<Permission> | undefined,
): Grants {
  const { allAccounts = given.accountIds === undefined ? current.allAccounts : false } = given
  const accountIds = allAccounts ? [] : [...new Set(given.accountIds ?? current.accountIds)]
  return { ...appliedPermissions(current, given, ofProfile), allAccounts, accountIds }
}

function appliedPermissions(
  { permissions, permissionProfileId }: Grants,
  given: GivenGrants,
  ofProfile: ReadonlySet<Permission> | undefined,
): Pick<Grants, 'permissions' | 'permissionProfileId'> {
  if (ofProfile !== undefined) {
    const taken = Object.fromEntries(allPermissions.map((one) => [one, ofProfile.has(one)])) as Permissions
    return { permissions: taken, permissionProfileId: given.permissionProfileId ?? null }
  }
  if (given.permissions === undefined) return { permissions, permissionProfileId }
  const next = { ...permissions }
  for (const permission of allPermissions) next[permission] = given.permissions[permission] ?? permissions[permission]
  return { permissions: next, permissionProfileId: null }
}
