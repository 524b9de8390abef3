import { hash, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { EpochMs } from '../clock/index.ts'
import { getKeyId, readSignedLine, signLine } from '../signed-line/index.ts'

/** The end of one organization's chain at a given time. */
export type Head = readonly [accountId: number, sequence: number, hashHex: string]

/** The end of a stream's list of footage at a given time: the hash of its last line. */
export type FootageHead = readonly [accountId: number, cameraId: number, stream: 'main' | 'sub', hashHex: string]

/** The signed state at one time: the ends of all chains that grew since the previous checkpoint. */
export interface Checkpoint {
  /** From 1, without gaps. */
  readonly number: number
  readonly at: EpochMs
  /** SHA-256 of the line of the checkpoint before; of a fixed text for the first. */
  readonly previous: string
  readonly heads: readonly Head[]
  /** Of lists that grew since they were last in a checkpoint; most checkpoints have none. */
  readonly footage: readonly FootageHead[]
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

/** One line of JSON, without its line break. */
export const signCheckpoint = ({ number, at, previous, heads, footage }: Checkpoint, key: KeyObject): string =>
  signLine(
    {
      number,
      at: new Date(at).toISOString(),
      keyId: getKeyId(key),
      previous,
      heads,
      ...(footage.length > 0 && { footage }),
    },
    key,
  )

const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/)
const positive = z.int().positive()
const content = z
  .strictObject({
    number: positive,
    at: z.iso.datetime({ precision: 3 }).transform((text) => Date.parse(text)),
    keyId: z.string(),
    previous: sha256Hex,
    heads: z.array(z.tuple([positive, positive, sha256Hex])),
    footage: z.array(z.tuple([positive, positive, z.enum(['main', 'sub']), sha256Hex])).default([]),
  })
  .refine(({ heads, footage }) => heads.length + footage.length > 0)

/** A parsed line; undefined if it isn't a checkpoint. */
export function readCheckpoint(line: string): ReadCheckpoint | undefined {
  const signed = readSignedLine(line)
  const read = content.safeParse(signed?.content)
  if (signed === undefined || !read.success) return undefined
  return { ...read.data, line, isSignedBy: signed.isSignedBy }
}
