import { getCameraMaintenance, putCameraMaintenance } from '@sightline/contract/camera-maintenance'
import { Button, Card, Notice, Select, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Loaded, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import type { OwnPermissions } from '../rights/index.ts'
import { useText } from './text.ts'

const HOUR_MS = 3_600_000
/** Hours; empty: until somebody ends it. */
const DURATIONS = ['1', '4', '8', '24', ''] as const

/** Starts and ends the maintenance of a recorder and the cameras at its inputs, during which no offline alerts are sent. */
export function MaintenanceCard({ deviceId, own }: { deviceId: number; own: OwnPermissions }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const { shortly } = useMoments()
  const [hours, choose] = useState<string>('1')
  const [busy, setBusy] = useState(false)
  const params = { cameraId: deviceId }
  const queryKey = ['devices', deviceId, 'maintenance'] as const
  const maintenance = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.call(getCameraMaintenance, { params }, { signal }),
    staleTime: 5000,
    refetchInterval: 60_000,
  })
  const put = async (enabled: boolean) => {
    setBusy(true)
    const until = enabled && hours !== '' ? new Date(Date.now() + Number(hours) * HOUR_MS).toISOString() : null
    const body = enabled ? { enabled, until } : { enabled }
    const done = await save(() => client.call(putCameraMaintenance, { params, body }), {
      success: enabled ? t('Maintenance started') : t('Maintenance ended'),
    })
    setBusy(false)
    if ('saved' in done) queries.setQueryData(queryKey, done.saved)
  }
  const mayPut = own.may(putCameraMaintenance)
  return (
    <Loaded
      asked={[maintenance] as const}
      place={
        <SkeletonGroup>
          <Skeleton className="h-40 w-full" />
        </SkeletonGroup>
      }
    >
      {({ enabled, until }) => (
        <Card
          title={t('Maintenance mode')}
          description={t(
            'During maintenance, no alerts are sent when the recorder or the cameras at its inputs go offline.',
          )}
        >
          {enabled ? (
            <div className="space-y-4">
              <Notice>
                {until === null
                  ? t('In maintenance until you end it.')
                  : t('In maintenance until {time}.', { time: shortly(until) })}
              </Notice>
              {mayPut ? (
                <Button variant="secondary" busy={busy} onClick={() => void put(false)}>
                  {t('End maintenance')}
                </Button>
              ) : null}
            </div>
          ) : null}
          {!enabled && mayPut ? (
            <div className="flex flex-wrap items-end gap-3">
              <Select label={t('Duration')} value={hours} onChange={(event) => choose(event.target.value)}>
                {DURATIONS.map((duration) => (
                  <option key={duration} value={duration}>
                    {duration === '' ? t('Until I end it') : t('{count} hours', { count: Number(duration) })}
                  </option>
                ))}
              </Select>
              <Button variant="secondary" busy={busy} onClick={() => void put(true)}>
                {t('Start maintenance')}
              </Button>
            </div>
          ) : null}
          {enabled || mayPut ? null : <p className="text-muted">{t('Not in maintenance.')}</p>}
        </Card>
      )}
    </Loaded>
  )
}
