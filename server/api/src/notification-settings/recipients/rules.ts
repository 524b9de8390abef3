import { getEventPicture } from '@sightline/contract/events'
import {
  getNotificationSettings,
  type NotificationSetting,
  type NotificationType,
  typesWithPicture,
} from '@sightline/contract/notification-settings'
import {
  canAccessCamera,
  getMemberDenyReason,
  isGranting,
  type Member,
  type ScopedCamera,
  sourceOfRight,
} from '@sightline/contract/rights'
import { isChosen } from '../rules.ts'

/** A possible recipient of one type of alerts, in their current state. */
export interface AlertRecipient {
  readonly member: Member
  readonly isBlocked: boolean
  readonly email: string
  readonly language: string
  /** Of the account. */
  readonly timeZone: string
  readonly resellerId: number
  readonly setting: NotificationSetting
}

/**
 * Whether a user is notified about a camera: they chose it, have access to it, the right to get alerts (api.md §4) and the
 * right to turn them off, and neither they nor their account are blocked.
 */
export function shouldNotify(recipient: AlertRecipient, camera: ScopedCamera): boolean {
  const { member, isBlocked, setting } = recipient
  if (isBlocked || !setting.enabled || getMemberDenyReason(getNotificationSettings, member) !== undefined) return false
  if (!isChosen(setting, camera)) return false
  return isGranting(sourceOfRight(member, 'receiveCameraAlerts')) && canAccessCamera(member, camera)
}

/** Whether the user may see pictures of what a camera recorded; which camera is {@link shouldNotify}'s decision. */
export const maySeePictures = ({ member }: Pick<AlertRecipient, 'member'>): boolean =>
  getMemberDenyReason(getEventPicture, member) === undefined

/** Whether alerts of that type show the user pictures. */
export const mayShowPictures = (recipient: AlertRecipient, type: NotificationType): boolean =>
  typesWithPicture.includes(type) && recipient.setting.includePicture && maySeePictures(recipient)
