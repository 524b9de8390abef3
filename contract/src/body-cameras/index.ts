import * as z from 'zod/mini'
import { boundedText } from '../user-details/index.ts'
import { dateTime, dateTimeText, id, idText, route } from '../wire/index.ts'
import { zoneOrCameraName } from '../zones/index.ts'
import { mobileNetwork, wifiNetwork } from './payload.ts'

export {
  accessPointText,
  accessPointTextProblem,
  apnProblem,
  mccProblem,
  mncProblem,
  mobileNetworkPayload,
  type SetupNetwork,
  setupPayload,
  wifiNameProblem,
  wifiPasswordProblem,
} from './payload.ts'

/** How long a set-up code can be redeemed. */
export const SETUP_CODE_LIFE_MS = 30 * 60_000
/** Codes of one account that can still be redeemed. */
export const MAX_OPEN_SETUP_CODES = 20
/** Positions in one call of a camera. */
export const MAX_POSITIONS = 500
/** The longest track in one reply, and the most points of it; a longer track is thinned evenly in time. */
export const MAX_TRACK_MS = 31 * 86_400_000
export const MAX_TRACK_POINTS = 5000

/** The code itself is only in the reply to the request that created it. */
export const setupCode = z.object({
  setupCodeId: id,
  zoneId: id,
  expiresAt: dateTime,
  /** The camera that redeemed the code; null before. */
  cameraId: z.nullable(id),
})
export type SetupCode = z.infer<typeof setupCode>

export const newSetupCode = z.object({
  ...setupCode.def.shape,
  /** The text for the QR code. It contains the network's password and is not stored. */
  payload: z.string(),
})
export type NewSetupCode = z.infer<typeof newSetupCode>

const ofMembers = { module: 'bodyCams', support: 'no' } as const

export const postSetupCode = route({
  ...ofMembers,
  name: 'postSetupCode',
  summary:
    'Create a code that sets up one body-worn camera: the camera scans it, joins the network and registers itself',
  method: 'POST',
  path: 'bodyCameras/setupCodes',
  access: 'tenant',
  right: 'addPnpCamera',
  ids: { 'body.zoneId': 'zone' },
  status: 201,
  created: 'bodyCameras/setupCodes/{setupCodeId}/status',
  notReplayed: 'the reply has the password of a network, which is not stored',
  body: z
    .object({
      zoneId: id,
      /** The camera's. */
      name: zoneOrCameraName('Camera'),
      wifi: z.optional(wifiNetwork),
      mobile: z.optional(mobileNetwork),
    })
    .check(
      z.refine<{ readonly wifi?: unknown; readonly mobile?: unknown }>(
        ({ wifi, mobile }) => (wifi === undefined) !== (mobile === undefined),
        'exactly one of wifi and mobile',
      ),
    ),
  reply: newSetupCode,
  errors: ['validation', 'notFound', 'businessRule'],
})

export const getSetupCode = route({
  ...ofMembers,
  name: 'getSetupCode',
  summary: 'Get whether a set-up code was redeemed, and by which camera',
  method: 'GET',
  path: 'bodyCameras/setupCodes/{setupCodeId}/status',
  access: 'object',
  right: 'addPnpCamera',
  ids: { 'params.setupCodeId': 'setupCode' },
  params: z.object({ setupCodeId: idText }),
  reply: setupCode,
  errors: ['notFound'],
})

const deviceText = z.optional(boundedText(1, 64))

export const bodyCameraRegistration = z.object({
  cameraId: id,
  name: z.string(),
  /** Sent as `Authorization: Bearer` with positions. It is valid until the camera is removed. */
  deviceToken: z.string(),
})

/** Called by a camera, which has nothing but the code. Unknown, expired and redeemed codes get the same reply. */
export const registerBodyCamera = route({
  name: 'registerBodyCamera',
  summary: 'For body-worn cameras: redeem a set-up code, once',
  method: 'POST',
  path: 'bodyCameras/registrations',
  access: 'public',
  support: 'yes',
  status: 201,
  notReplayed: 'a code is redeemed once',
  body: z.object({
    code: z.string().check(z.minLength(1), z.maxLength(64)),
    serialNumber: z.string().check(z.regex(/^[0-9A-Za-z._:-]{1,64}$/)),
    brand: deviceText,
    model: deviceText,
  }),
  reply: bodyCameraRegistration,
  errors: ['validation', 'notFound', 'subscriptionLimit', 'tooManyRequests'],
})

const latitude = z.number().check(z.gte(-90), z.lte(90))
const longitude = z.number().check(z.gte(-180), z.lte(180))
/** Degrees, clockwise from north. */
const heading = z.number().check(z.gte(0), z.lt(360))
/** Metres per second. */
const speed = z.number().check(z.gte(0), z.lte(1000))

/** Called by a camera. Positions of a time that it has reported before are ignored, so that it may send them again. */
export const postBodyCameraPositions = route({
  name: 'postBodyCameraPositions',
  summary: 'For body-worn cameras: report positions, with the device token as bearer token',
  method: 'POST',
  path: 'bodyCameras/positions',
  access: 'public',
  support: 'yes',
  notReplayed: 'a position of the same time is stored once',
  body: z.object({
    positions: z
      .array(
        z.object({
          time: dateTimeText,
          latitude,
          longitude,
          heading: z.optional(heading),
          speed: z.optional(speed),
        }),
      )
      .check(z.minLength(1), z.maxLength(MAX_POSITIONS)),
  }),
  reply: z.object({
    /** How many were new. Those of the future, and older than the camera's retention, are left out. */
    stored: z.int(),
  }),
  errors: ['validation', 'authenticationFailed', 'tooManyRequests'],
})

export const trackPoint = z.object({
  time: dateTime,
  latitude: z.number(),
  longitude: z.number(),
  heading: z.nullable(z.number()),
  speed: z.nullable(z.number()),
})
export type TrackPoint = z.infer<typeof trackPoint>

export const getBodyCameraTrack = route({
  ...ofMembers,
  name: 'getBodyCameraTrack',
  summary: 'Get where a body-worn camera was, in the order of time: at most 31 days and 5,000 points',
  method: 'GET',
  path: 'bodyCameras/{cameraId}/track',
  access: 'object',
  right: 'playback',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  query: z.object({ from: dateTimeText, till: dateTimeText }),
  reply: z.array(trackPoint),
  list: { key: 'time', sort: ['time'], defaultLimit: 'all' },
  errors: ['validation', 'notFound'],
})
