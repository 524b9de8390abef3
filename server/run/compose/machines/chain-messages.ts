/** What the front asks a machine about the lists of footage on its disk, to sign their heads (docs/decisions/0103). */

import { localHeadDisk } from '@sightline/media/control'
import {
  type ChainHead,
  type ChainProof,
  MAX_PROOF_LINES,
  readChainProof,
  readHead,
  type StreamKey,
  streamFolder,
} from '@sightline/media/recording'
import { z } from 'zod'

const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const streamKey = z.strictObject({ accountId: id, cameraId: id, stream: z.enum(['main', 'sub']) })
const chainHead = z.strictObject({
  ...streamKey.shape,
  hour: id,
  bytes: id,
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})
const line = z.string().max(4096)

export const chainQuestion = z.discriminatedUnion('what', [
  /** Which lines lead from the head that was signed to the new one? */
  z.strictObject({ what: z.literal('proof'), id, of: streamKey, signed: chainHead.optional(), head: chainHead }),
  /** What does the file `head` say? */
  z.strictObject({ what: z.literal('head'), id, of: streamKey }),
  /** The file `head` is to say this. */
  z.strictObject({ what: z.literal('keep'), id, of: streamKey, line }),
  /** A signed head that the files don't continue is to be kept beside it. */
  z.strictObject({ what: z.literal('setAside'), id, of: streamKey, line, at: z.number() }),
])
export type ChainQuestion = z.infer<typeof chainQuestion>

const proof = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['absent', 'same', 'older', 'broken']) }),
  z.strictObject({
    kind: z.literal('lines'),
    lines: z
      .array(z.strictObject({ hour: id, bytes: id, text: line }))
      .max(MAX_PROOF_LINES)
      .readonly(),
  }),
])

export const chainAnswer = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('proof'), proof }),
  z.strictObject({ what: z.literal('head'), line: line.optional() }),
  z.strictObject({ what: z.literal('kept'), isKept: z.boolean() }),
  z.strictObject({ what: z.literal('setAside'), path: z.string().max(4096) }),
  /** It could not be read or written. */
  z.strictObject({ what: z.literal('failed'), why: z.string().max(1000) }),
])
export type ChainAnswer = z.infer<typeof chainAnswer>

/** Answers from the files of this machine. @param store folder of all footage. */
export async function answerChainQuestion(store: string, question: ChainQuestion): Promise<ChainAnswer> {
  try {
    return await answer(store, question)
  } catch (error) {
    return { what: 'failed', why: String(error).slice(0, 1000) }
  }
}

async function answer(store: string, question: ChainQuestion): Promise<ChainAnswer> {
  const { of } = question
  const disk = localHeadDisk(store)
  if (question.what === 'proof') return { what: 'proof', proof: await readProof(store, question) }
  if (question.what === 'head') {
    const found = await disk.readHead(of)
    return { what: 'head', ...(found !== undefined && { line: found }) }
  }
  if (!isHeadOf(question.line, of)) throw new Error('what is to be written isn’t a signed head of that stream')
  if (question.what === 'keep') return { what: 'kept', isKept: await disk.writeHead(of, question.line) }
  return { what: 'setAside', path: await disk.setAside(of, question.line, question.at) }
}

const readProof = (
  store: string,
  { of, signed, head }: { readonly of: StreamKey; readonly signed?: ChainHead | undefined; readonly head: ChainHead },
): Promise<ChainProof> => readChainProof(streamFolder(store, of), { signed, head: { ...head, ...of } })

function isHeadOf(text: string, { accountId, cameraId, stream }: StreamKey): boolean {
  const head = readHead(text)
  return head?.accountId === accountId && head.cameraId === cameraId && head.stream === stream
}
