import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { DigestGuard } from '../digest/digest.ts'
import type { ActiveFaults } from '../fault.ts'
import type { LiveStream } from '../live/live-stream.ts'
import type { Loudspeaker } from './back-channel.ts'
import { Delivery } from './delivery.ts'
import { describeStream, trackNames } from './description.ts'
import { formatReply, type ParsedRequest, parseRtsp, type RtspReply } from './message.ts'
import { PlaySession, parseClockRange, type ReplayedCard, type TrackKind } from './playing.ts'
import type { UdpSender } from './udp-sender.ts'

/** What a connection asks of the camera it belongs to. */
export interface RtspCamera {
  readonly name: string
  readonly guard: DigestGuard
  readonly faults: ActiveFaults
  readonly streams: ReadonlyMap<string, LiveStream>
  /** What is recorded on the camera's card; undefined without one. */
  readonly card: ReplayedCard | undefined
  readonly loudspeaker: Loudspeaker
  /** Viewers that have a session. */
  readonly viewers: () => number
  /** A session without a request or a receiver report for so long is ended, and its connection with it. */
  readonly sessionTimeoutSeconds: number
  /** Sends the media; undefined if they go inside of the connection. */
  readonly udp: UdpSender | undefined
  /** Hears every request. */
  readonly onRequest: (request: RtspAttempt) => void
}

/** A request as it came. */
export interface RtspAttempt {
  /** `none`: something else than RTSP. */
  readonly method: string
  readonly transport?: string | undefined
}

/** Replays the card (ONVIF Streaming §6). */
const CARD_PATH = '/card'
const METHODS = 'OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, GET_PARAMETER, SET_PARAMETER, TEARDOWN'

interface Session {
  readonly id: string
  readonly path: string
  readonly playing: PlaySession
  /** The first of the two channels that bring sound for the camera. */
  back?: number
}

type NamedTrack = TrackKind | 'back'

/** Of clients that name none. */
const CHANNELS: Readonly<Record<NamedTrack, number>> = { video: 0, audio: 2, back: 4 }

/** Path of the stream and, if present, the track: `/main`, `/main/track1`. Query and trailing slash are ignored. */
function parsePath(uri: string): { readonly path: string; readonly track: NamedTrack | undefined } {
  const bare = uri.replace(/^rtsps?:\/\/[^/]*/i, '').replace(/\?.*$/, '')
  const trimmed = bare.replace(/\/+$/, '')
  for (const kind of ['video', 'audio', 'back'] as const) {
    if (trimmed.endsWith(`/${trackNames[kind]}`))
      return { path: trimmed.slice(0, -trackNames[kind].length - 1), track: kind }
  }
  return { path: trimmed, track: undefined }
}

/** One RTSP connection. A session belongs to the connection that created it, because its packets do. */
export class SimulatorConnection {
  readonly #socket: Socket
  readonly #camera: RtspCamera
  readonly #delivery: Delivery
  #received: Buffer = Buffer.alloc(0)
  #session: Session | undefined
  #idle: NodeJS.Timeout | undefined

  /** `requests`: where the viewer's requests come from, if not from the socket itself. */
  constructor(socket: Socket, camera: RtspCamera, requests: Readable = socket) {
    this.#socket = socket
    this.#camera = camera
    this.#delivery = new Delivery(socket, camera.faults, camera.udp)
    socket.setNoDelay(true)
    requests.on('data', (bytes) => this.#receive(bytes))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#end())
    this.#touch()
  }

  /** Of the stream that it plays. */
  get path(): string | undefined {
    return this.#session?.path
  }

  get hasSession(): boolean {
    return this.#session !== undefined
  }

  /** TCP RST. */
  reset(): void {
    if (this.#socket instanceof TLSSocket) this.#socket.destroy()
    else this.#socket.resetAndDestroy()
  }

  #end(): void {
    clearTimeout(this.#idle)
    this.#session?.playing.pause()
    this.#session = undefined
    this.#delivery.close()
  }

  #touch(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#socket.destroy(), this.#camera.sessionTimeoutSeconds * 1000)
  }

  #receive(bytes: Buffer): void {
    this.#touch()
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
    for (;;) {
      const parsed = parseRtsp(this.#received)
      if (parsed.kind === 'incomplete') return
      if (parsed.kind === 'broken') {
        this.#socket.destroy()
        return
      }
      if (parsed.kind === 'interleaved') this.#hear(parsed.channel, this.#received.subarray(4, parsed.bytes))
      this.#received = this.#received.subarray(parsed.bytes)
      if (parsed.kind === 'request') this.#answer(parsed.request)
    }
  }

  #hear(channel: number, packet: Buffer): void {
    const { back, playing } = this.#session ?? {}
    if (back === undefined || playing?.isPlaying !== true) return
    if (channel === back || channel === back + 1) this.#camera.loudspeaker.hear(packet, channel !== back)
  }

