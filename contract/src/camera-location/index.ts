import * as z from 'zod/mini'
import { id, idText, route } from '../wire/index.ts'
import { timeZoneName } from '../zones/index.ts'

const DEGREES = /^[+-]?\d{1,3}(\.\d{1,15})?$/

/** Decimal degrees, as a number or as the text that older clients send. */
const degrees = (most: number) =>
  z.pipe(
    z.union([z.number().check(z.gte(-most), z.lte(most)), z.string().check(z.regex(DEGREES))]),
    z.transform((given, ctx) => {
      const value = Number(given)
      if (Math.abs(value) <= most) return value
      ctx.issues.push({ code: 'custom', message: `must be from -${most} to ${most}`, input: given })
      return z.NEVER
    }),
  )

export const cameraLatitude = z.nullable(degrees(90))
export const cameraLongitude = z.nullable(degrees(180))

interface GivenPlace {
  readonly latitude?: number | null | undefined
  readonly longitude?: number | null | undefined
}

/** Both coordinates or none of them. */
export const bothCoordinates = z.refine<GivenPlace>(
  (given) =>
    typeof given.latitude === typeof given.longitude && (given.latitude === null) === (given.longitude === null),
  { path: ['longitude'], error: 'Please enter both latitude and longitude, or neither' },
)

/** Where a camera is. The coordinates are texts, as existing clients expect them. */
export const cameraLocation = z.object({
  cameraId: id,
  /** Decimal degrees; both null if the camera has no location. */
  latitude: z.nullable(z.string()),
  longitude: z.nullable(z.string()),
  /** A name of the TZ database; null: the account's. */
  timeZone: z.nullable(z.string()),
})
export type CameraLocation = z.infer<typeof cameraLocation>

const ofCamera = {
  path: 'cameras/{cameraId}/location',
  access: 'object',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  reply: cameraLocation,
} as const

export const getCameraLocation = route({
  ...ofCamera,
  name: 'getCameraLocation',
  summary: 'Get where a camera is, and its time zone',
  method: 'GET',
  right: 'CameraView',
  errors: ['notFound'],
})

export const patchCameraLocation = route({
  ...ofCamera,
  name: 'patchCameraLocation',
  summary: 'Set where a camera is, and its time zone; null clears either',
  method: 'PATCH',
  right: 'editCamera',
  body: z
    .object({
      latitude: z.optional(cameraLatitude),
      longitude: z.optional(cameraLongitude),
      timeZone: z.optional(z.nullable(timeZoneName)),
    })
    .check(bothCoordinates),
  errors: ['validation', 'notFound'],
})
