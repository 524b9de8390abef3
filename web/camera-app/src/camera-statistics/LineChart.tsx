import type { StatisticsPoint } from '@sightline/contract/camera-statistics'
import { useMoments } from '../account-time/index.ts'
import { CHART, linePath, scaleTop } from './chart-path.ts'
import { useText } from './text.ts'

/** What one chart shows of each point. */
export interface Series {
  readonly title: string
  readonly unit: string
  readonly valueOf: (point: StatisticsPoint) => number | null
}

interface LineChartProps {
  series: Series
  points: readonly StatisticsPoint[]
  /** Milliseconds since 1970. */
  span: { readonly from: number; readonly till: number; readonly point: number }
}

/** A line over time, with its last and its highest value in words. The table below has all values. */
export function LineChart({ series, points, span }: LineChartProps) {
  const t = useText()
  const moments = useMoments()
  const { from, till, point } = span
  const values = points.map(series.valueOf)
  const known = values.filter((value) => value !== null)
  const number = new Intl.NumberFormat(moments.locale)
  const written = (value: number) => `${number.format(value)} ${series.unit}`.trim()
  const top = scaleTop(values)
  const width = till - from
  const line = points.map((one, index) => ({
    x: (Date.parse(one.time) + point / 2 - from) / width,
    value: values[index] ?? null,
  }))
  const latest = known.at(-1)
  const summary =
    latest === undefined
      ? t('No data')
      : t('Latest: {latest}. Highest: {highest}.', { latest: written(latest), highest: written(Math.max(...known)) })
  return (
    <figure>
      <figcaption>
        <span className="block font-medium">{series.title}</span>
        <span className="block text-sm text-muted tabular-nums">{summary}</span>
      </figcaption>
      {/* Time runs from left to right, as in the timeline of a camera. */}
      <div dir="ltr" className="mt-2">
        <div className="relative h-24 border-y border-border">
          <span className="absolute end-0 top-0 bg-surface ps-1 text-xs text-muted tabular-nums" aria-hidden="true">
            {written(top)}
          </span>
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${CHART.width} ${CHART.height}`}
            preserveAspectRatio="none"
            className="size-full overflow-visible"
          >
            <path
              d={linePath(line, { top, gap: (point / width) * 1.5 })}
              className="fill-none stroke-control"
              strokeWidth="2"
              strokeLinecap="round"
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
        </div>
        <div aria-hidden="true" className="mt-1 flex justify-between gap-4 text-xs text-muted">
          <span>{moments.shortly(new Date(from))}</span>
          <span className="text-end">{moments.shortly(new Date(till))}</span>
        </div>
      </div>
    </figure>
  )
}
