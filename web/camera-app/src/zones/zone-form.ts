import { type Zone, zoneOrCameraNameProblem } from '@sightline/contract/zones'
import { type Form, useForm } from '@sightline/kit'
import { coordinateProblem, coordinateText, readCoordinates } from './coordinates.ts'
import { useText } from './text.ts'

/** The values of the form. An empty time zone means the account's. */
export interface ZoneValues {
  readonly [field: string]: string
  readonly name: string
  readonly latitude: string
  readonly longitude: string
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

const rules = {
  name: (name: string) => zoneOrCameraNameProblem('Zone', name),
  latitude: (text: string, { longitude }: ZoneValues) => coordinateProblem('latitude', text) ?? lacks(text, longitude),
  longitude: (text: string, { latitude }: ZoneValues) => coordinateProblem('longitude', text) ?? lacks(text, latitude),
}

export function useZoneForm(saved: ZoneValues): ZoneForm {
  const t = useText()
  return useForm(saved, rules, t.message)
}

/** The request for a valid form. */
export function zoneBody(values: ZoneValues) {
  const place = readCoordinates(values.latitude, values.longitude)
  const { latitude, longitude } = place === 'none' || place === undefined ? { latitude: null, longitude: null } : place
  return {
    name: values.name.trim(),
    latitude,
    longitude,
    timeZone: values.timeZone === '' ? null : values.timeZone,
  }
}
