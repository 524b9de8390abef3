import { defaultSetting, type NotificationSetting } from '@sightline/contract/notification-settings'
import type { Tx } from '@sightline/platform/db'

interface UserKey {
  readonly accountId: number
  readonly userId: number
}

/** How that user is notified about offline cameras; the default if they chose nothing. */
export async function loadSetting(tx: Tx, { accountId, userId }: UserKey): Promise<NotificationSetting> {
  const row = await tx
    .selectFrom('notification_settings')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('type', '=', defaultSetting.type)
    .executeTakeFirst()
  if (row === undefined) return defaultSetting
  return {
    type: row.type,
    enabled: row.enabled,
    alertDelay: row.alert_delay_minutes,
    alertByEmail: row.alert_by_email,
    alertByPush: row.alert_by_push,
    alertRepeat: row.alert_repeat_minutes,
  }
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
  }
  await tx
    .insertInto('notification_settings')
    .values({ account_id: accountId, user_id: userId, type, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id', 'type']).doUpdateSet(values))
    .execute()
}
