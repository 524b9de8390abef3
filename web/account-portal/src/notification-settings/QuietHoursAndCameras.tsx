import type { NotificationSetting, NotificationSettingPatch } from '@sightline/contract/notification-settings'
import { CheckList, Notice, Select, Skeleton, SkeletonGroup, Switch } from '@sightline/kit'
import { accountQueries, LoadFailed, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { quietTimes, timeText } from './quiet-hours.ts'
import { notificationQueries } from './settings-query.ts'
import { useNotificationText } from './text.ts'

interface SettingProps {
  setting: NotificationSetting
  readOnly: boolean
  onChange: (patch: NotificationSettingPatch) => void
}

/** When one type of alerts is not sent, and about which cameras it is. */
export function QuietHoursAndCameras({ setting, readOnly, onChange }: SettingProps) {
  return (
    <>
      <QuietHours setting={setting} readOnly={readOnly} onChange={onChange} />
      <Cameras setting={setting} readOnly={readOnly} onChange={onChange} />
    </>
  )
}

/** What is suggested. */
const NIGHT = { from: '22:00', to: '07:00' }

function QuietHours({ setting: { quietHours }, readOnly, onChange }: SettingProps) {
  const t = useNotificationText()
  const { client, languages } = useApplication()
  const timeZone = useQuery(accountQueries(client).timeZone).data?.timeZone
  const select = (label: string, part: 'from' | 'to') =>
    quietHours === null ? null : (
      <Select
        label={label}
        value={quietHours[part]}
        disabled={readOnly}
        onChange={(event) => onChange({ quietHours: { ...quietHours, [part]: event.target.value } })}
      >
        {quietTimes(quietHours[part])
          .filter((time) => time !== quietHours[part === 'from' ? 'to' : 'from'])
          .map((time) => (
            <option key={time} value={time}>
              {timeText(time, languages.current())}
            </option>
          ))}
      </Select>
    )
  return (
    <div className="space-y-4">
      <Switch
        label={t('Quiet hours')}
        description={
          timeZone === undefined
            ? t('No alerts at these times of day.')
            : t("No alerts at these times of day, in your account's time zone: {timeZone}.", {
                timeZone: timeZone.replaceAll('_', ' '),
              })
        }
        checked={quietHours !== null}
        disabled={readOnly}
        onChange={(isOn) => onChange({ quietHours: isOn ? NIGHT : null })}
      />
      {quietHours === null ? null : (
        <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
          {select(t('From'), 'from')}
          {select(t('Until'), 'to')}
        </div>
      )}
    </div>
  )
}

function Cameras({ setting, readOnly, onChange }: SettingProps) {
  const t = useNotificationText()
  return (
    <div className="space-y-4">
      <Select
        label={t('Cameras')}
        value={setting.allCameras ? 'all' : 'some'}
        disabled={readOnly}
        onChange={(event) => onChange({ allCameras: event.target.value === 'all' })}
      >
        <option value="all">{t('All cameras you have access to')}</option>
        <option value="some">{t('Selected cameras and zones')}</option>
      </Select>
      {setting.allCameras ? null : <CameraChoice setting={setting} readOnly={readOnly} onChange={onChange} />}
    </div>
  )
}

const zoneKey = (zoneId: number): string => `zone ${zoneId}`
const cameraKey = (cameraId: number): string => `camera ${cameraId}`
const idsOf = (keys: Iterable<string>, kind: 'zone' | 'camera'): number[] =>
  [...keys].filter((key) => key.startsWith(kind)).map((key) => Number(key.slice(kind.length + 1)))

/** Zones first: a camera that is added to one later is included. */
function CameraChoice({ setting, readOnly, onChange }: SettingProps) {
  const t = useNotificationText()
  const { client } = useApplication()
  const { cameras, zones } = notificationQueries(client)
  const [ofCameras, ofZones] = [useQuery(cameras), useQuery(zones)]
  const error = ofCameras.error ?? ofZones.error
  if (ofCameras.data === undefined || ofZones.data === undefined) {
    if (error !== null) return <LoadFailed error={error} reset={() => void [ofCameras.refetch(), ofZones.refetch()]} />
    return (
      <SkeletonGroup>
        <Skeleton className="h-24 w-full" />
      </SkeletonGroup>
    )
  }
  const options = [
    ...ofZones.data.map(({ zoneId, name }) => ({ value: zoneKey(zoneId), label: name, hint: t('Zone') })),
    ...ofCameras.data.map(({ cameraId, name }) => ({ value: cameraKey(cameraId), label: name })),
  ]
  const chosen = new Set([...setting.zoneIds.map(zoneKey), ...setting.cameraIds.map(cameraKey)])
  return (
    <>
      <CheckList
        label={t('Cameras and zones')}
        searchLabel={t('Search cameras and zones')}
        options={options}
        chosen={chosen}
        disabled={readOnly}
        onChange={(keys) => onChange({ zoneIds: idsOf(keys, 'zone'), cameraIds: idsOf(keys, 'camera') })}
        empty={<p className="text-muted">{t('There are no cameras yet.')}</p>}
      />
      {chosen.size > 0 ? null : <Notice mood="warning">{t("Select at least one, or you won't be notified.")}</Notice>}
    </>
  )
}
