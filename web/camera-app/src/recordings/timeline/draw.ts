import { addFootage, type Columns, clearColumns, newColumns, toScale } from './columns.ts'
import type { Footage } from './footage.ts'
import type { Span } from './span.ts'
import { toX } from './span.ts'
import { FUTURE, type PixelColours, rowLayout, Strips } from './strips.ts'
import { type TickTexts, tickStep, ticks } from './ticks.ts'
import type { ZoneClock } from './zone-clock.ts'

/** Colors of the canvas, as CSS. */
export interface LineColours {
  readonly text: string
  readonly muted: string
  readonly line: string
  readonly playhead: string
  readonly now: string
  readonly mark: string
  /** Behind the timeline. */
  readonly surface: string
}

/** From–till of a selection; one of them while the other isn't set. */
export interface Marks {
  readonly from: number | undefined
  readonly till: number | undefined
}

/** What a frame shows. Times are milliseconds since 1970, sizes CSS pixels. */
export interface Look {
  readonly span: Span
  readonly now: number
  /** The playback position; undefined while live. */
  readonly playhead: number | undefined
  readonly hover: number | undefined
  readonly marks: Marks
  readonly width: number
  readonly height: number
  /** Device pixels per CSS pixel. */
  readonly ratio: number
  readonly clock: ZoneClock
  /** The texts of the labels; without them there are none. */
  readonly texts: TickTexts | undefined
}

/** Footage, and the range in which it is drawn. */
type DrawnPart = Span & { readonly tile: { readonly footage: Footage } }

export const LABEL_HEIGHT = 20
const BELOW = 6
/** CSS pixels between two rows. */
const ROW_ROOM = 2
const LABEL_ROOM = 76
const FONT = '500 11px system-ui, sans-serif'
/** A gap of a second in a year is still a line. */
const LEAST_PX = 1.5

/** The top and the height of a row in CSS pixels. */
export function rowBounds(
  index: number,
  count: number,
  height: number,
): { readonly top: number; readonly height: number } {
  const each = (height - LABEL_HEIGHT - BELOW - ROW_ROOM * (count - 1)) / Math.max(count, 1)
  return { top: LABEL_HEIGHT + index * (each + ROW_ROOM), height: each }
}

/** The row at a height; the nearest one outside. */
export function rowIndex(y: number, count: number, height: number): number {
  const { height: each } = rowBounds(0, count, height)
  return Math.min(Math.max(Math.floor((y - LABEL_HEIGHT) / (each + ROW_ROOM)), 0), Math.max(count - 1, 0))
}

/** Draws frames of one canvas. It keeps its buffers, because a frame that allocates megabytes is a slow one. */
export class Painter {
  readonly #context: CanvasRenderingContext2D
  #columns: Columns = newColumns(0)
  #places = new Int32Array()
  #image: ImageData | undefined
  #pixels = new Uint32Array()
  #strips: Strips | undefined
  #pixelColours: PixelColours
  #colours: LineColours
  readonly #widths = new Map<string, number>()

  constructor(
    context: CanvasRenderingContext2D,
    colours: { readonly lines: LineColours; readonly pixels: PixelColours },
  ) {
    this.#context = context
    this.#colours = colours.lines
    this.#pixelColours = colours.pixels
  }

  setColours({ lines, pixels }: { readonly lines: LineColours; readonly pixels: PixelColours }): void {
    this.#colours = lines
    this.#pixelColours = pixels
    this.#strips = undefined
  }

