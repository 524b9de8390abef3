import type { NotificationSetting } from '@sightline/contract/notification-settings'
import { patchNotificationSetting } from '@sightline/contract/notification-settings'
import { getMemberDenyReason } from '@sightline/contract/rights'
import { Card, Notice, ScreenTitle, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useApplication, usePageTitle } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../shell/AccountFirst.tsx'
import { OfflineAlertCard } from './OfflineAlertCard.tsx'
import { notificationQueries, useSettingChange } from './settings-query.ts'
import { ThisBrowserCard } from './ThisBrowserCard.tsx'
import { useNotificationText } from './text.ts'
import { usePush } from './use-push.ts'

function Loading() {
  return (
    <SkeletonGroup>
      <Card>
        <Skeleton className="h-5 w-48" />
        <Skeleton className="mt-6 h-6 w-full" />
        <Skeleton className="mt-2 h-4 w-72 max-w-full" />
      </Card>
    </SkeletonGroup>
  )
}

interface Known {
  setting: NotificationSetting
  choices: Parameters<typeof OfflineAlertCard>[0]['choices']
}

function Cards({ setting, choices }: Known) {
  const t = useNotificationText()
  const { user, member } = useAccount()
  const { change } = useSettingChange()
  const denyReason = getMemberDenyReason(patchNotificationSetting, member)
  const readOnly = denyReason !== undefined
  const isWanted = setting.enabled && setting.alertByPush
  // Push messages belong to a browser, and support's browser isn't the user's.
  const browserReadOnly = readOnly || member.support !== undefined
  const push = usePush({ isWanted, readOnly: browserReadOnly })
  const onPush = async (isOn: boolean) => {
    if (!isOn || browserReadOnly || (await push.switchOn())) change({ alertByPush: isOn })
  }
  const isRefused = push.state.kind === 'off' && push.state.why !== 'possible'
  return (
    <div className="space-y-6">
      {denyReason?.check === 'demoUser' ? (
        <Notice>{t("You're signed in as a demo user. You can see everything, but you can't change anything.")}</Notice>
      ) : null}
      <OfflineAlertCard
        setting={setting}
        choices={choices}
        email={user.email}
        readOnly={readOnly || push.busy}
        onChange={change}
        onPush={(isOn) => void onPush(isOn)}
      />
      {setting.enabled && (setting.alertByPush || isRefused) ? (
        <ThisBrowserCard push={push} readOnly={browserReadOnly} />
      ) : null}
    </div>
  )
}

/** How the signed-in user is notified about cameras that go offline and come back (specification §2). */
export function NotificationSettingsScreen() {
  const t = useNotificationText()
  const { client } = useApplication()
  const { setting, supported } = notificationQueries(client)
  usePageTitle(t('Status notifications'))
  return (
    <div className="max-w-3xl">
      <ScreenTitle title={t('Status notifications')}>{t('Get notified when a camera goes offline.')}</ScreenTitle>
      <Loaded asked={[useQuery(setting), useQuery(supported)]} place={<Loading />}>
        {(how, choices) => <Cards setting={how} choices={choices} />}
      </Loaded>
    </div>
  )
}
