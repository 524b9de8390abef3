import { ApiFailure } from '@sightline/client'
import { setCameraClock } from '@sightline/contract/camera-clock'
import {
  CAMERA_LOG_DAYS,
  type CameraLogEntry,
  type CameraLogEvent,
  getCameraLogs,
} from '@sightline/contract/camera-logs'
import { EmptyState, Skeleton, SkeletonGroup } from '@sightline/kit'
import { Screen, useApplication, useMay } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { cameraQueries } from '../cameras/index.ts'
import { Gate, useOwnPermissions } from '../rights/index.ts'
import { LogTable } from './LogTable.tsx'
import { findWrongClock, SetClock } from './SetClock.tsx'
import { type Text, useText } from './text.ts'

const eventWords: Readonly<Record<CameraLogEvent, Text>> = {
  connected: 'Connected',
  connectionLost: 'Connection lost',
  connectionFailed: 'Connection failed',
  credentialsRefused: 'Password rejected',
  recordingStarted: 'Recording started',
  recordingStopped: 'Recording stopped',
  recordingFailed: 'Recording failed',
  subStreamConnected: 'Sub-stream connected',
  subStreamLost: 'Sub-stream lost',
  addressChanged: 'Found at another address',
  addressNotTrusted: 'Unknown device claims to be this camera',
  eventsFollowed: 'Camera events connected',
  eventsLost: 'Camera events lost',
  clockWrong: 'Camera clock wrong',
  clockSet: 'Camera clock set',
  gap: 'Gap in recording',
  repeated: 'Repeated events',
}

const ADDRESS = '/cameras/$cameraId/logs'

function Log({ cameraId }: { cameraId: string }) {
  const t = useText()
  const { client } = useApplication()
  const router = useRouter()
  const search = useSearch({ from: '/signed-in/cameras/$cameraId/logs' })
  const maySet = useMay()(setCameraClock) === true
  const eventOf = useCallback(({ event }: CameraLogEntry) => t(eventWords[event]), [t])
  const actionOf = useCallback(
    (line: CameraLogEntry, lines: readonly CameraLogEntry[] | undefined, isFirstPage: boolean) =>
      maySet && isFirstPage && findWrongClock(lines) === line ? <SetClock cameraId={cameraId} /> : null,
    [maySet, cameraId],
  )
  return (
    <LogTable<CameraLogEntry>
      label={t('Camera log')}
      name="cameraLog"
      queryKey={['cameras', cameraId, 'logs']}
      fetch={(query, wish, signal) =>
        client.page(getCameraLogs, { params: { cameraId: Number(cameraId) }, query }, wish, { signal })
      }
      keyOf={({ cameraLogId }) => cameraLogId}
      eventOf={eventOf}
      actionOf={actionOf}
      search={search}
      go={(next, replace) =>
        void router.navigate({ to: ADDRESS, params: { cameraId }, search: next, replace, resetScroll: false })
      }
      empty={t('Connection and recording events for this camera appear here.')}
    />
  )
}

/** The connection and recording log of a camera. */
export function CameraLogScreen() {
  const t = useText()
  const { cameraId } = useParams({ from: '/signed-in/cameras/$cameraId/logs' })
  const { client } = useApplication()
  const own = useOwnPermissions()
  const isId = /^\d{1,15}$/.test(cameraId)
  const { data: camera } = useQuery({ ...cameraQueries(client).camera(Number(cameraId)), enabled: isId })
  return (
    <Screen
      width="table"
      title={camera === undefined ? t('Camera log') : t('{camera} log', { camera: camera.name })}
      description={t('Connection and recording events from the last {days} days', {
        days: CAMERA_LOG_DAYS,
      })}
      back={{ href: `/app/cameras/${cameraId}`, label: camera?.name ?? t('Camera') }}
    >
      <Gate
        own={own}
        needs={getCameraLogs}
        loading={
          <SkeletonGroup>
            <Skeleton className="h-64 w-full" />
          </SkeletonGroup>
        }
        instead={
          <EmptyState icon="lock" title={t("You can't view camera logs")}>
            {t('Ask the account owner for the “Camera logs” right.')}
          </EmptyState>
        }
      >
        {() => <OfCamera cameraId={cameraId} isId={isId} />}
      </Gate>
    </Screen>
  )
}

/** Another camera has another log, so no state of the previous one may remain. */
function OfCamera({ cameraId, isId }: { cameraId: string; isId: boolean }) {
  const t = useText()
  const { client } = useApplication()
  const { error } = useQuery({ ...cameraQueries(client).camera(Number(cameraId)), enabled: isId })
  const isGone = error instanceof ApiFailure && error.status === 404
  if (!isId || isGone) return <EmptyState icon="camera" title={t("Camera not found, or you don't have access to it")} />
  return <Log key={cameraId} cameraId={cameraId} />
}
