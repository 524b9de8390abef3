import {
  type CameraMaintenance,
  getCameraMaintenance,
  putCameraMaintenance,
} from '@sightline/contract/camera-maintenance'
import { Card, Select, SettingSwitch } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import type { SettingsTabProps } from './settings-tab.ts'
import { type Text, useText } from './text.ts'

const HOUR_MS = 3_600_000

/** How long a maintenance can be, in hours; 0: until it is ended. */
const lengths: readonly { readonly hours: number; readonly label: Text }[] = [
  { hours: 1, label: '1 hour' },
  { hours: 4, label: '4 hours' },
  { hours: 24, label: '1 day' },
  { hours: 0, label: 'Until I turn it off' },
]

function Maintenance({ saved, cameraId, readOnly }: { saved: CameraMaintenance; cameraId: number; readOnly: boolean }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const moments = useMoments()
  const [hours, setHours] = useState('1')
  const [busy, setBusy] = useState(false)
  const put = async (enabled: boolean) => {
    const until = hours === '0' ? null : new Date(Date.now() + Number(hours) * HOUR_MS).toISOString()
    setBusy(true)
    const done = await save(
      () =>
        client.call(putCameraMaintenance, { params: { cameraId }, body: enabled ? { enabled, until } : { enabled } }),
      { success: t(enabled ? 'Maintenance started' : 'Maintenance ended') },
    )
    setBusy(false)
    if ('saved' in done) queries.setQueryData(['cameras', cameraId, 'maintenance'], done.saved)
  }
  const end =
    saved.until === null
      ? t('On until you turn it off.')
      : t('On until {time}.', { time: moments.shortly(saved.until) })
  return (
    <Card title={t('Maintenance')}>
      <div className="max-w-xl">
        <SettingSwitch
          label={t('This camera is in maintenance')}
          description={
            saved.enabled ? end : t('Turn this on before work on the camera, so that no offline alerts are sent.')
          }
          checked={saved.enabled}
          fixedBy={readOnly ? 'settings-read-only' : undefined}
          pending={busy}
          onChange={(enabled) => void put(enabled)}
        />
        {saved.enabled || readOnly ? null : (
          <Select label={t('For how long')} value={hours} onChange={({ target }) => setHours(target.value)}>
            {lengths.map((one) => (
              <option key={one.hours} value={String(one.hours)}>
                {t(one.label)}
              </option>
            ))}
          </Select>
        )}
      </div>
    </Card>
  )
}

/** Whether alerts about a camera being offline are held back. */
export function MaintenanceCard({ camera, readOnly }: SettingsTabProps) {
  const { client } = useApplication()
  const { cameraId } = camera
  const { data } = useQuery(
    queryOptions({
      queryKey: ['cameras', cameraId, 'maintenance'],
      queryFn: ({ signal }) => client.call(getCameraMaintenance, { params: { cameraId } }, { signal }),
    }),
  )
  return data === undefined ? null : <Maintenance saved={data} cameraId={cameraId} readOnly={readOnly !== undefined} />
}
