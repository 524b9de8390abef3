import { getResellerAuditLogs } from '@sightline/contract/audit-logs'
import { getJobs } from '@sightline/contract/jobs'
import { getResellerAccounts } from '@sightline/contract/reseller-accounts'
import type { Rule } from '@sightline/contract/rights'
import { getDistributorStaff, getProviderStaff, getResellerStaff, type OwnStaff } from '@sightline/contract/staff'
import type { IconName } from '@sightline/kit'
import type { Text } from '../text.ts'
import { mayOf } from './own-staff.ts'

export interface Place {
  /** Under `/dealer`. */
  readonly path: string
  readonly label: Text
  readonly icon: IconName
  /** Beginnings of the addresses that lie in that place; its own unless told. */
  readonly holds?: readonly string[]
}

type PlaceOf = Place & { readonly call?: Rule }

const ofReseller = (resellerId: number): readonly PlaceOf[] => [
  { path: `/resellers/${resellerId}/accounts`, label: 'Accounts', icon: 'users', call: getResellerAccounts },
  { path: `/resellers/${resellerId}/staff`, label: 'Staff', icon: 'shield', call: getResellerStaff },
  { path: `/resellers/${resellerId}/audit-log`, label: 'Audit log', icon: 'list', call: getResellerAuditLogs },
]

const ofDistributor = (distributorId: number): readonly PlaceOf[] => {
  const own = `/distributors/${distributorId}`
  return [
    { path: `${own}/resellers`, label: 'Resellers', icon: 'grid', holds: [`${own}/resellers`, '/resellers'] },
    { path: `${own}/staff`, label: 'Staff', icon: 'shield', call: getDistributorStaff },
  ]
}

const ofProvider: readonly PlaceOf[] = [
  { path: '/distributors', label: 'Distributors', icon: 'globe', holds: ['/distributors', '/resellers'] },
  { path: '/administrators', label: 'Administrators', icon: 'shield', call: getProviderStaff },
  { path: '/jobs', label: 'Jobs', icon: 'clock', call: getJobs },
]

function placesOfLevel({ level, resellerId, distributorId }: OwnStaff): readonly PlaceOf[] {
  if (level === 'reseller' && resellerId !== null) return ofReseller(resellerId)
  if (level === 'distributor' && distributorId !== null) return ofDistributor(distributorId)
  return level === 'admin' ? ofProvider : []
}

/** The menu: what serves the level of who is signed in, and shows what they may ask for. */
export function placesOf(own: OwnStaff): readonly Place[] {
  const may = mayOf(own)
  return placesOfLevel(own).filter(({ call }) => call === undefined || may(call))
}

/** Whether an address of the router, without `/dealer`, lies in that place. */
export const isIn = ({ path, holds = [path] }: Place, pathname: string): boolean =>
  holds.some((start) => `${pathname}/`.startsWith(`${start}/`))

/** Where somebody begins; who may see nothing of all this is told so there. */
export const homeOf = (own: OwnStaff): string => placesOf(own)[0]?.path ?? '/nothing-for-you'
