import * as z from 'zod/mini'
import { checkedText } from '../user-details/index.ts'
import { id, idText, route } from '../wire/index.ts'
import { firmwareVersionProblem } from './rules.ts'

export {
  compareVersions,
  FIRMWARE_PART_BYTES,
  firmwareLabelProblem,
  firmwareParts,
  firmwareVersionProblem,
  isSameVersion,
  MAX_FIRMWARE_BYTES,
  MAX_SIGNATURE_BYTES,
  newerVersion,
} from './rules.ts'

/** The specification's words for what an upgrade does, and what there is without one. */
export const firmwareState = z.enum([
  'Requesting',
  'Initializing',
  'Downloading',
  'Installing',
  'Restarting',
  'Failed',
  'UpToDate',
  'Upgradable',
])
export type FirmwareState = z.infer<typeof firmwareState>

/** A version that a camera or a recorder can get. */
export const offeredFirmware = z.object({
  version: z.string(),
  /** Whose image it is. */
  providedBy: z.enum(['operator', 'dealer']),
  sizeBytes: z.int(),
  /** Of the image, in hexadecimal. */
  sha256: z.string(),
  /** Whether it came with a signature of the maker. */
  signed: z.boolean(),
})
export type OfferedFirmware = z.infer<typeof offeredFirmware>

/** The firmware of a camera or a recorder. */
export const firmware = z.object({
  /** As it reported it. */
  current: z.nullable(z.string()),
  /** The newest version that it can be upgraded to; null if there is none. */
  available: z.nullable(z.string()),
  status: firmwareState,
  /** All versions that fit it, newest first. */
  versions: z.array(offeredFirmware),
  /** The upgrade that waits or runs, or that failed last. */
  jobId: z.nullable(id),
  /** 0-100, of that upgrade. */
  progress: z.nullable(z.int()),
  /** Of a failed upgrade: a sentence in English. */
  error: z.nullable(z.string()),
})
export type Firmware = z.infer<typeof firmware>

const upgrade = z.object({
  /** The newest one if omitted. An older one is installed if it is named. */
  version: z.optional(checkedText(firmwareVersionProblem)),
})
const common = { access: 'object', right: 'editCamera', support: 'yes' } as const
const ofCamera = {
  path: 'cameras/{cameraId}/firmware',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
} as const
const ofDevice = {
  path: 'devices/{deviceId}/firmware',
  ids: { 'params.deviceId': 'device' },
  params: z.object({ deviceId: idText }),
} as const
const reading = { method: 'GET', reply: firmware, errors: ['notFound'] } as const
/** The owner decides about firmware that others provide. */
const upgrading = { method: 'POST', support: 'no', body: upgrade, status: 202, reply: z.object({ jobId: id }) } as const

export const getCameraFirmware = route({
  ...common,
  ...ofCamera,
  ...reading,
  name: 'getCameraFirmware',
  summary: 'Get the firmware of a camera, and the versions that fit it',
})

export const upgradeCameraFirmware = route({
  ...common,
  ...ofCamera,
  ...upgrading,
  name: 'upgradeCameraFirmware',
  summary: 'Upgrade the firmware of a camera (ONVIF); it sends no video for a few minutes; two per account at a time',
  errors: ['validation', 'notFound', 'businessRule', 'capabilityNotSupported', 'cameraOffline'],
})

/** As many are upgraded with one call. */
export const MAX_UPGRADES_AT_ONCE = 200

export const startedUpgrades = z.object({
  /** Two run at a time; the first failure with an image cancels those that wait for the same one. */
  jobs: z.array(z.object({ cameraId: id, jobId: id })),
  /** Cameras that can't be upgraded now, with the code and the reason that `upgradeCameraFirmware` would have given. */
  failed: z.array(z.object({ cameraId: id, code: z.int(), detail: z.string() })),
})
export type StartedUpgrades = z.infer<typeof startedUpgrades>

export const upgradeCamerasFirmware = route({
  name: 'upgradeCamerasFirmware',
  summary: 'Upgrade the firmware of several cameras; each with its own result',
  method: 'POST',
  path: 'cameras/firmware',
  access: 'tenant',
  right: 'editCamera',
  support: 'no',
  ids: { 'body.cameraIds': 'camera' },
  status: 202,
  body: z.extend(upgrade, {
    cameraIds: z.array(id).check(z.minLength(1), z.maxLength(MAX_UPGRADES_AT_ONCE)),
  }),
  reply: startedUpgrades,
  errors: ['validation', 'notFound'],
})

export const getDeviceFirmware = route({
  ...common,
  ...ofDevice,
  ...reading,
  name: 'getDeviceFirmware',
  summary: 'Get the firmware of a recorder, and the versions that fit it',
  operation: 251,
})

export const upgradeDeviceFirmware = route({
  ...common,
  ...ofDevice,
  ...upgrading,
  name: 'upgradeDeviceFirmware',
  summary: 'Upgrade the firmware of a recorder (ONVIF); its cameras send no video for a few minutes',
  operation: 250,
  errors: ['validation', 'notFound', 'businessRule', 'deviceOffline'],
})
