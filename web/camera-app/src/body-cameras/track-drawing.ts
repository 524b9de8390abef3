import type { TrackPoint } from '@sightline/contract/body-cameras'

/** The earth's radius; a track of some kilometres is drawn as if the earth were flat there. */
const EARTH_M = 6_371_000
/** A track without a position for this long is drawn with a gap. */
const GAP_MS = 300_000
const RADIAN = Math.PI / 180
/** A track in one place still needs a scale. */
const SMALLEST_M = 20
/** How much of the width the scale bar may take. */
const WIDEST_BAR = 0.3

export interface Spot {
  readonly x: number
  readonly y: number
}

export interface TrackDrawing {
  /** Each an unbroken stretch, as the `points` of an SVG polyline. */
  readonly lines: readonly string[]
  readonly first: Spot
  readonly last: Spot
  /** A round length and its width in the drawing. */
  readonly scale: { readonly metres: number; readonly width: number }
}

/** East and north of the first point in metres; across the date line, the short way. */
function toMetres(points: readonly TrackPoint[]): readonly Spot[] {
  const [origin] = points
  if (origin === undefined) return []
  const perLongitude = Math.cos(origin.latitude * RADIAN) * RADIAN * EARTH_M
  return points.map(({ latitude, longitude }) => ({
    x: (((((longitude - origin.longitude + 540) % 360) + 360) % 360) - 180) * perLongitude,
    y: (latitude - origin.latitude) * RADIAN * EARTH_M,
  }))
}

/** The largest of 1, 2 or 5 times a power of ten that isn't longer. */
function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most))
  return ([5, 2, 1].find((step) => step * power <= most) ?? 1) * power
}

/** A track, north up, as large as fits into the box with a margin; undefined without positions. */
export function drawTrack(
  points: readonly TrackPoint[],
  { width, height, margin }: { readonly width: number; readonly height: number; readonly margin: number },
): TrackDrawing | undefined {
  const spots = toMetres(points)
  const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)]
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const spanX = Math.max(right - left, SMALLEST_M)
  const spanY = Math.max(top - bottom, SMALLEST_M)
  const perMetre = Math.min((width - 2 * margin) / spanX, (height - 2 * margin) / spanY)
  const drawn = spots.map(({ x, y }) => ({
    x: width / 2 + (x - (left + right) / 2) * perMetre,
    y: height / 2 - (y - (bottom + top) / 2) * perMetre,
  }))
  const [first] = drawn
  const last = drawn.at(-1)
  if (first === undefined || last === undefined) return undefined
  const metres = roundLength((width * WIDEST_BAR) / perMetre)
  return { lines: unbroken(points, drawn), first, last, scale: { metres, width: metres * perMetre } }
}

function unbroken(points: readonly TrackPoint[], drawn: readonly Spot[]): readonly string[] {
  const lines: string[][] = []
  let before = Number.NEGATIVE_INFINITY
  for (const [index, { x, y }] of drawn.entries()) {
    const time = Date.parse(points[index]?.time ?? '')
    if (time - before > GAP_MS) lines.push([])
    lines.at(-1)?.push(`${x.toFixed(1)},${y.toFixed(1)}`)
    before = time
  }
  return lines.map((line) => line.join(' '))
}
