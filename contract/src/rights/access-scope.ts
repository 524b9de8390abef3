import type { RuleStep } from './decide.ts'
import type { Member, Staff } from './principal.ts'

export interface ScopedCamera {
  readonly accountId: number
  readonly cameraId: number
  readonly zoneId: number
}

/**
 * How a member has access to a camera, or that they have none. A camera of another account looks like one that doesn't
 * exist.
 */
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

/** Whether a reseller is in the staff's part of the tree: their own, those of their distributor, or all for admins. */
export function canAccessReseller(who: Staff, reseller: ScopedReseller): boolean {
  if (who.level === 'admin') return true
  if (who.level === 'distributor') return who.distributorId === reseller.distributorId
  return who.resellerId === reseller.resellerId
}

/** Whether the staff may manage an account. */
export const canAccessAccount = (who: Staff, account: ScopedReseller & { readonly accountId: number }): boolean =>
  canAccessReseller(who, account) && (who.accountIds === undefined || who.accountIds.has(account.accountId))
