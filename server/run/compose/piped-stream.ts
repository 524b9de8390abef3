import { type ClientRequest, type IncomingMessage, type RequestOptions, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { Duplex } from 'node:stream'
import type { StreamRequest } from '@sightline/media/control'
import { toStreamRequest } from './worker-connection.ts'

/** A connection whose other end is closed stays open this long for what is still on its way to the peer. */
const DELIVERY_MS = 5000
/** Longer than a worker's own limits, whose close isn't noticed while the peer takes nothing: then nothing is read of the worker. */
const MAX_STALL_MS = 30_000

/**
 * Bytes both ways. When one end closes or breaks, the other one gets what was sent to it, and is then closed.
 * @param maxStallMs a peer that takes nothing for so long is disconnected; unless given, it can take its time.
 */
export function joinSockets(a: Duplex, b: Duplex, { maxStallMs }: { readonly maxStallMs?: number } = {}): void {
  a.pipe(b).pipe(a)
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    // 'close' follows.
    one.on('error', () => undefined)
    one.on('close', () => closeAfterDelivery(other))
    if (maxStallMs !== undefined) limitStalls({ from: one, to: other }, maxStallMs)
  }
}

/** Its end is sent first. The peer closes then, and one that doesn't is disconnected. */
function closeAfterDelivery(socket: Duplex): void {
  if (socket.destroyed) return
  socket.end()
  // What it still sends is dropped: a connection that is closed with something unread is reset, and loses what is on its way.
  socket.resume()
  const late = setTimeout(() => socket.destroy(), DELIVERY_MS).unref()
  socket.once('close', () => clearTimeout(late))
}

/** While `to` takes nothing, its pipe pauses `from`. */
function limitStalls({ from, to }: { readonly from: Duplex; readonly to: Duplex }, maxStallMs: number): void {
  let stalled: NodeJS.Timeout | undefined
  const clear = () => clearTimeout(stalled)
  from.on('pause', () => {
    clear()
    stalled = setTimeout(() => to.destroy(), maxStallMs).unref()
  })
  from.on('resume', clear)
  to.on('close', clear)
}

/** Of a stream, and not of a download, which a person may pause: its viewer is disconnected if it takes nothing for long. */
export const stallLimit = ({ headers }: Pick<StreamRequest, 'headers'>): { readonly maxStallMs?: number } =>
  headers.upgrade === undefined ? {} : { maxStallMs: MAX_STALL_MS }

/** A TLS connection can't leave the process with its keys, so its bytes go through a local socket. */
export function pipeToWorker(
  { request, socket, head }: { request: StreamRequest; socket: Duplex; head: Uint8Array },
  path: string,
): void {
  const worker = connect(path)
  const { method = 'GET', url, headers } = request
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  worker.write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  worker.write(head)
  joinSockets(socket, worker, stallLimit(request))
}

/** A request to a worker, each on a connection of its own: a download that is given up is noticed by its end. */
export const askWorker = (
  { url, method, headers }: Pick<StreamRequest, 'url' | 'headers'> & { readonly method: string },
  to: Pick<RequestOptions, 'socketPath' | 'createConnection'>,
): ClientRequest => request({ ...to, path: url, method, headers: { ...headers, connection: 'close' } })

/** A request of a stream that is answered over HTTP, with what it sends. */
export interface ForwardedRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly body: Buffer
}

/** The worker isn't there, or didn't answer: another try in a moment may reach it. */
export const answerUnavailable = (res: ServerResponse): void =>
  void res.writeHead(503, { 'retry-after': '2', 'content-length': '0' }).end()

/** Passes a request on to a worker of another machine, and its answer back as fast as the client takes it. */
export function forwardRequest(
  { req, res, body }: ForwardedRequest,
  to: Pick<RequestOptions, 'createConnection'>,
): void {
  const { url, headers } = toStreamRequest(req)
  const asked = askWorker({ url, method: req.method ?? 'GET', headers }, to)
  asked.on('response', (answer) => {
    const { connection: _, ...rest } = answer.headers
    res.writeHead(answer.statusCode ?? 502, rest)
    answer.pipe(res)
    answer.on('error', () => res.destroy())
  })
  asked.on('error', () => {
    if (res.headersSent) res.destroy()
    else answerUnavailable(res)
  })
  res.on('close', () => asked.destroy())
  asked.end(body)
}

/** Of an offer of WebRTC; other requests of streams have nothing. */
const MAX_BODY_BYTES = 64 * 1024

/** The body of a request; undefined if it is too large, and then the rest isn't read. */
export async function readRequestBody(req: IncomingMessage): Promise<Buffer | undefined> {
  if (req.method === 'GET' || req.method === 'HEAD') return Buffer.alloc(0)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A connection whose other end has the request already: what is written to it is dropped. */
export function answerOnly(connection: Duplex): Duplex {
  const end = new Duplex({
    read: () => void connection.resume(),
    write: (_chunk, _encoding, done) => done(),
    destroy(error, done) {
      connection.destroy()
      done(error)
    },
  })
  connection.on('data', (chunk) => end.push(chunk) || connection.pause())
  connection.on('end', () => end.push(null))
  connection.on('close', () => end.destroy())
  return end
}
