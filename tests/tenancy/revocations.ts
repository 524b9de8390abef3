/** A table: everything that can be revoked, by whom, and what ends then. */
import type { Call } from './frame.ts'
import type { Who } from './principals.ts'
import type { Use } from './streams.ts'
import type { World } from './world.ts'

export interface RevocationCase {
  readonly what: string
  /** The caller who loses access. */
  readonly of: string
  /** A call that succeeds until then, and its status afterwards: 401, 403 or 404. */
  readonly could: (scene: RevocationInput) => Pick<Call, 'method' | 'path' | 'body'>
  readonly refusedWith: 401 | 403 | 404
  /** The stream that ends too. */
  readonly stream?: Use
  /** Who revokes it, and how. */
  readonly by: string
  readonly takenBy: (scene: RevocationInput) => Pick<Call, 'method' | 'path' | 'body'>
}

export interface RevocationInput {
  readonly world: World
  readonly who: Who
}

const userIdOf = ({ who: { is } }: RevocationInput): number => (is.kind === 'nobody' ? 0 : is.userId)
const accountOf = ({ who: { is }, world }: RevocationInput) =>
  is.kind === 'nobody' ? world.own.accounts[0] : is.account
const timeline = (scene: RevocationInput) => ({
  method: 'GET',
  path: `cameras/${accountOf(scene).cameras.first}/recordingTimeline?from=2026-01-01T00:00:00Z&till=2026-01-01T01:00:00Z`,
})
const camera = (scene: RevocationInput) => ({ method: 'GET', path: `cameras/${accountOf(scene).cameras.first}` })
const streamsOf = (scene: RevocationInput) => ({
  method: 'GET',
  path: `cameras/${accountOf(scene).cameras.first}/streams`,
})
const user = (scene: RevocationInput) => `users/${userIdOf(scene)}`
const self = () => ({ method: 'GET', path: 'users/self' })
const accounts = ({ world }: RevocationInput) => ({ method: 'GET', path: `resellers/${world.own.resellerId}/accounts` })
const dealer = (scene: RevocationInput) => `resellers/${scene.world.own.resellerId}/users/${userIdOf(scene)}`

