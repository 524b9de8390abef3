import * as z from 'zod/mini'
import { dateTime, id, idText, route } from '../wire/index.ts'

/** `formatted`: formatting has just ended. `missing`: the camera has a place for a card and no card. */
export const edgeStorageState = z.enum(['ok', 'formatting', 'formatted', 'missing', 'error'])
export type EdgeStorageState = z.infer<typeof edgeStorageState>

export const edgeStorage = z.object({
  /** As the camera numbers its cards; 0 for what it holds without saying on which card. */
  edgeStorageId: z.int(),
  name: z.string(),
  state: edgeStorageState,
  /** MiB; null if the camera doesn't say, because ONVIF has no question for it. */
  capacityMiB: z.nullable(z.int()),
  usedMiB: z.nullable(z.int()),
  /** Whether there is footage on it. */
  inUse: z.boolean(),
  /** False for a card that the camera can't write to before it is formatted. */
  formatted: z.boolean(),
  /** Whether it can be formatted from here. ONVIF has no request for it; some cameras have one of their own. */
  formattable: z.boolean(),
  /** What the camera holds, by the server's clock; null if it doesn't say. */
  recordedFrom: z.nullable(dateTime),
  recordedUntil: z.nullable(dateTime),
})
export type EdgeStorage = z.infer<typeof edgeStorage>

/** Cameras count their cards themselves: it is no id of ours. */
const cardNumber = z.pipe(z.string().check(z.regex(/^[0-9]{1,6}$/)), z.transform(Number))

const ofCamera = {
  access: 'object',
  right: 'edgeStorageManagement',
  support: 'yes',
  operation: 56,
} as const

export const getEdgeStorage = route({
  ...ofCamera,
  name: 'getEdgeStorage',
  summary: 'List the storage cards that a camera reports',
  method: 'GET',
  path: 'cameras/{cameraId}/edgeStorage',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText }),
  waitsForOthers: true,
  reply: z.array(edgeStorage),
  list: { key: 'edgeStorageId', sort: ['edgeStorageId'], defaultLimit: 'all' },
  errors: [
    'notFound',
    'capabilityNotSupported',
    'deviceCredentialsIncorrect',
    'deviceInternal',
    'cameraOffline',
    'timedOut',
  ],
})

export const formatEdgeStorage = route({
  ...ofCamera,
  name: 'formatEdgeStorage',
  summary: 'Format a card of a camera as a job; all footage on the card is deleted, footage on the server stays',
  method: 'POST',
  path: 'cameras/{cameraId}/edgeStorage/{edgeStorageId}/format',
  ids: { 'params.cameraId': 'camera' },
  params: z.object({ cameraId: idText, edgeStorageId: cardNumber }),
  waitsForOthers: true,
  status: 202,
  reply: z.object({ jobId: id }),
  errors: [
    'notFound',
    'businessRule',
    'capabilityNotSupported',
    'deviceCredentialsIncorrect',
    'deviceInternal',
    'cameraOffline',
    'timedOut',
  ],
})
