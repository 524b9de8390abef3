/**
 * The messages between the front and media workers as they arrive from another machine, which is not believed: each is
 * parsed before it is used. {@link ToWorker} and {@link FromWorker} say what they mean.
 */

import { motionPreview } from '@sightline/contract/detectors'
import { exportOrder, exportSubject } from '@sightline/contract/footage-proof'
import type {
  CameraCommandAnswer,
  CameraCommandQuestion,
  TalkAnswer,
  TalkQuestion,
} from '@sightline/contract/media-plane'
import { MAX_PICTURE_WIDTH } from '@sightline/contract/recording-list'
import { z } from 'zod'
import type { KeyAnswer, KeyQuestion } from './key-messages.ts'
import type { FromWorker, ToWorker } from './worker-messages.ts'

const id = z.number().int().min(0)
const count = z.number()
const bytes = (most: number) =>
  z.custom<Uint8Array>((value) => value instanceof Uint8Array).refine(({ length }) => length <= most)
const sentence = z.string().max(2000)
const cameraId = z.number().int()
const MIB = 1024 * 1024
/** Half a second of a talk has 4,000; keys and passwords are shorter. */
const SMALL = 64 * 1024
const MAX_CAMERAS = 100_000
const MAX_DAYS = 31
const MAX_NETWORKS = 10_000
const MAX_FOUND = 1024

const format = z.enum(['mp4', 'jpeg', 'blurredJpeg'])

const picture = z.strictObject({
  kind: z.literal('picture'),
  contentType: z.enum(['image/jpeg', 'video/mp4']),
  bytes: bytes(12 * MIB),
  takenAt: z.number(),
})

const snapshotAnswer = z.union([picture, z.strictObject({ kind: z.enum(['cameraOffline', 'noDecoder', 'timedOut']) })])
const recordedPictureAnswer = z.union([
  picture,
  z.strictObject({ kind: z.enum(['noFootage', 'noDecoder', 'timedOut']) }),
])

const recordedPictureQuestion = z.strictObject({
  accountId: id,
  cameraId,
  at: z.number(),
  format,
  width: z.number().int().min(10).max(MAX_PICTURE_WIDTH).optional(),
})

/** What goes into a command and comes out of it, each command says itself (contract/src/media-plane/camera-commands.ts). */
const commandQuestion = z.custom<CameraCommandQuestion>(
  (value) => z.strictObject({ cameraId, name: z.string().max(64), input: z.unknown() }).safeParse(value).success,
)
const commandAnswer = z.custom<CameraCommandAnswer>(
  (value) =>
    z
      .union([
        z.strictObject({ kind: z.literal('done'), output: z.unknown() }),
        z.strictObject({
          kind: z.enum(['noOnvif', 'unsupported', 'credentialsIncorrect', 'rejected', 'cameraOffline', 'timedOut']),
          detail: sentence.optional(),
        }),
      ])
      .safeParse(value).success,
)

const talkStep = { cameraId, talkId: z.string().max(128) }
const talkQuestion: z.ZodType<TalkQuestion> = z.discriminatedUnion('step', [
  z.strictObject({ ...talkStep, step: z.literal('open'), coding: z.enum(['PCMU', 'PCMA', 'AAC']) }),
  z.strictObject({ ...talkStep, step: z.literal('close') }),
  z.strictObject({ ...talkStep, step: z.literal('sound'), sound: bytes(SMALL) }),
])
const talkAnswer = z.strictObject({
  kind: z.enum([
    'open',
    'ended',
    'busy',
    'noDecoder',
    'notSound',
    'overloaded',
    'noLoudspeaker',
    'credentialsIncorrect',
    'rejected',
    'cameraOffline',
    'timedOut',
  ]),
})

const discoveryQuestion = z.strictObject({
  accountId: id,
  start: z
    .strictObject({ sweep: z.string().max(64).nullable(), connect: z.boolean() })
    .optional()
    .transform((found) => found),
  cancel: z.boolean().optional(),
})
const shortText = z.string().max(256)
const discoveryAnswer = z.union([
  z.strictObject({
    kind: z.literal('state'),
    networks: z.array(shortText).max(MAX_NETWORKS),
    search: z.enum(['none', 'running', 'done']),
    progress: count,
    cameras: z
      .array(
        z.strictObject({
          address: z.ipv4(),
          port: z.number().int().min(1).max(65_535),
          https: z.boolean(),
          protocol: z.enum(['onvif', 'rtsp']),
          foundBy: z.enum(['announcement', 'address']),
          name: shortText,
          brand: shortText,
          model: shortText,
          ethMacAddress: z.union([z.literal(''), z.string().regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/)]),
        }),
      )
      .max(MAX_FOUND),
  }),
  z.strictObject({ kind: z.enum(['busy', 'notAllowed', 'tooLarge', 'timedOut']) }),
])

const wrappedKey = z.strictObject({ keyId: z.string().max(64), wrapped: z.string().max(512) })
const keyedCamera = z.object({ accountId: id, cameraId }).transform((of) => ({
  accountId: of.accountId,
  cameraId: of.cameraId,
}))
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)
const keyQuestion = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('dayKeys'), camera: keyedCamera, days: z.array(day).max(MAX_DAYS) }),
  z.strictObject({
    what: z.literal('dayKey'),
    camera: keyedCamera,
    keyId: z.string().max(64),
    beside: z
      .strictObject({ day, wrapped: wrappedKey, accountKeys: z.array(wrappedKey).max(64) })
      .optional()
      .transform((found) => found),
  }),
  z.strictObject({ what: z.literal('password'), camera: keyedCamera, sealed: bytes(SMALL) }),
  z.strictObject({ what: z.literal('devicePassword'), camera: keyedCamera, sealed: bytes(SMALL) }),
])
const dayKey = z.strictObject({ keyId: z.string(), key: bytes(64), wrapped: wrappedKey, accountKey: wrappedKey })
const keyAnswer = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('dayKeys'), keys: z.map(z.string(), dayKey) }),
  z.strictObject({ what: z.literal('dayKey'), key: bytes(64).optional() }),
  z.strictObject({ what: z.literal('password'), password: z.string() }),
  z.strictObject({ what: z.literal('devicePassword'), password: z.string() }),
  z.strictObject({ what: z.literal('refused'), reason: sentence }),
])

