import { type DeviceJob, type DeviceJobPhase, rebootCamera } from '@sightline/contract/device-jobs'
import { Button, Card, ConfirmDialog, Notice, ProgressBar, Status } from '@sightline/kit'
import { useApplication, useMay, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { isOpenJob, jobsQuery } from './job-queries.ts'
import { type Text, useText } from './text.ts'

const phases: Readonly<Partial<Record<DeviceJobPhase, Text>>> = {
  Requesting: 'The camera is being asked to restart…',
  Restarting: 'The camera is restarting…',
}

function Running({ job }: { job: DeviceJob }) {
  const t = useText()
  const text = t((job.phase === null ? undefined : phases[job.phase]) ?? 'Waiting to begin…')
  return (
    <div className="space-y-2">
      <p>{text}</p>
      <ProgressBar label={text} value={job.progress / 100} />
    </div>
  )
}

function Ended({ job }: { job: DeviceJob }) {
  const t = useText()
  const moments = useMoments()
  const { endedAt, error } = job
  if (endedAt === null) return null
  const time = moments.shortly(endedAt)
  if (job.state === 'done') return <p className="text-muted">{t('Last restarted: {time}', { time })}</p>
  if (job.state !== 'failed') return null
  return (
    <Notice mood="warning">
      <p>{t('The restart at {time} failed.', { time })}</p>
      {error === undefined ? null : (
        <p className="text-sm wrap-anywhere" dir="ltr" lang="en">
          {error}
        </p>
      )}
    </Notice>
  )
}

const LastJob = ({ job }: { job: DeviceJob }) => (isOpenJob(job) ? <Running job={job} /> : <Ended job={job} />)

/** Restarts a camera and shows the progress, to all users with the right, whoever started it. */
export function RestartCamera({ camera, status, readOnly }: Pick<SettingsTabProps, 'camera' | 'status' | 'readOnly'>) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const { cameraId, name } = camera
  const query = jobsQuery(client, cameraId)
  const mayRestart = may(rebootCamera) === true
  const jobs = useQuery({ ...query, enabled: mayRestart })
  if (!mayRestart || jobs.data === undefined) return null
  const last = jobs.data.find(({ type }) => type === 'reboot')
  const isOpen = jobs.data.some(isOpenJob)
  const isOffline = status !== undefined && !status.online
  const restart = async () => {
    setBusy(true)
    await save(() => client.call(rebootCamera, { params: { cameraId } }), {
      messages: {
        6: t('The camera is restarting already.'),
        11: t(
          "This camera can't be restarted from here: it isn't connected by ONVIF, or it is an input of a recorder.",
        ),
        18: t("The camera is offline, so it can't be restarted."),
      },
    })
    setBusy(false)
    setAsking(false)
    await queries.invalidateQueries({ queryKey: query.queryKey })
  }
  return (
    <Card
      title={t('Restart')}
      description={t('Sometimes helps with a camera that behaves strangely. Recording pauses for about 2 minutes.')}
      aside={
        <Button
          variant="secondary"
          icon="refresh"
          disabled={isOpen || isOffline || readOnly !== undefined}
          onClick={() => setAsking(true)}
        >
          {t('Restart camera')}
        </Button>
      }
    >
      <Status>{last === undefined ? '' : <LastJob job={last} />}</Status>
      <ConfirmDialog
        open={isAsking}
        title={t('Restart {name}?', { name })}
        confirm={t('Restart camera')}
        busy={busy}
        onClose={() => setAsking(false)}
        onConfirm={() => void restart()}
      >
        {t('For about 2 minutes there is no live video and nothing is recorded. The settings of the camera stay.')}
      </ConfirmDialog>
    </Card>
  )
}
