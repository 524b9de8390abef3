import {
  type DeviceJob,
  type DeviceJobState,
  type DeviceJobType,
  deleteDeviceJob,
  getDeviceJobs,
  rebootDevice,
} from '@sightline/contract/device-jobs'
import type { RecorderDevice } from '@sightline/contract/devices'
import { Badge, Button, Card, ConfirmDialog, type Mood, ProgressBar, Skeleton, SkeletonGroup } from '@sightline/kit'
import { areStatesFollowed, Loaded, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { MaintenanceCard } from '../camera-maintenance/index.ts'
import type { RecorderTabProps } from '../devices/index.ts'
import { type Text, useText } from './text.ts'

/** While a job runs, and otherwise. */
const LOOK_EVERY_MS = { busy: 2000, idle: 30_000 } as const

const isOpen = ({ state }: DeviceJob): boolean => state === 'queued' || state === 'running'

const typeWords: Readonly<Record<DeviceJobType, Text>> = {
  reboot: 'Restart',
  firmwareUpgrade: 'Firmware upgrade',
  formatStorage: 'Format card',
  checkUp: 'Check-up',
}

const stateWords: Readonly<Record<DeviceJobState, { readonly text: Text; readonly mood: Mood }>> = {
  queued: { text: 'Waiting', mood: 'neutral' },
  running: { text: 'In progress', mood: 'neutral' },
  done: { text: 'Done', mood: 'success' },
  failed: { text: 'Failed', mood: 'danger' },
  canceled: { text: 'Canceled', mood: 'neutral' },
}

const jobsKey = (deviceId: number) => ['devices', deviceId, 'jobs'] as const

function Cancel({ deviceId, jobId }: { deviceId: number; jobId: number }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const cancel = async () => {
    await save(() => client.call(deleteDeviceJob, { params: { deviceId, jobId } }), {
      messages: { 6: t('It has already begun, so it can’t be canceled.') },
    })
    void queries.invalidateQueries({ queryKey: jobsKey(deviceId) })
  }
  return (
    <Button variant="secondary" onClick={() => void cancel()}>
      {t('Cancel')}
    </Button>
  )
}

function Job({ deviceId, job, mayCancel }: { deviceId: number; job: DeviceJob; mayCancel: boolean }) {
  const t = useText()
  const { shortly } = useMoments()
  const { text, mood } = stateWords[job.state]
  return (
    <li className="space-y-2 py-3">
      <div className="flex flex-wrap items-center gap-3">
        <span className="min-w-0 grow">
          <span className="font-medium">{t(typeWords[job.type])}</span>
          <span className="block text-xs text-muted">{shortly(job.createdAt)}</span>
        </span>
        <Badge mood={mood}>{t(text)}</Badge>
        {mayCancel && job.state === 'queued' ? <Cancel deviceId={deviceId} jobId={job.jobId} /> : null}
      </div>
      {isOpen(job) ? <ProgressBar value={job.progress / 100} label={t(typeWords[job.type])} /> : null}
      {job.error === undefined ? null : (
        <p lang="en" className="text-xs wrap-anywhere text-danger-text">
          {job.error}
        </p>
      )}
    </li>
  )
}

function Restart({ device, jobs }: { device: RecorderDevice; jobs: readonly DeviceJob[] }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [asking, ask] = useState(false)
  const [busy, setBusy] = useState(false)
  const { deviceId } = device
  const isRestarting = jobs.some((job) => job.type === 'reboot' && isOpen(job))
  const restart = async () => {
    setBusy(true)
    await save(() => client.call(rebootDevice, { params: { deviceId } }), {
      success: t('The recorder restarts'),
      messages: {
        6: t('The recorder is restarting already.'),
        14: t('The recorder is offline, so it can’t be restarted.'),
      },
    })
    setBusy(false)
    ask(false)
    void queries.invalidateQueries({ queryKey: jobsKey(deviceId) })
  }
  return (
    <>
      <Button variant="secondary" icon="refresh" busy={isRestarting} onClick={() => ask(true)}>
        {t('Restart recorder')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('Restart {recorder}?', { recorder: device.name })}
        confirm={t('Restart recorder')}
        busy={busy}
        onClose={() => ask(false)}
        onConfirm={() => void restart()}
      >
        <p>
          {t(
            'A restart takes about 2 minutes and keeps all settings. Until then, the cameras at its inputs send no video and are not recorded.',
          )}
        </p>
      </ConfirmDialog>
    </>
  )
}

/** Restarts a recorder and shows the results of earlier restarts. */
function Jobs({ device, own }: RecorderTabProps) {
  const t = useText()
  const { client } = useApplication()
  const { deviceId } = device
  const jobs = useQuery({
    queryKey: jobsKey(deviceId),
    queryFn: ({ signal }) => client.call(getDeviceJobs, { params: { deviceId } }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const isBusy = state.data?.some(isOpen) === true
      // One that nobody carries out ends by its deadline, which the server doesn't tell.
      if (areStatesFollowed()) return isBusy ? LOOK_EVERY_MS.idle : false
      return isBusy ? LOOK_EVERY_MS.busy : LOOK_EVERY_MS.idle
    },
  })
  return (
    <Loaded
      asked={[jobs] as const}
      place={
        <SkeletonGroup>
          <Skeleton className="h-40 w-full" />
        </SkeletonGroup>
      }
    >
      {(all) => (
        <Card
          title={t('Restart')}
          description={t('If the recorder misbehaves, a restart often helps.')}
          aside={own.may(rebootDevice) ? <Restart device={device} jobs={all} /> : undefined}
        >
          {all.length === 0 ? (
            <p className="text-muted">{t('It was not restarted from here in the last 90 days.')}</p>
          ) : (
            <ul aria-live="polite" className="divide-y divide-border">
              {all.slice(0, 10).map((job) => (
                <Job key={job.jobId} deviceId={deviceId} job={job} mayCancel={own.may(deleteDeviceJob)} />
              ))}
            </ul>
          )}
        </Card>
      )}
    </Loaded>
  )
}

/** Maintenance mode and restarts of a recorder. */
export function MaintenanceTab(props: RecorderTabProps) {
  const { device, own } = props
  return (
    <div className="space-y-5">
      <MaintenanceCard deviceId={device.deviceId} own={own} />
      <Jobs {...props} />
    </div>
  )
}
