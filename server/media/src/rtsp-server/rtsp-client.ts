import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { FootageAway } from '../recording/index.ts'
import { LivePlayer, type OpenedLive } from './live-player.ts'
import { type PlayRequest, readPlayRequest } from './play-request.ts'
import type { Player, Presentation } from './player.ts'
import { type OpenedRecording, RecordedPlayer } from './recorded-player.ts'
import type { ClientRequest } from './request-reader.ts'
import { answerText, METHODS, type RtspAnswer } from './rtsp-answer.ts'
import { describeSession } from './session-description.ts'
import { type SetUpTrack, TrackSenders } from './track-senders.ts'

export interface RtspError {
  readonly status: number
  /** The body of the answer. */
  readonly json: string
}

/** A stream that the client may see; `nothing` is the answer if there is nothing to play. */
export type OpenedStream = (OpenedLive | OpenedRecording) & { readonly nothing: RtspError }

export interface RtspClientOptions {
  /** Asks for the stream of an address, once in a connection. */
  readonly open: (url: string) => Promise<OpenedStream | RtspError>
  /** A client that takes nothing for so long is gone. */
  readonly stalledMs: number
  /** Of a session, in seconds. */
  readonly timeout: number
  /** Nothing is sent any more: the client has asked for what was sent, or has to ask again. */
  readonly onIdle: () => void
}

/** What is written at once, in pieces: whole packets, so that a slow client is seen to take something. */
const PIECES_AT_ONCE = 64
/** More than any player needs until it plays. */
const MAX_REQUESTS_TO_PLAY = 50
/** Packets with absolute times (ONVIF Streaming §6.3). */
const ONVIF_REPLAY = 'onvif-replay'

/** One connection of RTSP with its session. */
export class RtspClient {
  readonly #socket: Duplex
  readonly #options: RtspClientOptions
  readonly #sessionId = randomBytes(12).toString('hex')
  readonly #set = new Map<number, SetUpTrack>()
  #stream: OpenedStream | undefined
  #player: Player | undefined
  #presentation: Presentation | undefined
  #senders: TrackSenders | undefined
  #state: 'setting up' | 'playing' | 'paused' = 'setting up'
  #isReplay = false
  #base = ''
  #requests = 0
  #sendsNext = false
  #sending: { readonly done: Promise<void>; readonly hold: AbortController } | undefined

