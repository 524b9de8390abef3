import type { Permission } from '@sightline/contract/rights'
import type { OwnStaff } from '@sightline/contract/staff'
import type { IconName } from '@sightline/kit'
import type { Text } from '../text.ts'

export interface Place {
  /** Under `/dealer`. */
  readonly path: string
  readonly label: Text
  readonly icon: IconName
  /** Beginnings of the addresses that lie in that place; its own unless told. */
  readonly holds?: readonly string[]
}

type PlaceOf = Place & { readonly permission?: Permission }

const ofReseller = (resellerId: number): readonly PlaceOf[] => [
  { path: `/resellers/${resellerId}/accounts`, label: 'Accounts', icon: 'users', permission: 'viewAccounts' },
  { path: `/resellers/${resellerId}/staff`, label: 'Staff', icon: 'shield', permission: 'manageUsers' },
  { path: `/resellers/${resellerId}/audit-log`, label: 'Audit log', icon: 'list', permission: 'viewAuditLogs' },
]

const ofDistributor = (distributorId: number): readonly PlaceOf[] => {
  const own = `/distributors/${distributorId}`
  return [
    { path: `${own}/resellers`, label: 'Resellers', icon: 'grid', holds: [`${own}/resellers`, '/resellers'] },
    { path: `${own}/staff`, label: 'Staff', icon: 'shield', permission: 'manageUsers' },
  ]
}

const ofProvider: readonly PlaceOf[] = [
  { path: '/distributors', label: 'Distributors', icon: 'globe', holds: ['/distributors', '/resellers'] },
  { path: '/administrators', label: 'Administrators', icon: 'shield', permission: 'manageUsers' },
]

function placesOfLevel({ level, resellerId, distributorId }: OwnStaff): readonly PlaceOf[] {
  if (level === 'reseller' && resellerId !== null) return ofReseller(resellerId)
  if (level === 'distributor' && distributorId !== null) return ofDistributor(distributorId)
  return level === 'admin' ? ofProvider : []
}

/** The menu: what serves the level and the permissions of who is signed in. */
export const placesOf = (own: OwnStaff): readonly Place[] =>
  placesOfLevel(own).filter(({ permission }) => permission === undefined || own.permissions[permission])

/** Whether an address of the router, without `/dealer`, lies in that place. */
export const isIn = ({ path, holds = [path] }: Place, pathname: string): boolean =>
  holds.some((start) => `${pathname}/`.startsWith(`${start}/`))

/** Where somebody begins; who may see nothing of all this is told so there. */
export const homeOf = (own: OwnStaff): string => placesOf(own)[0]?.path ?? '/nothing-for-you'
