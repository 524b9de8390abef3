import { type CameraCheckUp, checkCamera, getCameraCheckUpReport } from '@sightline/contract/camera-check-ups'
import { type DeviceJob, deleteCameraJob } from '@sightline/contract/device-jobs'
import { Button, Card, Notice, ProgressBar, Skeleton, SkeletonGroup, Status } from '@sightline/kit'
import { download, Loaded, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import type { SettingsTabProps } from '../camera-settings/index.ts'
import { checkUpQueries } from './check-up-queries.ts'
import { Findings } from './Findings.tsx'
import { useText } from './text.ts'

function Running({ cameraId, job, mayEnd }: { cameraId: number; job: DeviceJob; mayEnd: boolean }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const isWaiting = job.phase === 'WaitingForMotion'
  const text = isWaiting ? t('Waiting for motion…') : t('Measuring…')
  const end = async () => {
    setBusy(true)
    await save(() => client.call(deleteCameraJob, { params: { cameraId, jobId: job.jobId } }))
    setBusy(false)
    void queries.invalidateQueries({ queryKey: ['cameras', cameraId] })
  }
  return (
    <div className="space-y-3">
      <p>{text}</p>
      <ProgressBar label={t('Camera check')} value={job.progress / 100} />
      <p className="text-sm text-muted">
        {isWaiting
          ? t(
              'Walk through the picture, so that the delay of motion events can be measured. The check ends after a minute.',
            )
          : t('This takes up to half a minute. The camera records as usual.')}
      </p>
      {mayEnd ? (
        <Button variant="secondary" busy={busy} onClick={() => void end()}>
          {isWaiting ? t('Skip this step') : t('Cancel')}
        </Button>
      ) : null}
    </div>
  )
}

interface ResultProps extends Pick<SettingsTabProps, 'camera' | 'status' | 'own' | 'readOnly'> {
  checkUp: CameraCheckUp
}

function Report({ cameraId }: { cameraId: number }) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const get = async () => {
    setBusy(true)
    const done = await save(() => client.blob(getCameraCheckUpReport, { params: { cameraId } }))
    setBusy(false)
    if ('saved' in done) download(done.saved, `camera-${cameraId}-check-up.txt`)
  }
  return (
    <div className="border-t border-border pt-4">
      <Button variant="secondary" icon="download" busy={busy} onClick={() => void get()}>
        {t('Download report')}
      </Button>
      <p className="mt-2 text-sm text-muted">
        {t('For the people who help you. It contains no password, user name or address of the camera.')}
      </p>
    </div>
  )
}

function CheckUp({ camera, status, own, readOnly, checkUp }: ResultProps) {
  const t = useText()
  const moments = useMoments()
  const { client, queries } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const { cameraId } = camera
  const { last, job: jobQuery } = checkUpQueries(client, cameraId)
  const { checkedAt, findings, jobId } = checkUp
  const job = useQuery(jobQuery(jobId)).data
  const isRunning = jobId !== null
  const isOffline = status !== undefined && !status.online
  const start = async () => {
    setBusy(true)
    await save(() => client.call(checkCamera, { params: { cameraId } }), {
      messages: {
        6: t('The camera is being checked, or another job is running. Try again when it has finished.'),
        18: t('The camera is offline, so it can’t be checked.'),
      },
    })
    setBusy(false)
    await queries.invalidateQueries({ queryKey: last.queryKey })
  }
  return (
    <Card
      title={t('Camera check-up')}
      description={
        checkedAt === null
          ? t('Finds out what could be better: clock, sign-in, connection, video, motion, card and firmware.')
          : t('Last checked: {time}', { time: moments.shortly(checkedAt) })
      }
      aside={
        <Button
          icon="refresh"
          busy={busy}
          disabled={isRunning || isOffline || readOnly !== undefined || !own.may(checkCamera)}
          onClick={() => void start()}
        >
          {t('Check camera')}
        </Button>
      }
    >
      <div className="space-y-4">
        {isOffline && !isRunning ? (
          <Notice mood="warning">{t('The camera is offline, so it can’t be checked.')}</Notice>
        ) : null}
        <Status>
          {isRunning && job !== undefined && job.endedAt === null ? (
            <Running cameraId={cameraId} job={job} mayEnd={own.may(deleteCameraJob) && readOnly === undefined} />
          ) : (
            ''
          )}
        </Status>
        {findings.length === 0 && !isRunning ? (
          <p className="text-muted">
            {t('This camera hasn’t been checked yet. New cameras are checked automatically.')}
          </p>
        ) : null}
        {findings.length === 0 ? null : (
          <>
            <Findings
              key={checkedAt}
              cameraId={cameraId}
              findings={findings}
              own={own}
              disabled={isRunning || readOnly !== undefined}
            />
            <Report cameraId={cameraId} />
          </>
        )}
      </div>
    </Card>
  )
}

/** Checks a camera and says what is wrong with it, and how to mend that. */
export function CheckUpTab(props: SettingsTabProps) {
  const { client } = useApplication()
  const last = useQuery(checkUpQueries(client, props.camera.cameraId).last)
  return (
    <Loaded
      asked={[last] as const}
      place={
        <SkeletonGroup>
          <Skeleton className="h-96 w-full" />
        </SkeletonGroup>
      }
    >
      {(checkUp) => <CheckUp {...props} checkUp={checkUp} />}
    </Loaded>
  )
}
