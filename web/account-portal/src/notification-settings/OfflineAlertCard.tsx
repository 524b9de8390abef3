import type { NotificationSetting, NotificationSettingPatch } from '@sightline/contract/notification-settings'
import { Card, Notice, Select, Switch } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { durationText } from './alert-minutes.ts'
import { useNotificationText } from './text.ts'

interface Choices {
  readonly cameraOfflineAlertDelay: readonly number[]
  readonly cameraOfflineAlertRepeat: readonly number[]
}

interface OfflineAlertCardProps {
  setting: NotificationSetting
  choices: Choices
  email: string
  readOnly: boolean
  onChange: (patch: NotificationSettingPatch) => void
  /** Turning push on may first need a permission from the user and the browser. */
  onPush: (isOn: boolean) => void
}

/** Whether, how and when the user is notified about offline cameras (specification §2 "Status notification screen"). */
export function OfflineAlertCard({ setting, readOnly, onChange, ...rest }: OfflineAlertCardProps) {
  const t = useNotificationText()
  return (
    <Card title={t('Offline cameras')}>
      <Switch
        label={t('Notify me when a camera goes offline')}
        description={t(
          "You'll get an alert when a camera you have access to goes offline, and another when it's back online.",
        )}
        checked={setting.enabled}
        disabled={readOnly}
        onChange={(enabled) => onChange({ enabled })}
      />
      {setting.enabled ? <Details setting={setting} readOnly={readOnly} onChange={onChange} {...rest} /> : null}
    </Card>
  )
}

function Details({ setting, choices, email, readOnly, onChange, onPush }: OfflineAlertCardProps) {
  const t = useNotificationText()
  return (
    <div className="mt-5 space-y-5 border-t border-border pt-5">
      <Switch
        label={t('Email alerts')}
        description={t('Sent to {email}.', { email })}
        checked={setting.alertByEmail}
        disabled={readOnly}
        onChange={(alertByEmail) => onChange({ alertByEmail })}
      />
      <Switch
        label={t('Browser notifications')}
        description={t('Shown on your screen, like notifications from other apps.')}
        checked={setting.alertByPush}
        disabled={readOnly}
        onChange={onPush}
      />
      {setting.alertByEmail || setting.alertByPush ? null : (
        <Notice mood="warning">{t("Turn on at least one of these, or you won't be notified.")}</Notice>
      )}
      <Times setting={setting} choices={choices} readOnly={readOnly} onChange={onChange} />
    </div>
  )
}

function Times({ setting, choices, readOnly, onChange }: Omit<OfflineAlertCardProps, 'email' | 'onPush'>) {
  const { languages } = useApplication()
  const t = useNotificationText()
  const options = (minutes: readonly number[]) =>
    minutes.map((each) => (
      <option key={each} value={each}>
        {each === 0 ? t('Never') : durationText(each, languages.current())}
      </option>
    ))
  return (
    <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">
      <Select
        label={t('Notify me after')}
        hint={t("You won't be notified about shorter interruptions.")}
        value={setting.alertDelay}
        disabled={readOnly}
        onChange={(event) => onChange({ alertDelay: Number(event.target.value) })}
      >
        {options(choices.cameraOfflineAlertDelay)}
      </Select>
      <Select
        label={t('Notify me again after')}
        hint={t('Repeats while the camera stays offline.')}
        value={setting.alertRepeat}
        disabled={readOnly}
        onChange={(event) => onChange({ alertRepeat: Number(event.target.value) })}
      >
        {options(choices.cameraOfflineAlertRepeat)}
      </Select>
    </div>
  )
}
