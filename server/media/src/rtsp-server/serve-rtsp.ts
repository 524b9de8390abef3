import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import type { TrackConfig } from '../frame/index.ts'
import type { Hub } from '../hub/index.ts'
import { type ClientRequest, RequestReader } from './request-reader.ts'
import { describeSession } from './session-description.ts'
import { type RunAnchor, TrackSender } from './track-sender.ts'

/** A stream that the client may see. */
export interface OpenedStream {
  readonly hub: Hub
  readonly hears: boolean
  /** Aborts once the permission is gone. */
  readonly signal: AbortSignal
}

export interface RtspError {
  readonly status: number
  /** The body of the answer. */
  readonly json: string
}

export interface RtspLimits {
  /** A client that plays nothing after so long is sent away. */
  readonly playsWithinMs: number
  /** A client that sends neither a request nor a report for so long is gone. */
  readonly silentMs: number
  /** A client that takes nothing for so long is gone. */
  readonly stalledMs: number
}

export interface RtspOptions {
  /** Asks for the stream of an address, once in a connection. */
  readonly open: (url: string) => Promise<OpenedStream | RtspError>
  readonly limits?: Partial<RtspLimits>
}

/** The `Session` header has `silentMs` as its timeout (RFC 2326 §12.37). */
const LIMITS: RtspLimits = { playsWithinMs: 30_000, silentMs: 60_000, stalledMs: 10_000 }

/** What may wait for a client; beyond it, it is skipped to the next key picture. */
const MAX_QUEUED_BYTES = 8 * 1024 * 1024
/** What is written at once, in pieces: whole packets, so that a slow client is seen to take something. */
const PIECES_AT_ONCE = 64
const TRACKS_WITHIN_MS = 10_000
/** More than any player needs until it plays. */
const MAX_REQUESTS_TO_PLAY = 50
const METHODS = 'OPTIONS, DESCRIBE, SETUP, PLAY, GET_PARAMETER, TEARDOWN'

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  415: 'Unsupported Media Type',
  454: 'Session Not Found',
  455: 'Method Not Valid in This State',
  461: 'Unsupported Transport',
  503: 'Service Unavailable',
  504: 'Gateway Time-out',
}

interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Serves a connection until the client leaves, its permission ends, or the camera is away. */
export async function serveRtsp(socket: Duplex, head: Uint8Array, options: RtspOptions): Promise<void> {
  const limits = { ...LIMITS, ...options.limits }
  const client = new RtspClient(socket, { open: options.open, limits })
  const waiting = setTimeout(() => client.isPlaying || socket.destroy(), limits.playsWithinMs)
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
  for (const timer of [waiting, silence]) clearTimeout(timer)
  await answering
}

class RtspClient {
  readonly #socket: Duplex
  readonly #open: RtspOptions['open']
  readonly #limits: RtspLimits
  readonly #sessionId = randomBytes(12).toString('hex')
  readonly #channels = new Map<number, readonly [number, number]>()
  #stream: OpenedStream | undefined
  #tracks: readonly TrackConfig[] = []
  #requests = 0
  isPlaying = false

  constructor(socket: Duplex, { open, limits }: Pick<RtspOptions, 'open'> & { readonly limits: RtspLimits }) {
    this.#socket = socket
    this.#open = open
    this.#limits = limits
  }

  endUnreadable(): void {
    this.#reply(undefined, { status: 400 })
    this.#leave()
  }

