import type { UserType } from '@sightline/contract/rights'
import type { ManagedUser } from '@sightline/contract/sub-users'
import { toDateTime } from '@sightline/contract/wire'
import { type CameraZones, getUserGuard, type Holder, isTheirOwn, sharedCameras } from './rules.ts'
import type { StoredUser } from './store.ts'

/** Users with the right demoUser are demo users, in any kind of account. */
export const getUserType = (person: Pick<StoredUser, 'row' | 'holder'>): UserType =>
  person.holder.granted.has('demoUser') ? 'demo' : person.row.user_type

/** A user as that caller may see them. */
export function toReply(
  person: StoredUser,
  { caller, cameras }: { caller: Holder; cameras: CameraZones },
): ManagedUser {
  const { row, holder } = person
  return {
    userId: row.user_id,
    accountId: row.account_id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    name: `${row.first_name} ${row.last_name}`,
    isSuperUser: holder.isSuperUser,
    userType: getUserType(person),
    blocked: row.blocked,
    lastLogin: row.last_login_at === null ? null : toDateTime(row.last_login_at),
    mfaEnabled: row.mfa_enabled,
    permissionProfileId: row.permission_profile_id,
    permissionProfileName: row.profile_name,
    allCameras: holder.access.kind === 'all',
    cameras: sharedCameras(caller, holder, cameras),
    createdAt: toDateTime(row.created_at),
    guard: getUserGuard(caller, holder, cameras),
    emailIsTheirs: isTheirOwn(caller, row),
  }
}
