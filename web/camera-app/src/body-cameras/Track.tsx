import type { TrackPoint } from '@sightline/contract/body-cameras'
import type { Camera } from '@sightline/contract/cameras'
import { Card, EmptyState, Select, Skeleton, SkeletonGroup } from '@sightline/kit'
import { type Column, DataTable, timeWidths, useRowsInHand, useRowsPerPage } from '@sightline/kit/table'
import { LoadFailed, useApplication } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { trackQuery } from './body-camera-queries.ts'
import { TrackMap } from './TrackMap.tsx'
import { type Text, useText } from './text.ts'

const periods: readonly { readonly hours: number; readonly label: Text }[] = [
  { hours: 1, label: 'Last hour' },
  { hours: 24, label: 'Last 24 hours' },
  { hours: 168, label: 'Last 7 days' },
  { hours: 744, label: 'Last 31 days' },
]
const KMH_PER_MS = 3.6

function useColumns(): readonly Column<TrackPoint>[] {
  const t = useText()
  const { when, locale } = useMoments()
  return useMemo(
    () => [
      {
        key: 'time',
        header: t('Time'),
        width: timeWidths.second,
        sortBy: ({ time }) => time,
        cell: ({ time }) => <span className="tabular-nums">{when(time)}</span>,
      },
      {
        key: 'position',
        header: t('Position'),
        cell: ({ latitude, longitude }) => (
          <bdi dir="ltr" className="tabular-nums">
            {latitude.toFixed(5)}, {longitude.toFixed(5)}
          </bdi>
        ),
      },
      {
        key: 'speed',
        header: t('Speed'),
        cell: ({ speed }) => (speed === null ? '–' : `${Math.round(speed * KMH_PER_MS).toLocaleString(locale)} km/h`),
      },
      {
        key: 'heading',
        header: t('Heading'),
        minor: true,
        cell: ({ heading }) => (heading === null ? '–' : `${Math.round(heading)}°`),
      },
    ],
    [t, when, locale],
  )
}

function Positions({ points }: { points: readonly TrackPoint[] }) {
  const t = useText()
  const columns = useColumns()
  const [rowsPerPage, onRowsPerPage] = useRowsPerPage('bodyCameraTrack')
  const firstSort = { column: 'time', descending: true }
  const view = useRowsInHand({ rows: points, columns, rowsPerPage, onRowsPerPage, firstSort })
  return (
    <DataTable
      label={t('Positions')}
      columns={columns}
      view={view}
      rowKey={({ time }) => time}
      rowName={({ time }) => time}
      empty={<EmptyState icon="pin" title={t('No positions in this period')} />}
    />
  )
}

/** Where a body-worn camera was: a drawing, and the same as a table. */
export function Track({ camera }: { camera: Camera }) {
  const t = useText()
  const { client } = useApplication()
  const { shortly } = useMoments()
  const [hours, setHours] = useState(24)
  const { data, error, refetch } = useQuery(trackQuery(client, camera.cameraId, hours))
  const [first, last] = [data?.[0], data?.at(-1)]
  return (
    <Card
      title={t('Track')}
      description={t('Where the camera was. Positions are kept as long as recordings.')}
      aside={
        <Select label={t('Period')} value={hours} onChange={(event) => setHours(Number(event.target.value))}>
          {periods.map((period) => (
            <option key={period.hours} value={period.hours}>
              {t(period.label)}
            </option>
          ))}
        </Select>
      }
    >
      {data === undefined && error !== null ? <LoadFailed error={error} reset={() => void refetch()} /> : null}
      {data === undefined && error === null ? (
        <SkeletonGroup>
          <Skeleton className="h-80 w-full rounded-lg" />
        </SkeletonGroup>
      ) : null}
      {data === undefined ? null : (
        <div className="space-y-6">
          {first === undefined || last === undefined ? null : (
            <TrackMap
              points={data}
              label={t('Track of {camera} from {from} to {till}', {
                camera: camera.name,
                from: shortly(first.time),
                till: shortly(last.time),
              })}
            />
          )}
          <Positions points={data} />
        </div>
      )}
    </Card>
  )
}
