/** Zones and locations as other screens see them. */
export { type Coordinates, coordinateText, placeTexts, toCoordinates } from './coordinates.ts'
export { MapLinks } from './MapLinks.tsx'
export { PlaceFields } from './PlaceFields.tsx'
export { NorthArrow, PlacesDrawing, ScaleBar, useDrawingSize } from './PlacesDrawing.tsx'
export { TimeZoneField } from './TimeZoneField.tsx'
export { type PlaceValues, placeBody, placeRules } from './zone-form.ts'
export type { Size } from './zone-map.ts'
export { zoneQueries } from './zone-queries.ts'
