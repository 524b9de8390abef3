import type { Client } from '@sightline/client'
import {
  allModules,
  allPermissions,
  getDenyReason,
  isAtLeast,
  type Modules,
  type Permission,
  type Permissions,
  type Rule,
  type Staff,
  type StaffLevel,
} from '@sightline/contract/rights'
import { getOwnStaff, type OwnStaff } from '@sightline/contract/staff'
import { useApplication } from '@sightline/shell'
import { queryOptions, useQuery } from '@tanstack/react-query'

export const ownStaffQuery = (client: Client) =>
  queryOptions({
    queryKey: ['users/self/staff'],
    queryFn: ({ signal }) => client.call(getOwnStaff, {}, { signal }),
  })

export interface StaffPermissions extends OwnStaff {
  /** Whether they may make a call, apart from object checks: {@link staffPermissions}. */
  may(rule: Rule): boolean
  /** For rights that they assign to others: people can only assign what they have. */
  holds(permission: Permission): boolean
  isAtLeast(level: StaffLevel): boolean
}

const allOff = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, false])) as Record<Name, boolean>

/** The value after sign-out, while a screen is still mounted. */
const nobody: OwnStaff = {
  level: 'reseller',
  resellerId: null,
  distributorId: null,
  organisationName: '',
  permissions: allOff(allPermissions) satisfies Permissions,
  modules: allOff(allModules) satisfies Modules,
}

/** The signed-in staff member in the form that authorization uses. The server checks access to each account. */
const staffOf = (own: OwnStaff): Staff => ({
  kind: 'staff',
  userId: 0,
  level: own.level,
  distributorId: own.distributorId ?? undefined,
  resellerId: own.resellerId ?? undefined,
  permissions: new Set(allPermissions.filter((name) => own.permissions[name])),
  modules: new Set(allModules.filter((name) => own.modules[name])),
  accountIds: undefined,
  scopes: ['read', 'write'],
  apiKeyId: undefined,
  provisioning: false,
})

/** Whether authorization allows a call, apart from object checks. */
export function staffPermissions(own: OwnStaff): (rule: Rule) => boolean {
  const staff = staffOf(own)
  return (rule) => getDenyReason(rule, staff) === undefined
}

/** The signed-in staff member. The router has loaded it before the first screen renders. */
export function useOwnStaff(): StaffPermissions {
  const { client } = useApplication()
  const { data: own = nobody } = useQuery(ownStaffQuery(client))
  return {
    ...own,
    may: staffPermissions(own),
    holds: (permission) => own.permissions[permission],
    isAtLeast: (level) => isAtLeast(own.level, level),
  }
}
