/**
 * Requests that concern a camera, and searches for cameras, are signed by the front: their grants name the machine's worker, camera, use
 * and expiry, and count once. Whoever takes over a connection without the signing key can ask for nothing.
 */
import { createHash, type KeyObject, randomBytes, sign, verify } from 'node:crypto'
import type { ToWorker } from '@sightline/media/control'
import { z } from 'zod'

/** What may be asked about a camera. */
const requestUse = z.enum([
  'stream',
  'snapshot',
  'recordedPicture',
  'command',
  'talk',
  'motionPreview',
  'chain',
  'discovery',
])
export type RequestUse = z.infer<typeof requestUse>

const LIFE_MS = 30_000
/** Clocks of two machines. */
const CLOCK_MS = 30_000

const grantSchema = z.strictObject({
  /** For `chain` the name of the machine. */
  workerId: z.string(),
  /** For `discovery` the account. */
  cameraId: z.number().int(),
  use: requestUse,
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
  /** Random; counts once. */
  id: z.string().min(16).max(64),
  /** SHA-256 of the request as it is sent. */
  sha256: z.string(),
})

export type Grant = z.infer<typeof grantSchema>

export interface SignedGrant {
  /** The grant, as JSON. */
  readonly grant: string
  /** Ed25519 over it. */
  readonly signature: Uint8Array
}

export const signedGrant = z.strictObject({
  grant: z.string().max(1024),
  signature: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
})

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export interface GrantedRequest extends Pick<Grant, 'workerId' | 'cameraId' | 'use'> {
  /** The message as it is sent. */
  readonly text: string
}

export function signRequest(
  { text, ...names }: GrantedRequest,
  key: KeyObject,
  now: number,
): SignedGrant & { readonly id: string } {
  const id = randomBytes(16).toString('base64url')
  const grant = JSON.stringify({ ...names, expiresAt: now + LIFE_MS, id, sha256: digestOf(text) } satisfies Grant)
  return { id, grant, signature: sign(undefined, Buffer.from(grant), key) }
}

/** The camera that a message to a worker concerns; undefined for those that concern none. */
export function cameraOfMessage(
  message: ToWorker,
): { readonly use: RequestUse; readonly cameraId: number } | undefined {
  switch (message.kind) {
    case 'stream':
      return { use: 'stream', cameraId: streamCamera(message.request.url) }
    case 'snapshot':
      return { use: message.kind, cameraId: message.cameraId }
    case 'recordedPicture':
    case 'command':
    case 'motionPreview':
    case 'talk':
      return { use: message.kind, cameraId: message.question.cameraId }
    case 'discovery':
      return { use: message.kind, cameraId: message.question.accountId }
    default:
      return undefined
  }
}

/** The camera in the address of a stream; one that isn't a number belongs to no worker. */
export const streamCamera = (url: string): number =>
  Number(URL.parse(url, 'http://media')?.searchParams.get('camera_id') ?? Number.NaN)

/** Checks the grants of requests; each counts once. */
export class GrantCheck {
  readonly #key: KeyObject
  readonly #used = new Map<string, number>()

  /** @param key public. */
  constructor(key: KeyObject) {
    this.#key = key
  }

  /** The grant's id, or why the request may not be carried out. */
  check(signed: SignedGrant | undefined, request: GrantedRequest, now: number): GrantFinding {
    if (signed === undefined) return { refusal: 'it has no grant' }
    const bytes = Buffer.from(signed.grant)
    if (!verify(undefined, bytes, this.#key, signed.signature))
      return { refusal: 'the grant isn’t signed by the front' }
    const read = grantSchema.safeParse(JSON.parse(signed.grant))
    if (!read.success) return { refusal: 'the grant can’t be understood' }
    const { id, expiresAt } = read.data
    if (!isFor(read.data, request)) return { refusal: 'the grant is for another request' }
    if (Math.abs(expiresAt - LIFE_MS / 2 - now) > LIFE_MS / 2 + CLOCK_MS)
      return { refusal: 'the grant has expired, or the clocks of the two machines differ' }
    if (this.#used.has(id)) return { refusal: 'the grant was used before' }
    for (const [old, until] of this.#used) if (until + CLOCK_MS < now) this.#used.delete(old)
    this.#used.set(id, expiresAt)
    return { id }
  }
}

type GrantFinding = { readonly id: string } | { readonly refusal: string }

const isFor = (grant: Grant, { workerId, cameraId, use, text }: GrantedRequest): boolean =>
  grant.workerId === workerId && grant.cameraId === cameraId && grant.use === use && grant.sha256 === digestOf(text)
