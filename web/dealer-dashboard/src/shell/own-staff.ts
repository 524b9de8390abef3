import type { Client } from '@sightline/client'
import {
  allModules,
  allPermissions,
  isAtLeast,
  type Modules,
  type Permission,
  type Permissions,
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
  may(permission: Permission): boolean
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

/** Who is signed in; the router has asked before it draws the first screen. */
export function useOwnStaff(): OwnStanding {
  const { client } = useApplication()
  const { data: own = nobody } = useQuery(ownStaffQuery(client))
  return {
    ...own,
    may: (permission) => own.permissions[permission],
    isAtLeast: (level) => isAtLeast(own.level, level),
  }
}
