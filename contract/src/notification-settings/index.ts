import * as z from 'zod/mini'
import { timeOfDay } from '../schedules/index.ts'
import { id, route } from '../wire/index.ts'
import { allMinutes, defaultMinutes, type NotificationType, notificationTypes } from './choices.ts'

export {
  ALERT_DELAYS,
  ALERT_REPEATS,
  type NotificationChoices,
  type NotificationType,
  notificationChoices,
  notificationTypes,
  typesWithPicture,
} from './choices.ts'

const oneOf = (minutes: readonly number[]) => z.enum(Object.fromEntries(minutes.map((each) => [`after ${each}`, each])))

/** Nothing is sent between these times of day, in the account's time zone. `to` before `from` means the next day. */
const quietHours = z
  .object({ from: timeOfDay, to: timeOfDay })
  .check(
    z.refine(({ from, to }) => from !== to && from !== '24:00', { path: ['to'], error: 'Choose two different times' }),
  )
export type QuietHours = z.infer<typeof quietHours>

/** How a user is notified about one kind of thing that happens to cameras (specification §3). */
export const notificationSetting = z.object({
  type: z.enum(notificationTypes),
  enabled: z.boolean(),
  /** Minutes that it lasts before the first alert: for `cameraDown`, that a camera is offline. */
  alertDelay: z.int(),
  alertByEmail: z.boolean(),
  alertByPush: z.boolean(),
  /** Minutes until the next alert while it lasts; 0 means never. */
  alertRepeat: z.int(),
  /** Minutes until the next alert of the same camera; what happens meanwhile is counted in it. 0: not of this type. */
  cooldown: z.int(),
  /** Whether emails and push messages show a picture of what happened, if the user may play recordings. */
  includePicture: z.boolean(),
  /** Null: none. */
  quietHours: z.nullable(quietHours),
  /** Of all cameras that the user can access, or only the listed ones and those in the listed zones. */
  allCameras: z.boolean(),
  cameraIds: z.array(id),
  zoneIds: z.array(id),
})
export type NotificationSetting = z.infer<typeof notificationSetting>

/** The setting of a user who changed nothing (specification §9). */
export const createDefaultSetting = (type: NotificationType): NotificationSetting => ({
  type,
  enabled: false,
  alertByEmail: true,
  alertByPush: false,
  ...defaultMinutes[type],
  includePicture: true,
  quietHours: null,
  allCameras: true,
  cameraIds: [],
  zoneIds: [],
})

const someIds = z.array(id).check(z.maxLength(1000))

export const notificationSettingPatch = z.partial(
  z.object({
    enabled: z.boolean(),
    alertDelay: oneOf(allMinutes('alertDelay')),
    alertByEmail: z.boolean(),
    alertByPush: z.boolean(),
    alertRepeat: oneOf(allMinutes('alertRepeat')),
    cooldown: oneOf(allMinutes('cooldown')),
    includePicture: z.boolean(),
    quietHours: z.nullable(quietHours),
    allCameras: z.boolean(),
    /** A given list replaces the existing one. */
    cameraIds: someIds,
    zoneIds: someIds,
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
  summary:
    'Update how the caller is notified about one kind of event; the minutes must be supported values of its type',
  method: 'PATCH',
  path: 'users/self/notificationSettings/{type}',
  access: 'tenant',
  right: 'editCamera',
  support: 'yes',
  ids: { 'body.cameraIds': 'camera', 'body.zoneIds': 'zone' },
  params: z.object({ type: z.string().check(z.maxLength(32)) }),
  body: notificationSettingPatch,
  reply: notificationSetting,
  errors: ['validation', 'notFound'],
})

const minutesOfType = z.object({
  alertDelay: z.array(z.int()),
  alertRepeat: z.array(z.int()),
  cooldown: z.array(z.int()),
})

export const getSupportedNotificationSettings = route({
  name: 'getSupportedNotificationSettings',
  summary: 'List the supported delays and repeat intervals of each type, in minutes; 0 means never repeat',
  method: 'GET',
  path: 'users/self/supportedSettings/notifications',
  access: 'tenant',
  right: 'editCamera',
  support: 'yes',
  reply: z.object({
    cameraOfflineAlertDelay: z.array(z.int()),
    cameraOfflineAlertRepeat: z.array(z.int()),
    /** The same for every type; a list with 0 alone means that the type doesn't have that value. */
    types: z.object({
      cameraDown: minutesOfType,
      cameraUp: minutesOfType,
      motion: minutesOfType,
      audio: minutesOfType,
      deviceTampered: minutesOfType,
      storageFull: minutesOfType,
      deviceTrouble: minutesOfType,
    }),
  }),
  errors: [],
})