export const revocations: readonly RevocationCase[] = [
  {
    what: 'a right',
    of: 'sub-user with playback',
    could: timeline,
    refusedWith: 403,
    stream: 'playback',
    by: 'owner',
    takenBy: (scene) => ({ method: 'PATCH', path: `${user(scene)}/rights`, body: { playback: false } }),
  },
  {
    what: 'access to all cameras',
    of: 'sub-user with playback',
    could: camera,
    refusedWith: 404,
    stream: 'live',
    by: 'owner',
    takenBy: (scene) => ({ method: 'PATCH', path: `${user(scene)}/access`, body: { allCameras: false } }),
  },
  {
    what: 'access to a camera',
    of: 'viewer of one camera',
    could: camera,
    refusedWith: 404,
    stream: 'live',
    by: 'owner',
    takenBy: (scene) => ({ method: 'PATCH', path: `${user(scene)}/access`, body: { cameraIds: [] } }),
  },
  {
    what: 'access to a zone',
    of: 'viewer of one zone',
    could: camera,
    refusedWith: 404,
    stream: 'live',
    by: 'owner',
    takenBy: (scene) => ({ method: 'PATCH', path: `${user(scene)}/access`, body: { zoneIds: [] } }),
  },
  {
    what: 'a user, by blocking',
    of: 'sub-user with playback',
    could: self,
    refusedWith: 401,
    stream: 'live',
    by: 'owner',
    takenBy: (scene) => ({ method: 'POST', path: `${user(scene)}/block` }),
  },
  {
    what: 'a user, by deleting',
    of: 'sub-user with playback',
    could: self,
    refusedWith: 401,
    stream: 'live',
    by: 'owner',
    takenBy: (scene) => ({ method: 'DELETE', path: user(scene) }),
  },
  {
    what: 'a token',
    of: 'sub-user with playback',
    could: self,
    refusedWith: 401,
    stream: 'live',
    by: 'sub-user with playback',
    takenBy: () => ({ method: 'DELETE', path: 'users/self/tokens/all' }),
  },
  {
    what: 'the owner’s grant to support',
    of: 'support, video shown',
    could: self,
    refusedWith: 401,
    stream: 'live',
    by: 'owner who lets support in',
    takenBy: () => ({ method: 'PATCH', path: 'users/self/status', body: { allowsHelpdeskExpirationDate: null } }),
  },
  {
    what: 'video of a support session',
    of: 'support, video shown',
    could: streamsOf,
    refusedWith: 403,
    stream: 'playback',
    by: 'owner who lets support in',
    takenBy: () => ({ method: 'PATCH', path: 'users/self/status', body: { allowsHelpdeskShowVideo: false } }),
  },
  {
    what: 'a support session',
    of: 'support, video shown',
    could: self,
    refusedWith: 401,
    stream: 'live',
    by: 'owner who lets support in',
    takenBy: () => ({ method: 'DELETE', path: 'accounts/self/supportSessions' }),
  },
  {
    what: 'the module that support requires',
    of: 'support, video shown',
    could: self,
    refusedWith: 401,
    stream: 'live',
    by: 'distributor',
    takenBy: ({ world }) => ({
      method: 'PATCH',
      path: `resellers/${world.own.resellerId}/modules`,
      body: { generateAccessToken: false },
    }),
  },
  {
    what: 'the permission that support requires',
    of: 'support, video shown',
    could: self,
    refusedWith: 401,
    stream: 'live',
    by: 'dealer',
    takenBy: ({ world, who }) => ({
      method: 'PATCH',
      path: `resellers/${world.own.resellerId}/users/${who.is.kind === 'member' ? who.is.support?.staffId : 0}`,
      body: { permissions: { generateAccessToken: false } },
    }),
  },
  {
    what: 'an account, by suspending it',
    of: 'sub-user with playback',
    could: self,
    refusedWith: 401,
    stream: 'live',
    by: 'dealer',
    takenBy: (scene) => ({
      method: 'PATCH',
      path: `resellers/${scene.world.own.resellerId}/accounts/${accountOf(scene).accountId}`,
      body: { status: 'suspended' },
    }),
  },
  {
    what: 'an API key',
    of: 'API key',
    could: self,
    refusedWith: 401,
    stream: 'live',
    by: 'owner',
    takenBy: ({ who }) => ({ method: 'DELETE', path: `apiKeys/${who.apiKeyId}` }),
  },
  {
    what: 'a permission',
    of: 'dealer with viewAccounts',
    could: accounts,
    refusedWith: 403,
    by: 'dealer',
    takenBy: (scene) => ({ method: 'PATCH', path: dealer(scene), body: { permissions: { viewAccounts: false } } }),
  },
  {
    what: 'accounts of a dealer',
    of: 'dealer with viewAccounts',
    could: (scene) => ({ ...accounts(scene), path: `${accounts(scene).path}/${accountOf(scene).accountId}` }),
    refusedWith: 404,
    by: 'dealer',
    takenBy: (scene) => ({ method: 'PATCH', path: dealer(scene), body: { accountIds: [] } }),
  },
  {
    what: 'staff, by blocking',
    of: 'dealer with viewAccounts',
    could: accounts,
    refusedWith: 401,
    by: 'dealer',
    takenBy: (scene) => ({ method: 'PATCH', path: dealer(scene), body: { blocked: true } }),
  },
  {
    what: 'staff, by deleting',
    of: 'dealer with viewAccounts',
    could: accounts,
    refusedWith: 401,
    by: 'dealer',
    takenBy: (scene) => ({ method: 'DELETE', path: dealer(scene) }),
  },
  {
    what: 'a module',
    of: 'dealer with whiteLabel',
    could: ({ world }) => ({ method: 'GET', path: `resellers/${world.own.resellerId}/theme` }),
    refusedWith: 403,
    by: 'distributor',
    takenBy: ({ world }) => ({
      method: 'PATCH',
      path: `resellers/${world.own.resellerId}/modules`,
      body: { whiteLabel: false },
    }),
  },
]
