import type { Client } from '@sightline/client'
import {
  createDefaultSetting,
  getNotificationSettings,
  getSupportedNotificationSettings,
  type NotificationSetting,
  type NotificationSettingPatch,
  patchNotificationSetting,
} from '@sightline/contract/notification-settings'
import { useApplication, useOptimistic } from '@sightline/shell'
import { queryOptions } from '@tanstack/react-query'
import { useNotificationText } from './text.ts'

const defaultSetting = createDefaultSetting('cameraDown')

export const notificationQueries = (client: Client) => ({
  setting: queryOptions({
    queryKey: ['users/self/notificationSettings', defaultSetting.type],
    queryFn: async ({ signal }) => {
      const all = await client.call(getNotificationSettings, {}, { signal })
      return all.find(({ type }) => type === defaultSetting.type) ?? defaultSetting
    },
  }),
  supported: queryOptions({
    queryKey: ['users/self/supportedSettings/notifications'],
    queryFn: ({ signal }) => client.call(getSupportedNotificationSettings, {}, { signal }),
  }),
})

/** Optimistic changes, saved one after another and undone if the server rejects them. */
export function useSettingChange() {
  const { client, snackBar } = useApplication()
  const t = useNotificationText()
  return useOptimistic<NotificationSetting, NotificationSettingPatch>({
    queryKey: notificationQueries(client).setting.queryKey,
    apply: (setting, patch) => ({ ...setting, ...(patch as Partial<NotificationSetting>) }),
    async send(patch) {
      snackBar.closeErrors()
      const saved = await client.call(patchNotificationSetting, { params: { type: defaultSetting.type }, body: patch })
      snackBar.success(t('Your settings are successfully changed'))
      return saved
    },
  })
}
