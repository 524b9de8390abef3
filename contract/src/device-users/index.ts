import * as z from 'zod/mini'
import { cameraUser, cameraUserPatch, newCameraUser, username } from '../camera-users/index.ts'
import { idText, nothing, route } from '../wire/index.ts'

const ofDevice = {
  access: 'object',
  right: 'editCamera',
  support: 'yes',
  ids: { 'params.deviceId': 'device' },
  waitsForOthers: true,
} as const
const ofUsers = {
  ...ofDevice,
  path: 'devices/{deviceId}/connection/users',
  params: z.object({ deviceId: idText }),
} as const
const ofUser = {
  ...ofDevice,
  path: 'devices/{deviceId}/connection/users/{username}',
  params: z.object({ deviceId: idText, username }),
} as const

const deviceErrors = [
  'notFound',
  'capabilityNotSupported',
  'deviceCredentialsIncorrect',
  'deviceInternal',
  'deviceOffline',
  'timedOut',
] as const

export const getDeviceUsers = route({
  ...ofUsers,
  name: 'getDeviceUsers',
  summary: 'List the users that a recorder itself has, read from the recorder (ONVIF)',
  method: 'GET',
  reply: z.array(cameraUser),
  list: { key: 'username', sort: ['username', 'level'], defaultLimit: 'all' },
  errors: ['validation', ...deviceErrors],
})

export const postDeviceUser = route({
  ...ofUsers,
  name: 'postDeviceUser',
  summary: 'Add a user to a recorder itself; the password is passed on to the recorder and kept nowhere',
  method: 'POST',
  body: newCameraUser,
  status: 201,
  created: 'devices/{deviceId}/connection/users/{username}',
  reply: cameraUser,
  notReplayed: 'the recorder keeps its users itself, and refuses a name that it has already',
  errors: ['validation', 'duplicate', 'businessRule', ...deviceErrors],
})

export const patchDeviceUser = route({
  ...ofUser,
  name: 'patchDeviceUser',
  summary:
    'Set another password or level for a user of a recorder itself; not for the one that the server signs in with, nor another level for the last administrator',
  method: 'PATCH',
  body: cameraUserPatch,
  reply: cameraUser,
  errors: ['validation', 'businessRule', ...deviceErrors],
})

export const deleteDeviceUser = route({
  ...ofUser,
  name: 'deleteDeviceUser',
  summary:
    'Remove a user from a recorder itself; not the one that the server signs in with, and not the last administrator',
  method: 'DELETE',
  status: 204,
  reply: nothing,
  errors: ['businessRule', ...deviceErrors],
})
