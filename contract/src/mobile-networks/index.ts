import * as z from 'zod/mini'
import { accessPointText, apnProblem, mccProblem, mncProblem } from '../body-cameras/index.ts'
import { checkedText, filledText } from '../user-details/index.ts'
import { id, idText, route } from '../wire/index.ts'

const MAX_NAME_LENGTH = 64

/** All null as long as nothing was saved for the camera. The password is not here: it is in the QR code only. */
export const cameraMobileNetwork = z.object({
  cameraId: id,
  name: z.nullable(z.string()),
  accessPointName: z.nullable(z.string()),
  /** Null: the operator asks for none. */
  userName: z.nullable(z.string()),
  /** The operator asks for a password. */
  needsPassword: z.boolean(),
  mobileCountryCode: z.nullable(z.string()),
  mobileNetworkCode: z.nullable(z.string()),
})
export type CameraMobileNetwork = z.infer<typeof cameraMobileNetwork>

export const newMobileNetwork = z.object({
  name: filledText(MAX_NAME_LENGTH),
  accessPointName: checkedText(apnProblem),
  userName: z.optional(z.nullable(accessPointText)),
  needsPassword: z.optional(z.boolean()),
  /** 3 digits. */
  mobileCountryCode: checkedText(mccProblem),
  /** 2 or 3 digits. */
  mobileNetworkCode: checkedText(mncProblem),
})
export type NewMobileNetwork = z.infer<typeof newMobileNetwork>

const ofCamera = {
  module: 'bodyCams',
  access: 'object',
  right: 'editCamera',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  path: 'cameras/{cameraId}/mobileNetwork',
  reply: cameraMobileNetwork,
} as const

export const getMobileNetwork = route({
  ...ofCamera,
  name: 'getMobileNetwork',
  summary: 'Get the mobile network of a body-worn camera, without its password',
  method: 'GET',
  errors: ['notFound', 'capabilityNotSupported'],
})

export const putMobileNetwork = route({
  ...ofCamera,
  name: 'putMobileNetwork',
  summary:
    'Save the mobile network of a body-worn camera, without its password: the camera gets both by scanning a QR code',
  method: 'PUT',
  body: newMobileNetwork,
  errors: ['validation', 'notFound', 'capabilityNotSupported'],
})
