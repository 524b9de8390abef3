/** What the front and a machine say to each other besides the messages of its workers. */
import { z } from 'zod'
import { signedGrant } from './request-grant.ts'

/** Both ends have the same version of the product; another one is told so instead of being misunderstood. */
export const LINK_VERSION = 2
const MAX_WORKERS = 32
const workerId = z.string().max(64)

/** The first frame of a connection from a machine: the link itself, or the bytes of one stream that the front asked for. */
export const firstMessage = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('hello'),
    version: z.number(),
    workerIds: z.array(workerId).min(1).max(MAX_WORKERS),
    /** The machine's clock, milliseconds since 1970. */
    now: z.number(),
  }),
  z.strictObject({ kind: z.literal('stream'), id: z.string().max(64) }),
])

export const fromMachine = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('alive') }),
  /** `starts`: how often its process was started. */
  z.strictObject({ kind: z.literal('worker'), workerId, isResponding: z.boolean(), starts: z.number() }),
  /** The answer to a `chain`. */
  z.strictObject({ kind: z.literal('chain'), id: z.number(), answer: z.unknown() }),
  /** It stops: nothing more comes, and it waits for `bye`. */
  z.strictObject({ kind: z.literal('leaving') }),
  /** `message` is a `FromWorker`. */
  z.strictObject({ kind: z.literal('message'), workerId, message: z.unknown() }),
])

const limit = z.number().optional()

export const toMachine = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('refused'), sentence: z.string() }),
  z.strictObject({
    kind: z.literal('welcome'),
    encryptsFootage: z.boolean(),
    streamLimits: z.strictObject({ perPerson: limit, perAccount: limit }),
  }),
  z.strictObject({ kind: z.literal('alive') }),
  /** `text` is a `ChainQuestion`. */
  z.strictObject({ kind: z.literal('chain'), text: z.string(), grant: signedGrant }),
  /** All that the machine reported before it leaves has been dealt with. */
  z.strictObject({ kind: z.literal('bye') }),
  /** `text` is a `ToWorker`; one that concerns a camera has a grant. */
  z.strictObject({ kind: z.literal('message'), workerId, text: z.string(), grant: signedGrant.optional() }),
])

export type FirstMessage = z.infer<typeof firstMessage>
export type FromMachine = z.infer<typeof fromMachine>
export type ToMachine = z.infer<typeof toMachine>
export type Welcome = Extract<ToMachine, { kind: 'welcome' }>
