import type { StorageUsage } from '@sightline/contract/storage-usage'
import { byteSize } from '@sightline/shell'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useMoments } from '../account-time/index.ts'
import { hoursText } from './hours-text.ts'
import { byteScale } from './plot-scale.ts'
import { useText } from './text.ts'

type Day = StorageUsage['days'][number]

/** Width of a bar in drawing units; the rest is the gap. */
const BAR = 10
const BAR_WIDTH = 7.5
const HEIGHT = 100
/** If bars are narrower than pixels, there is no gap. */
const MOST_WITH_GAPS = 100

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -7, PageDown: 7 }

/** The bar that a key selects; undefined for other keys. */
function leadTo(key: string, at: number, last: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = steps[key]
  return step === undefined ? undefined : Math.max(0, Math.min(last, at + step))
}

const useWords = () => {
  const t = useText()
  const { locale, day: written } = useMoments()
  return ({ day, bytes, hours }: Day): string =>
    t('{day}: {size}, {hours} of footage', {
      day: written(day),
      size: byteSize(bytes, locale),
      hours: hoursText(hours, locale),
    })
}

function Bars({ days, top, at }: { days: readonly Day[]; top: number; at: number }) {
  const width = days.length > MOST_WITH_GAPS ? BAR : BAR_WIDTH
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${days.length * BAR} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full"
    >
      {days.map(({ day, bytes }, index) => {
        const height = top === 0 ? 0 : (bytes / top) * HEIGHT
        return (
          <rect
            key={day}
            x={index * BAR + (BAR - width) / 2}
            y={HEIGHT - height}
            width={width}
            height={height}
            className={index === at ? 'fill-text' : 'fill-control'}
          />
        )
      })}
    </svg>
  )
}

/** The grid lines with their values. */
function Scale({ scale, top }: { scale: readonly number[]; top: number }) {
  const { locale } = useMoments()
  return scale.map((value) => (
    <span
      key={value}
      aria-hidden="true"
      className="absolute inset-x-0 border-t border-border"
      style={{ bottom: `${top === 0 ? 0 : (value / top) * 100}%` }}
    >
      <span className="absolute -start-16 w-14 -translate-y-1/2 text-end text-xs whitespace-nowrap text-muted tabular-nums">
        {byteSize(value, locale)}
      </span>
    </span>
  ))
}

/** Storage per day as bars. Arrow keys and the pointer select a bar, whose values appear above. */
export function DaysPlot({ days }: { days: readonly Day[] }) {
  const t = useText()
  const words = useWords()
  const { day: written } = useMoments()
  const [chosen, choose] = useState<number>()
  const last = days.length - 1
  const at = Math.min(chosen ?? last, last)
  const now = days[at]
  const scale = byteScale(Math.max(0, ...days.map(({ bytes }) => bytes)))
  const top = scale.at(-1) ?? 0
  const onKeyDown = (event: KeyboardEvent) => {
    const next = leadTo(event.key, at, last)
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    choose(Math.max(0, Math.min(last, Math.floor(((event.clientX - left) / width) * days.length))))
  }
  const edges = [days[0], days[Math.floor(last / 2)], days[last]]
  return (
    <figure>
      <figcaption className="mb-4 font-medium tabular-nums">
        <bdi>{now === undefined ? null : words(now)}</bdi>
      </figcaption>
      {/* Time runs from left to right, as in the timeline of a camera. */}
      <div dir="ltr" className="ps-16 pe-2">
        <div
          role="slider"
          tabIndex={0}
          aria-label={t('Day')}
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={at + 1}
          aria-valuetext={now === undefined ? '' : words(now)}
          onKeyDown={onKeyDown}
          onPointerMove={onPointer}
          onPointerDown={onPointer}
          className="relative h-48 cursor-crosshair touch-pan-y rounded-sm outline-offset-4"
        >
          <Scale scale={scale} top={top} />
          <Bars days={days} top={top} at={at} />
        </div>
        <div aria-hidden="true" className="mt-2 flex justify-between gap-4 text-xs text-muted">
          {edges.map((edge, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: first, middle and last may be the same day.
            <span key={index} className={index === 1 ? 'max-sm:hidden' : ''}>
              {edge === undefined ? '' : written(edge.day)}
            </span>
          ))}
        </div>
      </div>
    </figure>
  )
}
