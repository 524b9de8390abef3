/** Coordinates: decimal degrees, north and east positive. */
export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

/** The content of both fields: empty, coordinates, or invalid. */
export type CoordinatesInput = Coordinates | 'none' | undefined

const MOST = { latitude: 90, longitude: 180 } as const
/** About a tenth of a meter; more digits from a device are noise. */
const DIGITS = 6

const numberOf = (text: string): number =>
  /^[+-]?\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : Number.NaN

/** The error below a coordinate. Empty is valid, and so is a comma as the decimal separator. */
export function coordinateProblem(
  which: keyof typeof MOST,
  text: string,
): 'Enter decimal degrees from -90 to 90' | 'Enter decimal degrees from -180 to 180' | undefined {
  if (text.trim() === '' || Math.abs(numberOf(text)) <= MOST[which]) return undefined
  return which === 'latitude' ? 'Enter decimal degrees from -90 to 90' : 'Enter decimal degrees from -180 to 180'
}

/** The coordinates in the two fields; undefined if only one is filled in, or if one is invalid. */
export function readCoordinates(latitude: string, longitude: string): CoordinatesInput {
  if (latitude.trim() === '' && longitude.trim() === '') return 'none'
  const place = { latitude: numberOf(latitude), longitude: numberOf(longitude) }
  const isPlace = Math.abs(place.latitude) <= MOST.latitude && Math.abs(place.longitude) <= MOST.longitude
  return isPlace ? place : undefined
}

/** The text of a coordinate in a field. */
export const coordinateText = (degrees: number | null): string =>
  degrees === null ? '' : String(Number(degrees.toFixed(DIGITS)))

/** Two coordinates pasted from a map, as `52.37, 4.89`; undefined for other texts. */
export function parseCoordinates(text: string): Coordinates | undefined {
  const [, latitude = '', longitude = ''] = /^\s*([+-]?\d+\.\d+)\s*[,;\s]\s*([+-]?\d+\.\d+)\s*$/.exec(text) ?? []
  const place = latitude === '' ? undefined : readCoordinates(latitude, longitude)
  return place === 'none' ? undefined : place
}

/** `52.37028° N` and `4.89517° E`, as maps write it in every language. */
export function placeTexts({ latitude, longitude }: Coordinates): readonly [string, string] {
  const degrees = (value: number, [positive, negative]: readonly [string, string]) =>
    `${Math.abs(value).toFixed(5)}° ${value < 0 ? negative : positive}`
  return [degrees(latitude, ['N', 'S']), degrees(longitude, ['E', 'W'])]
}

/** A link for the device's map app (RFC 5870). */
export const mapProgramAddress = ({ latitude, longitude }: Coordinates): string => `geo:${latitude},${longitude}`

/** A page of a public map with a marker at the coordinates. */
export const openStreetMapAddress = ({ latitude, longitude }: Coordinates): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`

/** The coordinates of an object that may have none. */
export const toCoordinates = (one: {
  readonly latitude: number | null
  readonly longitude: number | null
}): Coordinates | undefined =>
  one.latitude === null || one.longitude === null ? undefined : { latitude: one.latitude, longitude: one.longitude }
