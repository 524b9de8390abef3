import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { eventTexts } from './event-texts.ts'
import { shareText } from './gap-lists.ts'
import { cardText, dayFormat, gapText, type LocalFormat, reasonTexts } from './gap-text.ts'
import { HoverPicture } from './HoverPicture.tsx'
import { type Translate, useText } from './text.ts'
import { CARD, reasons } from './timeline/footage.ts'
import { DAY, SECOND, spanLength } from './timeline/span.ts'
import type { Hover, TimelineView } from './timeline/view.ts'
import { zoneClock } from './timeline/zone-clock.ts'
import type { TimelineRow } from './timeline-props.ts'

interface HoverCardProps {
  view: TimelineView
  rows: readonly TimelineRow[]
  place: LocalFormat
}

/** Pictures nearer to each other than this are the same, in CSS pixels. */
const SAME_PICTURE_PX = 6

/** The time under the pointer, what is there, and its picture. */
export function HoverCard({ view, rows, place }: HoverCardProps) {
  const hover = useSyncExternalStore(view.subscribeHover, view.hover)
  const t = useText()
  const ref = useRef<HTMLDivElement>(null)
  const [half, setHalf] = useState(0)
  const text = hover === undefined ? '' : hoverText(view, hover, { place, t })
  const row = hover === undefined ? undefined : rows[hover.row]
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another width.
  useEffect(() => setHalf((ref.current?.offsetWidth ?? 0) / 2), [text])
  if (hover === undefined || row === undefined) return null
  const { width, span } = view.model
  const step = Math.max(SECOND, (spanLength(span) / width) * SAME_PICTURE_PX)
  const isRecorded = view.at(hover.row, hover.time).recorded !== undefined
  return (
    <div
      ref={ref}
      aria-hidden="true"
      dir="auto"
      data-hover={Math.round(hover.time)}
      style={{ left: Math.min(Math.max(hover.x, half), Math.max(half, width - half)) - half }}
      className="pointer-events-none absolute bottom-full z-20 mb-1 flex max-w-64 flex-col items-center overflow-hidden rounded-sm bg-text text-xs text-surface tabular-nums"
    >
      {isRecorded ? (
        <HoverPicture cameraId={row.cameraId} time={Math.round(Math.round(hover.time / step) * step)} />
      ) : null}
      <span className="px-2 py-1 text-center">
        {row.name === undefined ? null : <span className="block font-semibold">{row.name}</span>}
        {text}
      </span>
    </div>
  )
}

interface Words {
  readonly place: LocalFormat
  readonly t: Translate
}

/** What is at a time: an event, a gap with its cause, or footage. */
function hoverText(view: TimelineView, hover: Hover, words: Words): string {
  const event = view.eventNear(hover.row, hover.x)
  const text = footageText(view, hover, words)
  return event === undefined ? text : `${text} · ${words.t(eventTexts[event.type])}`
}

function footageText(view: TimelineView, hover: Hover, { place, t }: Words): string {
  const { row, time } = hover
  const { gap, recorded, isSum } = view.at(row, time)
  const moment = momentText(view, time, place)
  const reason = gap === undefined ? undefined : reasons[gap.code]
  if (isSum) {
    const share = (recorded?.share ?? 0) / 255
    const said = t('{time}: {share} recorded', { time: moment, share: shareText(share, place.locale) })
    return reason === undefined || share > 0.995 ? said : `${said} (${t(reasonTexts[reason])})`
  }
  if (gap !== undefined && reason !== undefined) return gapText({ ...gap, reason }, place, t)
  if (recorded !== undefined && (recorded.code & CARD) !== 0) return cardText(recorded, place, t)
  return moment
}

/** The time of day, with the date if several days are visible. */
function momentText(view: TimelineView, time: number, place: LocalFormat): string {
  const length = spanLength(view.model.span)
  const clock = zoneClock(place.timeZone).timeText(time, length <= 2 * DAY)
  return length <= DAY * 1.1 ? clock : `${dayFormat(place).format(time)}, ${clock}`
}
