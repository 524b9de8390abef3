/** What users can be notified about (api.md §4, docs/decisions/0114). The first is of the specification. */
export const notificationTypes = [
  'cameraDown',
  'cameraUp',
  'motion',
  'audio',
  'deviceTampered',
  'storageFull',
  'deviceTrouble',
] as const
export type NotificationType = (typeof notificationTypes)[number]

/** Allowed minutes for `alertDelay` of offline cameras (api.md §4). */
export const ALERT_DELAYS: readonly number[] = [1, 5, 15, 30, 60, 120, 240, 720, 1440]
/** Allowed minutes for `alertRepeat` of offline cameras; 0 means never. */
export const ALERT_REPEATS: readonly number[] = [0, 60, 240, 720, 1440]

/** The allowed minutes of a type; a list with 0 alone means that the type doesn't have that value. */
export interface NotificationChoices {
  /** How long something lasts before the first alert. */
  readonly alertDelay: readonly number[]
  /** Until the next alert while it lasts; 0 means never. */
  readonly alertRepeat: readonly number[]
  /** Until the next alert of the same camera; what happens meanwhile is counted in it. */
  readonly cooldown: readonly number[]
}

const none: readonly number[] = [0]
/** Never, each day, each week. */
const SELDOM: readonly number[] = [0, 1440, 10_080]

/** The allowed values of each type. */
export const notificationChoices: Readonly<Record<NotificationType, NotificationChoices>> = {
  cameraDown: { alertDelay: ALERT_DELAYS, alertRepeat: ALERT_REPEATS, cooldown: none },
  cameraUp: { alertDelay: [0, 1, 5, 15, 30, 60], alertRepeat: none, cooldown: [5, 15, 30, 60, 240] },
  motion: { alertDelay: none, alertRepeat: none, cooldown: [1, 5, 15, 30, 60, 240] },
  audio: { alertDelay: none, alertRepeat: none, cooldown: [1, 5, 15, 30, 60, 240] },
  deviceTampered: { alertDelay: none, alertRepeat: none, cooldown: [5, 15, 30, 60, 240] },
  storageFull: { alertDelay: none, alertRepeat: SELDOM, cooldown: none },
  deviceTrouble: { alertDelay: [5, 15, 60, 240, 1440], alertRepeat: SELDOM, cooldown: none },
}

/** All minutes that any type allows for a value. */
export const allMinutes = (value: keyof NotificationChoices): readonly number[] =>
  [...new Set(notificationTypes.flatMap((type) => notificationChoices[type][value]))].toSorted((a, b) => a - b)

/** The values of each type until a user changes them (specification §9 for offline cameras). */
export const defaultMinutes: Readonly<Record<NotificationType, Readonly<Record<keyof NotificationChoices, number>>>> = {
  cameraDown: { alertDelay: 60, alertRepeat: 0, cooldown: 0 },
  cameraUp: { alertDelay: 5, alertRepeat: 0, cooldown: 15 },
  motion: { alertDelay: 0, alertRepeat: 0, cooldown: 15 },
  audio: { alertDelay: 0, alertRepeat: 0, cooldown: 15 },
  deviceTampered: { alertDelay: 0, alertRepeat: 0, cooldown: 15 },
  storageFull: { alertDelay: 0, alertRepeat: 0, cooldown: 0 },
  deviceTrouble: { alertDelay: 15, alertRepeat: 0, cooldown: 0 },
}

/** Types whose alerts can show a picture of what happened. */
export const typesWithPicture: readonly NotificationType[] = ['motion', 'audio', 'deviceTampered']
