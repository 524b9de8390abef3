import { getNotificationSettings } from '@sightline/contract/notification-settings'
import {
  canAccessCamera,
  getMemberDenyReason,
  isGranting,
  type Member,
  type ScopedCamera,
  sourceOfRight,
} from '@sightline/contract/rights'

/** A possible recipient, in their current state. */
export interface AlertRecipient {
  readonly member: Member
  readonly isBlocked: boolean
  readonly email: string
  readonly language: string
  /** Of the account. */
  readonly timeZone: string
  readonly resellerId: number
  readonly ways: { readonly isOn: boolean; readonly byEmail: boolean; readonly byPush: boolean }
}

/**
 * Whether a user is notified about a camera: they have access to it, the right to get alerts (api.md §4) and the right
 * to turn them off, and neither they nor their account are blocked.
 */
export function shouldNotify(reader: AlertRecipient, camera: ScopedCamera): boolean {
  const { member, isBlocked, ways } = reader
  if (isBlocked || !ways.isOn || getMemberDenyReason(getNotificationSettings, member) !== undefined) return false
  return isGranting(sourceOfRight(member, 'receiveCameraAlerts')) && canAccessCamera(member, camera)
}
