import * as z from 'zod/mini'
import { dateTime, id, idText, route } from '../wire/index.ts'

/** `unknown`: the camera wasn't asked, didn't answer, or there is no standard way to ask. It doesn't mean `no`. */
export const abilityState = z.enum(['yes', 'no', 'unknown'])
export type AbilityState = z.infer<typeof abilityState>

export const abilityNames = [
  'ptz',
  'microphone',
  'speaker',
  'motionDetection',
  'pir',
  'audioDetection',
  'tripwire',
  'edgeStorage',
  'wifi',
  'mobile',
  /** Inputs or outputs. */
  'io',
  'inputs',
  'outputs',
  'wdr',
  'imaging',
  'videoSettings',
  'firmwareUpgrade',
] as const
export type AbilityName = (typeof abilityNames)[number]

/** What was tried to find out, and what came of it: `GetDot11Capabilities: not implemented`. */
const ability = z.object({ state: abilityState, tried: z.string() })
export type Ability = z.infer<typeof ability>

/** What a camera said about itself. */
export const cameraInformation = z.object({
  brand: z.string(),
  model: z.string(),
  firmwareVersion: z.string(),
  serial: z.string(),
  /** Of the network interface by which the camera is connected; empty if it doesn't say. */
  ethMacAddress: z.string(),
})
export type CameraInformation = z.infer<typeof cameraInformation>

/** What a camera can do, as its worker found out; stored as this. */
export const cameraAbilities = z.object({
  abilities: z.partialRecord(z.enum(abilityNames), ability),
  /** In the camera's spelling. */
  codecs: z.array(z.string()),
  /** Of the main stream, `1920x1080`, the largest first. */
  resolutions: z.array(z.string()),
  /** The ONVIF services that the camera names. */
  services: z.array(z.string()),
  information: cameraInformation,
})
export type CameraAbilities = z.infer<typeof cameraAbilities>

const states = Object.fromEntries(abilityNames.map((name) => [name, abilityState])) as Record<
  AbilityName,
  typeof abilityState
>

export const cameraCapabilities = z.object({
  cameraId: id,
  ...states,
  codecs: z.array(z.string()),
  resolutions: z.array(z.string()),
  services: z.array(z.string()),
  /** By ability, for people: what was tried, and what the camera answered. */
  tried: z.record(z.string(), z.string()),
  /** When the camera was last asked; null: not yet, so everything is unknown. */
  askedAt: z.nullable(dateTime),
})
export type CameraCapabilities = z.infer<typeof cameraCapabilities>

export const deviceInfo = z.object({
  brand: z.nullable(z.string()),
  model: z.nullable(z.string()),
  firmwareVersion: z.nullable(z.string()),
  serial: z.nullable(z.string()),
  /** `channel`: an input of a recorder. */
  type: z.enum(['camera', 'channel']),
  ethMacAddress: z.string(),
})
export type DeviceInfo = z.infer<typeof deviceInfo>

const ofCamera = {
  access: 'object',
  right: 'CameraView',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
} as const

export const getCameraCapabilities = route({
  ...ofCamera,
  name: 'getCameraCapabilities',
  summary: 'Get what a camera can do: yes, no or unknown, and what was tried to find out',
  method: 'GET',
  path: 'cameras/{cameraId}/capabilities',
  reply: cameraCapabilities,
  errors: ['notFound'],
})

export const refreshCameraCapabilities = route({
  ...ofCamera,
  name: 'refreshCameraCapabilities',
  summary: 'Ask a camera again what it can do (ONVIF); this also happens once a day',
  method: 'POST',
  path: 'cameras/{cameraId}/capabilities',
  right: 'editCamera',
  waitsForOthers: true,
  reply: cameraCapabilities,
  errors: [
    'notFound',
    'capabilityNotSupported',
    'deviceCredentialsIncorrect',
    'deviceInternal',
    'cameraOffline',
    'timedOut',
  ],
})

export const getDeviceInfo = route({
  ...ofCamera,
  name: 'getDeviceInfo',
  summary: 'Get the brand, model, firmware and serial number of a camera, as the camera last said',
  method: 'GET',
  path: 'cameras/{cameraId}/deviceInfo',
  reply: deviceInfo,
  errors: ['notFound'],
})
