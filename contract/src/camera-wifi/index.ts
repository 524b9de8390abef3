import * as z from 'zod/mini'
import { boundedText } from '../user-details/index.ts'
import { idText, nothing, route } from '../wire/index.ts'

/** `disconnected`: switched on, and in no network. The others as in the specification (§4). */
export const wifiState = z.enum([
  'disabled',
  'enabling',
  'disconnected',
  'connecting',
  'connected',
  'switching',
  'forgetting',
  'disabling',
])

export const cameraWifi = z.object({
  cameraId: z.int(),
  enabled: z.boolean(),
  state: wifiState,
  /** The network that the camera is in; null: in none. */
  currentSsid: z.nullable(z.string()),
  /** The camera was told to join this one and didn't; null if it did. Cameras don't say why. */
  failedSsid: z.nullable(z.string()),
})
export type CameraWifi = z.infer<typeof cameraWifi>

/** `none`: no password. `psk`: one password for all (WPA). The others can't be joined from here. */
export const wifiSecurity = z.enum(['none', 'psk', 'wep', 'dot1x', 'unknown'])

export const wifiNetwork = z.object({
  ssid: z.string(),
  security: wifiSecurity,
  /** 0 (none) to 4 (very good); null: not known. */
  signal: z.nullable(z.int()),
  /** The camera is set up for it. */
  known: z.boolean(),
  /** The camera receives it now. */
  visible: z.boolean(),
  current: z.boolean(),
})
export type WifiNetwork = z.infer<typeof wifiNetwork>

/** Printable ASCII, as IEEE 802.11i has it for a password. */
export const wifiPassword = z.string().check(z.regex(/^[ -~]{8,63}$/))

const ssid = boundedText(1, 32)

const ofCamera = {
  access: 'object',
  right: 'editCamera',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  waitsForOthers: true,
} as const

const cameraErrors = [
  'notFound',
  'capabilityNotSupported',
  'deviceCredentialsIncorrect',
  'deviceInternal',
  'cameraOffline',
  'timedOut',
] as const

export const getCameraWifi = route({
  ...ofCamera,
  name: 'getCameraWifi',
  summary: 'Get whether the Wi-Fi of a camera is on and which network it is in (ONVIF Dot11)',
  method: 'GET',
  path: 'cameras/{cameraId}/wifi',
  reply: cameraWifi,
  errors: cameraErrors,
})

export const patchCameraWifi = route({
  ...ofCamera,
  name: 'patchCameraWifi',
  summary: 'Switch the Wi-Fi of a camera on or off; a camera that has no other connection goes offline without it',
  method: 'PATCH',
  path: 'cameras/{cameraId}/wifi',
  body: z.object({ enabled: z.optional(z.boolean()) }),
  reply: cameraWifi,
  errors: ['validation', ...cameraErrors],
})

export const getWifiNetworks = route({
  ...ofCamera,
  name: 'getWifiNetworks',
  summary: 'List the Wi-Fi networks that a camera is set up for and, with a scan, those that it receives',
  method: 'GET',
  path: 'cameras/{cameraId}/wifi/networks',
  query: z.object({ scan: z.optional(z.enum(['true', 'false'])) }),
  reply: z.array(wifiNetwork),
  list: { key: 'ssid', sort: ['ssid'], defaultLimit: 'all' },
  errors: ['validation', ...cameraErrors],
})

const ofNetwork = { ...ofCamera, params: z.object({ cameraId: idText, ssid }), status: 204, reply: nothing } as const

export const putWifiNetwork = route({
  ...ofNetwork,
  name: 'putWifiNetwork',
  summary:
    'Connect a camera to a Wi-Fi network that it receives; the password is passed on to the camera and kept nowhere. The camera may get another address',
  method: 'PUT',
  path: 'cameras/{cameraId}/wifi/networks/{ssid}',
  body: z.object({ password: z.optional(wifiPassword) }),
  errors: ['validation', 'businessRule', ...cameraErrors],
})

export const deleteWifiNetwork = route({
  ...ofNetwork,
  name: 'deleteWifiNetwork',
  summary: 'Make a camera forget a Wi-Fi network; not the one that it is in',
  method: 'DELETE',
  path: 'cameras/{cameraId}/wifi/networks/{ssid}',
  errors: ['validation', 'businessRule', ...cameraErrors],
})
