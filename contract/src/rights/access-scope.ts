import type { RuleStep } from './decide.ts'
import type { Member, Staff } from './principal.ts'

export interface ScopedCamera {
  readonly accountId: number
  readonly cameraId: number
  readonly zoneId: number
}

/** How a member comes to a camera, or that there is no way; another account's camera is as unknown as none. */
export function cameraStep(who: Pick<Member, 'accountId' | 'isSuperUser' | 'access'>, camera: ScopedCamera): RuleStep {
  const by = cameraSource(who, camera)
  return { check: 'camera', subject: String(camera.cameraId), by, holds: by !== 'missing' && by !== 'foreign' }
}

function cameraSource(
  who: Pick<Member, 'accountId' | 'isSuperUser' | 'access'>,
  camera: ScopedCamera,
): 'foreign' | 'owner' | 'all' | 'camera' | 'zone' | 'missing' {
  if (camera.accountId !== who.accountId) return 'foreign'
  if (who.isSuperUser) return 'owner'
  if (who.access.kind === 'all') return 'all'
  if (who.access.cameraIds.has(camera.cameraId)) return 'camera'
  return who.access.zoneIds.has(camera.zoneId) ? 'zone' : 'missing'
}

export const canAccessCamera = (
  who: Pick<Member, 'accountId' | 'isSuperUser' | 'access'>,
  camera: ScopedCamera,
): boolean => cameraStep(who, camera).holds

export interface ScopedReseller {
  readonly resellerId: number
  readonly distributorId: number
}

/** Whether a reseller is in the staff's part of the tree: the own one, those of the own distributor, all for admins. */
export function canAccessReseller(who: Staff, reseller: ScopedReseller): boolean {
  if (who.level === 'admin') return true
  if (who.level === 'distributor') return who.distributorId === reseller.distributorId
  return who.resellerId === reseller.resellerId
}

/** Whether an account is among those the staff works with. */
export const canAccessAccount = (who: Staff, account: ScopedReseller & { readonly accountId: number }): boolean =>
  canAccessReseller(who, account) && (who.accountIds === undefined || who.accountIds.has(account.accountId))
