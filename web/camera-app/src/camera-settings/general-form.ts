import type { Camera, CameraPatch } from '@sightline/contract/cameras'
import { zoneOrCameraNameProblem } from '@sightline/contract/zones'
import { coordinateText, type PlaceValues, placeBody, placeRules } from '../zones/index.ts'

/** The values of the form. An empty time zone means the zone's or the account's. */
export interface GeneralValues extends PlaceValues {
  readonly name: string
  readonly zoneId: string
  readonly timeZone: string
  /** Hours. */
  readonly retention: string
}

export const generalFields = ['name', 'zoneId', 'timeZone', 'retention', 'latitude', 'longitude'] as const

export const generalValues = (camera: Camera): GeneralValues => ({
  name: camera.name,
  zoneId: String(camera.zoneId),
  timeZone: camera.timeZone ?? '',
  retention: String(camera.retention),
  latitude: coordinateText(camera.latitude),
  longitude: coordinateText(camera.longitude),
})

export const generalRules = { name: (name: string) => zoneOrCameraNameProblem('Camera', name), ...placeRules }

/** Only what was changed, so that nothing that somebody else changed meanwhile is put back. */
export function generalPatch(camera: Camera, values: GeneralValues): CameraPatch {
  const before = generalValues(camera)
  const isChanged = (name: (typeof generalFields)[number]) => values[name] !== before[name]
  return {
    ...(isChanged('name') && { name: values.name.trim() }),
    ...(isChanged('zoneId') && { zoneId: Number(values.zoneId) }),
    ...(isChanged('timeZone') && { timeZone: values.timeZone === '' ? null : values.timeZone }),
    ...(isChanged('retention') && { retention: Number(values.retention) }),
    ...((isChanged('latitude') || isChanged('longitude')) && placeBody(values)),
  }
}

const HOURS_A_DAY = 24
/** What can be chosen, in days: the storage options of packages (specification §9) and shorter times. */
const offeredDays = [1, 2, 3, 5, 7, 14, 30, 60, 90, 180, 365, 730]

/** How long footage can be kept, in hours, shortest first; the current time is always among them. */
export function retentionChoices(
  { retention, maxRetention }: Pick<Camera, 'retention' | 'maxRetention'>,
  mayShorten: boolean,
): readonly number[] {
  const offered = offeredDays.map((days) => days * HOURS_A_DAY).filter((hours) => hours <= maxRetention)
  const all = [...new Set([...offered, retention, maxRetention])].filter((hours) => hours > 0 || hours === retention)
  return all.filter((hours) => mayShorten || hours >= retention).sort((a, b) => a - b)
}

/** Hours as whole days where they are, else as hours. */
export const retentionWords = (hours: number): { readonly unit: 'days' | 'hours'; readonly count: number } =>
  hours % HOURS_A_DAY === 0 ? { unit: 'days', count: hours / HOURS_A_DAY } : { unit: 'hours', count: hours }
