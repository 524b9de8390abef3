import { EVENT, isByEvent } from './columns.ts'
import { CARD, gapClasses, LOCKED } from './footage.ts'

/** Opaque colors as pixels of an `ImageData` on a little-endian machine: `0xffbbggrr`. */
export interface PixelColours {
  readonly track: number
  readonly recorded: number
  /** Recorded because of an event, and events themselves. */
  readonly event: number
  readonly fault: number
  readonly pattern: number
  readonly locked: number
  readonly line: number
}

/** After the classes of gaps: nothing can be there yet. */
export const FUTURE = gapClasses.length + 1
const GAPS = FUTURE + 1
/** Patterns repeat after so many CSS pixels. */
const PERIOD = 8
const SHARES = 33
const FLAGS = 16

/** The heights of a row's parts in device pixels. */
export interface RowLayout {
  readonly height: number
  readonly events: number
  readonly ratio: number
}

export const rowLayout = (height: number, ratio: number): RowLayout => ({
  height,
  events: Math.max(Math.round(2 * ratio), Math.round(height * 0.24)),
  ratio,
})

/**
 * How a column of a row looks, for each combination of what it shows: a strip of pixels from top to bottom. There are few
 * combinations, so painting a row is a lookup per pixel, however many stretches it has.
 */
export class Strips {
  readonly parts: RowLayout
  readonly #colours: PixelColours
  readonly #phases: number
  readonly #places: Int32Array
  #pixels: Uint32Array
  #used = 0

  constructor(parts: RowLayout, colours: PixelColours) {
    this.parts = parts
    this.#colours = colours
    this.#phases = Math.max(1, Math.round(PERIOD * parts.ratio))
    this.#places = new Int32Array(SHARES * GAPS * FLAGS * this.#phases).fill(-1)
    this.#pixels = new Uint32Array(64 * parts.height)
  }

  get pixels(): Uint32Array {
    return this.#pixels
  }

  /** Where the strip of a column begins in {@link pixels}. */
  placeOf(x: number, { share, gap, flags }: { share: number; gap: number; flags: number }): number {
    const phase = x % this.#phases
    const level = share === 0 ? 0 : 1 + ((share * (SHARES - 2)) >> 8)
    const exact = share === 255 ? SHARES - 1 : level
    const key = ((exact * GAPS + gap) * FLAGS + flags) * this.#phases + phase
    const known = this.#places[key] ?? -1
    if (known >= 0) return known
    const place = this.#used
    this.#used += this.parts.height
    if (this.#used > this.#pixels.length) {
      const more = new Uint32Array(this.#pixels.length * 2)
      more.set(this.#pixels)
      this.#pixels = more
    }
    this.#places[key] = place
    this.#paint(place, { share: exact / (SHARES - 1), gap, flags, phase })
    return place
  }

  #paint(place: number, shown: { share: number; gap: number; flags: number; phase: number }): void {
    for (let y = 0; y < this.parts.height; y += 1) this.#pixels[place + y] = this.#pixel(y, shown)
  }

  #pixel(y: number, shown: { share: number; gap: number; flags: number; phase: number }): number {
    const { track, event } = this.#colours
    const { events } = this.parts
    if (y < events) return (shown.flags & EVENT) !== 0 && y < events - this.parts.ratio / 2 ? event : track
    return this.#body(y - events, shown)
  }

  /** Below the lane of events: what is recorded, from the bottom up, and why not. */
  #body(y: number, { share, gap, flags, phase }: { share: number; gap: number; flags: number; phase: number }): number {
    const { height, events, ratio } = this.parts
    const { track, recorded, event, locked, line } = this.#colours
    const room = height - events
    const fromBottom = (room - y) / room
    const fault = this.#fault(fromBottom, { gap, phase })
    if (fault !== undefined) return fault
    if (share > 0 && fromBottom <= Math.max(share, 0.12)) {
      if ((flags & LOCKED) !== 0 && y < 2 * ratio) return locked
      // A light line within: a layer of its own that is read without its color.
      if ((flags & CARD) !== 0 && fromBottom > 0.3 && fromBottom < 0.55) return track
      return isByEvent(flags) ? event : recorded
    }
    if (gap === FUTURE) return this.#isDiagonal(y, phase) ? line : track
    return this.#absence(y, { gap, phase }) ?? track
  }

  /** A fault is red and low. The server's is striped, so that it isn't taken for the camera's without its color. */
  #fault(fromBottom: number, { gap, phase }: { gap: number; phase: number }): number | undefined {
    const name = gapClasses[gap - 1]
    const { fault, track } = this.#colours
    if (name === 'camera') return fromBottom <= 0.45 ? fault : undefined
    if (name !== 'server' || fromBottom > 0.7) return undefined
    return phase % Math.round(4 * this.parts.ratio) < 2 * this.parts.ratio ? fault : track
  }

  /** Nothing was to be recorded: thin diagonals. It was deleted: dots. Both are quiet, because nothing failed. */
  #absence(y: number, { gap, phase }: { gap: number; phase: number }): number | undefined {
    const name = gapClasses[gap - 1]
    const { ratio } = this.parts
    const { pattern } = this.#colours
    if (name === 'planned') return ((((phase + y) / ratio) % 4) | 0) === 0 ? pattern : undefined
    if (name !== 'deleted') return undefined
    return (((y / ratio) % 4) | 0) === 1 && (((phase / ratio) % 4) | 0) === 1 ? pattern : undefined
  }

  #isDiagonal(y: number, phase: number): boolean {
    return ((((phase + y) / this.parts.ratio) % PERIOD) | 0) === 0
  }
}
