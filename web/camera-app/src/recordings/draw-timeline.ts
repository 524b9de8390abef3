import type { EndReason } from '@sightline/contract/recordings'
import { timeOfDay, utcOffset } from '@sightline/shell/local-day'
import { HOUR, labelStep, MINUTE, type Span, ticks, toX } from './span.ts'

/** What to draw. Times are milliseconds since 1970. */
export interface TimelineContent {
  readonly recorded: readonly Span[]
  /** Those of them that came from the camera's card. */
  readonly fromCard: readonly Span[]
  readonly gaps: readonly (Span & { readonly reason: EndReason })[]
}

/** The footage of one camera. */
export interface TimelineRow {
  /** Of the camera; undefined if there is only one. */
  readonly name?: string
  readonly content: TimelineContent
}

export interface TimelineLook {
  readonly span: Span
  readonly now: number
  /** The playback position; undefined while live. */
  readonly playhead: number | undefined
  /** The pointer position. */
  readonly hover: number | undefined
  readonly timeZone: string
  /** CSS pixels. */
  readonly width: number
  readonly height: number
}

export interface TimelineColours {
  readonly track: string
  readonly recorded: string
  readonly gap: string
  readonly text: string
  readonly muted: string
  readonly line: string
  readonly playhead: string
  readonly now: string
}

const LABEL_ROOM = 64
const LABEL_HEIGHT = 20
const RADIUS = 4

/** Draws one frame. The context is scaled so that one unit is one CSS pixel. */
export function drawTimeline(
  context: CanvasRenderingContext2D,
  rows: readonly TimelineRow[],
  look: TimelineLook,
  colours: TimelineColours,
): void {
  const { width, height } = look
  context.clearRect(0, 0, width, height)
  const track = { top: LABEL_HEIGHT, height: height - LABEL_HEIGHT - 6 }
  drawTrack(context, { look, colours, track })
  for (const [index, { content }] of rows.entries()) {
    drawStretches(context, { content, look, colours, track: rowTrack(track, index, rows.length) })
  }
  drawLabels(context, look, colours)
  drawMarks(context, { look, colours, track })
}

interface Part {
  readonly look: TimelineLook
  readonly colours: TimelineColours
  readonly track: { readonly top: number; readonly height: number }
}

/** CSS pixels between two rows. */
const ROW_ROOM = 2

function rowTrack(track: Part['track'], index: number, count: number): Part['track'] {
  const height = (track.height - ROW_ROOM * (count - 1)) / count
  return { top: track.top + index * (height + ROW_ROOM), height }
}

function drawTrack(context: CanvasRenderingContext2D, { look, colours, track }: Part): void {
  context.fillStyle = colours.track
  context.beginPath()
  context.roundRect(0, track.top, look.width, track.height, RADIUS)
  context.fill()
  hatchFuture(context, { look, colours, track })
}

/** The future is hatched, so that it doesn't look like missing footage. */
function hatchFuture(context: CanvasRenderingContext2D, { look, colours, track }: Part): void {
  const start = Math.max(0, toX(look.now, look.span, look.width))
  if (start >= look.width) return
  context.save()
  context.beginPath()
  context.rect(start, track.top, look.width - start, track.height)
  context.clip()
  context.strokeStyle = colours.line
  context.lineWidth = 1
  context.beginPath()
  for (let x = start - track.height; x < look.width; x += 8) {
    context.moveTo(x, track.top + track.height)
    context.lineTo(x + track.height, track.top)
  }
  context.stroke()
  context.restore()
}

function drawStretches(context: CanvasRenderingContext2D, part: Part & { content: TimelineContent }): void {
  const { content, look, colours, track } = part
  const fill = (stretch: Span, colour: string, share: number) => {
    const from = Math.max(0, toX(stretch.from, look.span, look.width))
    const till = Math.min(look.width, toX(stretch.till, look.span, look.width))
    if (till < 0 || from > look.width) return
    context.fillStyle = colour
    // At the scale of a day, a short gap must still be visible, and so must a few seconds of footage.
    const height = track.height * share
    context.fillRect(from, track.top + track.height - height, Math.max(till - from, 1.5), height)
  }
  for (const stretch of content.recorded) fill(stretch, colours.recorded, 1)
  // A light line within: a layer of its own that is read without its color.
  for (const stretch of content.fromCard) fill(stretch, colours.track, 0.5)
  for (const stretch of content.fromCard) fill(stretch, colours.recorded, 0.32)
  // Also lower, for people who can't distinguish the two colors.
  for (const gap of content.gaps) fill(gap, colours.gap, 0.4)
}

function drawLabels(context: CanvasRenderingContext2D, look: TimelineLook, colours: TimelineColours): void {
  const step = labelStep(look.span, look.width, LABEL_ROOM)
  context.font = '500 11px system-ui, sans-serif'
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  for (const time of ticks(look.span, step, utcOffset(look.span.from, look.timeZone))) {
    const x = toX(time, look.span, look.width)
    context.fillStyle = colours.line
    context.fillRect(Math.round(x), LABEL_HEIGHT, 1, look.height - LABEL_HEIGHT - 6)
    const text = timeOfDay(time, look.timeZone, step >= MINUTE)
    const half = context.measureText(text).width / 2
    if (x - half < 0 || x + half > look.width) continue
    context.fillStyle = step >= HOUR ? colours.text : colours.muted
    context.fillText(text, x, LABEL_HEIGHT / 2)
  }
}

function drawMarks(context: CanvasRenderingContext2D, { look, colours, track }: Part): void {
  const line = (time: number, colour: string, thickness: number) => {
    const x = toX(time, look.span, look.width)
    if (x < -1 || x > look.width + 1) return undefined
    context.fillStyle = colour
    context.fillRect(x - thickness / 2, track.top - 4, thickness, track.height + 8)
    return x
  }
  line(look.now, colours.now, 2)
  if (look.hover !== undefined) line(look.hover, colours.muted, 1)
  if (look.playhead === undefined) return
  const x = line(look.playhead, colours.playhead, 2)
  if (x === undefined) return
  context.beginPath()
  context.moveTo(x - 6, track.top - 6)
  context.lineTo(x + 6, track.top - 6)
  context.lineTo(x, track.top + 3)
  context.fill()
}
