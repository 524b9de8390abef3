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
  /** Switching messages on may need the person and the browser first. */
  onPush: (isOn: boolean) => void
}

/** Whether, how and when somebody is told of cameras that go offline (specification §2 "Status notification screen"). */
export function OfflineAlertCard({ setting, readOnly, onChange, ...rest }: OfflineAlertCardProps) {
  const t = useNotificationText()
  return (
    <Card title={t('Cameras that go offline')}>
      <Switch
        label={t('Tell me when a camera goes offline')}
        description={t('You are told of the cameras that you can see, and once more when they are back.')}
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
        label={t('By email')}
        description={t('To {email}.', { email })}
        checked={setting.alertByEmail}
        disabled={readOnly}
        onChange={(alertByEmail) => onChange({ alertByEmail })}
      />
      <Switch
        label={t('By message in the browser')}
        description={t('It shows on your screen, as messages of other applications do.')}
        checked={setting.alertByPush}
        disabled={readOnly}
        onChange={onPush}
      />
      {setting.alertByEmail || setting.alertByPush ? null : (
        <Notice mood="warning">{t('Choose at least one way, or you are not told.')}</Notice>
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
        label={t('Tell me after')}
        hint={t('Shorter interruptions are not told.')}
        value={setting.alertDelay}
        disabled={readOnly}
        onChange={(event) => onChange({ alertDelay: Number(event.target.value) })}
      >
        {options(choices.cameraOfflineAlertDelay)}
      </Select>
      <Select
        label={t('Tell me again after')}
        hint={t('As long as the camera stays offline.')}
        value={setting.alertRepeat}
        disabled={readOnly}
        onChange={(event) => onChange({ alertRepeat: Number(event.target.value) })}
      >
        {options(choices.cameraOfflineAlertRepeat)}
      </Select>
    </div>
  )
}