const connections = z.strictObject({ total: count, idle: count, waiting: count })
const figures = z.object({
  cameras: z.strictObject({ recorded: count, unrecorded: count, off: count, offline: count }),
  viewers: z.strictObject({ live: count, playback: count, mp4: count, snapshot: count }),
  refusedStreams: count,
  refusedCameras: count,
  leases: z.strictObject({ late: count, lapsed: count }),
  freeDiskBytes: count.optional(),
  database: z.strictObject({ work: connections, leases: connections }),
  recorded: z.strictObject({ pictures: count, bytes: count }),
  received: z.record(z.string().max(64), count),
  syncs: z.strictObject({ upTo: z.array(z.tuple([count, count])).max(64), count, sum: count }),
  failedSyncs: count,
  eventLoopDelay: z.strictObject({ median: count, p99: count, max: count }),
  processorSeconds: count,
  residentBytes: count,
})

const request = z.strictObject({
  method: z.enum(['POST', 'DELETE', 'OPTIONS']).optional(),
  url: z.string().max(8192),
  headers: z.record(z.string(), z.string()),
  address: z.string().max(256),
})

const motionPreviewQuestion = z.strictObject({ cameraId, sensitivity: z.int().min(0).max(100).optional() })

const toWorker = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('stream'), request, head: bytes(SMALL) }),
  z.strictObject({ kind: z.literal('snapshot'), id, cameraId, format }),
  z.strictObject({ kind: z.literal('recordedPicture'), id, question: recordedPictureQuestion }),
  z.strictObject({ kind: z.literal('command'), id, question: commandQuestion }),
  z.strictObject({ kind: z.literal('talk'), id, question: talkQuestion }),
  z.strictObject({ kind: z.literal('motionPreview'), id, question: motionPreviewQuestion }),
  z.strictObject({ kind: z.literal('discovery'), id, question: discoveryQuestion }),
  z.strictObject({ kind: z.literal('revoked') }),
  z.strictObject({ kind: z.literal('camerasChanged') }),
  z.strictObject({ kind: z.literal('workersChanged') }),
  z.strictObject({ kind: z.literal('eventAdded'), cameraId, at: z.number() }),
  z.strictObject({ kind: z.literal('figures'), id }),
  z.strictObject({ kind: z.literal('keys'), id, answer: keyAnswer }),
  z.strictObject({ kind: z.literal('permit'), id, isGranted: z.boolean() }),
  z.strictObject({ kind: z.literal('exportSigned'), id, line: z.string().max(65_536).optional() }),
])

const chainHead = z.strictObject({
  accountId: id,
  cameraId,
  stream: z.enum(['main', 'sub']),
  hour: id,
  bytes: id,
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})

const fromWorker = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cameras'), ids: z.array(cameraId).max(MAX_CAMERAS) }),
  z.strictObject({ kind: z.literal('seen'), isSeen: z.boolean() }),
  z.strictObject({ kind: z.literal('keys'), id, question: keyQuestion }),
  z.strictObject({ kind: z.literal('permit'), id, person: z.string().max(64), accountId: id }),
  z.strictObject({ kind: z.literal('permitReleased'), id }),
  z.strictObject({ kind: z.literal('signExport'), id, subject: exportSubject, order: exportOrder }),
  z.strictObject({ kind: z.literal('heads'), heads: z.array(chainHead).max(MAX_CAMERAS) }),
  z.strictObject({ kind: z.literal('snapshot'), id, answer: snapshotAnswer }),
  z.strictObject({ kind: z.literal('recordedPicture'), id, answer: recordedPictureAnswer }),
  z.strictObject({ kind: z.literal('command'), id, answer: commandAnswer }),
  z.strictObject({ kind: z.literal('talk'), id, answer: talkAnswer }),
  z.strictObject({ kind: z.literal('motionPreview'), id, answer: motionPreview }),
  z.strictObject({ kind: z.literal('discovery'), id, answer: discoveryAnswer }),
  z.strictObject({ kind: z.literal('health'), problems: z.array(sentence).max(MAX_CAMERAS) }),
  z.strictObject({ kind: z.literal('figures'), id, figures }),
])

/** Messages, questions and answers without a schema, which would never arrive at another machine: none. */
export type UnreadMessage =
  | Exclude<ToWorker['kind'], z.infer<typeof toWorker>['kind']>
  | Exclude<FromWorker['kind'], z.infer<typeof fromWorker>['kind']>
  | Exclude<KeyQuestion['what'], z.infer<typeof keyQuestion>['what']>
  | Exclude<KeyAnswer['what'], z.infer<typeof keyAnswer>['what']>
  | Exclude<TalkAnswer['kind'], z.infer<typeof talkAnswer>['kind']>

/** Undefined for what isn't a message to a worker. */
export function readToWorker(value: unknown): ToWorker | undefined {
  const read = toWorker.safeParse(value)
  return read.success ? (read.data as ToWorker) : undefined
}

/** Undefined for what isn't a message of a worker. */
export function readFromWorker(value: unknown): FromWorker | undefined {
  const read = fromWorker.safeParse(value)
  return read.success ? (read.data as FromWorker) : undefined
}
