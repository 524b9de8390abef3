import type { Client } from '@sightline/client'
import { getCameras } from '@sightline/contract/cameras'
import {
  createDefaultSetting,
  getNotificationSettings,
  getSupportedNotificationSettings,
  type NotificationSetting,
  type NotificationSettingPatch,
  type NotificationType,
  notificationTypes,
  patchNotificationSetting,
} from '@sightline/contract/notification-settings'
import { getZones } from '@sightline/contract/zones'
import { useApplication, useOptimistic } from '@sightline/shell'
import { queryOptions } from '@tanstack/react-query'
import { useNotificationText } from './text.ts'

export type Settings = Readonly<Record<NotificationType, NotificationSetting>>

const byType = (settings: readonly NotificationSetting[]): Settings =>
  Object.fromEntries(
    notificationTypes.map((type) => [type, settings.find((one) => one.type === type) ?? createDefaultSetting(type)]),
  ) as Settings

export const notificationQueries = (client: Client) => ({
  settings: queryOptions({
    queryKey: ['users/self/notificationSettings'],
    queryFn: async ({ signal }) => byType(await client.call(getNotificationSettings, {}, { signal })),
  }),
  supported: queryOptions({
    queryKey: ['users/self/supportedSettings/notifications'],
    queryFn: ({ signal }) => client.call(getSupportedNotificationSettings, {}, { signal }),
  }),
  cameras: queryOptions({
    queryKey: ['cameras'],
    queryFn: ({ signal }) => client.call(getCameras, {}, { signal }),
  }),
  zones: queryOptions({
    queryKey: ['zones'],
    queryFn: ({ signal }) => client.call(getZones, {}, { signal }),
  }),
})

export interface SettingChange {
  readonly type: NotificationType
  readonly patch: NotificationSettingPatch
}

/** Optimistic changes, saved one after another and undone if the server rejects them. */
export function useSettingChange() {
  const { client, snackBar } = useApplication()
  const t = useNotificationText()
  return useOptimistic<Settings, SettingChange>({
    queryKey: notificationQueries(client).settings.queryKey,
    apply: (settings, { type, patch }) => ({
      ...settings,
      [type]: { ...settings[type], ...(patch as Partial<NotificationSetting>) },
    }),
    async send({ type, patch }) {
      snackBar.closeErrors()
      await client.call(patchNotificationSetting, { params: { type }, body: patch })
      snackBar.success(t('Your settings are successfully changed'))
      return byType(await client.call(getNotificationSettings, {}))
    },
  })
}
