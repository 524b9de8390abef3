import { feature, mesh } from 'topojson-client'
import address from 'world-atlas/countries-50m.json?url'
import { near } from './map-geometry.ts'

export interface Outlines {
  readonly land: GeoJSON.MultiPolygon
  readonly borders: GeoJSON.MultiLineString
}

export type Atlas = TopoJSON.Topology<{ countries: TopoJSON.GeometryCollection; land: TopoJSON.GeometryCollection }>

/** The atlas has no cut at the date line: there, longitudes jump. Behind it they go on over 180 instead. */
function unwrapLine(line: readonly GeoJSON.Position[]): GeoJSON.Position[] {
  let before = line[0]?.[0] ?? 0
  return line.map(([longitude = 0, latitude = 0]) => {
    before = near(longitude, before)
    return [before, latitude]
  })
}

/** A ring around the pole, which is Antarctica's, is closed over the pole. */
function closedRing(ring: readonly GeoJSON.Position[]): GeoJSON.Position[] {
  const open = unwrapLine(ring)
  const [first, last] = [open[0], open.at(-1)]
  if (first === undefined || last === undefined || Math.abs((last[0] ?? 0) - (first[0] ?? 0)) < 180) return open
  return [...open, [last[0] ?? 0, -90], [first[0] ?? 0, -90], first]
}

/** The outlines of an atlas as a flat map can draw them. */
export function toOutlines(atlas: Atlas): Outlines {
  const { countries, land } = atlas.objects
  const polygons = feature(atlas, land).features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return [geometry.coordinates]
    return geometry.type === 'MultiPolygon' ? geometry.coordinates : []
  })
  const borders = mesh(atlas, countries, (one, other) => one !== other)
  return {
    land: { type: 'MultiPolygon', coordinates: polygons.map((rings) => rings.map(closedRing)) },
    borders: { type: 'MultiLineString', coordinates: borders.coordinates.map(unwrapLine) },
  }
}

/** Land and the borders between countries, from the product's own server. @throws without a connection */
export async function fetchOutlines(): Promise<Outlines> {
  const reply = await fetch(address)
  if (!reply.ok) throw new Error(`${address} answered ${reply.status}`)
  return toOutlines(await reply.json())
}
