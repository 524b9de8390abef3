/** Zones and locations as other screens see them. */
export { coordinateText, toCoordinates } from './coordinates.ts'
export { MapLinks } from './MapLinks.tsx'
export { PlaceFields } from './PlaceFields.tsx'
export { PlacesDrawing } from './PlacesDrawing.tsx'
export { TimeZoneField } from './TimeZoneField.tsx'
export { type PlaceValues, placeBody, placeRules } from './zone-form.ts'
export { zoneQueries } from './zone-queries.ts'
