import type { NotificationChoices } from '@sightline/contract/notification-settings'
import { Card, Switch } from '@sightline/kit'
import { type AlertDetailsProps, AlertWays } from './AlertWays.tsx'
import { MinutesSelect } from './MinutesSelect.tsx'
import { QuietHoursAndCameras } from './QuietHoursAndCameras.tsx'
import { useNotificationText } from './text.ts'

interface OfflineAlertCardProps extends AlertDetailsProps {
  choices: Pick<NotificationChoices, 'alertDelay' | 'alertRepeat'>
}

/** Whether, how and when the user is notified about offline cameras (specification §2 "Status notification screen"). */
export function OfflineAlertCard(props: OfflineAlertCardProps) {
  const { setting, readOnly, onChange } = props
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
      {setting.enabled ? (
        <div className="mt-5 space-y-5 border-t border-border pt-5">
          <AlertWays {...props} />
          <Times {...props} />
          <QuietHoursAndCameras {...props} />
        </div>
      ) : null}
    </Card>
  )
}

function Times({ setting, choices, readOnly, onChange }: OfflineAlertCardProps) {
  const t = useNotificationText()
  return (
    <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">
      <MinutesSelect
        label={t('Notify me after')}
        hint={t("You won't be notified about shorter interruptions.")}
        choices={choices.alertDelay}
        zero={t('Never')}
        value={setting.alertDelay}
        disabled={readOnly}
        onChange={(alertDelay) => onChange({ alertDelay })}
      />
      <MinutesSelect
        label={t('Notify me again after')}
        hint={t('Repeats while the camera stays offline.')}
        choices={choices.alertRepeat}
        zero={t('Never')}
        value={setting.alertRepeat}
        disabled={readOnly}
        onChange={(alertRepeat) => onChange({ alertRepeat })}
      />
    </div>
  )
}
