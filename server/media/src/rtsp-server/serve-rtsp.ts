import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { RequestReader } from './request-reader.ts'
import { RtspClient, type RtspClientOptions } from './rtsp-client.ts'

export interface RtspLimits {
  /** A client that plays nothing after so long is sent away. */
  readonly playsWithinMs: number
  /** A client that sends neither a request nor a report for so long is gone. */
  readonly silentMs: number
  /** A client that takes nothing for so long is gone. */
  readonly stalledMs: number
}

export interface RtspOptions extends Pick<RtspClientOptions, 'open'> {
  readonly limits?: Partial<RtspLimits>
}

/** The `Session` header has `silentMs` as its timeout (RFC 2326 §12.37). */
const LIMITS: RtspLimits = { playsWithinMs: 30_000, silentMs: 60_000, stalledMs: 10_000 }

/** Serves a connection until the client leaves, its permission ends, or the camera is away. */
export async function serveRtsp(socket: Duplex, head: Uint8Array, options: RtspOptions): Promise<void> {
  const limits = { ...LIMITS, ...options.limits }
  const timeout = LIMITS.silentMs / 1000
  const onIdle = () => void waiting.refresh()
  const client = new RtspClient(socket, { open: options.open, stalledMs: limits.stalledMs, timeout, onIdle })
  const waiting = setTimeout(() => client.isIdle && socket.destroy(), limits.playsWithinMs)
  const silence = setTimeout(() => socket.destroy(), limits.silentMs)
  socket.on('error', () => socket.destroy())
  const reader = new RequestReader()
  let answering = Promise.resolve()
  const take = (bytes: Uint8Array) => {
    const requests = reader.feed(bytes)
    if (requests === undefined) {
      socket.off('data', take)
      return client.endUnreadable()
    }
    silence.refresh()
    // Paused meanwhile, so that a client can't queue requests without end.
    if (requests.length > 0) socket.pause()
    answering = answering
      .then(async () => {
        for (const request of requests) await client.answer(request)
      })
      .catch((error: unknown) => void socket.destroy(error instanceof Error ? error : undefined))
      .finally(() => socket.resume())
  }
  socket.on('data', take)
  if (head.length > 0) take(head)
  socket.on('end', () => socket.destroy())
  if (!socket.destroyed) await once(socket, 'close').catch(() => undefined)
  await answering
  await client.close()
  for (const timer of [waiting, silence]) clearTimeout(timer)
}
