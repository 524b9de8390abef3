import type { Coordinates } from './coordinates.ts'

const EARTH_RADIUS_M = 6_371_008
const M_PER_DEGREE = (EARTH_RADIUS_M * Math.PI) / 180
/** Minimum extent: a single location, or several close together, is not enlarged further. */
const LEAST_M = 200
/** Margin of the drawing on each side. */
const MARGIN = 0.12

/** A point in the drawing: user units of the SVG, from its upper left corner. */
export interface Mark<Thing> {
  readonly x: number
  readonly y: number
  /** Locations so close together that they share one marker. */
  readonly things: readonly Thing[]
}

export interface ZoneMap<Thing> {
  readonly marks: readonly Mark<Thing>[]
  readonly metresPerUnit: number
  /** Whether the area is so large that distances are correct only in the middle of the drawing. */
  readonly isWide: boolean
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** Degrees east, starting after the widest empty stretch, so that Fiji is next to Samoa. */
function unwrapped(longitudes: readonly number[]): readonly number[] {
  const sorted = [...longitudes].sort((a, b) => a - b)
  const { start } = sorted.reduce(
    (widest, longitude, at) => {
      const gap = longitude - (sorted[at - 1] ?? (sorted.at(-1) ?? 0) - 360)
      return gap > widest.gap ? { start: longitude, gap } : widest
    },
    { start: 0, gap: -1 },
  )
  return longitudes.map((longitude) => (longitude < start ? longitude + 360 : longitude))
}

const middle = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2
const extent = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)

/**
 * Arranges locations with north up, at one scale (equirectangular around their center: within 0.1 % over 100 km).
 * Markers closer than `apart` units are combined.
 */
export function zoneMap<Thing>(
  things: readonly { readonly thing: Thing; readonly place: Coordinates }[],
  size: Size,
  apart: number,
): ZoneMap<Thing> {
  if (things.length === 0) return { marks: [], metresPerUnit: 1, isWide: false }
  const latitudes = things.map(({ place }) => place.latitude)
  const middleLatitude = middle(latitudes)
  const stretch = Math.max(0.01, Math.cos((middleLatitude * Math.PI) / 180))
  const east = unwrapped(things.map(({ place }) => place.longitude)).map((degrees) => degrees * stretch * M_PER_DEGREE)
  const north = latitudes.map((degrees) => degrees * M_PER_DEGREE)
  const room = 1 - 2 * MARGIN
  const metresPerUnit = Math.max(
    extent(east) / (size.width * room),
    extent(north) / (size.height * room),
    LEAST_M / (Math.min(size.width, size.height) * room),
  )
  const points = things.map(({ thing }, at) => ({
    thing,
    x: size.width / 2 + ((east[at] ?? 0) - middle(east)) / metresPerUnit,
    y: size.height / 2 - ((north[at] ?? 0) - middle(north)) / metresPerUnit,
  }))
  return { marks: gathered(points, apart), metresPerUnit, isWide: extent(latitudes) > 5 || extent(east) > 500_000 }
}

function gathered<Thing>(
  points: readonly { readonly thing: Thing; readonly x: number; readonly y: number }[],
  apart: number,
): readonly Mark<Thing>[] {
  const marks: { readonly x: number; readonly y: number; readonly things: Thing[] }[] = []
  for (const { thing, x, y } of points) {
    const near = marks.find((mark) => Math.hypot(mark.x - x, mark.y - y) < apart)
    if (near === undefined) marks.push({ x, y, things: [thing] })
    else near.things.push(thing)
  }
  return marks
}

/** The longest of 1, 2, 5, 10 … meters that fits into `most` units, and its length in the drawing. */
export function scaleBar(metresPerUnit: number, most: number): { readonly metres: number; readonly length: number } {
  const longest = metresPerUnit * most
  const power = 10 ** Math.floor(Math.log10(longest))
  const metres = ([5, 2, 1].find((step) => step * power <= longest) ?? 1) * power
  return { metres, length: metres / metresPerUnit }
}
