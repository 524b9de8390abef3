import { readColours } from './colours.ts'
import { LABEL_HEIGHT, type Marks, Painter, rowBounds, rowIndex } from './draw.ts'
import {
  findFirstEnding,
  readStretch,
  type Stretch,
  type Stretches,
  stretchCount,
  type TimelineEvent,
} from './footage.ts'
import { nearestViewLevel, type ViewLevel } from './levels.ts'
import { type ModelSettings, TimelineModel } from './model.ts'
import { TimelinePointer } from './pointer.ts'
import type { Span } from './span.ts'
import { TickTexts } from './ticks.ts'
import { type KnownPart, knownTiles, TileCache, type TileCacheSettings } from './tile-cache.ts'

/** What React shows around the canvas. It changes a few times per second at most, not with each frame. */
export interface ViewSummary {
  readonly span: Span
  readonly level: ViewLevel | undefined
  /** Something visible was never read. */
  readonly isWaiting: boolean
  readonly hasFailed: boolean
  /** Changes with what is known. */
  readonly version: number
}

/** Where the pointer is. */
export interface Hover {
  readonly x: number
  readonly time: number
  /** The index of its row. */
  readonly row: number
}

export interface ViewSettings extends ModelSettings, Pick<TileCacheSettings, 'load'> {
  readonly locale: string
  readonly onPick: (time: number) => void
  readonly onMarks: (marks: Marks) => void
}

const SUMMARY_MS = 200
/** CSS pixels around an event that count as on it. */
const HIT_PX = 6

/** A timeline on a canvas: at most one drawing per animation frame, and none while nothing changes. */
export class TimelineView {
  readonly model: TimelineModel
  readonly cache: TileCache
  #settings: ViewSettings
  #cameraIds: readonly number[] = []
  #texts: TickTexts
  #attached: Attached | undefined
  #frame = 0
  #lastFrame = 0
  #hoverY = 0
  #summary: ViewSummary
  #version = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #listeners = new Set<() => void>()
  readonly #hoverListeners = new Set<() => void>()
  #hover: Hover | undefined

