import { IconButton, Notice } from '@sightline/kit'
import { useApplication } from '@sightline/shell'
import { localDate } from '@sightline/shell/local-day'
import { useQueries } from '@tanstack/react-query'
import {
  type CSSProperties,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { createPortal } from 'react-dom'
import { browserLocale } from '../locale.ts'
import { useKeys } from '../use-keys.ts'
import { FootageLists } from './FootageLists.tsx'
import type { LocalFormat } from './gap-text.ts'
import { HoverCard } from './HoverCard.tsx'
import { LevelButtons } from './LevelButtons.tsx'
import { SelectedRange } from './SelectedRange.tsx'
import { EventButtons, LegendButton, MarkButtons } from './TimelineButtons.tsx'
import { useText } from './text.ts'
import { HOUR, SECOND, type Span, spanLength } from './timeline/span.ts'
import { TimelineView, type ViewSummary } from './timeline/view.ts'
import { zoneClock } from './timeline/zone-clock.ts'
import { loadFootage } from './timeline-calls.ts'
import { NO_MARKS, type TimelineProps, type TimelineRow, withEnd, withStart } from './timeline-props.ts'

const ZOOM_STEP = 0.5

/** CSS pixels above and below the rows, and of a row. */
const AROUND_ROWS = 26
const ROW_HEIGHT = 14
const LEAST_ROWS_HEIGHT = 40

/** On a phone in landscape. */
const LOW_ROW_HEIGHT = 8
const LEAST_LOW_HEIGHT = 30

const rowsHeight = (rowCount: number, each: number, least: number) =>
  `${AROUND_ROWS + Math.max(rowCount * each, least)}px`

/** The heights of several rows, for the style `severalClass`. */
const severalHeights = (rowCount: number) =>
  ({
    '--rows-height': rowsHeight(rowCount, ROW_HEIGHT, LEAST_ROWS_HEIGHT),
    '--low-rows-height': rowsHeight(rowCount, LOW_ROW_HEIGHT, LEAST_LOW_HEIGHT),
  }) as CSSProperties

const severalClass = 'h-(--rows-height) short:h-(--low-rows-height)'
const singleClass = 'h-16 pointer-coarse:h-20 short:h-14'

/** One view as long as the component is on the screen. */
function useView(props: TimelineProps, locale: string): TimelineView {
  const { client } = useApplication()
  const { timeZone, rows, now, playhead, onPick, onMarks, marks = NO_MARKS, day } = props
  const [view] = useState(
    () =>
      new TimelineView({
        span: day,
        timeZone,
        now,
        locale,
        load: loadFootage(client),
        onPick: () => undefined,
        onMarks: () => undefined,
      }),
  )
  const pick = useEffectEvent(onPick)
  const mark = useEffectEvent((next: typeof marks) => onMarks?.(next))
  const cameraIds = rows.map(({ cameraId }) => cameraId).join()
  useEffect(() => {
    const ids = cameraIds === '' ? [] : cameraIds.split(',').map(Number)
    view.update({ onPick: (time) => pick(time), onMarks: (next) => mark(next), timeZone, locale, cameraIds: ids })
  }, [view, timeZone, locale, cameraIds])
  useEffect(() => view.model.setNow(now), [view, now])
  useEffect(() => view.model.setPlayhead(playhead), [view, playhead])
  useEffect(() => view.model.setMarks(marks), [view, marks])
  useDay(view, day, playhead)
  useRefresh(view, cameraIds)
  return view
}

/** A little more than the longest day. */
const A_DAY = 26 * HOUR

const middleOf = ({ from, till }: Span): number => (from + till) / 2

/** Whether this day is the one that is visible. */
const dayInView = (span: Span, day: Span): boolean =>
  spanLength(span) <= A_DAY && middleOf(span) >= day.from && middleOf(span) < day.till

type VisibleDayProps = Pick<TimelineProps, 'day' | 'timeZone' | 'onDay' | 'playhead' | 'now'>

/** Tells which day is visible after the timeline was moved: of two days around midnight the one that is watched. */
function useVisibleDay({ day, timeZone, onDay, playhead, now }: VisibleDayProps, span: Span): void {
  const watched = playhead ?? now
  const tell = useEffectEvent((moved: Span) => {
    if (spanLength(moved) > A_DAY) return
    const time = watched >= moved.from && watched < moved.till ? watched : middleOf(moved)
    if (time < day.from || time >= day.till) onDay?.(localDate(time, timeZone))
  })
  useEffect(() => tell(span), [span])
}

/** Another day was chosen: it is shown. If playback reached it by itself, the range stays. */
function useDay(view: TimelineView, day: Span, playhead: number | undefined): void {
  const shown = useRef(day)
  const show = useEffectEvent((next: Span) => {
    const isPlayed = playhead !== undefined && playhead >= next.from && playhead < next.till
    const { span } = view.model
    if (dayInView(span, next)) return
    if (isPlayed && playhead >= span.from && playhead <= span.till) return
    // A closer look stays one.
    const length = Math.min(spanLength(span), spanLength(next))
    view.model.show(length < spanLength(next) ? { from: next.from, till: next.from + length } : next)
  })
  useEffect(() => {
    if (shown.current.from === day.from && shown.current.till === day.till) return
    shown.current = day
    show(day)
  }, [day])
}

/** Reads footage again when something else says that it changed, such as a deletion. */
function useRefresh(view: TimelineView, cameraIds: string): void {
  const ids = useMemo(() => (cameraIds === '' ? [] : cameraIds.split(',').map(Number)), [cameraIds])
  const changes = useQueries({
    queries: ids.map((cameraId) => ({
      queryKey: ['cameras', cameraId, 'footageChange'],
      // Nothing is asked: an invalidated query runs again, and so gets another value.
      queryFn: () => Promise.resolve(Date.now()),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  const known = useRef(new Map<number, number>())
  const times = changes.map(({ data }) => data ?? 0).join()
  useEffect(() => {
    for (const [index, time] of times.split(',').map(Number).entries()) {
      const cameraId = ids[index]
      if (cameraId === undefined || time === 0) continue
      const before = known.current.get(cameraId)
      known.current.set(cameraId, time)
      if (before !== undefined && before !== time) view.cache.refresh(cameraId)
    }
  }, [view, ids, times])
}

/** How far an arrow key goes: about a hundredth of what is visible, at least a second. */
const stepOf = (span: Span): number => Math.max(SECOND, Math.round(spanLength(span) / 100 / SECOND) * SECOND)

function keyTime(event: KeyboardEvent, value: number, span: Span): number | undefined {
  const step = event.shiftKey ? stepOf(span) * 10 : stepOf(span)
  switch (event.key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return value - step
    case 'ArrowRight':
    case 'ArrowUp':
      return value + step
    case 'Home':
      return span.from
    case 'End':
      return span.till
    default:
      return undefined
  }
}

interface Steps {
  /** The time from which the next step goes. */
  readonly base: () => number
  readonly go: (time: number) => void
}

/** Some of the page before stays visible. */
const PAGE_SHARE = 0.9
/** A picture arrives within this time, or nothing was recorded there. */
const STEP_MS = 3000

/**
 * Steps that follow each other quickly go on from where the one before leads, because its picture may still be on its
 * way, or lie after a gap.
 */
function useSteps(value: number, pick: (time: number) => number): Steps {
  const last = useRef({ time: 0, at: 0 })
  const base = () => (Date.now() - last.current.at < STEP_MS ? last.current.time : value)
  const go = (time: number) => {
    last.current = { time: pick(time), at: Date.now() }
  }
  return { base, go }
}

/** The present is still being written. */
const SETTLED_MS = SECOND

interface FootageTimelineProps extends Omit<TimelineProps, 'tools'> {
  /** Where the timeline's own buttons go. */
  slot: HTMLElement | null
}

export function FootageTimeline(props: FootageTimelineProps) {
  const { timeZone, rows, now, playhead, onPick, slot } = props
  const { languages } = useApplication()
  const locale = browserLocale(languages.current())
  const place = useMemo(() => ({ timeZone, locale }), [timeZone, locale])
  const view = useView(props, locale)
  const summary = useSyncExternalStore(view.subscribe, view.summary)
  const value = playhead ?? now
  const steps = useSteps(value, (time) => {
    const target = Math.min(time, now - SETTLED_MS)
    onPick(target)
    view.model.reveal(target)
    return target
  })
  useTimelineKeys(view, props, value)
  useVisibleDay(props, summary.span)
  return (
    <div>
      {slot === null ? null : createPortal(<Buttons {...{ view, props, steps, value }} level={summary.level} />, slot)}
      <div className="relative" aria-busy={summary.isWaiting || undefined}>
        <Line {...{ view, steps, value, place }} span={summary.span} rowCount={rows.length} />
        {summary.isWaiting ? <Loading /> : null}
        <HoverCard view={view} rows={rows} place={place} />
        <FootageLists {...{ view, rows, place, summary }} />
        <EmptyText {...{ view, rows, summary }} />
        <SelectedRange marks={props.marks ?? NO_MARKS} place={place} />
      </div>
      {summary.hasFailed ? <LoadFailure onRetry={() => view.cache.retry()} /> : null}
      <LegendButton look="line" />
    </div>
  )
}

/** The keys of the whole screen. */
function useTimelineKeys({ model }: TimelineView, props: FootageTimelineProps, value: number): void {
  const { now, onPick, marks = NO_MARKS, onMarks } = props
  const keysOfMarks = onMarks && {
    i: () => onMarks(withStart(marks, value)),
    o: () => onMarks(withEnd(marks, value)),
  }
  useKeys({
    '+': () => model.zoomBy(ZOOM_STEP),
    '=': () => model.zoomBy(ZOOM_STEP),
    '-': () => model.zoomBy(1 / ZOOM_STEP),
    home: () => onPick(Math.min(model.span.from, now - SETTLED_MS)),
    end: () => onPick(Math.min(model.span.till, now - SETTLED_MS)),
    ...keysOfMarks,
  })
}

interface ButtonsProps {
  view: TimelineView
  props: FootageTimelineProps
  steps: Steps
  value: number
  level: ViewSummary['level']
}

function Buttons({ view: { model }, props, steps, value, level }: ButtonsProps) {
  const t = useText()
  const { rows, marks = NO_MARKS, onMarks } = props
  return (
    <>
      <EventButtons cameraIds={rows.map(({ cameraId }) => cameraId)} position={steps.base} onGo={steps.go} />
      {onMarks === undefined ? null : <MarkButtons marks={marks} position={value} onMarks={onMarks} />}
      <LevelButtons level={level} onLevel={(chosen) => model.setLevel(chosen)} />
      {/* Phones pinch, or choose a level. */}
      <span className="flex max-sm:hidden">
        <IconButton icon="minus" label={t('Less detail')} onClick={() => model.zoomBy(1 / ZOOM_STEP)} />
        <IconButton icon="plus" label={t('More detail')} onClick={() => model.zoomBy(ZOOM_STEP)} />
      </span>
      <LegendButton look="icon" />
    </>
  )
}

interface LineProps {
  view: TimelineView
  steps: Steps
  value: number
  place: LocalFormat
  span: Span
  rowCount: number
}

/** The canvas, as a slider of time. */
function Line({ view, steps, value, place, span, rowCount }: LineProps) {
  const t = useText()
  const track = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current === null || track.current === null) return undefined
    return view.attach(canvas.current, track.current)
  }, [view])
  const spoken = useMemo(() => {
    const { locale, timeZone } = place
    const format = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'full', timeStyle: 'medium' })
    return (time: number) => `${format.format(time)} ${zoneClock(timeZone).nameAt(time)}`
  }, [place])
  const onKey = (event: KeyboardEvent) => {
    const { model } = view
    const screens = { PageUp: 1, PageDown: -1 }[event.key]
    const time = keyTime(event, steps.base(), model.span)
    if (time === undefined && screens === undefined) return
    event.preventDefault()
    if (screens !== undefined) model.panBy(screens * model.width * PAGE_SHARE)
    if (time !== undefined) steps.go(time)
  }
  return (
    <div
      ref={track}
      role="slider"
      tabIndex={0}
      aria-label={t('Timeline')}
      aria-valuemin={Math.floor(Math.min(span.from, value) / 1000)}
      aria-valuemax={Math.floor(Math.max(span.till, value) / 1000)}
      aria-valuenow={Math.floor(value / 1000)}
      aria-valuetext={spoken(value)}
      style={rowCount < 2 ? undefined : severalHeights(rowCount)}
      dir="ltr"
      className={`touch-pan-y cursor-pointer rounded-md select-none ${rowCount < 2 ? singleClass : severalClass}`}
      onKeyDown={onKey}
    >
      <canvas ref={canvas} className="size-full" />
    </div>
  )
}

function Loading() {
  const t = useText()
  return (
    <div
      role="progressbar"
      aria-label={t('Loading footage list')}
      className="pointer-events-none absolute inset-x-0 bottom-0 h-0.5 overflow-hidden"
    >
      <div className="absolute h-full w-1/3 animate-slide bg-focus" />
    </div>
  )
}

/** Says that nothing visible was recorded. It takes no room, so that the timeline doesn't move away from the pointer. */
function EmptyText(props: { view: TimelineView; rows: readonly TimelineRow[]; summary: ViewSummary }) {
  const { view, rows, summary } = props
  const t = useText()
  const isEmpty =
    !summary.isWaiting && !summary.hasFailed && summary.version > 0 && rows.every((_, index) => !view.hasFootage(index))
  return (
    <p
      role="status"
      className="pointer-events-none absolute inset-x-0 bottom-0 flex h-[calc(100%-1.25rem)] items-center justify-center text-muted"
    >
      {isEmpty ? <span className="rounded-sm bg-canvas px-2">{t('Nothing was recorded in this time.')}</span> : null}
    </p>
  )
}

function LoadFailure({ onRetry }: { onRetry: () => void }) {
  const t = useText()
  return (
    <Notice mood="danger">
      {t('Couldn’t load the footage list. Try again.')}{' '}
      <button type="button" className="text-link-underline" onClick={onRetry}>
        {t('Try again')}
      </button>
    </Notice>
  )
}
