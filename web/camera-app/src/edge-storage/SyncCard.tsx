import { type CloudSync, patchCloudSync, type SyncJob } from '@sightline/contract/cloud-sync'
import { Badge, Card, Notice, Skeleton, Switch } from '@sightline/kit'
import { Loaded, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { storageQueries } from './storage-queries.ts'
import { type Text, useText } from './text.ts'

const paused: Readonly<Record<NonNullable<CloudSync['paused']>, Text>> = {
  mode: 'Paused: gaps are filled only while the camera records continuously and is armed or follows a schedule.',
  unsupported: 'Paused: the camera’s card can’t be read by ONVIF Profile G.',
}

interface SyncProps {
  cameraId: number
  disabled: boolean
}

function SyncSwitch({ cameraId, saved, disabled }: SyncProps & { saved: CloudSync }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const change = async (enabled: boolean) => {
    setBusy(true)
    const done = await save(() => client.call(patchCloudSync, { params: { cameraId }, body: { enabled } }), {
      success: t(enabled ? 'Gaps are filled from the card' : 'Gaps are no longer filled from the card'),
      messages: {
        6: t('Gaps are filled only for cameras that record continuously and are armed or follow a schedule.'),
        11: t('The card of this camera can’t be read. It needs ONVIF Profile G, and a connection by ONVIF.'),
      },
    })
    setBusy(false)
    if ('saved' in done) queries.setQueryData(storageQueries(client, cameraId).sync.queryKey, done.saved)
  }
  return (
    <div className="space-y-4">
      <Switch
        label={t('Fill gaps from the card')}
        description={t(
          'What the camera recorded while the network or the server was down is fetched about a minute after it is back. Private times are never fetched.',
        )}
        checked={saved.enabled}
        disabled={disabled || busy}
        onChange={(enabled) => void change(enabled)}
      />
      {saved.paused === null ? null : <Notice mood="warning">{t(paused[saved.paused])}</Notice>}
    </div>
  )
}

const PERCENT = 100

function Job({ job }: { job: SyncJob }) {
  const t = useText()
  const moments = useMoments()
  const percent = job.duration === 0 ? 0 : Math.round((job.syncedDuration / job.duration) * PERCENT)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-2.5">
      <div className="min-w-0">
        <p>
          {t('{from} to {until}', {
            from: moments.shortly(job.recordingStart),
            until: moments.shortly(job.recordingEnd),
          })}
        </p>
        <p className="text-xs text-muted tabular-nums">
          {t('{synced} of {duration} seconds filled ({percent} %)', {
            synced: Math.round(job.syncedDuration),
            duration: Math.round(job.duration),
            percent,
          })}
        </p>
        {job.status === 'Ended' && job.syncedDuration === 0 ? (
          <p className="text-xs text-muted">{t('The card had no footage of this time, or it couldn’t be read.')}</p>
        ) : null}
      </div>
      <Badge mood={job.status === 'Running' ? 'brand' : 'neutral'}>
        {t(job.status === 'Running' ? 'Running' : 'Ended')}
      </Badge>
    </li>
  )
}

/** Whether gaps in the footage are filled from the card, and which were. */
export function SyncCard({ cameraId, disabled }: SyncProps) {
  const t = useText()
  const { client } = useApplication()
  const known = storageQueries(client, cameraId)
  const sync = useQuery(known.sync)
  const jobs = useQuery(known.jobs)
  return (
    <Card title={t('Cloud sync')}>
      <Loaded asked={[sync, jobs] as const} place={<Skeleton className="h-40 w-full" />}>
        {(saved, listed) => (
          <div className="space-y-5">
            <SyncSwitch cameraId={cameraId} saved={saved} disabled={disabled} />
            <div>
              <h3 className="font-medium">{t('Filled gaps')}</h3>
              {listed.length === 0 ? (
                <p className="mt-1 text-sm text-muted">{t('No gap was filled in the last 30 days.')}</p>
              ) : (
                <ul className="mt-1 divide-y divide-border">
                  {listed.map((job) => (
                    <Job key={job.syncJobId} job={job} />
                  ))}
                </ul>
              )}
            </div>
          </div>
        )}
      </Loaded>
    </Card>
  )
}
