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

export interface OwnStanding extends OwnStaff {
  /** Whether they may make a call, as far as it names no object: {@link mayOf}. */
  may(rule: Rule): boolean
  /** For what may be given to others: nobody gives what they lack. */
  holds(permission: Permission): boolean
  isAtLeast(level: StaffLevel): boolean
}

const allOff = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, false])) as Record<Name, boolean>

/** Whoever is signed out while a screen still stands. */
const nobody: OwnStaff = {
  level: 'reseller',
  resellerId: null,
  distributorId: null,
  organisationName: '',
  permissions: allOff(allPermissions) satisfies Permissions,
  modules: allOff(allModules) satisfies Modules,
}

/** Whoever is signed in as the evaluator of rights knows them. Which accounts they reach, the server looks at for each. */
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

/** Whether the evaluator of rights lets them make a call, as far as it names no object. */
export function mayOf(own: OwnStaff): (rule: Rule) => boolean {
  const staff = staffOf(own)
  return (rule) => getDenyReason(rule, staff) === undefined
}

/** Who is signed in; the router has asked before it draws the first screen. */
export function useOwnStaff(): OwnStanding {
  const { client } = useApplication()
  const { data: own = nobody } = useQuery(ownStaffQuery(client))
  return {
    ...own,
    may: mayOf(own),
    holds: (permission) => own.permissions[permission],
    isAtLeast: (level) => isAtLeast(own.level, level),
  }
}
