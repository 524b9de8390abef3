import type { UserRights } from '@sightline/contract/rights'
import type { IconName } from '@sightline/kit'
import type { Text } from '../text.ts'

/** Who looks at the menu. */
export interface Viewer {
  /** Undefined until the server has said. */
  readonly rights: UserRights | undefined
  /** A super user: the account is this user's own. */
  readonly isOwner: boolean
}

export interface Place {
  /** Under `/app`, without a slash at the end. */
  readonly path: string
  readonly label: Text
  readonly icon: IconName
  readonly serves: (viewer: Viewer) => boolean
}

const everybody = () => true
const whoSeesUsers = ({ rights, isOwner }: Viewer) => isOwner || rights?.viewUserSettings === true
const owners = ({ isOwner }: Viewer) => isOwner

/** The menu of the Web App: one line for each place, shown to whom it serves. */
export const places: readonly Place[] = [
  { path: '', label: 'Cameras', icon: 'camera', serves: everybody },
  { path: '/zones', label: 'Zones', icon: 'pin', serves: everybody },
  { path: '/users', label: 'Users', icon: 'users', serves: whoSeesUsers },
  { path: '/profiles', label: 'Permission profiles', icon: 'shield', serves: owners },
  { path: '/audit-log', label: 'Audit log', icon: 'list', serves: whoSeesUsers },
  { path: '/api-keys', label: 'API keys', icon: 'key', serves: owners },
]

/** Whether an address of the router, without `/app`, lies in that place. Cameras are at the root and below `/cameras`. */
export const isIn = ({ path }: Place, pathname: string): boolean =>
  path === '' ? pathname === '/' || pathname.startsWith('/cameras') : `${pathname}/`.startsWith(`${path}/`)
