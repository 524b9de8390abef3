import {
  type CameraStatistics,
  getCameraStatistics,
  type StatisticsPeriod,
} from '@sightline/contract/camera-statistics'
import { Card, Select, Skeleton } from '@sightline/kit'
import { Loaded, useApplication } from '@sightline/shell'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { LineChart, type Series } from './LineChart.tsx'
import { type Text, useText } from './text.ts'

const periods: Readonly<Record<StatisticsPeriod, Text>> = {
  hour: 'Last hour',
  day: 'Last 24 hours',
  week: 'Last 7 days',
}

/** A minute is the shortest point. */
const LOOK_EVERY_MS = 30_000

function useSeries(): readonly Series[] {
  const t = useText()
  return [
    { title: t('Bandwidth'), unit: 'kbit/s', valueOf: ({ bandwidth }) => bandwidth },
    { title: t('Latency'), unit: 'ms', valueOf: ({ latency }) => latency },
    { title: t('Dropped frames'), unit: '', valueOf: ({ droppedFrames }) => droppedFrames },
    { title: t('Buffer'), unit: 'KiB', valueOf: ({ buffer }) => buffer },
  ]
}

/** All values, for those who can't see the charts and those who want numbers. */
function Table({ statistics, series }: { statistics: CameraStatistics; series: readonly Series[] }) {
  const t = useText()
  const moments = useMoments()
  const number = new Intl.NumberFormat(moments.locale)
  const title = ({ title: name, unit }: Series) => (unit === '' ? name : `${name} (${unit})`)
  return (
    <details>
      <summary className="cursor-pointer py-2 font-medium">{t('Show as table')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
      <section tabIndex={0} aria-label={t('Statistics')} className="max-h-96 overflow-auto">
        <table className="w-full text-sm tabular-nums">
          <thead>
            <tr className="border-b border-border text-start">
              <th scope="col" className="py-2 pe-4 text-start font-medium">
                {t('Time')}
              </th>
              {series.map((one) => (
                <th key={one.title} scope="col" className="py-2 pe-4 text-end font-medium">
                  {title(one)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {statistics.points.toReversed().map((point) => (
              <tr key={point.time} className="border-b border-border">
                <th scope="row" className="py-1.5 pe-4 text-start font-normal whitespace-nowrap">
                  {moments.shortly(point.time)}
                </th>
                {series.map((one) => {
                  const value = one.valueOf(point)
                  return (
                    <td key={one.title} className="py-1.5 pe-4 text-end">
                      {value === null ? '–' : number.format(value)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

function Charts({ statistics }: { statistics: CameraStatistics }) {
  const t = useText()
  const series = useSeries()
  const { points, from, till, pointSeconds } = statistics
  if (points.length === 0) {
    return (
      <p className="text-muted">
        {t('Nothing was measured in this time. Statistics appear within two minutes after the camera connects.')}
      </p>
    )
  }
  const span = { from: Date.parse(from), till: Date.parse(till), point: pointSeconds * 1000 }
  return (
    <div className="space-y-6">
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
        {series.map((one) => (
          <LineChart key={one.title} series={one} points={points} span={span} />
        ))}
      </div>
      <p className="text-sm text-muted">
        {t(
          'Latency is how much later than at best pictures arrive. The buffer is video that waits to be saved; it grows when the disk is slow.',
        )}
      </p>
      <Table statistics={statistics} series={series} />
    </div>
  )
}

/** Bandwidth, latency, dropped frames and buffer of a camera over time. */
export function StatisticsCard({ cameraId }: { cameraId: number }) {
  const t = useText()
  const { client } = useApplication()
  const [period, choose] = useState<StatisticsPeriod>('hour')
  const statistics = useQuery({
    queryKey: ['cameras', cameraId, 'statistics', period],
    queryFn: ({ signal }) => client.call(getCameraStatistics, { params: { cameraId }, query: { period } }, { signal }),
    staleTime: 0,
    refetchInterval: LOOK_EVERY_MS,
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={t('Statistics')}>
      <div className="space-y-6">
        <div className="max-w-60">
          <Select
            label={t('Period')}
            value={period}
            onChange={({ target }) => choose(target.value as StatisticsPeriod)}
          >
            {(Object.keys(periods) as StatisticsPeriod[]).map((one) => (
              <option key={one} value={one}>
                {t(periods[one])}
              </option>
            ))}
          </Select>
        </div>
        <Loaded asked={[statistics] as const} place={<Skeleton className="h-72 w-full" />}>
          {(loaded) => <Charts statistics={loaded} />}
        </Loaded>
      </div>
    </Card>
  )
}
