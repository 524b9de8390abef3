import { getResellerApiKeys } from '@sightline/contract/api-keys'
import { getResellerAuditLogs } from '@sightline/contract/audit-logs'
import { addFirmwareImage } from '@sightline/contract/firmware-images'
import { getInsights } from '@sightline/contract/insights'
import { getJobs } from '@sightline/contract/jobs'
import { getResellerReports } from '@sightline/contract/reports'
import { getResellerAccounts } from '@sightline/contract/reseller-accounts'
import { getResellerTheme } from '@sightline/contract/resellers'
import type { Rule } from '@sightline/contract/rights'
import { getDistributorStaff, getProviderStaff, getResellerStaff, type OwnStaff } from '@sightline/contract/staff'
import { patchSubscription } from '@sightline/contract/subscriptions'
import type { IconName } from '@sightline/kit'
import type { Text } from '../text.ts'
import { staffPermissions } from './own-staff.ts'

export interface DealerNavItem {
  /** Path below `/dealer`. */
  readonly path: string
  readonly label: Text
  readonly icon: IconName
  /** Prefixes of the addresses that belong to this item; by default its own. */
  readonly holds?: readonly string[]
}

type PlaceOf = DealerNavItem & { readonly call?: Rule }

const ofReseller = (resellerId: number): readonly PlaceOf[] => [
  { path: `/resellers/${resellerId}/accounts`, label: 'Accounts', icon: 'users', call: getResellerAccounts },
  { path: `/resellers/${resellerId}/insights`, label: 'Insights', icon: 'chart', call: getInsights },
  { path: `/resellers/${resellerId}/reports`, label: 'Reports', icon: 'print', call: getResellerReports },
  // All users who can view accounts may view packages, but only those who assign them need the page.
  { path: `/resellers/${resellerId}/packages`, label: 'Packages', icon: 'card', call: patchSubscription },
  // As with packages: those who can't upload any don't need the page.
  { path: `/resellers/${resellerId}/firmware`, label: 'Firmware', icon: 'download', call: addFirmwareImage },
  { path: `/resellers/${resellerId}/brand`, label: 'Brand', icon: 'eye', call: getResellerTheme },
  { path: `/resellers/${resellerId}/staff`, label: 'Staff', icon: 'shield', call: getResellerStaff },
  { path: `/resellers/${resellerId}/api-keys`, label: 'API keys', icon: 'key', call: getResellerApiKeys },
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

/** The menu: items for the user's level that they may open. */
export function visibleNavItems(own: OwnStaff): readonly DealerNavItem[] {
  const may = staffPermissions(own)
  return placesOfLevel(own).filter(({ call }) => call === undefined || may(call))
}

/** Whether a path, without `/dealer`, belongs to that item. */
export const isActive = ({ path, holds = [path] }: DealerNavItem, pathname: string): boolean =>
  holds.some((start) => `${pathname}/`.startsWith(`${start}/`))

/** The first page. If the user may open none, it says so. */
export const homePath = (own: OwnStaff): string => visibleNavItems(own)[0]?.path ?? '/nothing-for-you'
