import {
  type NotificationChoices,
  type NotificationSettingPatch,
  type NotificationType,
  patchNotificationSetting,
} from '@sightline/contract/notification-settings'
import { getMemberDenyReason } from '@sightline/contract/rights'
import { Card, Notice, ScreenTitle, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useApplication, usePageTitle } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useAccount } from '../shell/AccountFirst.tsx'
import { AlertCard, type OtherType } from './AlertCard.tsx'
import { OfflineAlertCard } from './OfflineAlertCard.tsx'
import { notificationQueries, type Settings, useSettingChange } from './settings-query.ts'
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

/** The order of the cards after the one about offline cameras. */
const otherTypes: readonly OtherType[] = [
  'motion',
  'audio',
  'deviceTampered',
  'cameraUp',
  'storageFull',
  'deviceTrouble',
]

interface Known {
  settings: Settings
  choices: Readonly<Record<NotificationType, NotificationChoices>>
}

function Cards({ settings, choices }: Known) {
  const t = useNotificationText()
  const { user, member } = useAccount()
  const { change } = useSettingChange()
  const denyReason = getMemberDenyReason(patchNotificationSetting, member)
  const readOnly = denyReason !== undefined
  const isWanted = Object.values(settings).some(({ enabled, alertByPush }) => enabled && alertByPush)
  // Push messages belong to a browser, and support's browser isn't the user's.
  const browserReadOnly = readOnly || member.support !== undefined
  const push = usePush({ isWanted, readOnly: browserReadOnly })
  const isRefused = push.state.kind === 'off' && push.state.why !== 'possible'
  const propsOf = (type: NotificationType) => ({
    setting: settings[type],
    email: user.email,
    readOnly: readOnly || push.busy,
    onChange: (patch: NotificationSettingPatch) => change({ type, patch }),
    async onPush(isOn: boolean) {
      const isReady = !isOn || browserReadOnly || push.state.kind === 'on' || (await push.switchOn())
      if (isReady) change({ type, patch: { alertByPush: isOn } })
    },
  })
  return (
    <div className="space-y-6">
      {denyReason?.check === 'demoUser' ? (
        <Notice>{t("You're signed in as a demo user. You can see everything, but you can't change anything.")}</Notice>
      ) : null}
      <OfflineAlertCard {...propsOf('cameraDown')} choices={choices.cameraDown} />
      {otherTypes.map((type) => (
        <AlertCard key={type} type={type} {...propsOf(type)} choices={choices[type]} />
      ))}
      {isWanted || (isRefused && Object.values(settings).some(({ enabled }) => enabled)) ? (
        <ThisBrowserCard push={push} readOnly={browserReadOnly} />
      ) : null}
    </div>
  )
}

/** What the signed-in user is notified about, and how (specification §2). */
export function NotificationSettingsScreen() {
  const t = useNotificationText()
  const { client } = useApplication()
  const { settings, supported } = notificationQueries(client)
  usePageTitle(t('Status notifications'))
  return (
    <div className="max-w-3xl">
      <ScreenTitle title={t('Status notifications')}>
        {t('Get notified when something happens to your cameras.')}
      </ScreenTitle>
      <Loaded asked={[useQuery(settings), useQuery(supported)]} place={<Loading />}>
        {(all, { types }) => <Cards settings={all} choices={types} />}
      </Loaded>
    </div>
  )
}
