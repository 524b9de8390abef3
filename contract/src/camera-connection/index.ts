import * as z from 'zod/mini'
import { newCamera } from '../camera-additions/index.ts'
import { filledText } from '../user-details/index.ts'
import { idText, route } from '../wire/index.ts'

/** How the server reaches a camera. */
export const cameraConnection = z.object({
  /** An IP address or host name; null for callers without the right localExceptions. */
  localIp: z.nullable(z.string()),
  /** The port of ONVIF, or of RTSP for a camera without ONVIF; null if none was found yet, or without that right. */
  localPort: z.nullable(z.int()),
  /** Null: the server reaches the camera at its local address. */
  globalIp: z.nullable(z.string()),
  globalPort: z.nullable(z.int()),
  /** ONVIF, or the stream of a camera without ONVIF, is over TLS. */
  https: z.boolean(),
  streamType: z.enum(['rtsp', 'rtsps']),
  connectionType: z.enum(['Ethernet', 'WiFi', 'Mobile']),
  /** Whether the server uses ONVIF for the camera; otherwise only its stream is known. */
  onvif: z.boolean(),
  /** The recorder whose input the camera is: the address and the credentials are the recorder's. */
  deviceId: z.nullable(z.int()),
})
export type CameraConnectionDetails = z.infer<typeof cameraConnection>

/** The credentials that the server uses to sign in to a camera. The password is never returned. */
export const cameraCredentials = z.object({
  username: z.nullable(z.string()),
  passwordKnown: z.boolean(),
  /** The password may be sent in plain text if the camera knows no better authentication. */
  allowBasic: z.boolean(),
})
export type CameraCredentialsReply = z.infer<typeof cameraCredentials>

const ofCamera = {
  access: 'object',
  right: 'editCamera',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
} as const

/** Errors of a change, which the camera is asked to confirm before it is stored. */
const triedErrors = [
  'validation',
  'notFound',
  'businessRule',
  'capabilityNotSupported',
  'deviceCredentialsIncorrect',
  'deviceInternal',
  'deviceOffline',
  'timedOut',
] as const

export const getCameraConnection = route({
  ...ofCamera,
  name: 'getCameraConnection',
  summary: 'Get the address of a camera',
  method: 'GET',
  path: 'cameras/{cameraId}/connection/details',
  reply: cameraConnection,
  errors: ['notFound'],
})

export const cameraConnectionPatch = z.partial(
  z.object({
    localIp: newCamera.shape.address,
    /** Of ONVIF, or of RTSP for a camera without ONVIF. Null: the usual ones. */
    localPort: z.nullable(z.int().check(z.gte(1), z.lte(65_535))),
    https: z.boolean(),
    /** Needed for another `localIp` if a password is stored, which isn't sent to another address. */
    password: z.string().check(z.maxLength(128)),
  }),
)

export const patchCameraConnection = route({
  ...ofCamera,
  name: 'patchCameraConnection',
  summary: 'Change the address of a camera; it is stored only if the camera answers there',
  method: 'PATCH',
  path: 'cameras/{cameraId}/connection/details',
  body: cameraConnectionPatch,
  waitsForOthers: true,
  reply: cameraConnection,
  errors: [...triedErrors, 'duplicate'],
})

export const getCameraCredentials = route({
  ...ofCamera,
  name: 'getCameraCredentials',
  summary: 'Get the user name for a camera; its password is never returned',
  method: 'GET',
  path: 'cameras/{cameraId}/connection/credentials',
  reply: cameraCredentials,
  errors: ['notFound'],
})

export const cameraCredentialsPatch = z.partial(
  z.object({
    /** Null: the camera needs no user. */
    username: z.nullable(filledText(64)),
    password: z.string().check(z.maxLength(128)),
    allowBasic: z.boolean(),
  }),
)

export const patchCameraCredentials = route({
  ...ofCamera,
  name: 'patchCameraCredentials',
  summary: 'Change the credentials for a camera; they are stored only if the camera accepts them',
  method: 'PATCH',
  path: 'cameras/{cameraId}/connection/credentials',
  body: cameraCredentialsPatch,
  waitsForOthers: true,
  reply: cameraCredentials,
  errors: triedErrors,
})

export const cameraPasswordChange = z.object({
  /** Of 1 to 128 characters; what the camera accepts is usually less. */
  password: z.string().check(z.minLength(1), z.maxLength(128)),
  /** Agrees that the new password crosses the network of the camera unencrypted once. Not needed over HTTPS, or with allowBasic. */
  allowPlainText: z.optional(z.boolean()),
})

export const setCameraPassword = route({
  ...ofCamera,
  name: 'setCameraPassword',
  summary: 'Set another password in the camera, for the user that the server signs in with',
  method: 'POST',
  path: 'cameras/{cameraId}/connection/password',
  body: cameraPasswordChange,
  waitsForOthers: true,
  reply: cameraCredentials,
  errors: [
    'validation',
    'notFound',
    'businessRule',
    'capabilityNotSupported',
    'deviceCredentialsIncorrect',
    'deviceInternal',
    'cameraOffline',
    'timedOut',
  ],
})
