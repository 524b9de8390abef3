import {
  createDefaultSetting,
  type NotificationSetting,
  type NotificationType,
  notificationTypes,
} from '@sightline/contract/notification-settings'
import type { Tx } from '@sightline/platform/db'

interface UserKey {
  readonly accountId: number
  readonly userId: number
}

/** How that user is notified about that; the default if they chose nothing. */
export async function loadSetting(tx: Tx, user: UserKey, type: NotificationType): Promise<NotificationSetting> {
  return (await loadStored(tx, user)).get(type) ?? createDefaultSetting(type)
}

/** How that user is notified, by type. */
export async function loadSettings(tx: Tx, user: UserKey): Promise<NotificationSetting[]> {
  const stored = await loadStored(tx, user)
  return notificationTypes.map((type) => stored.get(type) ?? createDefaultSetting(type))
}

async function loadStored(
  tx: Tx,
  { accountId, userId }: UserKey,
): Promise<ReadonlyMap<NotificationType, NotificationSetting>> {
  const rows = await tx
    .selectFrom('notification_settings')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
  return new Map(
    rows.map((row) => [
      row.type,
      {
        type: row.type,
        enabled: row.enabled,
        alertDelay: row.alert_delay_minutes,
        alertByEmail: row.alert_by_email,
        alertByPush: row.alert_by_push,
        alertRepeat: row.alert_repeat_minutes,
        cooldown: row.cooldown_minutes,
        includePicture: row.include_picture,
        quietHours:
          row.quiet_from === null || row.quiet_to === null ? null : { from: row.quiet_from, to: row.quiet_to },
        allCameras: row.all_cameras,
        cameraIds: [...row.camera_ids],
        zoneIds: [...row.zone_ids],
      },
    ]),
  )
}

export async function saveSetting(
  tx: Tx,
  { accountId, userId }: UserKey,
  { type, ...setting }: NotificationSetting,
): Promise<void> {
  const values = {
    enabled: setting.enabled,
    alert_by_email: setting.alertByEmail,
    alert_by_push: setting.alertByPush,
    alert_delay_minutes: setting.alertDelay,
    alert_repeat_minutes: setting.alertRepeat,
    cooldown_minutes: setting.cooldown,
    include_picture: setting.includePicture,
    quiet_from: setting.quietHours?.from ?? null,
    quiet_to: setting.quietHours?.to ?? null,
    all_cameras: setting.allCameras,
    camera_ids: setting.cameraIds,
    zone_ids: setting.zoneIds,
  }
  await tx
    .insertInto('notification_settings')
    .values({ account_id: accountId, user_id: userId, type, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id', 'type']).doUpdateSet(values))
    .execute()
}
