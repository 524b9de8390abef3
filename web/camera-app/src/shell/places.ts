import { getApiKeys } from '@sightline/contract/api-keys'
import { getAuditLogs } from '@sightline/contract/audit-logs'
import { getPermissionProfiles } from '@sightline/contract/permission-profiles'
import { getReports } from '@sightline/contract/reports'
import type { Rule } from '@sightline/contract/rights'
import { getStorageUsage } from '@sightline/contract/storage-usage'
import { getUsers } from '@sightline/contract/sub-users'
import { getZones } from '@sightline/contract/zones'
import type { IconName } from '@sightline/kit'
import type { Text } from '../text.ts'

export interface Place {
  /** Under `/app`, without a slash at the end. */
  readonly path: string
  readonly label: Text
  readonly icon: IconName
  /** The call without which the place shows nothing; without it the place is everybody's. */
  readonly needs?: Rule
}

/** The menu of the Web App: one line for each place, shown to whom it serves. */
const places: readonly Place[] = [
  { path: '', label: 'Cameras', icon: 'camera' },
  { path: '/zones', label: 'Zones', icon: 'pin', needs: getZones },
  { path: '/users', label: 'Users', icon: 'users', needs: getUsers },
  { path: '/profiles', label: 'Permission profiles', icon: 'shield', needs: getPermissionProfiles },
  { path: '/audit-log', label: 'Audit log', icon: 'list', needs: getAuditLogs },
  { path: '/storage', label: 'Storage', icon: 'disks', needs: getStorageUsage },
  { path: '/reports', label: 'Reports', icon: 'chart', needs: getReports },
  { path: '/api-keys', label: 'API keys', icon: 'key', needs: getApiKeys },
]

/** The places that serve somebody; `may` says undefined until that is known. */
export const placesFor = (may: (rule: Rule) => boolean | undefined): readonly Place[] =>
  places.filter(({ needs }) => needs === undefined || may(needs) === true)

/** Whether an address of the router, without `/app`, lies in that place. Cameras are at the root and below `/cameras`. */
export const isIn = ({ path }: Place, pathname: string): boolean =>
  path === '' ? pathname === '/' || pathname.startsWith('/cameras') : `${pathname}/`.startsWith(`${path}/`)
