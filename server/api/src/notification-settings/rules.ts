import type { ApiError } from '@sightline/contract/errors'
import {
  type NotificationChoices,
  type NotificationSetting,
  type NotificationSettingPatch,
  notificationChoices,
  notificationTypes,
} from '@sightline/contract/notification-settings'

export const findType = (text: string) => notificationTypes.find((type) => type === text)

const minutes: readonly (keyof NotificationChoices)[] = ['alertDelay', 'alertRepeat', 'cooldown']

/** Why a setting can't be changed like that; undefined if it can. */
export function patchFault(
  { type }: Pick<NotificationSetting, 'type'>,
  patch: NotificationSettingPatch,
): ApiError | undefined {
  const field = minutes.find(
    (name) => patch[name] !== undefined && !notificationChoices[type][name].includes(patch[name]),
  )
  if (field === undefined) return undefined
  const message = `must be one of ${notificationChoices[type][field].join(', ')} for ${type}`
  return { error: 'validation', detail: `${field} ${message}`, fields: [{ field, message }] }
}

/** The stored setting with the fields of the patch replaced; ids in their order, each once. */
export function withChanges(before: NotificationSetting, patch: NotificationSettingPatch): NotificationSetting {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined)
  const after: NotificationSetting = { ...before, ...Object.fromEntries(given) }
  return { ...after, cameraIds: inOrder(after.cameraIds), zoneIds: inOrder(after.zoneIds) }
}

const inOrder = (ids: readonly number[]): number[] => [...new Set(ids)].toSorted((a, b) => a - b)

/** Whether the setting is about that camera. */
export const isChosen = (
  { allCameras, cameraIds, zoneIds }: Pick<NotificationSetting, 'allCameras' | 'cameraIds' | 'zoneIds'>,
  camera: { readonly cameraId: number; readonly zoneId: number },
): boolean => allCameras || cameraIds.includes(camera.cameraId) || zoneIds.includes(camera.zoneId)
