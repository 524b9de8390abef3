import { getApiKeys } from '@sightline/contract/api-keys'
import { getAuditLogs } from '@sightline/contract/audit-logs'
import { getDevices } from '@sightline/contract/devices'
import { getPermissionProfiles } from '@sightline/contract/permission-profiles'
import { getReports } from '@sightline/contract/reports'
import type { Rule } from '@sightline/contract/rights'
import { getStorageUsage } from '@sightline/contract/storage-usage'
import { streamRules } from '@sightline/contract/streams'
import { getUsers } from '@sightline/contract/sub-users'
import { getZones } from '@sightline/contract/zones'
import type { IconName } from '@sightline/kit'
import type { Text } from '../text.ts'

export interface AppNavItem {
  /** Path below `/app`, without a slash at the end. */
  readonly path: string
  readonly label: Text
  readonly icon: IconName
  /** The call that the item depends on. Without one, everyone sees the item. */
  readonly needs?: Rule
}

/** The menu of the Web App, with one item per area. */
const places: readonly AppNavItem[] = [
  { path: '', label: 'Cameras', icon: 'camera' },
  { path: '/multiview', label: 'Multiview', icon: 'grid', needs: streamRules.live },
  { path: '/recorders', label: 'Recorders', icon: 'server', needs: getDevices },
  { path: '/zones', label: 'Zones', icon: 'pin', needs: getZones },
  { path: '/users', label: 'Users', icon: 'users', needs: getUsers },
  { path: '/profiles', label: 'Permission profiles', icon: 'shield', needs: getPermissionProfiles },
  { path: '/audit-log', label: 'Audit log', icon: 'list', needs: getAuditLogs },
  { path: '/storage', label: 'Storage', icon: 'disks', needs: getStorageUsage },
  { path: '/reports', label: 'Reports', icon: 'chart', needs: getReports },
  { path: '/api-keys', label: 'API keys', icon: 'key', needs: getApiKeys },
]

/** The nav items for the user. `may` returns undefined until the rights are known. */
export const visibleNavItems = (may: (rule: Rule) => boolean | undefined): readonly AppNavItem[] =>
  places.filter(({ needs }) => needs === undefined || may(needs) === true)

/** Whether a path, without `/app`, belongs to that nav item. Cameras are at the root and below `/cameras`. */
export const isActive = ({ path }: AppNavItem, pathname: string): boolean =>
  path === '' ? pathname === '/' || pathname.startsWith('/cameras') : `${pathname}/`.startsWith(`${path}/`)
