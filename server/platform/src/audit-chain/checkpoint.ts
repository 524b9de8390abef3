import { createHash, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'
import type { EpochMs } from '../clock/index.ts'

/** The end of one organization's chain at a given time. */
export type Head = readonly [accountId: number, sequence: number, hashHex: string]

/** The signed state at one time: the ends of all chains that grew since the previous checkpoint. */
export interface Checkpoint {
  /** From 1, without gaps. */
  readonly number: number
  readonly at: EpochMs
  /** SHA-256 of the line of the checkpoint before; of a fixed text for the first. */
  readonly previous: string
  readonly heads: readonly Head[]
}

/** A line as read, regardless of its signer. */
export interface ReadCheckpoint extends Checkpoint {
  readonly keyId: string
  readonly line: string
  isSignedBy(publicKey: KeyObject): boolean
}

const FIRST_PREVIOUS = hash('sha256', 'sightline audit checkpoints 1')

export const lineSha256Hex = (line: string | undefined): string =>
  line === undefined ? FIRST_PREVIOUS : hash('sha256', line)

/** Names a key: the first 16 hexadecimal digits of the SHA-256 of its public half (SPKI, DER). */
export const getKeyId = (key: KeyObject): string =>
  createHash('sha256')
    .update(publicHalf(key).export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16)

export const publicHalf = (key: KeyObject): KeyObject => (key.type === 'private' ? createPublicKey(key) : key)

/** One line of JSON, without its line break. The Ed25519 signature covers everything before `,"signature":`. */
export function signCheckpoint({ number, at, previous, heads }: Checkpoint, key: KeyObject): string {
  const content = { number, at: new Date(at).toISOString(), keyId: getKeyId(key), previous, heads }
  const signed = JSON.stringify(content).slice(0, -1)
  return `${signed},"signature":"${sign(null, Buffer.from(signed), key).toString('base64')}"}`
}

/** The signature ends the line: text after it could contradict the signed part. */
const SIGNED_LINE = /^(\{.*),"signature":"([A-Za-z0-9+/]{86}==)"\}$/

const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/)
const positive = z.int().positive()
const content = z.strictObject({
  number: positive,
  at: z.iso.datetime({ precision: 3 }).transform((text) => Date.parse(text)),
  keyId: z.string(),
  previous: sha256Hex,
  heads: z.array(z.tuple([positive, positive, sha256Hex])).min(1),
})

/** A parsed line; undefined if it isn't a checkpoint. */
export function readCheckpoint(line: string): ReadCheckpoint | undefined {
  const [, signed = '', signature = ''] = SIGNED_LINE.exec(line) ?? []
  const read = content.safeParse(jsonOrUndefined(`${signed}}`))
  if (!read.success) return undefined
  return {
    ...read.data,
    line,
    isSignedBy: (key) => verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64')),
  }
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
