import { getNotificationSettings } from '@sightline/contract/notification-settings'
import {
  canAccessCamera,
  getMemberDenyReason,
  isGranting,
  type Member,
  type ScopedCamera,
  sourceOfRight,
} from '@sightline/contract/rights'

/** Whoever may be told, as they are at this moment. */
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
 * Whether somebody is told of a camera: it is theirs to see, they have the right to be told (api.md §4) and still the one
 * to switch it off, and neither they nor their account are shut out.
 */
export function shouldNotify(reader: AlertRecipient, camera: ScopedCamera): boolean {
  const { member, isBlocked, ways } = reader
  if (isBlocked || !ways.isOn || getMemberDenyReason(getNotificationSettings, member) !== undefined) return false
  return isGranting(sourceOfRight(member, 'receiveCameraAlerts')) && canAccessCamera(member, camera)
}
