import { type Zone, zoneOrCameraNameProblem } from '@sightline/contract/zones'
import { type Form, useForm } from '@sightline/kit'
import { coordinateProblem, coordinateText, readCoordinates } from './coordinates.ts'
import { useText } from './text.ts'

/** Coordinates as they are typed; both empty: no location. */
export interface PlaceValues {
  readonly [field: string]: string
  readonly latitude: string
  readonly longitude: string
}

/** The values of the form. An empty time zone means the account's. */
export interface ZoneValues extends PlaceValues {
  readonly name: string
  readonly timeZone: string
}
export type ZoneForm = Form<ZoneValues>

export const zoneFields = ['name', 'latitude', 'longitude', 'timeZone'] as const

export const newZone: ZoneValues = { name: '', latitude: '', longitude: '', timeZone: '' }

export const zoneValues = ({ name, latitude, longitude, timeZone }: Zone): ZoneValues => ({
  name,
  latitude: coordinateText(latitude),
  longitude: coordinateText(longitude),
  timeZone: timeZone ?? '',
})

const BOTH = 'Please enter both latitude and longitude, or neither'
/** Error of an empty field if the other coordinate has a value. */
const lacks = (own: string, other: string): string | undefined =>
  own.trim() === '' && other.trim() !== '' ? BOTH : undefined

/** What is wrong with coordinates that are being typed. */
export const placeRules = {
  latitude: (text: string, { longitude }: PlaceValues) => coordinateProblem('latitude', text) ?? lacks(text, longitude),
  longitude: (text: string, { latitude }: PlaceValues) => coordinateProblem('longitude', text) ?? lacks(text, latitude),
}

const rules = { name: (name: string) => zoneOrCameraNameProblem('Zone', name), ...placeRules }

export function useZoneForm(saved: ZoneValues): ZoneForm {
  const t = useText()
  return useForm(saved, rules, t.message)
}

/** The coordinates of a valid form, as a request names them. */
export function placeBody(values: PlaceValues) {
  const place = readCoordinates(values.latitude, values.longitude)
  return place === 'none' || place === undefined ? { latitude: null, longitude: null } : place
}

/** The request for a valid form. */
export function zoneBody(values: ZoneValues) {
  return {
    name: values.name.trim(),
    ...placeBody(values),
    timeZone: values.timeZone === '' ? null : values.timeZone,
  }
}
