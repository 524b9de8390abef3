import {
  ALERT_DELAYS,
  ALERT_REPEATS,
  defaultSetting,
  getNotificationSettings,
  getSupportedNotificationSettings,
  type NotificationSetting,
  type NotificationSettingPatch,
  patchNotificationSetting,
} from '@sightline/contract/notification-settings'
import type { Db } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import { lockUser } from '../users/index.ts'
import { loadSetting, saveSetting } from './store.ts'

export { loadSetting } from './store.ts'

/** The stored setting with the fields of the patch replaced. */
const withChanges = (before: NotificationSetting, patch: NotificationSettingPatch): NotificationSetting => ({
  ...before,
  ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)),
})

/** The caller's settings for alerts about offline cameras; `alerts` sends the alerts. */
export const notificationSettings = ({ db }: { readonly db: Db }) => [
  serve(getNotificationSettings, async (caller) => ok([await db.inTenant(caller, (tx) => loadSetting(tx, caller))])),

  serveChange(patchNotificationSetting, async (change, { params, body }) => {
    const { caller } = change
    if (params.type !== defaultSetting.type) {
      return fail({ error: 'notFound', detail: `unknown notification type: expected ${defaultSetting.type}` })
    }
    return change.tx(caller, async (tx) => {
      await lockUser(tx, caller)
      const before = await loadSetting(tx, caller)
      change.ifMatch(before)
      const after = withChanges(before, body)
      await saveSetting(tx, caller, after)
      const entry = { action: 'patchNotificationSetting', target: { kind: 'user', id: caller.userId }, before, after }
      await change.audit(entry)
      return ok(after)
    })
  }),

  serve(getSupportedNotificationSettings, async () =>
    ok({ cameraOfflineAlertDelay: [...ALERT_DELAYS], cameraOfflineAlertRepeat: [...ALERT_REPEATS] }),
  ),
]
