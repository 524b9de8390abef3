import { ApiFailure } from '@sightline/client'
import { setCameraClock } from '@sightline/contract/camera-clock'
import {
  CAMERA_LOG_DAYS,
  type CameraLogEntry,
  type CameraLogEvent,
  type CameraLogLevel,
  getCameraLogs,
} from '@sightline/contract/camera-logs'
import { Badge, EmptyState, type Mood, Skeleton, SkeletonGroup } from '@sightline/kit'
import { type Column, DataTable, FilterMenu, timeWidths } from '@sightline/kit/table'
import {
  type ListState,
  LoadFailed,
  parseListState,
  Screen,
  useApplication,
  useMay,
  useServerRows,
} from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { DayFilter, useMoments } from '../account-time/index.ts'
import { cameraQueries } from '../cameras/index.ts'
import { Gate, useOwnPermissions } from '../rights/index.ts'
import { isFiltering, type LogFilter, logQuery, parseLogFilter, searchOfLog, wholeLog } from './log-filter.ts'
import { findWrongClock, SetClock } from './SetClock.tsx'
import { type Text, useText } from './text.ts'

const levelWords: Readonly<Record<CameraLogLevel, { readonly text: Text; readonly mood: Mood }>> = {
  info: { text: 'Info', mood: 'neutral' },
  warning: { text: 'Warning', mood: 'warning' },
  error: { text: 'Error', mood: 'danger' },
}

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
  eventsFollowed: 'Camera events connected',
  eventsLost: 'Camera events lost',
  clockWrong: 'Camera clock wrong',
  clockSet: 'Camera clock set',
  gap: 'Gap in recording',
  repeated: 'Repeated events',
}

const ADDRESS = '/cameras/$cameraId/logs'

/** `wrongClock`: the entry that offers to set the clock, if one does. */
function useColumns(cameraId: string, wrongClock: number | undefined): readonly Column<CameraLogEntry>[] {
  const t = useText()
  const { when } = useMoments()
  return useMemo(
    () => [
      {
        key: 'time',
        header: t('Time'),
        width: timeWidths.second,
        cell: ({ time }) => <span className="tabular-nums">{when(time)}</span>,
      },
      {
        key: 'level',
        header: t('Level'),
        width: '8.5rem',
        cell: ({ level }) => <Badge mood={levelWords[level].mood}>{t(levelWords[level].text)}</Badge>,
      },
      { key: 'event', header: t('Event'), width: '14rem', cell: ({ event }) => t(eventWords[event]) },
      {
        key: 'detail',
        header: t('Details'),
        cell: ({ cameraLogId, detail }) => (
          <span className="flex flex-wrap items-center gap-3">
            <bdi lang="en" className="text-muted wrap-anywhere">
              {detail}
            </bdi>
            {cameraLogId === wrongClock ? <SetClock cameraId={cameraId} /> : null}
          </span>
        ),
      },
    ],
    [t, when, cameraId, wrongClock],
  )
}

/** Filter and page are only in the address, so links and the back button show the same entries. */
function useFilterInAddress(cameraId: string) {
  const router = useRouter()
  const search = useSearch({ from: '/signed-in/cameras/$cameraId/logs' })
  const filter = useMemo(() => parseLogFilter({ ...search }), [search])
  const { page } = parseListState({ ...search }, [])
  const go = (next: LogFilter, to: number, replace: boolean) =>
    void router.navigate({
      to: ADDRESS,
      params: { cameraId },
      search: searchOfLog(next, to),
      replace,
      resetScroll: false,
    })
  const place = {
    value: { search: '', sort: undefined, page },
    change: (part: Partial<ListState>, how: 'push' | 'replace') => go(filter, part.page ?? page, how === 'replace'),
  }
  return { filter, place, change: (next: LogFilter) => go(next, 0, true) }
}

function Filters({ filter, onChange }: { filter: LogFilter; onChange: (filter: LogFilter) => void }) {
  const t = useText()
  return (
    <>
      <DayFilter days={filter} onChange={(days) => onChange({ ...filter, ...days })} />
      <FilterMenu
        label={t('All levels')}
        choices={[
          { value: 'warning', label: t('Warnings and errors') },
          { value: 'error', label: t('Errors only') },
        ]}
        value={filter.level === 'info' ? undefined : filter.level}
        onChange={(level) => onChange({ ...filter, level })}
      />
    </>
  )
}

function Log({ cameraId }: { cameraId: string }) {
  const t = useText()
  const { client } = useApplication()
  const { timeZone, when } = useMoments()
  const { filter, place, change } = useFilterInAddress(cameraId)
  const query = logQuery(filter, timeZone)
  const { view, error, retry } = useServerRows<CameraLogEntry>({
    name: 'cameraLog',
    queryKey: ['cameras', cameraId, 'logs', query],
    fetch: (wish, _, signal) =>
      client.page(getCameraLogs, { params: { cameraId: Number(cameraId) }, query }, wish, { signal }),
    filter: isFiltering(filter) ? { onClear: () => change(wholeLog) } : undefined,
    place,
  })
  const maySet = useMay()(setCameraClock) === true && place.value.page === 0
  const columns = useColumns(cameraId, maySet ? findWrongClock(view.rows)?.cameraLogId : undefined)
  return (
    <DataTable
      label={t('Camera log')}
      columns={columns}
      view={view}
      rowKey={({ cameraLogId }) => cameraLogId}
      rowName={({ time }) => when(time)}
      filters={<Filters filter={filter} onChange={change} />}
      empty={
        <EmptyState icon="list" title={t('No entries yet')}>
          {t('Connection and recording events for this camera appear here.')}
        </EmptyState>
      }
      failed={error === null ? undefined : <LoadFailed error={error} reset={retry} />}
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
