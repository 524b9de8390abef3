import type { Coordinates } from '../zones/index.ts'

/** A place on the screen in CSS pixels, from the upper left corner of the map. */
export interface Spot {
  readonly x: number
  readonly y: number
}

/** The same meridian by the short way from another one: 179° west is 181° east, seen from 179° east. */
export const near = (longitude: number, before: number): number =>
  longitude + 360 * Math.round((before - longitude) / 360)

/** The same places, each by the short way from the one before: behind the date line, longitudes go on over 180. */
export function unwrap(places: readonly Coordinates[]): readonly Coordinates[] {
  let before = places[0]?.longitude ?? 0
  return places.map(({ latitude, longitude }) => {
    before = near(longitude, before)
    return { latitude, longitude: before }
  })
}

export interface Bounds {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}

/** The smallest area with all places; undefined without places. */
export function enclose(places: readonly Coordinates[]): Bounds | undefined {
  const [first] = places
  if (first === undefined) return undefined
  const around = { south: first.latitude, west: first.longitude, north: first.latitude, east: first.longitude }
  return places.reduce<Bounds>(
    ({ south, west, north, east }, { latitude, longitude }) => ({
      south: Math.min(south, latitude),
      west: Math.min(west, longitude),
      north: Math.max(north, latitude),
      east: Math.max(east, longitude),
    }),
    around,
  )
}

/** Which spot is nearest to another one and not farther away than `reach`; undefined if there is none. */
export function nearest(spots: readonly Spot[], to: Spot, reach: number): number | undefined {
  let found: number | undefined
  let least = reach
  for (const [index, { x, y }] of spots.entries()) {
    const distance = Math.hypot(x - to.x, y - to.y)
    if (distance > least) continue
    least = distance
    found = index
  }
  return found
}

/** Degrees between the lines of the grid; the finest ones are about 100 m apart. */
const GRID_STEPS = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001]
/** An area has at least this many lines in one direction. */
const LEAST_LINES = 4
const MERCATOR_END = 85

function multiples(from: number, till: number, step: number): readonly number[] {
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.max(0, Math.floor(till / step) - first + 1) }, (_, at) => (first + at) * step)
}

/** Parallels and meridians in an area, at round degrees. */
export function gridLines({ south, west, north, east }: Bounds): readonly (readonly Coordinates[])[] {
  const [bottom, top] = [Math.max(south, -MERCATOR_END), Math.min(north, MERCATOR_END)]
  const extent = Math.max(top - bottom, east - west)
  const step = GRID_STEPS.find((degrees) => extent / degrees >= LEAST_LINES) ?? GRID_STEPS.at(-1) ?? 1
  return [
    ...multiples(bottom, top, step).map((latitude) => [west, east].map((longitude) => ({ latitude, longitude }))),
    ...multiples(west, east, step).map((longitude) => [bottom, top].map((latitude) => ({ latitude, longitude }))),
  ]
}
