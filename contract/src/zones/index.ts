import * as z from 'zod/mini'
import { searchText } from '../user-details/index.ts'
import { dateTime, id, idText, route } from '../wire/index.ts'
import { zoneOrCameraNameProblem } from './rules.ts'

/** The name of a zone or camera; spaces around it are cut off. */
export const zoneOrCameraName = (which: 'Zone' | 'Camera') =>
  z.string().check(z.trim(), (ctx) => {
    const message = zoneOrCameraNameProblem(which, ctx.value)
    if (message !== undefined) ctx.issues.push({ code: 'custom', message, input: ctx.value })
  })

/** A name of the TZ database, at most 64 characters; the server knows which there are. */
export const timeZoneName = z.string().check(z.minLength(1), z.maxLength(64))

export { type FilledZone, holdsZone, MAX_NAME_LENGTH, seesZone, zoneOrCameraNameProblem } from './rules.ts'

/** Armed records and notifies, silent only records, disarmed does neither (specification §4). */
export const zoneMode = z.enum(['armed', 'silent', 'disarmed', 'private', 'scheduled'])
export const recordingMode = z.enum(['continuous', 'event'])

export const zone = z.object({
  zoneId: id,
  accountId: id,
  /** Unlike every other of the account, in any case. */
  name: z.string(),
  mode: zoneMode,
  recordingMode,
  /** Hours of recording, if they are the same for all cameras in the list; otherwise null. */
  retention: z.nullable(z.int()),
  /** Decimal degrees; both null if the zone has no location. */
  latitude: z.nullable(z.number()),
  longitude: z.nullable(z.number()),
  /** A name of the TZ database; null: the account's. */
  timeZone: z.nullable(z.string()),
  /** Those in the caller's scope, by name. */
  cameraIds: z.array(id),
  /** Multi-channel devices, if the caller has the whole zone; otherwise none. */
  deviceIds: z.array(id),
  /** Whether the zone is the caller's as a whole, not just a camera in it: only then it can be changed or emptied. */
  whole: z.boolean(),
  createdAt: dateTime,
})
export type Zone = z.infer<typeof zone>

const latitude = z.nullable(z.number().check(z.gte(-90), z.lte(90)))
const longitude = z.nullable(z.number().check(z.gte(-180), z.lte(180)))

/** Both coordinates or none of them. */
const placeCheck = z.refine<{ latitude?: number | null | undefined; longitude?: number | null | undefined }>(
  (given) =>
    typeof given.latitude === typeof given.longitude && (given.latitude === null) === (given.longitude === null),
  { path: ['longitude'], error: 'Please enter both latitude and longitude, or neither' },
)

const zoneFields = {
  latitude: z.optional(latitude),
  longitude: z.optional(longitude),
  timeZone: z.optional(z.nullable(timeZoneName)),
}
export const zoneCreate = z.object({ name: zoneOrCameraName('Zone'), ...zoneFields }).check(placeCheck)
export const zonePatch = z.object({ name: z.optional(zoneOrCameraName('Zone')), ...zoneFields }).check(placeCheck)
export type ZonePatch = z.infer<typeof zonePatch>

const zoneParams = z.object({ zoneId: idText })
const ofZone = { 'params.zoneId': 'zone' } as const

export const getZones = route({
  name: 'getZones',
  summary: 'List the zones the caller can access, or that contain a camera the caller can access',
  method: 'GET',
  path: 'zones',
  access: 'tenant',
  right: 'ZonesView',
  support: 'yes',
  query: z.object({
    /** Part of the name, any case. */
    q: z.optional(searchText(64)),
  }),
  reply: z.array(zone),
  list: { key: 'zoneId', sort: ['name', 'zoneId', 'createdAt'], defaultLimit: 'all' },
  errors: ['validation'],
})

export const postZone = route({
  name: 'postZone',
  summary: 'Create a zone; a sub-user who creates one gets access to it',
  method: 'POST',
  path: 'zones',
  access: 'tenant',
  right: 'addZone',
  support: 'yes',
  status: 201,
  created: 'zones/{zoneId}',
  body: zoneCreate,
  reply: zone,
  errors: ['validation', 'duplicate'],
})

export const getZone = route({
  name: 'getZone',
  summary: 'Get a zone',
  method: 'GET',
  path: 'zones/{zoneId}',
  access: 'object',
  right: 'ZonesView',
  support: 'yes',
  ids: ofZone,
  params: zoneParams,
  reply: zone,
  errors: ['notFound'],
})

export const patchZone = route({
  name: 'patchZone',
  summary: 'Update the name, location or time zone of a zone; null clears the location or time zone',
  method: 'PATCH',
  path: 'zones/{zoneId}',
  access: 'object',
  right: 'editZone',
  support: 'yes',
  ids: ofZone,
  params: zoneParams,
  body: zonePatch,
  reply: zone,
  errors: ['validation', 'notFound', 'duplicate'],
})

export const deleteZone = route({
  name: 'deleteZone',
  summary: 'Delete an empty zone; the last zone of an account can’t be deleted',
  method: 'DELETE',
  path: 'zones/{zoneId}',
  access: 'object',
  right: 'deleteZone',
  support: 'yes',
  ids: ofZone,
  params: zoneParams,
  status: 204,
  reply: z.undefined(),
  errors: ['notFound', 'businessRule'],
})
