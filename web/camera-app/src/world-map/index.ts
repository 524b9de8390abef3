/** A map of the world without an online service. */

export { MapScale } from './MapScale.tsx'
export { MapCredits, MapTools } from './MapTools.tsx'
export { near, nearest, type Spot, unwrap } from './map-geometry.ts'
export type { Shapes, WorldMap } from './open-map.ts'
export { type MapState, useMapMoves, useWorldMap } from './use-world-map.ts'