  /** Draws one frame: `rows` has the known footage of each row. */
  draw(rows: readonly (readonly DrawnPart[])[], look: Look): void {
    const { ratio, width, height } = look
    const context = this.#context
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, width, height)
    const deviceWidth = Math.round(width * ratio)
    if (this.#columns.shares.length !== deviceWidth) {
      this.#columns = newColumns(deviceWidth)
      this.#places = new Int32Array(deviceWidth)
    }
    for (const [index, parts] of rows.entries()) this.#drawRow(parts, look, rowBounds(index, rows.length, height))
    if (look.texts !== undefined) this.#drawLabels(look, look.texts)
    this.#drawMarks(look)
  }

  #drawRow(parts: readonly DrawnPart[], look: Look, place: { readonly top: number; readonly height: number }): void {
    const { span, ratio, now } = look
    const width = this.#columns.shares.length
    const height = Math.max(1, Math.round(place.height * ratio))
    const columns = this.#columns
    clearColumns(columns)
    const scale = toScale(span, width, Math.max(1, Math.round(LEAST_PX * ratio)))
    // The sum of an hour or a day that isn't over reaches into the future.
    for (const { tile, from, till } of parts)
      addFootage(columns, tile.footage, scale, { from, till: Math.min(till, now) })
    const future = Math.max(0, Math.ceil((now - span.from) * scale.rate))
    for (let x = future; x < width; x += 1) if (columns.gaps[x] === 0) columns.gaps[x] = FUTURE
    const strips = this.#stripsFor(height, ratio)
    const places = this.#places
    for (let x = 0; x < width; x += 1) {
      places[x] = strips.placeOf(x, {
        share: columns.shares[x] ?? 0,
        gap: columns.gaps[x] ?? 0,
        flags: columns.flags[x] ?? 0,
      })
    }
    this.#paint(strips.pixels, { width, height, top: Math.round(place.top * ratio) })
  }

  #stripsFor(height: number, ratio: number): Strips {
    const { parts } = this.#strips ?? {}
    if (this.#strips !== undefined && parts?.height === height && parts.ratio === ratio) return this.#strips
    this.#strips = new Strips(rowLayout(height, ratio), this.#pixelColours)
    return this.#strips
  }

  #paint(strips: Uint32Array, { width, height, top }: { width: number; height: number; top: number }): void {
    if (this.#image?.width !== width || this.#image.height !== height) {
      this.#image = new ImageData(width, height)
      this.#pixels = new Uint32Array(this.#image.data.buffer)
    }
    const pixels = this.#pixels
    const places = this.#places
    let at = 0
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        pixels[at] = strips[(places[x] ?? 0) + y] ?? 0
        at += 1
      }
    }
    this.#context.putImageData(this.#image, 0, top)
  }

  #drawLabels(look: Look, texts: TickTexts): void {
    const { span, width, height, clock } = look
    const context = this.#context
    context.font = FONT
    context.textBaseline = 'middle'
    context.textAlign = 'center'
    let free = 0
    for (const { time, text, isMajor } of ticks(span, tickStep(span, width, LABEL_ROOM), { clock, texts })) {
      const x = toX(time, span, width)
      context.fillStyle = this.#colours.line
      context.fillRect(Math.round(x), LABEL_HEIGHT, 1, height - LABEL_HEIGHT - BELOW)
      const half = this.#widthOf(text) / 2
      // Where the clocks change, two labels may be closer than usual.
      if (x - half < free || x + half > width) continue
      free = x + half + 4
      context.fillStyle = isMajor ? this.#colours.text : this.#colours.muted
      context.fillText(text, x, LABEL_HEIGHT / 2)
    }
  }

  /** Measured once per text. */
  #widthOf(text: string): number {
    const known = this.#widths.get(text)
    if (known !== undefined) return known
    if (this.#widths.size > 2000) this.#widths.clear()
    const { width } = this.#context.measureText(text)
    this.#widths.set(text, width)
    return width
  }

  #drawMarks(look: Look): void {
    const { now, hover, playhead, height } = look
    const colours = this.#colours
    this.#drawSelection(look)
    this.#line(now, { colour: colours.now, thickness: 2, look })
    if (hover !== undefined) this.#line(hover, { colour: colours.muted, thickness: 1, look })
    if (playhead === undefined) return
    const x = this.#line(playhead, { colour: colours.playhead, thickness: 2, look })
    if (x === undefined) return
    const context = this.#context
    context.beginPath()
    context.moveTo(x - 6, LABEL_HEIGHT - 6)
    context.lineTo(x + 6, LABEL_HEIGHT - 6)
    context.lineTo(x, Math.min(LABEL_HEIGHT + 3, height))
    context.fill()
  }

  /** The chosen range, with a handle at each end. */
  #drawSelection(look: Look): void {
    const { marks, span, width, height } = look
    const context = this.#context
    const { from, till } = marks
    if (from !== undefined && till !== undefined) {
      const [start, end] = [Math.max(0, toX(from, span, width)), Math.min(width, toX(till, span, width))]
      // What is chosen keeps its colors; the rest is pale.
      context.globalAlpha = 0.6
      context.fillStyle = this.#colours.surface
      const [top, tall] = [LABEL_HEIGHT - 2, height - LABEL_HEIGHT]
      context.fillRect(0, top, Math.max(start, 0), tall)
      context.fillRect(end, top, Math.max(width - end, 0), tall)
      context.globalAlpha = 1
      if (end > start) {
        context.fillStyle = this.#colours.mark
        context.fillRect(start, LABEL_HEIGHT - 4, end - start, 3)
        context.fillRect(start, height - 3, end - start, 3)
      }
    }
    for (const [time, side] of [
      [from, 1],
      [till, -1],
    ] as const) {
      if (time === undefined) continue
      const x = this.#line(time, { colour: this.#colours.mark, thickness: 4, look })
      // A bracket, so that start and end differ without their color.
      if (x === undefined) continue
      context.fillRect(side > 0 ? x : x - 6, LABEL_HEIGHT - 4, 6, 3)
      context.fillRect(side > 0 ? x : x - 6, height - 3, 6, 3)
    }
  }

  #line(
    time: number,
    { colour, thickness, look }: { colour: string; thickness: number; look: Look },
  ): number | undefined {
    const { span, width, height } = look
    const x = toX(time, span, width)
    if (x < -1 || x > width + 1) return undefined
    this.#context.fillStyle = colour
    this.#context.fillRect(x - thickness / 2, LABEL_HEIGHT - 4, thickness, height - LABEL_HEIGHT + 2)
    return x
  }
}