  constructor(settings: ViewSettings) {
    this.#settings = settings
    this.model = new TimelineModel(settings)
    this.model.onChange = () => this.#request()
    this.cache = new TileCache({
      load: settings.load,
      now: () => Date.now(),
      onChange: () => {
        this.#version += 1
        this.#request()
      },
    })
    this.#texts = new TickTexts(this.model.clock, settings.locale)
    this.#summary = this.#summarize()
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly summary = (): ViewSummary => this.#summary
  readonly subscribeHover = (listener: () => void): (() => void) => {
    this.#hoverListeners.add(listener)
    return () => this.#hoverListeners.delete(listener)
  }
  readonly hover = (): Hover | undefined => this.#hover

  /** Follows what the screen says. */
  update(
    given: Pick<ViewSettings, 'onPick' | 'onMarks' | 'timeZone' | 'locale'> & { cameraIds: readonly number[] },
  ): void {
    const { timeZone, locale } = this.#settings
    this.#settings = { ...this.#settings, ...given }
    this.model.setTimeZone(given.timeZone)
    if (given.timeZone !== timeZone || given.locale !== locale)
      this.#texts = new TickTexts(this.model.clock, given.locale)
    if (given.cameraIds.join() !== this.#cameraIds.join()) this.#cameraIds = given.cameraIds
    this.#request()
  }

  /** Draws into a canvas that fills `track`, until the returned function is called. */
  attach(canvas: HTMLCanvasElement, track: HTMLElement): () => void {
    const context = canvas.getContext('2d')
    if (context === null) return () => undefined
    const painter = new Painter(context, readColours(canvas))
    const pointer = new TimelinePointer(track, {
      onClick: (x, y) => this.#click(x, y),
      onHover: (x, y) => this.#setHover(x, y),
      onPan: (by) => this.model.panBy(by),
      onFling: (speed) => {
        if (!matchMedia('(prefers-reduced-motion: reduce)').matches) this.model.fling(-speed)
      },
      onZoom: (factor, x) => this.model.zoomBy(factor, x),
      markAt: (x, reach) => this.#markAt(x, reach),
      onMark: (mark, x) => this.#dragMark(mark, x),
    })
    const observer = new ResizeObserver(() => this.#resize())
    observer.observe(track)
    const scheme = new MutationObserver(() => this.#recolour())
    scheme.observe(document.documentElement, { attributeFilter: ['data-scheme'] })
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const recolour = () => this.#recolour()
    dark.addEventListener('change', recolour)
    this.#attached = { canvas, track, painter }
    this.#resize()
    return () => {
      this.#attached = undefined
      pointer.close()
      observer.disconnect()
      scheme.disconnect()
      dark.removeEventListener('change', recolour)
      cancelAnimationFrame(this.#frame)
      this.#frame = 0
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.cache.close()
    }
  }

  /** The events of a row in a range that are known, by their start. */
  eventsOf(row: number, span: Span): readonly TimelineEvent[] {
    return this.partsOf(row).flatMap(({ tile }) =>
      tile.footage.events.filter(({ from, till }) => from < span.till && till >= span.from),
    )
  }

  partsOf(row: number): readonly KnownPart[] {
    const cameraId = this.#cameraIds[row]
    return cameraId === undefined ? [] : knownTiles(this.cache, cameraId, this.model.span)
  }

  /** Whether anything is known to be recorded in a row's visible range. */
  hasFootage(row: number): boolean {
    const { span } = this.model
    return this.partsOf(row).some(({ tile }) => {
      const { recorded } = tile.footage
      const first = findFirstEnding(recorded, span.from)
      return first < stretchCount(recorded) && readStretch(recorded, first).from < span.till
    })
  }

  /** What is known of a row at a time: its gap, its footage, and whether they are sums. */
  at(row: number, time: number): MomentContent {
    const tile = this.partsOf(row).find(({ from, till }) => time >= from && time < till)?.tile
    if (tile === undefined) return { gap: undefined, recorded: undefined, isSum: false }
    const { recorded, gaps } = tile.footage
    const isSum = tile.level === 'days' || tile.level === 'hours'
    return { gap: stretchOf(gaps, time), recorded: stretchOf(recorded, time), isSum }
  }

  /** The event of a row that is drawn near a position. */
  eventNear(row: number, x: number): TimelineEvent | undefined {
    const { timeAt } = this.model
    const near = this.eventsOf(row, { from: timeAt(x - HIT_PX), till: timeAt(x + HIT_PX) })
    const time = timeAt(x)
    const distance = ({ from }: TimelineEvent) => Math.abs(from - time)
    return near.toSorted((one, other) => distance(one) - distance(other))[0]
  }

  #isInEventLane(y: number): boolean {
    const height = this.#attached?.track.clientHeight ?? 0
    const count = this.#cameraIds.length
    const place = rowBounds(rowIndex(y, count, height), count, height)
    return y >= LABEL_HEIGHT && y <= place.top + Math.max(place.height * 0.3, 5)
  }

  #click(x: number, y: number): void {
    const row = rowIndex(y, this.#cameraIds.length, this.#attached?.track.clientHeight ?? 0)
    const event = this.#isInEventLane(y) ? this.eventNear(row, x) : undefined
    const time = event?.from ?? this.model.timeAt(x)
    if (time <= this.model.now) this.#settings.onPick(Math.round(time))
  }

  #setHover(x: number | undefined, y: number): void {
    this.#hoverY = y
    this.model.setHover(x)
    // Also if only the row changed.
    this.#request()
  }

  /** The nearer of two marks. */
  #markAt(x: number, reach: number): 'from' | 'till' | undefined {
    const { marks, xOf } = this.model
    const distance = (time: number | undefined) =>
      time === undefined ? Number.POSITIVE_INFINITY : Math.abs(xOf(time) - x)
    const [from, till] = [distance(marks.from), distance(marks.till)]
    if (Math.min(from, till) > reach) return undefined
    return from < till ? 'from' : 'till'
  }

  #dragMark(mark: 'from' | 'till', x: number): void {
    const { marks, now } = this.model
    const time = Math.min(this.model.timeAt(x), now)
    const moved = { ...marks, [mark]: Math.round(time / 1000) * 1000 }
    const { from, till } = moved
    if (from !== undefined && till !== undefined && till <= from) return
    this.#settings.onMarks(moved)
  }

  #resize(): void {
    if (this.#attached === undefined) return
    const { track, canvas } = this.#attached
    const ratio = window.devicePixelRatio
    canvas.width = Math.round(track.clientWidth * ratio)
    canvas.height = Math.round(track.clientHeight * ratio)
    this.model.setWidth(track.clientWidth)
    this.#request()
  }

  #recolour(): void {
    if (this.#attached === undefined) return
    this.#attached.painter.setColours(readColours(this.#attached.canvas))
    this.#request()
  }

  #request(): void {
    if (this.#frame !== 0 || this.#attached === undefined) return
    this.#frame = requestAnimationFrame((at) => this.#draw(at))
  }

  #draw(at: number): void {
    this.#frame = 0
    if (this.#attached === undefined || this.model.width === 0) return
    const { model } = this
    const { painter, track } = this.#attached
    const wasMoving = model.isMoving
    if (wasMoving) model.advance(this.#lastFrame === 0 ? 16 : Math.min(50, at - this.#lastFrame))
    this.#lastFrame = model.isMoving ? at : 0
    const { span, now, playhead, marks, width, clock } = model
    const rows = this.#cameraIds.map((_, index) => this.partsOf(index))
    const look = { span, now, playhead, marks, width, clock, hover: model.hover }
    painter.draw(rows, { ...look, height: track.clientHeight, ratio: window.devicePixelRatio, texts: this.#texts })
    this.cache.want(this.#cameraIds, span)
    track.dataset.span = `${span.from}/${span.till}`
    track.dataset.marks = `${marks.from ?? ''}/${marks.till ?? ''}`
    this.#reportHover()
    this.#timer ??= setTimeout(() => this.#report(), SUMMARY_MS)
    if (model.isMoving) this.#request()
  }

  #reportHover(): void {
    const { hoverX, hover } = this.model
    const height = this.#attached?.track.clientHeight ?? 0
    const next =
      hoverX === undefined || hover === undefined
        ? undefined
        : { x: hoverX, time: hover, row: rowIndex(this.#hoverY, this.#cameraIds.length, height) }
    if (next?.x === this.#hover?.x && next?.time === this.#hover?.time && next?.row === this.#hover?.row) return
    this.#hover = next
    for (const listener of this.#hoverListeners) listener()
  }

  #report(): void {
    this.#timer = undefined
    const next = this.#summarize()
    const before = this.#summary
    const isSame = Object.entries(next).every(([name, value]) => value === before[name as keyof ViewSummary])
    if (isSame) return
    this.#summary = next
    for (const listener of this.#listeners) listener()
  }

  #summarize(): ViewSummary {
    const { span } = this.model
    return {
      span,
      level: nearestViewLevel(span),
      isWaiting: this.cache.isWaiting,
      hasFailed: this.cache.hasFailed,
      version: this.#version,
    }
  }
}

/** What is known at a time. */
export interface MomentContent {
  readonly gap: Required<Stretch> | undefined
  readonly recorded: Required<Stretch> | undefined
  readonly isSum: boolean
}

function stretchOf(stretches: Stretches, time: number): Required<Stretch> | undefined {
  const index = findFirstEnding(stretches, time)
  if (index >= stretchCount(stretches)) return undefined
  const found = readStretch(stretches, index)
  return found.from <= time ? found : undefined
}

interface Attached {
  readonly canvas: HTMLCanvasElement
  readonly track: HTMLElement
  readonly painter: Painter
}
