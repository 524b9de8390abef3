import type { CameraUser, CameraUserPatch } from './index.ts'

type Named = Pick<CameraUser, 'username'>

/**
 * The user of a camera that the server signs in with. Some cameras take names in any case and list them as they were set up, so
 * such a name counts too if none is the same.
 */
export function findUsedByServer<User extends Named>(
  users: readonly User[],
  serverName: string | null,
): User | undefined {
  if (serverName === null) return undefined
  const lower = serverName.toLowerCase()
  return (
    users.find(({ username }) => username === serverName) ??
    users.find(({ username }) => username.toLowerCase() === lower)
  )
}

/** A change of a user, or their removal. */
export type WantedUserChange = Pick<CameraUserPatch, 'password' | 'level'> | 'remove'

/** `usedByServer`: the server would lose the camera. `lastAdministrator`: the camera couldn't be set up anymore. */
export type CameraUserDenyReason = 'notFound' | 'usedByServer' | 'lastAdministrator'

/** Why a user of a camera isn't changed or removed here; undefined if they may be. */
export function cameraUserDenyReason(
  users: readonly CameraUser[],
  username: string,
  change: WantedUserChange,
): CameraUserDenyReason | undefined {
  const user = users.find((one) => one.username === username)
  if (user === undefined) return 'notFound'
  const isNothing = change !== 'remove' && change.password === undefined && change.level === undefined
  if (isNothing) return undefined
  if (user.usedByServer) return 'usedByServer'
  const administers = change !== 'remove' && (change.level ?? user.level) === 'administrator'
  if (user.level !== 'administrator' || administers) return undefined
  const others = users.filter((one) => one.level === 'administrator' && one.username !== username)
  return others.length === 0 ? 'lastAdministrator' : undefined
}
