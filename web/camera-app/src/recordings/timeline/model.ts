import type { Marks } from './draw.ts'
import { spanOfLevel, type ViewLevel } from './levels.ts'
import { centred, clamp, pan, reveal, type Span, spanLength, toTime, toX, within, zoom } from './span.ts'
import { type ZoneClock, zoneClock } from './zone-clock.ts'

/** A fling slows down to a third in this time. */
const FRICTION_MS = 300
/** Slower than this, in CSS pixels per millisecond, it stands still. */
const STILL = 0.02
/** A position that plays into the edge gets here, as a share of the width. */
const AHEAD = 0.25
const AT_PRESENT = 0.1
const EDGE = 0.02

export interface ModelSettings {
  readonly span: Span
  readonly timeZone: string
  readonly now: number
}

/**
 * What a timeline shows and how it moves, without anything that draws. Its range has no walls: midnight, months and clock
 * changes are only labels.
 */
export class TimelineModel {
  #span: Span
  #width = 0
  #now: number
  #playhead: number | undefined
  #marks: Marks = { from: undefined, till: undefined }
  #clock: ZoneClock
  #hoverX: number | undefined
  /** CSS pixels per millisecond. */
  #speed = 0
  onChange: () => void = () => undefined

  constructor({ span, timeZone, now }: ModelSettings) {
    this.#now = now
    this.#clock = zoneClock(timeZone)
    this.#span = span
  }

  get span(): Span {
    return this.#span
  }
  get width(): number {
    return this.#width
  }
  get now(): number {
    return this.#now
  }
  get playhead(): number | undefined {
    return this.#playhead
  }
  get marks(): Marks {
    return this.#marks
  }
  get clock(): ZoneClock {
    return this.#clock
  }
  get isMoving(): boolean {
    return this.#speed !== 0
  }
  /** The time under the pointer. */
  get hover(): number | undefined {
    return this.#hoverX === undefined || this.#width === 0 ? undefined : this.timeAt(this.#hoverX)
  }
  get hoverX(): number | undefined {
    return this.#hoverX
  }
  /** The playback position, or the present. */
  get position(): number {
    return this.#playhead ?? this.#now
  }

  timeAt = (x: number): number => toTime(x, this.#span, this.#width)
  xOf = (time: number): number => toX(time, this.#span, this.#width)

  setWidth(width: number): void {
    if (width === this.#width) return
    this.#width = width
    this.onChange()
  }

  setTimeZone(timeZone: string): void {
    if (timeZone === this.#clock.timeZone) return
    this.#clock = zoneClock(timeZone)
    this.onChange()
  }

  setNow(now: number): void {
    const before = this.#now
    this.#now = now
    if (this.#playhead === undefined) this.#follow(before, now)
    this.onChange()
  }

  /** Undefined while live. The range follows only while the position is visible: whoever looks elsewhere stays there. */
  setPlayhead(playhead: number | undefined): void {
    const before = this.#playhead
    if (before === playhead) return
    this.#playhead = playhead
    if (playhead !== undefined) {
      // A time that was chosen elsewhere, such as in the address.
      if (before === undefined) this.#span = within(reveal(this.#span, playhead), this.#now)
      else this.#follow(before, playhead)
    }
    this.onChange()
  }

  setHover(x: number | undefined): void {
    if (x === this.#hoverX) return
    this.#hoverX = x
    this.onChange()
  }

  setMarks(marks: Marks): void {
    this.#marks = marks
    this.onChange()
  }

  /** Shows a range as it is, such as a day that was chosen. */
  show(span: Span): void {
    this.#speed = 0
    // Today's morning may show a future of most of a day.
    this.#span = span.from < this.#now ? span : within(span, this.#now)
    this.onChange()
  }

  /** Moves as little as possible so that the time is visible. */
  reveal(time: number): void {
    this.#to(reveal(this.#span, time))
  }

  setLevel(level: ViewLevel): void {
    this.show(spanOfLevel(level, this.focus, { clock: this.#clock, now: this.#now }))
  }

  /** What levels and keys zoom at: the playback position if it is visible, else the middle. */
  get focus(): number {
    const { from, till } = this.#span
    const { position } = this
    return position >= from && position <= till ? position : (from + till) / 2
  }

  /** `x` stays at its position; without one, the position of playback gets into the middle. */
  zoomBy(factor: number, x?: number): void {
    this.#speed = 0
    this.#to(x === undefined ? centred(this.#span, factor, this.focus) : zoom(this.#span, factor, this.timeAt(x)))
  }

  /** CSS pixels; positive shows later times. */
  panBy(byPx: number): void {
    if (this.#width === 0) return
    this.#speed = 0
    this.#move(byPx)
  }

  /** Lets it move on after a drag, in CSS pixels per millisecond. */
  fling(speed: number): void {
    this.#speed = Math.abs(speed) < STILL * 10 ? 0 : clamp(speed, -8, 8)
    this.onChange()
  }

  /** Moves by what happened in so many milliseconds. */
  advance(elapsed: number): void {
    if (this.#speed === 0) return
    const before = this.#span.from
    this.#move(this.#speed * elapsed)
    this.#speed *= Math.exp(-elapsed / FRICTION_MS)
    if (Math.abs(this.#speed) < STILL || this.#span.from === before) this.#speed = 0
  }

  #move(byPx: number): void {
    this.#to(pan(this.#span, (byPx / this.#width) * spanLength(this.#span)))
  }

  #to(span: Span): void {
    this.#span = within(span, this.#now)
    this.onChange()
  }

  #follow(before: number, time: number): void {
    const { from, till } = this.#span
    const length = till - from
    const isStep = Math.abs(time - before) < length / 10
    const edge = isStep ? length * EDGE : 0
    if (before < from || before > till || (time >= from + edge && time <= till - edge)) return
    // A jump out of sight gets into the middle; what plays gets room ahead, so that it isn't reached at once again.
    const start = time - length * (isStep ? this.#shareAtEdge(time > before) : 0.5)
    this.#span = within({ from: start, till: start + length }, this.#now)
  }

  /** Where the position gets when it reaches an edge. Beyond the present, there is nothing to make room for. */
  #shareAtEdge(isForward: boolean): number {
    if (this.#playhead === undefined) return 1 - AT_PRESENT
    return isForward ? AHEAD : 1 - AHEAD
  }
}
