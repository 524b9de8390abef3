/** A client that takes a file slowly, so that it is still being sent. */
import { get, type IncomingMessage } from 'node:http'

export interface SlowReader {
  readonly status: number
  /** Of the whole file, if the server says it. */
  readonly length: number
  /** Reads what still comes, as fast as it can, until the connection ends. */
  rest(): Promise<{ readonly bytes: number; readonly isWhole: boolean }>
}

const READ_BYTES = 16 * 1024
const EVERY_MS = 50

/** Reads 320 KB a second. Resolves once the file begins. */
export async function readSlowly(url: string): Promise<SlowReader> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false }, resolve).once('error', reject)
  })
  let bytes = 0
  reply.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => reply.once('close', () => resolve()))
  const reading = setInterval(() => {
    bytes += reply.read(READ_BYTES)?.length ?? 0
  }, EVERY_MS)
  return {
    status: reply.statusCode ?? 0,
    length: Number(reply.headers['content-length']),
    async rest() {
      clearInterval(reading)
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      await closed
      return { bytes, isWhole: reply.complete }
    },
  }
}
