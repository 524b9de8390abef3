import type { NotificationSetting, NotificationSettingPatch } from '@sightline/contract/notification-settings'
import { Notice, Switch } from '@sightline/kit'
import { useNotificationText } from './text.ts'

export interface AlertDetailsProps {
  setting: NotificationSetting
  email: string
  readOnly: boolean
  onChange: (patch: NotificationSettingPatch) => void
  /** Turning push on may first need a permission from the user and the browser. */
  onPush: (isOn: boolean) => void
}

/** Email and browser notifications of one type of alerts. */
export function AlertWays({ setting, email, readOnly, onChange, onPush }: AlertDetailsProps) {
  const t = useNotificationText()
  return (
    <>
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
    </>
  )
}
