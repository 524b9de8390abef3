import { DiskAway, type HeadDisk } from '@sightline/media/control'
import { type ChainHead, checkChainProof, type SignedHead, type StreamKey } from '@sightline/media/recording'
import type { ChainAnswer, ChainQuestion } from './chain-messages.ts'

/** A question without its number. */
type Asked = ChainQuestion extends infer Question
  ? Question extends ChainQuestion
    ? Omit<Question, 'id'>
    : never
  : never

/** Resolves with undefined while the machine can't be reached. */
export type AskChain = (question: Asked) => Promise<ChainAnswer | undefined>

/**
 * The disk of another machine. What it says isn't believed: a head is signed only if the lines that the machine sends lead to
 * it from the head that was signed before, or if the machine admits that they don't, which is reported.
 */
export function linkedHeadDisk(name: string, ask: AskChain): HeadDisk {
  const asked = async <What extends ChainAnswer['what']>(question: Asked, what: What) => {
    const answer = await ask(question)
    if (answer === undefined) throw new DiskAway(`the machine ${name} doesn’t answer`)
    if (answer.what !== what) throw new Error(`the machine ${name} said: ${JSON.stringify(answer).slice(0, 300)}`)
    return answer as Extract<ChainAnswer, { what: What }>
  }
  const askProof = (signed: SignedHead | undefined, head: ChainHead) => {
    const question = { what: 'proof', of: keyOf(head), head: plainHead(head) } as const
    return asked({ ...question, ...(signed && { signed: plainHead(signed) }) }, 'proof')
  }
  const isFirst = async (head: ChainHead): Promise<boolean> => {
    const { proof } = await askProof(undefined, head)
    return proof.kind === 'lines' && checkChainProof(proof.lines, { signed: undefined, head }) !== undefined
  }
  return {
    name,
    async examine(signed, head) {
      const { proof } = await askProof(signed, head)
      if (proof.kind === 'lines') {
        const proven = checkChainProof(proof.lines, { signed, head })
        if (proven !== undefined) return { descent: 'continues', head: proven }
      } else if (proof.kind !== 'broken') return { descent: proof.kind, head }
      // What was signed is gone: the head is signed as the first of a new chain, if it is there.
      const isThere = signed !== undefined && (await isFirst(head))
      return { descent: isThere ? 'broken' : 'absent', head }
    },
    readHead: async (stream) => (await asked({ what: 'head', of: keyOf(stream) }, 'head')).line,
    writeHead: async (stream, line) => (await asked({ what: 'keep', of: keyOf(stream), line }, 'kept')).isKept,
    setAside: async (stream, line, at) =>
      (await asked({ what: 'setAside', of: keyOf(stream), line, at }, 'setAside')).path,
  }
}

const keyOf = ({ accountId, cameraId, stream }: StreamKey): StreamKey => ({ accountId, cameraId, stream })
const plainHead = ({ hour, bytes, hash, ...of }: ChainHead | SignedHead): ChainHead => ({
  ...keyOf(of),
  hour,
  bytes,
  hash,
})
