import * as z from 'zod/mini'
import { filledText } from '../user-details/index.ts'
import { idText, nothing, route } from '../wire/index.ts'

export { type CameraUserDenyReason, cameraUserDenyReason, findUsedByServer, type WantedUserChange } from './rules.ts'

/** The levels of ONVIF that can be set; a camera says itself what each of them may do (ONVIF Core §5.9.4). */
export const cameraUserLevels = ['administrator', 'operator', 'user'] as const
const settableLevel = z.enum(cameraUserLevels)
export type SettableLevel = z.infer<typeof settableLevel>

/** A user that the camera itself has: who knows the password signs in to the camera, past this server. */
export const cameraUser = z.object({
  username: z.string(),
  /** `other`: a level that the camera's maker defined. */
  level: z.enum([...cameraUserLevels, 'other']),
  /** The server signs in with this user, so it can be neither changed nor removed here; its password has a call of its own. */
  usedByServer: z.boolean(),
})
export type CameraUser = z.infer<typeof cameraUser>

export const username = filledText(64)
/** Of 1 to 128 characters; what the camera accepts is usually less. */
const password = z.string().check(z.minLength(1), z.maxLength(128))
/** Agrees that the password crosses the network of the camera unencrypted once. Not needed over HTTPS, or with allowBasic. */
const allowPlainText = z.optional(z.boolean())

export const newCameraUser = z.object({ username, password, level: settableLevel, allowPlainText })
export type NewCameraUser = z.infer<typeof newCameraUser>

/** What isn't named stays. Some cameras take a new level only together with a password. */
export const cameraUserPatch = z.object({
  password: z.optional(password),
  level: z.optional(settableLevel),
  allowPlainText,
})
export type CameraUserPatch = z.infer<typeof cameraUserPatch>

const ofCamera = {
  access: 'object',
  right: 'editCamera',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  waitsForOthers: true,
} as const
const ofUsers = {
  ...ofCamera,
  path: 'cameras/{cameraId}/connection/users',
  params: z.object({ cameraId: idText }),
} as const
const ofUser = {
  ...ofCamera,
  path: 'cameras/{cameraId}/connection/users/{username}',
  params: z.object({ cameraId: idText, username }),
} as const

const cameraErrors = [
  'notFound',
  'businessRule',
  'capabilityNotSupported',
  'deviceCredentialsIncorrect',
  'deviceInternal',
  'cameraOffline',
  'timedOut',
] as const

export const getCameraUsers = route({
  ...ofUsers,
  name: 'getCameraUsers',
  summary: 'List the users that a camera itself has, read from the camera (ONVIF)',
  method: 'GET',
  reply: z.array(cameraUser),
  list: { key: 'username', sort: ['username', 'level'], defaultLimit: 'all' },
  errors: ['validation', ...cameraErrors],
})

export const postCameraUser = route({
  ...ofUsers,
  name: 'postCameraUser',
  summary: 'Add a user to a camera itself; the password is passed on to the camera and kept nowhere',
  method: 'POST',
  body: newCameraUser,
  status: 201,
  created: 'cameras/{cameraId}/connection/users/{username}',
  reply: cameraUser,
  notReplayed: 'the camera keeps its users itself, and refuses a name that it has already',
  errors: ['validation', 'duplicate', ...cameraErrors],
})

export const patchCameraUser = route({
  ...ofUser,
  name: 'patchCameraUser',
  summary:
    'Set another password or level for a user of a camera itself; not for the one that the server signs in with, nor another level for the last administrator',
  method: 'PATCH',
  body: cameraUserPatch,
  reply: cameraUser,
  errors: ['validation', ...cameraErrors],
})

export const deleteCameraUser = route({
  ...ofUser,
  name: 'deleteCameraUser',
  summary:
    'Remove a user from a camera itself; not the one that the server signs in with, and not the last administrator',
  method: 'DELETE',
  status: 204,
  reply: nothing,
  errors: cameraErrors,
})