  #answer(request: ParsedRequest): void {
    this.#camera.onRequest({ method: request.method, transport: request.headers.get('transport') })
    const reply = this.#reply(request)
    const session = this.#session === undefined ? [] : [this.#sessionHeader(this.#session)]
    this.#delivery.reply(formatReply(request, { ...reply, headers: [...(reply.headers ?? []), ...session] }))
    if (reply.status !== 200) return
    // Only now, so that no packet overtakes the reply.
    if (request.method === 'PLAY') this.#begin(request)
    if (request.method === 'TEARDOWN') this.#session = undefined
  }

  #begin({ headers }: ParsedRequest): void {
    const { playing, path } = this.#session ?? {}
    const range = parseClockRange(headers.get('range') ?? '')
    const { card } = this.#camera
    if (path !== CARD_PATH || card === undefined) playing?.play()
    else if (range !== undefined) playing?.replay(card, range, headers.get('rate-control') === 'no')
  }

  #sessionHeader({ id }: Session): readonly [string, string] {
    return ['Session', `${id};timeout=${this.#camera.sessionTimeoutSeconds}`]
  }

  #reply(request: ParsedRequest): RtspReply {
    if (request.method === 'OPTIONS') return { status: 200, headers: [['Public', METHODS]] }
    const refusal = this.#refusal(request)
    if (refusal !== undefined) return refusal
    switch (request.method) {
      case 'DESCRIBE':
        return this.#describe(request)
      case 'SETUP':
        return this.#setUp(request)
      case 'PLAY':
        return this.#play(request)
      case 'PAUSE':
        return this.#pause(request)
      case 'TEARDOWN':
        return this.#tearDown(request)
      case 'GET_PARAMETER':
      case 'SET_PARAMETER':
        return this.#ifOwnSession(request, () => ({ status: 200 }))
      default:
        return { status: 501, headers: [['Public', METHODS]] }
    }
  }

  #refusal({ method, headers }: ParsedRequest): RtspReply | undefined {
    const { guard, faults } = this.#camera
    const verdict = guard.check(method, headers.get('authorization'))
    if (verdict.kind === 'accepted' && !faults.has('wrong-password')) return undefined
    const isStale = verdict.kind === 'refused' && verdict.isStale && headers.has('authorization')
    const challenges = guard.challenges(isStale).map((challenge) => ['WWW-Authenticate', challenge] as const)
    return { status: 401, headers: challenges }
  }

  #streamAt(path: string): LiveStream | undefined {
    const { faults, streams } = this.#camera
    if (path === CARD_PATH) return this.#camera.card?.stream
    return path === '/sub' && faults.has('sub-stream-missing') ? undefined : streams.get(path)
  }

  #describe({ uri, headers: asked }: ParsedRequest): RtspReply {
    const { loudspeaker } = this.#camera
    const required = asked.get('require')
    if (loudspeaker.rejects(required)) return { status: 551, headers: [['Unsupported', required ?? '']] }
    const { path } = parsePath(uri)
    const stream = this.#streamAt(path)
    if (stream === undefined) return { status: 404 }
    const base = `${uri.replace(/\?.*$/, '').replace(/\/+$/, '')}/`
    const headers = [['Content-Base', base] as const, ['Content-Type', 'application/sdp'] as const]
    const body = describeStream(stream, this.#camera.name) + loudspeaker.describe(required, trackNames.back)
    return { status: 200, headers, body }
  }

  #setUp({ uri, headers }: ParsedRequest): RtspReply {
    const { path, track } = parsePath(uri)
    const stream = this.#streamAt(path)
    if (stream === undefined) return { status: 404 }
    if (track === undefined) return { status: 459 }
    const limit = this.#camera.faults.get('viewer-limit')
    if (limit !== undefined && !this.hasSession && this.#camera.viewers() >= limit.most) return { status: 453 }
    const isMissing =
      track === 'back' ? !this.#camera.loudspeaker.isOffered : track === 'audio' && stream.audio === undefined
    if (isMissing) return { status: 404 }
    const transport = headers.get('transport') ?? ''
    const channel =
      this.#camera.udp === undefined ? interleavedChannel(transport, track) : this.#openUdp(transport, track)
    if (channel === undefined) return { status: 461 }
    if (this.#session !== undefined && this.#session.path !== path) return { status: 459 }
    if (this.#session?.playing.isPlaying === true) return { status: 455 }
    this.#session ??= {
      id: randomBytes(8).toString('hex'),
      path,
      playing: new PlaySession(stream, this.#delivery, this.#camera.faults),
    }
    if (track === 'back') {
      this.#session.back = channel
      return { status: 200, headers: [['Transport', `RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1}`]] }
    }
    const source = this.#session.playing.setUp(track, channel).toString(16).padStart(8, '0').toUpperCase()
    const way = this.#transport(channel)
    return { status: 200, headers: [['Transport', `${way};ssrc=${source};mode="PLAY"`]] }
  }

  #transport(channel: number): string {
    const { udp } = this.#camera
    const viewer = this.#delivery.udpViewers.get(channel)
    if (udp === undefined || viewer === undefined) return `RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1}`
    const { rtpPort } = viewer
    return `RTP/AVP;unicast;client_port=${rtpPort}-${rtpPort + 1};server_port=${udp.port}-${udp.port}`
  }

  /** The channel that stands for the ports that a client wants the track at; undefined when it wants no UDP. */
  #openUdp(transport: string, track: NamedTrack): number | undefined {
    const rtpPort = Number(/^\s*RTP\/AVP(?:\/UDP)?;.*client_port=(\d{1,5})/i.exec(transport)?.[1])
    if (!(rtpPort > 0 && rtpPort < 65_535) || track === 'back') return undefined
    const channel = CHANNELS[track]
    this.#delivery.udpViewers.set(channel, { address: this.#socket.remoteAddress ?? '', rtpPort })
    return channel
  }

  #play(request: ParsedRequest): RtspReply {
    return this.#ifOwnSession(request, ({ playing, back }) => {
      if (!playing.hasTracks && back === undefined) return { status: 455 }
      const base = request.uri.replace(/\/+$/, '')
      const info = (['video', 'audio'] as const).flatMap((kind) => {
        const position = playing.position(kind)
        if (position === undefined) return []
        return [`url=${base}/${trackNames[kind]};seq=${position.sequence};rtptime=${position.timestamp}`]
      })
      return {
        status: 200,
        headers: [
          ['Range', 'npt=now-'],
          ['RTP-Info', info.join(',')],
        ],
      }
    })
  }

  #pause(request: ParsedRequest): RtspReply {
    return this.#ifOwnSession(request, ({ playing }) => {
      playing.pause()
      return { status: 200 }
    })
  }

  #tearDown(request: ParsedRequest): RtspReply {
    return this.#ifOwnSession(request, ({ playing }) => {
      playing.pause()
      return { status: 200 }
    })
  }

  // A keep-alive without Session is accepted, as by real cameras; another client's session isn't.
  #ifOwnSession({ method, headers }: ParsedRequest, then: (session: Session) => RtspReply): RtspReply {
    const id = headers.get('session')?.replace(/;.*$/, '')
    const isKeepAlive = method === 'GET_PARAMETER' || method === 'SET_PARAMETER'
    if (id === undefined && isKeepAlive) return { status: 200 }
    if (this.#session === undefined) return { status: id === undefined ? 455 : 454 }
    return id === this.#session.id ? then(this.#session) : { status: 454 }
  }
}

/** First channel of the interleaved transport a client asks for; undefined when it wants UDP or multicast only. */
function interleavedChannel(transport: string, track: NamedTrack): number | undefined {
  const offer = transport.split(',').find((candidate) => /^\s*RTP\/AVP\/TCP\b/i.test(candidate))
  if (offer === undefined) return undefined
  const [, channel] = /interleaved=(\d{1,3})/i.exec(offer) ?? []
  if (channel === undefined) return CHANNELS[track]
  return Number(channel) <= 254 ? Number(channel) : undefined
}
