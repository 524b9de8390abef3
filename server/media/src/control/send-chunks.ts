import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Smaller ones may share their memory with others. */
const LEAST_BYTES = 64 * 1024

/**
 * Sends chunks as fast as the client takes them. Each is the sender's alone, and its memory is freed once it is sent: V8 would count it
 * until it collects garbage, and would do that for every few dozen of them.
 * Breaks off if `signal` is aborted; a client that disconnects or loses permission isn't a server error.
 */
export async function sendChunks(
  chunks: AsyncIterable<Uint8Array>,
  res: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const sink = new Writable({
    highWaterMark: 1,
    write(chunk: Uint8Array, _, done) {
      res.write(chunk, (error) => {
        free(chunk)
        done(error)
      })
    },
    final: (done) => void res.end(() => done()),
  })
  res.once('close', () => sink.destroy())
  await pipeline(chunks, sink, { signal }).catch(() => res.destroy())
}

function free({ buffer, byteLength }: Uint8Array): void {
  const isWhole = byteLength === buffer.byteLength && byteLength >= LEAST_BYTES
  if (isWhole && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