  constructor(socket: Duplex, options: RtspClientOptions) {
    this.#socket = socket
    this.#options = options
    socket.once('close', () => this.#sending?.hold.abort())
  }

  /** Whether nothing is sent to it, and it hasn't said that it waits. */
  get isIdle(): boolean {
    return this.#state === 'setting up' || (this.#state === 'playing' && this.#sending === undefined)
  }

  endUnreadable(): void {
    this.#reply(undefined, { status: 400 })
    this.#leave()
  }

  /** Resolves when the client may send more: a client that doesn't take its answers gets none. */
  async answer(request: ClientRequest): Promise<void> {
    if (this.#socket.destroyed || this.#socket.writableEnded) return
    if (this.#state === 'setting up' && ++this.#requests > MAX_REQUESTS_TO_PLAY) return void this.#socket.destroy()
    const session = request.headers.get('session')?.split(';')[0]?.trim()
    const isOther = session !== undefined && session !== this.#sessionId
    const reply = isOther ? { status: 454 } : await this.#replyInTime(request)
    if (this.#socket.destroyed) return
    this.#reply(request.headers.get('cseq'), reply)
    const isRefused = request.method === 'DESCRIBE' && reply.status !== 200
    if (request.method === 'TEARDOWN' || isRefused) return this.#leave()
    // After the reply, which names the range.
    if (this.#sendsNext) this.#send()
    if (this.#socket.writableNeedDrain) await this.#drained()
  }

  async close(): Promise<void> {
    await this.#hold()
    await this.#player?.close()
  }

  /** What was written is still sent. */
  #leave(): void {
    this.#socket.end(() => this.#socket.destroy())
  }

  async #replyInTime(request: ClientRequest): Promise<RtspAnswer> {
    try {
      return await this.#replyTo(request)
    } catch (cause) {
      if (!(cause instanceof FootageAway)) throw cause
      return { status: 504, body: 'The footage is elsewhere and doesn’t come.' }
    }
  }

  #replyTo(request: ClientRequest): RtspAnswer | Promise<RtspAnswer> {
    const unsupported = this.#unsupportedBy(request)
    if (unsupported !== undefined) return { status: 551, headers: { unsupported } }
    switch (request.method) {
      case 'OPTIONS':
        return { status: 200, headers: { public: METHODS } }
      case 'DESCRIBE':
        return this.#describe(request.url)
      case 'SETUP':
        return this.#setUp(request)
      case 'PLAY':
        return this.#play(request)
      case 'PAUSE':
        return this.#pause(request)
      case 'GET_PARAMETER':
      case 'TEARDOWN':
        return { status: 200 }
      default:
        return { status: 405, headers: { allow: METHODS } }
    }
  }

  /** What a client requires and doesn't get (RFC 2326 §12.32). */
  #unsupportedBy({ headers }: ClientRequest): string | undefined {
    const isLive = this.#stream !== undefined && 'hub' in this.#stream
    const tags = (headers.get('require') ?? '').split(',').map((tag) => tag.trim())
    const unknown = tags.filter((tag) => tag !== '' && (isLive || tag.toLowerCase() !== ONVIF_REPLAY))
    if (unknown.length > 0) return unknown.join(', ')
    this.#isReplay ||= tags.some((tag) => tag !== '')
    return undefined
  }

  async #describe(url: string): Promise<RtspAnswer> {
    if (this.#stream === undefined) {
      const opened = await this.#options.open(url)
      if ('status' in opened) return toReply(opened)
      this.#stream = opened
      if (opened.signal.aborted) this.#socket.destroy()
      opened.signal.addEventListener('abort', () => this.#socket.destroy(), { once: true })
      this.#player = 'hub' in opened ? new LivePlayer(opened) : new RecordedPlayer(opened)
      this.#presentation = await this.#player.open()
    }
    const presentation = this.#presentation
    if (presentation === undefined) return toReply(this.#stream.nothing)
    // Without what opened the stream: addresses of tracks are shown and logged by players.
    this.#base = `${url.split('?')[0]}/`
    const headers = { 'content-type': 'application/sdp', 'content-base': this.#base }
    return { status: 200, headers, body: describeSession(presentation.tracks, `${this.#base}track`, presentation) }
  }

  #setUp({ url, headers }: ClientRequest): RtspAnswer {
    const index = Number(/\/track(\d{1,2})$/.exec(url)?.[1] ?? Number.NaN)
    if (this.#presentation === undefined || this.#state !== 'setting up') return { status: 455 }
    const track = this.#presentation.tracks[index]
    if (track === undefined) return { status: 404 }
    const wanted = (headers.get('transport') ?? '').split(',').find((each) => /^\s*RTP\/AVP\/TCP\b/i.test(each))
    if (wanted === undefined) return { status: 461, body: 'Use TCP: media is sent in this connection only.' }
    const asked = Number(/interleaved=(\d{1,3})(?:-|;|$)/.exec(wanted)?.[1] ?? index * 2)
    const channels = [asked, asked + 1] as const
    const others = [...this.#set.values()].filter((other) => other.index !== index)
    const isTaken = others.some((other) => Math.abs(other.channels[0] - asked) < 2)
    if (asked > 254 || isTaken) return { status: 400, body: 'These channels are taken.' }
    this.#set.set(index, { index, track, channels, url: `${this.#base}track${index}` })
    const transport = `RTP/AVP/TCP;unicast;interleaved=${channels.join('-')}`
    return { status: 200, headers: { transport, session: `${this.#sessionId};timeout=${this.#options.timeout}` } }
  }

  /** While it plays, PLAY changes what is played at once; without a range it only says that the client is there (RFC 2326 §10.5). */
  async #play(request: ClientRequest): Promise<RtspAnswer> {
    const player = this.#player
    if (player === undefined || this.#set.size === 0) return { status: 455 }
    const wish: PlayRequest | 400 | 501 = readPlayRequest(request)
    if (typeof wish === 'number') return { status: wish }
    const headers = { session: this.#sessionId }
    if (this.#sending !== undefined && !player.isChangedBy(wish)) return { status: 200, headers }
    // If there is nothing to play, the current playback continues.
    this.#sendsNext = this.#sending !== undefined
    await this.#hold()
    this.#senders ??= new TrackSenders([...this.#set.values()], this.#isReplay)
    const reply = await player.play(wish, this.#senders)
    this.#sendsNext ||= reply.status === 200
    if (this.#sendsNext) this.#state = 'playing'
    else if (this.#state === 'playing') this.#state = 'paused'
    return { ...reply, headers: { ...headers, ...reply.headers } }
  }

  /** Where to pause can't be said beforehand. */
  async #pause({ headers }: ClientRequest): Promise<RtspAnswer> {
    if (this.#state !== 'playing') return { status: 455 }
    if (headers.has('range')) return { status: 501 }
    await this.#hold()
    this.#state = 'paused'
    const reply = this.#player?.pause() ?? { status: 455 }
    return { ...reply, headers: { session: this.#sessionId, ...reply.headers } }
  }

  #reply(cseq: string | undefined, reply: RtspAnswer): void {
    this.#socket.write(answerText(cseq, reply))
  }

  /** Stops sending, between two units. */
  async #hold(): Promise<void> {
    this.#sending?.hold.abort()
    await this.#sending?.done
  }

  #send(): void {
    this.#sendsNext = false
    const player = this.#player
    if (player === undefined || this.#sending !== undefined) return
    const hold = new AbortController()
    const sending = {
      hold,
      done: this.#sendBy(player, hold.signal).finally(() => {
        this.#sending = undefined
        this.#options.onIdle()
      }),
    }
    this.#sending = sending
  }

  async #sendBy(player: Player, signal: AbortSignal): Promise<void> {
    try {
      if ((await player.send((pieces) => this.#write(pieces), signal)) === 'gone') this.#leave()
    } catch {
      this.#socket.destroy()
    }
  }

  /** As fast as the client takes it. */
  async #write(pieces: readonly Uint8Array[]): Promise<boolean> {
    for (let at = 0; at < pieces.length && !this.#socket.destroyed; at += PIECES_AT_ONCE)
      if (!this.#socket.write(Buffer.concat(pieces.slice(at, at + PIECES_AT_ONCE)))) await this.#drained()
    return !this.#socket.destroyed
  }

  async #drained(): Promise<void> {
    const late = AbortSignal.timeout(this.#options.stalledMs)
    const permission = this.#stream?.signal
    const stalled = permission === undefined ? late : AbortSignal.any([permission, late])
    await once(this.#socket, 'drain', { signal: stalled }).catch(() => this.#socket.destroy())
  }
}

const toReply = ({ status, json }: RtspError): RtspAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: json,
})
