import {
  type NotificationChoices,
  type NotificationType,
  typesWithPicture,
} from '@sightline/contract/notification-settings'
import { Card, Switch } from '@sightline/kit'
import { type AlertDetailsProps, AlertWays } from './AlertWays.tsx'
import { MinutesSelect } from './MinutesSelect.tsx'
import { QuietHoursAndCameras } from './QuietHoursAndCameras.tsx'
import { type NotificationText, useNotificationText } from './text.ts'

export type OtherType = Exclude<NotificationType, 'cameraDown'>

interface CardTexts {
  readonly title: NotificationText
  readonly label: NotificationText
  readonly description: NotificationText
}

const texts: Readonly<Record<OtherType, CardTexts>> = {
  motion: {
    title: 'Motion',
    label: 'Notify me about motion',
    description:
      "Includes detection areas, tripwires, and PIR sensors. Silent, disarmed, and private cameras don't send alerts.",
  },
  audio: {
    title: 'Loud sounds',
    label: 'Notify me about loud sounds',
    description: 'For cameras that detect loud sounds. Turn this on for a camera under Settings, Detections.',
  },
  deviceTampered: {
    title: 'Tampering',
    label: 'Notify me when a camera may have been tampered with',
    description: "Some cameras report when they're covered or turned away.",
  },
  cameraUp: {
    title: 'Cameras back online',
    label: 'Notify me when a camera comes back online',
    description: "Even if you weren't notified that it was offline.",
  },
  storageFull: {
    title: 'Full storage',
    label: 'Notify me when recordings are deleted early',
    description: 'Once your account has used all of its storage, the oldest recordings are deleted first.',
  },
  deviceTrouble: {
    title: 'Camera problems',
    label: 'Notify me about other camera problems',
    description: 'Such as a rejected password, a wrong clock, or events that stop arriving.',
  },
}

interface AlertCardProps extends AlertDetailsProps {
  type: OtherType
  choices: NotificationChoices
}

/** Whether and how the user is notified about one kind of thing that happens to cameras. */
export function AlertCard(props: AlertCardProps) {
  const { type, setting, readOnly, onChange } = props
  const t = useNotificationText()
  const { title, label, description } = texts[type]
  return (
    <Card title={t(title)}>
      <Switch
        label={t(label)}
        description={t(description)}
        checked={setting.enabled}
        disabled={readOnly}
        onChange={(enabled) => onChange({ enabled })}
      />
      {setting.enabled ? (
        <div className="mt-5 space-y-5 border-t border-border pt-5">
          <AlertWays {...props} />
          {typesWithPicture.includes(type) && (setting.alertByEmail || setting.alertByPush) ? (
            <Switch
              label={t('Include a picture')}
              description={t(
                'Emails and browser notifications show what happened, if you can watch recordings of the camera.',
              )}
              checked={setting.includePicture}
              disabled={readOnly}
              onChange={(includePicture) => onChange({ includePicture })}
            />
          ) : null}
          <Times {...props} />
          <QuietHoursAndCameras {...props} />
        </div>
      ) : null}
    </Card>
  )
}

/** The times that this type has. */
function Times({ type, setting, choices, readOnly, onChange }: AlertCardProps) {
  const t = useNotificationText()
  const isOutage = type === 'cameraUp'
  const isOffered = (minutes: readonly number[]) => minutes.length > 1
  return (
    <div className="grid items-start gap-x-5 gap-y-4 sm:grid-cols-2">
      {isOffered(choices.cooldown) ? (
        <MinutesSelect
          label={t('Pause between alerts')}
          hint={t('Per camera. What happens in between is counted in the next alert.')}
          choices={choices.cooldown}
          zero={t('Never')}
          value={setting.cooldown}
          disabled={readOnly}
          onChange={(cooldown) => onChange({ cooldown })}
        />
      ) : null}
      {isOffered(choices.alertDelay) ? (
        <MinutesSelect
          label={t(isOutage ? 'Shortest outage' : 'Notify me after')}
          hint={t(
            isOutage ? "You won't be notified after shorter outages." : "You won't be notified about shorter problems.",
          )}
          choices={choices.alertDelay}
          zero={t('Any length')}
          value={setting.alertDelay}
          disabled={readOnly}
          onChange={(alertDelay) => onChange({ alertDelay })}
        />
      ) : null}
      {isOffered(choices.alertRepeat) ? (
        <MinutesSelect
          label={t('Notify me again after')}
          hint={t('Repeats while the problem lasts.')}
          choices={choices.alertRepeat}
          zero={t('Never')}
          value={setting.alertRepeat}
          disabled={readOnly}
          onChange={(alertRepeat) => onChange({ alertRepeat })}
        />
      ) : null}
    </div>
  )
}
