import type { TrackPoint } from '@sightline/contract/body-cameras'
import { type Shapes, type Spot, unwrap } from '../world-map/index.ts'
import type { Coordinates } from '../zones/index.ts'

/** The earth's radius; a track of some kilometres is drawn as if the earth were flat there. */
const EARTH_M = 6_371_000
/** A track without a position for this long is drawn with a gap. */
const GAP_MS = 300_000
const RADIAN = Math.PI / 180
/** A track in one place still needs a scale. */
const SMALLEST_M = 20

export interface TrackDrawing {
  /** Each an unbroken stretch, as the `points` of an SVG polyline. */
  readonly lines: readonly string[]
  /** Of each position. */
  readonly spots: readonly Spot[]
  readonly metresPerUnit: number
}

/** Indexes of positions that follow each other without a gap. */
function splitAtGaps(points: readonly Pick<TrackPoint, 'time'>[]): readonly (readonly number[])[] {
  const stretches: number[][] = []
  let before = Number.NEGATIVE_INFINITY
  for (const [index, point] of points.entries()) {
    const time = Date.parse(point.time)
    if (time - before > GAP_MS) stretches.push([])
    stretches.at(-1)?.push(index)
    before = time
  }
  return stretches
}

/** The track for a map: its places as `unwrap` returns them. */
export function trackShapes(points: readonly TrackPoint[], places: readonly Coordinates[]): Shapes {
  const lines = splitAtGaps(points).map((stretch) => stretch.flatMap((index) => places[index] ?? []))
  const last = places.length - 1
  const dots = places.map((place, index) => ({ place, kind: kindOf(index, last) }))
  // First and last are above the others.
  return { lines, dots: dots.toSorted((one, other) => RANK[one.kind] - RANK[other.kind]) }
}

const RANK = { between: 0, first: 1, last: 2 } as const
function kindOf(index: number, last: number): keyof typeof RANK {
  if (index === last) return 'last'
  return index === 0 ? 'first' : 'between'
}

/** East and north of the first place in metres. */
function toMetres(places: readonly Coordinates[]): readonly Spot[] {
  const [origin] = places
  if (origin === undefined) return []
  const perLongitude = Math.cos(origin.latitude * RADIAN) * RADIAN * EARTH_M
  return places.map(({ latitude, longitude }) => ({
    x: (longitude - origin.longitude) * perLongitude,
    y: (latitude - origin.latitude) * RADIAN * EARTH_M,
  }))
}

/** A track, north up, as large as fits into the box with a margin; undefined without positions. */
export function drawTrack(
  points: readonly TrackPoint[],
  { width, height, margin }: { readonly width: number; readonly height: number; readonly margin: number },
): TrackDrawing | undefined {
  const metres = toMetres(unwrap(points))
  if (metres.length === 0) return undefined
  const [xs, ys] = [metres.map(({ x }) => x), metres.map(({ y }) => y)]
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const spanX = Math.max(right - left, SMALLEST_M)
  const spanY = Math.max(top - bottom, SMALLEST_M)
  const perMetre = Math.min((width - 2 * margin) / spanX, (height - 2 * margin) / spanY)
  const spots = metres.map(({ x, y }) => ({
    x: width / 2 + (x - (left + right) / 2) * perMetre,
    y: height / 2 - (y - (bottom + top) / 2) * perMetre,
  }))
  const lines = splitAtGaps(points).map((stretch) =>
    stretch.map((index) => `${spots[index]?.x.toFixed(1)},${spots[index]?.y.toFixed(1)}`).join(' '),
  )
  return { lines, spots, metresPerUnit: 1 / perMetre }
}
