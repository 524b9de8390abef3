import { IconButton } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { timeOfDay } from '@sightline/shell/local-day'
import { type KeyboardEvent, memo, type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { browserLocale } from '../locale.ts'
import { useText } from '../text.ts'
import { useKeys } from '../use-keys.ts'
import type { TimelineContent, TimelineRow } from './draw-timeline.ts'
import { cardText, gapText, type LocalFormat } from './gap-text.ts'
import { centred, MINUTE, pan, reveal, type Span, spanLength, toTime, toX, within, zoom } from './span.ts'
import { useCanvas, useSize } from './use-canvas.ts'
import { useDrag } from './use-drag.ts'

export interface TimelineProps {
  readonly day: Span
  readonly timeZone: string
  /** One per camera. */
  readonly rows: readonly TimelineRow[]
  readonly now: number
  /** The playback position; undefined while live. */
  readonly playhead: number | undefined
  /** Called when the user chooses a time in the past. */
  readonly onPick: (time: number) => void
  /** Content next to the zoom buttons: the day picker. */
  readonly tools?: ReactNode
}

const ZOOM_STEP = 0.5
const KEY_STEP_MS = 10_000

/** The visible part of the day. It follows the playback position, and the day when another one is chosen. */
function useSpan(day: Span, playhead: number | undefined) {
  const [span, setSpan] = useState<Span>(day)
  const [of, setOf] = useState(day)
  if (of.from !== day.from || of.till !== day.till) {
    setOf(day)
    setSpan(
      spanLength(span) >= spanLength(of) ? day : within({ from: day.from, till: day.from + spanLength(span) }, day),
    )
  }
  const [seen, setSeen] = useState(playhead)
  if (seen !== playhead) {
    setSeen(playhead)
    if (playhead !== undefined && playhead >= day.from && playhead < day.till) {
      // Only while the position is visible: a user who looks at another part of the day stays there.
      if (seen === undefined || (seen >= span.from && seen <= span.till)) setSpan(reveal(span, playhead, day))
    }
  }
  return [span, setSpan] as const
}

function HoverLabel({ x, width, text }: { x: number; width: number; text: string }) {
  const ref = useRef<HTMLSpanElement>(null)
  const [half, setHalf] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another width.
  useEffect(() => setHalf((ref.current?.offsetWidth ?? 0) / 2), [text])
  return (
    <span
      ref={ref}
      aria-hidden="true"
      style={{ left: Math.min(Math.max(x, half), Math.max(half, width - half)) - half }}
      className="pointer-events-none absolute bottom-full mb-1 rounded-sm bg-text px-2 py-1 text-xs whitespace-nowrap text-surface tabular-nums"
    >
      {text}
    </span>
  )
}

/** The gaps of the drawing as text for screen readers. Memoized, because the pointer moves over hundreds of them. */
const GapLists = memo(function GapLists({ rows, place }: { rows: readonly TimelineRow[]; place: LocalFormat }) {
  const t = useText()
  const label = t('Gaps in the footage')
  return rows.map(({ name, content }, index) => (
    <ul key={name ?? index} className="sr-only" aria-label={name === undefined ? label : `${label}: ${name}`}>
      {content.gaps.map((gap) => (
        <li key={gap.from} data-gap={gap.reason} data-from={gap.from} data-till={gap.till}>
          {gapText(gap, place, t)}
        </li>
      ))}
    </ul>
  ))
})

/** Footage that came from the camera's card, as text for screen readers. */
const CardList = memo(function CardList({ spans, place }: { spans: readonly Span[]; place: LocalFormat }) {
  const t = useText()
  if (spans.length === 0) return null
  return (
    <ul className="sr-only" aria-label={t('Footage from the camera’s card')}>
      {spans.map((span) => (
        <li key={span.from} data-card data-from={span.from} data-till={span.till}>
          {cardText(span, place, t)}
        </li>
      ))}
    </ul>
  )
})

/** CSS pixels above and below the rows, and of a row. */
const AROUND_ROWS = 26
const ROW_HEIGHT = 12
const LEAST_ROWS_HEIGHT = 40

const heightOf = (rowCount: number) =>
  rowCount < 2 ? undefined : { height: AROUND_ROWS + Math.max(rowCount * ROW_HEIGHT, LEAST_ROWS_HEIGHT) }

const keyTimes = (key: string, shift: boolean, value: number, { from, till }: Span): number | undefined => {
  const step = shift ? MINUTE : KEY_STEP_MS
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return value - step
    case 'ArrowRight':
    case 'ArrowUp':
      return value + step
    case 'Home':
      return from
    case 'End':
      return till
    default:
      return undefined
  }
}

