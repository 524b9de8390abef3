import * as z from 'zod/mini'
import { dateTime, id, idText, route } from '../wire/index.ts'

export const cloudSync = z.object({
  /** Whether gaps in the footage are filled from the camera's card. */
  enabled: z.boolean(),
  /**
   * Why nothing is filled although it is switched on; otherwise null. `mode`: the camera isn't recorded continuously and armed, or
   * by a schedule. `unsupported`: the camera's card can't be read by ONVIF Profile G.
   */
  paused: z.nullable(z.enum(['mode', 'unsupported'])),
})
export type CloudSync = z.infer<typeof cloudSync>

/** One gap that is filled. `Ended`: filled as far as the card had footage. */
export const syncJob = z.object({
  syncJobId: id,
  status: z.enum(['Running', 'Ended']),
  /** Seconds of the gap. */
  duration: z.number(),
  /** Seconds of footage that came from the card. */
  syncedDuration: z.number(),
  /** Of the gap. */
  recordingStart: dateTime,
  recordingEnd: dateTime,
  /** Why less came than is missing: a sentence in English; otherwise null. */
  note: z.nullable(z.string()),
})
export type SyncJob = z.infer<typeof syncJob>

const ofCamera = {
  access: 'object',
  right: 'edgeStorageManagement',
  support: 'yes',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
} as const

export const getCloudSync = route({
  ...ofCamera,
  name: 'getCloudSync',
  summary: "Get whether gaps in a camera's footage are filled from its card",
  method: 'GET',
  path: 'cameras/{cameraId}/cloudSync',
  reply: cloudSync,
  errors: ['notFound'],
})

export const patchCloudSync = route({
  ...ofCamera,
  name: 'patchCloudSync',
  summary: 'Switch filling gaps from the card on or off; only for cameras that record continuously, armed or scheduled',
  method: 'PATCH',
  path: 'cameras/{cameraId}/cloudSync',
  body: z.object({ enabled: z.boolean() }),
  reply: cloudSync,
  errors: ['validation', 'notFound', 'businessRule', 'capabilityNotSupported'],
})

export const getSyncJobs = route({
  ...ofCamera,
  name: 'getSyncJobs',
  summary: 'List the gaps that were filled from the card in the last 30 days, newest first',
  method: 'GET',
  path: 'cameras/{cameraId}/cloudSync/jobs',
  reply: z.array(syncJob),
  list: { key: 'syncJobId', sort: ['-recordingStart'], defaultLimit: 'all' },
  errors: ['notFound'],
})
