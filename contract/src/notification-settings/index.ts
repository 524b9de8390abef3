import * as z from 'zod/mini'
import { route } from '../wire/index.ts'

/** Allowed minutes for `alertDelay` (api.md §4). */
export const ALERT_DELAYS: readonly number[] = [1, 5, 15, 30, 60, 120, 240, 720, 1440]
/** Allowed minutes for `alertRepeat`; 0 means never. */
export const ALERT_REPEATS: readonly number[] = [0, 60, 240, 720, 1440]

const oneOf = (minutes: readonly number[]) => z.enum(Object.fromEntries(minutes.map((each) => [`after ${each}`, each])))

/** How a user is notified about cameras that stay offline (specification §3). */
export const notificationSetting = z.object({
  type: z.enum(['cameraDown']),
  enabled: z.boolean(),
  /** Minutes that a camera is offline before the first alert. */
  alertDelay: z.int(),
  alertByEmail: z.boolean(),
  alertByPush: z.boolean(),
  /** Minutes until the next alert; 0 means never. */
  alertRepeat: z.int(),
})
export type NotificationSetting = z.infer<typeof notificationSetting>

/** The defaults (specification §9). */
export const defaultSetting: NotificationSetting = {
  type: 'cameraDown',
  enabled: false,
  alertDelay: 60,
  alertByEmail: true,
  alertByPush: false,
  alertRepeat: 0,
}

export const notificationSettingPatch = z.partial(
  z.object({
    enabled: z.boolean(),
    alertDelay: oneOf(ALERT_DELAYS),
    alertByEmail: z.boolean(),
    alertByPush: z.boolean(),
    alertRepeat: oneOf(ALERT_REPEATS),
  }),
)
export type NotificationSettingPatch = z.infer<typeof notificationSettingPatch>

export const getNotificationSettings = route({
  name: 'getNotificationSettings',
  summary: 'List the caller’s notification settings',
  method: 'GET',
  path: 'users/self/notificationSettings',
  access: 'tenant',
  right: 'editCamera',
  support: 'yes',
  reply: z.array(notificationSetting),
  list: { key: 'type', sort: ['type'], defaultLimit: 'all' },
  errors: [],
})

export const patchNotificationSetting = route({
  name: 'patchNotificationSetting',
  summary: 'Update the caller’s alerts about offline cameras; the minutes must be supported values',
  method: 'PATCH',
  path: 'users/self/notificationSettings/{type}',
  access: 'tenant',
  right: 'editCamera',
  support: 'yes',
  params: z.object({ type: z.string().check(z.maxLength(32)) }),
  body: notificationSettingPatch,
  reply: notificationSetting,
  errors: ['validation', 'notFound'],
})

export const getSupportedNotificationSettings = route({
  name: 'getSupportedNotificationSettings',
  summary: 'List the supported delays and repeat intervals, in minutes; 0 means never repeat',
  method: 'GET',
  path: 'users/self/supportedSettings/notifications',
  access: 'tenant',
  right: 'editCamera',
  support: 'yes',
  reply: z.object({ cameraOfflineAlertDelay: z.array(z.int()), cameraOfflineAlertRepeat: z.array(z.int()) }),
  errors: [],
})