  /** Resolves when the client may send more: a client that doesn't take its answers gets none. */
  async answer(request: ClientRequest): Promise<void> {
    if (this.#socket.destroyed || this.#socket.writableEnded) return
    if (!this.isPlaying && ++this.#requests > MAX_REQUESTS_TO_PLAY) return void this.#socket.destroy()
    const session = request.headers.get('session')?.split(';')[0]?.trim()
    const isOther = session !== undefined && session !== this.#sessionId
    const reply = isOther ? { status: 454 } : await this.#replyTo(request)
    if (this.#socket.destroyed) return
    this.#reply(request.headers.get('cseq'), reply)
    const isRefused = request.method === 'DESCRIBE' && reply.status !== 200
    if (request.method === 'TEARDOWN' || isRefused) return this.#leave()
    if (request.method === 'PLAY' && reply.status === 200 && !this.isPlaying) this.#play()
    if (this.#socket.writableNeedDrain) await this.#drained(this.#stream?.signal)
  }

  /** What was written is still sent. */
  #leave(): void {
    this.#socket.end(() => this.#socket.destroy())
  }

  #replyTo(request: ClientRequest): Reply | Promise<Reply> {
    switch (request.method) {
      case 'OPTIONS':
        return { status: 200, headers: { public: METHODS } }
      case 'DESCRIBE':
        return this.#describe(request.url)
      case 'SETUP':
        return this.#setUp(request)
      case 'PLAY':
        return this.#channels.size > 0 ? { status: 200, headers: this.#session() } : { status: 455 }
      case 'GET_PARAMETER':
      case 'TEARDOWN':
        return { status: 200 }
      default:
        return { status: 405, headers: { allow: METHODS } }
    }
  }

  async #describe(url: string): Promise<Reply> {
    if (this.#stream === undefined) {
      const opened = await this.#open(url)
      if ('status' in opened) return { ...opened, headers: { 'content-type': 'application/json' }, body: opened.json }
      this.#stream = opened
      if (opened.signal.aborted) this.#socket.destroy()
      opened.signal.addEventListener('abort', () => this.#socket.destroy(), { once: true })
      this.#tracks = await findTracks(opened)
    }
    if (this.#tracks.length === 0) return { status: 503, body: 'The camera sends no video now.' }
    // Without what opened the stream: addresses of tracks are shown and logged by players.
    const base = `rtsp${url.startsWith('rtsps:') ? 's' : ''}://${URL.parse(url)?.host ?? 'localhost'}/stream/rtsp/`
    return {
      status: 200,
      headers: { 'content-type': 'application/sdp', 'content-base': base },
      body: describeSession(this.#tracks, `${base}track`),
    }
  }

  #setUp({ url, headers }: ClientRequest): Reply {
    const index = Number(/\/track(\d{1,2})$/.exec(url)?.[1] ?? Number.NaN)
    if (this.#stream === undefined || this.isPlaying) return { status: 455 }
    if (this.#tracks[index] === undefined) return { status: 404 }
    const wanted = (headers.get('transport') ?? '').split(',').find((each) => /^\s*RTP\/AVP\/TCP\b/i.test(each))
    if (wanted === undefined) return { status: 461, body: 'Use TCP: media is sent in this connection only.' }
    const asked = Number(/interleaved=(\d{1,3})(?:-|;|$)/.exec(wanted)?.[1] ?? index * 2)
    const channels = [asked, asked + 1] as const
    const isTaken = [...this.#channels].some(([other, [first]]) => other !== index && Math.abs(first - asked) < 2)
    if (asked > 254 || isTaken) return { status: 400, body: 'These channels are taken.' }
    this.#channels.set(index, channels)
    const transport = `RTP/AVP/TCP;unicast;interleaved=${channels.join('-')}`
    return { status: 200, headers: { transport, session: `${this.#sessionId};timeout=${LIMITS.silentMs / 1000}` } }
  }

  #session = () => ({ session: this.#sessionId, range: 'npt=now-' })

  #reply(cseq: string | undefined, { status, headers = {}, body = '' }: Reply): void {
    const all = { ...(cseq !== undefined && /^\d{1,10}$/.test(cseq) && { cseq }), ...headers }
    const lines = Object.entries({ ...all, 'content-length': String(Buffer.byteLength(body)) })
    const text = lines.map(([name, value]) => `${HEADER_NAMES[name] ?? name}: ${value}\r\n`).join('')
    this.#socket.write(`RTSP/1.0 ${status} ${reasons[status] ?? 'Error'}\r\n${text}\r\n${body}`)
  }

  #play(): void {
    this.isPlaying = true
    this.#send().then(
      () => this.#leave(),
      () => this.#socket.destroy(),
    )
  }

  /** From the running group of pictures on; ends when the camera is away, or its tracks have changed. */
  async #send(): Promise<void> {
    const stream = this.#stream
    if (stream === undefined) return
    const senders = this.#tracks.map((track, index) => {
      const channels = this.#channels.get(index)
      return channels && new TrackSender(track, index, channels)
    })
    await using reader = stream.hub.join({ maxQueuedBytes: MAX_QUEUED_BYTES, start: 'running-gop' })
    this.#socket.once('close', () => reader.leave())
    let all: readonly TrackConfig[] = []
    let anchor: RunAnchor | undefined
    for (let message = await reader.next(); message !== undefined; message = await reader.next()) {
      if (message.kind === 'ended') return
      if (message.kind === 'tracks') all = message.tracks
      if (message.kind === 'tracks' && !isSame(heardTracks(stream, all), this.#tracks)) return
      if (message.kind !== 'unit') continue
      const track = all[message.track]
      const sender = track && senders[heardTracks(stream, all).indexOf(track)]
      anchor ??= { time: message.unit.time, wallClock: message.unit.wallClock }
      await this.#write(sender?.write(message.unit, anchor) ?? [], stream.signal)
      if (this.#socket.destroyed) return
    }
  }

  /** As fast as the client takes it. */
  async #write(pieces: readonly Uint8Array[], signal: AbortSignal): Promise<void> {
    for (let at = 0; at < pieces.length && !this.#socket.destroyed; at += PIECES_AT_ONCE)
      if (!this.#socket.write(Buffer.concat(pieces.slice(at, at + PIECES_AT_ONCE)))) await this.#drained(signal)
  }

  async #drained(signal?: AbortSignal): Promise<void> {
    const late = AbortSignal.timeout(this.#limits.stalledMs)
    const stalled = signal === undefined ? late : AbortSignal.any([signal, late])
    await once(this.#socket, 'drain', { signal: stalled }).catch(() => this.#socket.destroy())
  }
}

const HEADER_NAMES: Readonly<Record<string, string>> = {
  cseq: 'CSeq',
  public: 'Public',
  allow: 'Allow',
  session: 'Session',
  transport: 'Transport',
  range: 'Range',
  'content-type': 'Content-Type',
  'content-base': 'Content-Base',
  'content-length': 'Content-Length',
}

const heardTracks = ({ hears }: OpenedStream, tracks: readonly TrackConfig[]): readonly TrackConfig[] =>
  tracks.filter(({ kind }) => kind === 'video' || hears)

const isSame = (one: readonly TrackConfig[], other: readonly TrackConfig[]): boolean =>
  describeSession(one, '') === describeSession(other, '')

/** None if the camera is away, or doesn't say in time. */
async function findTracks(stream: OpenedStream): Promise<readonly TrackConfig[]> {
  await using reader = stream.hub.join({ maxQueuedBytes: 1, start: 'now' })
  const waiting = setTimeout(() => reader.leave(), TRACKS_WITHIN_MS)
  const left = () => reader.leave()
  stream.signal.addEventListener('abort', left, { once: true })
  try {
    for (let message = await reader.next(); message !== undefined; message = await reader.next())
      if (message.kind === 'tracks') return heardTracks(stream, message.tracks)
    return []
  } finally {
    clearTimeout(waiting)
    stream.signal.removeEventListener('abort', left)
  }
}