/** Slider keys (WAI-ARIA), limited to the bounds. */
function moveByKey(event: KeyboardEvent, value: number, bounds: Span, onPick: (time: number) => void): void {
  const time = keyTimes(event.key, event.shiftKey, value, bounds)
  if (time === undefined) return
  event.preventDefault()
  onPick(Math.min(Math.max(time, bounds.from), bounds.till))
}

/** What is at a time: of a single camera a gap with its cause or footage of the card, otherwise only the time. */
function hoverText(
  rows: readonly TimelineRow[],
  time: number,
  { place, t }: { readonly place: LocalFormat; readonly t: ReturnType<typeof useText> },
): string {
  // Several cameras have different gaps at the same time.
  const { gaps, fromCard }: Pick<TimelineContent, 'gaps' | 'fromCard'> = (rows.length === 1
    ? rows[0]?.content
    : undefined) ?? { gaps: [], fromCard: [] }
  const isAt = (span: Span) => time >= span.from && time < span.till
  const gap = gaps.find(isAt)
  if (gap !== undefined) return gapText(gap, place, t)
  const card = fromCard.find(isAt)
  return card === undefined ? timeOfDay(time, place.timeZone) : cardText(card, place, t)
}

function Tools({ tools, onZoom }: { tools: ReactNode; onZoom: (factor: number) => void }) {
  const t = useText()
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-2">
      {tools}
      <span className="ms-auto flex">
        <IconButton icon="minus" label={t('Less detail')} onClick={() => onZoom(1 / ZOOM_STEP)} />
        <IconButton icon="plus" label={t('More detail')} onClick={() => onZoom(ZOOM_STEP)} />
      </span>
    </div>
  )
}

/** One day of footage: recordings, gaps and their causes. Click to play a moment; drag and zoom to look closer. */
export function Timeline({ day, timeZone, rows, now, playhead, onPick, tools }: TimelineProps) {
  const t = useText()
  const { languages } = useApplication()
  const locale = browserLocale(languages.current())
  const place = useMemo(() => ({ timeZone, locale }), [timeZone, locale])
  const track = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const { width, height } = useSize(track)
  const [span, setSpan] = useSpan(day, playhead)
  const [hoverX, setHoverX] = useState<number>()
  const hover = hoverX === undefined || width === 0 ? undefined : toTime(hoverX, span, width)
  const look = useMemo(
    () => ({ span, now, playhead, hover, timeZone, width, height }),
    [span, now, playhead, hover, timeZone, width, height],
  )
  useCanvas(canvas, rows, look)

  // Midnight belongs to the next day.
  const last = Math.min(day.till - 1000, now)
  const value = Math.min(Math.max(playhead ?? now, day.from), last)
  const zoomBy = (factor: number, anchor?: number) =>
    setSpan((before) => (anchor === undefined ? centred : zoom)(before, factor, anchor ?? value, day))
  const pick = useEffectEvent((time: number) => {
    if (time <= now) onPick(Math.max(time, day.from))
  })
  const drag = useDrag(track, {
    onClick: (x) => pick(toTime(x, span, width)),
    onHover: setHoverX,
    onPan: (byPx) => setSpan((before) => pan(before, (byPx / width) * spanLength(before), day)),
    onZoom: (factor, x) => zoomBy(factor, toTime(x, span, width)),
  })
  useKeys({
    '+': () => zoomBy(ZOOM_STEP),
    '=': () => zoomBy(ZOOM_STEP),
    '-': () => zoomBy(1 / ZOOM_STEP),
    home: () => pick(day.from),
    end: () => pick(last),
  })
  const label = hover === undefined ? '' : hoverText(rows, hover, { place, t })
  const spoken = useMemo(
    () => new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'full', timeStyle: 'medium' }),
    [locale, timeZone],
  )
  return (
    <div>
      <Tools tools={tools} onZoom={zoomBy} />
      <div className="relative">
        <div
          ref={track}
          role="slider"
          tabIndex={0}
          aria-label={t('Time of day')}
          aria-valuemin={Math.floor(day.from / 1000)}
          aria-valuemax={Math.floor(last / 1000)}
          aria-valuenow={Math.floor(value / 1000)}
          aria-valuetext={spoken.format(value)}
          data-span={`${span.from}/${span.till}`}
          style={heightOf(rows.length)}
          className="h-16 touch-pan-y cursor-pointer rounded-md select-none pointer-coarse:h-20"
          onKeyDown={(event) => moveByKey(event, value, { from: day.from, till: last }, onPick)}
          {...drag}
        >
          <canvas ref={canvas} className="size-full" />
        </div>
        {hoverX === undefined || hover === undefined ? null : (
          <HoverLabel x={toX(hover, span, width)} width={width} text={label} />
        )}
        <GapLists rows={rows} place={place} />
        {rows.map(({ name, content }, index) => (
          <CardList key={name ?? index} spans={content.fromCard} place={place} />
        ))}
      </div>
    </div>
  )
}
