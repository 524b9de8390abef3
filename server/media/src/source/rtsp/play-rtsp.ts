import { fail, ok, type Result } from '@sightline/platform/result'
import type { AccessUnit, StreamMessage, TrackConfig } from '../../frame/index.ts'
import type { CameraConnect } from '../camera-address.ts'
import { type CameraFault, fault, quoted } from '../camera-fault.ts'
import { AudioReader } from './audio-reader.ts'
import { chooseMedia, type MediaChoice } from './media-choice.ts'
import type { VideoTrack } from './parameter-sets.ts'
import { parseRtp, parseSenderReport, type RtpPacket, type SenderReport } from './rtp-packet.ts'
import { type RtspAddress, resolveControl } from './rtsp-address.ts'
import type { CameraCredentials } from './rtsp-authentication.ts'
import { RtspConnection } from './rtsp-connection.ts'
import type { RtspMessage } from './rtsp-framing.ts'
import { type Arrival, RunTimeline } from './run-timeline.ts'
import { parseSdp, type SdpMedia } from './sdp.ts'
import type { StreamCounters } from './stream-counters.ts'
import { VideoReader } from './video-reader.ts'

export interface RtspTimeouts {
  readonly replyMs: number
  /** No packet of the picture for so long ends the connection (R4). */
  readonly silentMs: number
  /** Packets, but no key picture for so long: cameras with long groups of pictures need up to 20 s. */
  readonly firstPictureMs: number
}

const DEFAULT_TIMEOUTS: RtspTimeouts = { replyMs: 5000, silentMs: 10_000, firstPictureMs: 30_000 }

export interface PlayRtspOptions {
  readonly address: RtspAddress
  readonly credentials?: CameraCredentials
  /** Off unless the camera can do nothing better and its owner accepted that. */
  readonly allowBasic?: boolean
  readonly connect: CameraConnect
  readonly signal: AbortSignal
  readonly publish: (message: Exclude<StreamMessage, { kind: 'ended' }>) => void
  readonly counters: StreamCounters
  readonly timeouts?: Partial<RtspTimeouts>
}

/** The limit of consecutive packets that aren't RTP; a single one is ignored. */
const MAX_BAD_PACKETS_RUNNING = 10
const DEFAULT_SESSION_SECONDS = 60
/** The time of PLAY in its run: pictures before the first one shown may have to be decoded, and no time is below 0. */
const RUN_LEAD_MS = 1000
const MAX_SESSION_SECONDS = 60

interface Channel {
  /** Usable packets of pictures show that the camera is alive; sound doesn't. */
  readonly isPicture: boolean
  readonly payloadType: number
  /** False if the packet is of no use. */
  readonly packet: (packet: RtpPacket, arrival: Arrival) => boolean
  readonly report: (report: SenderReport) => void
}

/** Faults of one track: the connection goes on. */
const REFUSALS: ReadonlySet<CameraFault['kind']> = new Set([
  'badReply',
  'streamNotFound',
  'transportUnsupported',
  'busy',
])

type SessionId = Pick<Session, 'id' | 'keepAliveMs'>

interface Session {
  readonly connection: RtspConnection
  readonly base: RtspAddress
  readonly id: string
  readonly keepAlive: 'GET_PARAMETER' | 'OPTIONS'
  readonly keepAliveMs: number
}

/**
 * Plays one stream of a camera over RTSP 1.0 with the media inside the connection (RFC 2326 §10.12), until it fails or
 * `signal` aborts. Resolves with the reason; after an abort that is `closed`. Publishes the tracks with the first key
 * picture, not before.
 */
export async function playRtsp(options: PlayRtspOptions): Promise<CameraFault> {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const stream = new PlayedStream(options.counters, options.publish)
  const opened = await RtspConnection.open({
    address: options.address,
    connect: options.connect,
    credentials: options.credentials,
    allowBasic: options.allowBasic ?? false,
    replyTimeoutMs: timeouts.replyMs,
    signal: options.signal,
    onPacket: (channel, bytes, arrival) => stream.onPacket(channel, bytes, arrival),
  })
  if (!opened.ok) return opened.failure
  const connection = opened.value
  const stop = (): void => connection.end(stopped)
  options.signal.addEventListener('abort', stop, { once: true })
  if (options.signal.aborted) stop()
  try {
    const session = await setUp(connection, options.address, stream)
    if (!session.ok) return session.failure
    options.signal.removeEventListener('abort', stop)
    return await stayWith(session.value, stream, { timeouts, signal: options.signal })
  } finally {
    options.signal.removeEventListener('abort', stop)
    if (!options.signal.aborted) stop()
  }
}

const stopped = fault('closed', 'stopped by the server')

async function setUp(
  connection: RtspConnection,
  address: RtspAddress,
  stream: PlayedStream,
): Promise<Result<Session, CameraFault>> {
  const offered = await connection.request({ method: 'OPTIONS', target: address })
  if (!offered.ok) return offered
  const described = await connection.request({
    method: 'DESCRIBE',
    target: address,
    headers: { Accept: 'application/sdp' },
  })
  if (!described.ok) return described
  const sdp = parseSdp(described.value.body)
  const choice = chooseMedia(sdp)
  if (!choice.ok) return choice
  const base = baseOf(address, described.value)
  if (!base.ok) return base
  const session = await setUpTracks(connection, base.value, { choice: choice.value, stream })
  if (!session.ok) return session
  const target = resolveControl(base.value, sdp.control)
  if (!target.ok) return target
  stream.begin(choice.value)
  const played = await connection.request({
    method: 'PLAY',
    target: target.value,
    headers: { Session: session.value.id, Range: 'npt=0.000-' },
  })
  if (!played.ok) return played
  const methods = offered.value.headers.get('public')?.join(',').toUpperCase() ?? ''
  const keepAlive = methods.includes('GET_PARAMETER') ? 'GET_PARAMETER' : 'OPTIONS'
  return ok({ connection, base: target.value, keepAlive, ...session.value })
}

/** Relative controls are relative to Content-Base, or Content-Location, or the requested address (RFC 2326 §C.1.1). */
function baseOf(address: RtspAddress, described: RtspMessage): Result<RtspAddress, CameraFault> {
  const base = described.headers.get('content-base')?.[0] ?? described.headers.get('content-location')?.[0]
  return base === undefined || !base.includes('://') ? ok(address) : resolveControl(address, base)
}

async function setUpTracks(
  connection: RtspConnection,
  base: RtspAddress,
  { choice, stream }: { choice: MediaChoice; stream: PlayedStream },
): Promise<Result<SessionId, CameraFault>> {
  const video = await setUpTrack(connection, base, { media: choice.video.media, channel: 0 })
  if (!video.ok) return video
  stream.open('video', video.value.channel)
  if (choice.audio === undefined) return ok(video.value)
  const audio = await setUpTrack(connection, base, { media: choice.audio.media, channel: 2, session: video.value.id })
  if (audio.ok) stream.open('audio', audio.value.channel)
  // A picture without sound is better than none.
  return audio.ok || REFUSALS.has(audio.failure.kind) ? ok(video.value) : audio
}

async function setUpTrack(
  connection: RtspConnection,
  base: RtspAddress,
  { media, channel, session }: { media: SdpMedia; channel: number; session?: string },
): Promise<Result<SessionId & { readonly channel: number }, CameraFault>> {
  const target = resolveControl(base, media.control)
  if (!target.ok) return target
  const reply = await connection.request({
    method: 'SETUP',
    target: target.value,
    headers: {
      Transport: `RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1}`,
      ...(session === undefined ? {} : { Session: session }),
    },
  })
  if (!reply.ok) return reply
  const given = sessionOf(reply.value)
  const used = channelOf(reply.value, channel)
  if (given === undefined) return fail(fault('badReply', 'the reply to SETUP has no session'))
  if (used === undefined) return fail(fault('transportUnsupported', 'the reply to SETUP has no interleaved transport'))
  return ok({ ...given, channel: used })
}

function sessionOf(reply: RtspMessage): SessionId | undefined {
  const match = /^([^\s;]{1,256})\s*(?:;.*?timeout\s*=\s*(\d{1,6}))?/i.exec(reply.headers.get('session')?.[0] ?? '')
  if (match?.[1] === undefined || !/^[\x21-\x7e]+$/.test(match[1])) return undefined
  const seconds = Math.min(Number(match[2] ?? DEFAULT_SESSION_SECONDS) || DEFAULT_SESSION_SECONDS, MAX_SESSION_SECONDS)
  return { id: match[1], keepAliveMs: Math.max(1000, seconds * 500) }
}

/** The channel that the camera chose for RTP; RTCP is on the next one. Cameras that omit it use the requested one. */
function channelOf(reply: RtspMessage, asked: number): number | undefined {
  const transport = reply.headers.get('transport')?.[0] ?? ''
  if (!/tcp/i.test(transport) && !/interleaved/i.test(transport)) return undefined
  const match = /interleaved\s*=\s*(\d{1,3})/i.exec(transport)
  const channel = match === null ? asked : Number(match[1])
  return channel <= 254 ? channel : undefined
}

async function stayWith(
  session: Session,
  stream: PlayedStream,
  { timeouts, signal }: { timeouts: RtspTimeouts; signal: AbortSignal },
): Promise<CameraFault> {
  const { connection, base, id, keepAlive, keepAliveMs } = session
  const headers = { Session: id }
  const leave = (): void => connection.leave({ method: 'TEARDOWN', target: base, headers }, stopped)
  const watch = setInterval(
    () => {
      const silence = stream.silence(timeouts)
      if (silence !== undefined) connection.end(silence)
    },
    Math.min(1000, timeouts.silentMs / 4),
  )
  const beat = setInterval(() => {
    // Many cameras never answer; their packets show whether they are alive.
    void connection.request({ method: keepAlive, target: base, headers }).then((reply) => {
      if (!reply.ok && reply.failure.kind === 'credentialsIncorrect') connection.end(reply.failure)
    })
  }, keepAliveMs)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  try {
    return await connection.ended
  } finally {
    clearInterval(watch)
    clearInterval(beat)
    signal.removeEventListener('abort', leave)
  }
}

/** Routes packets to the readers of the tracks, and their units out. */
class PlayedStream {
  readonly #counters: StreamCounters
  readonly #publish: (message: Exclude<StreamMessage, { kind: 'ended' }>) => void
  readonly #channels = new Map<number, Channel>()
  readonly #numbers: { video?: number; audio?: number } = {}
  #badRunning = 0
  #startedAt = 0
  #lastPacketAt = 0
  #audioTrack: TrackConfig | undefined
  #hasPicture = false

  constructor(counters: StreamCounters, publish: (message: Exclude<StreamMessage, { kind: 'ended' }>) => void) {
    this.#counters = counters
    this.#publish = publish
  }

  /** SETUP gave this track its channel. */
  open(kind: 'video' | 'audio', channel: number): void {
    this.#numbers[kind] = channel
  }

  /** Just before PLAY. Packets may come before its reply. */
  begin({ video, audio }: MediaChoice): void {
    this.#startedAt = performance.now()
    this.#lastPacketAt = this.#startedAt
    const counters = this.#counters
    const timeline = new RunTimeline(counters, this.#startedAt - RUN_LEAD_MS)
    const pictures = new VideoReader({
      format: video.format,
      parameterSets: video.parameterSets,
      timeline: timeline.track('video', video.media.clockRate),
      counters,
      picture: (unit, track, changed) => this.#picture(unit, track, changed),
    })
    this.#listen('video', video.media.payloadType, pictures)
    if (audio === undefined || this.#numbers.audio === undefined) return
    this.#audioTrack = audio.track
    const sounds = new AudioReader({
      depacketize: audio.depacketize,
      timeline: timeline.track('audio', audio.media.clockRate),
      counters,
      frame: (unit) => this.#sound(unit),
    })
    this.#listen('audio', audio.media.payloadType, sounds)
  }

  onPacket(number: number, bytes: Uint8Array, arrival: Arrival): CameraFault | undefined {
    const channel = this.#channels.get(number) ?? this.#channels.get(number - 1)
    if (channel === undefined) {
      const open = [...this.#channels.keys()].map((rtp) => `${rtp}-${rtp + 1}`).join(', ') || 'none'
      return fault('desync', `data on channel ${number}, but SETUP opened ${open}`)
    }
    if (!this.#channels.has(number)) {
      const report = parseSenderReport(bytes)
      if (report !== undefined) channel.report(report)
      return undefined
    }
    const packet = parseRtp(bytes)
    if (packet === undefined) return this.#bad(number)
    this.#badRunning = 0
    if (packet.payloadType !== channel.payloadType) return undefined
    this.#counters.packets++
    const isUsable = channel.packet(packet, arrival)
    if (isUsable && channel.isPicture) this.#lastPacketAt = arrival.monotonic
    return undefined
  }

  /** What is wrong if the picture is missing for too long. */
  silence({ silentMs, firstPictureMs }: RtspTimeouts): CameraFault | undefined {
    const now = performance.now()
    if (now - this.#lastPacketAt >= silentMs) return fault('silent', `no usable video packet for ${silentMs} ms`)
    if (!this.#hasPicture && now - this.#startedAt >= firstPictureMs) {
      return fault('noVideo', `video packets, but no keyframe for ${firstPictureMs} ms`)
    }
    return undefined
  }

  #listen(kind: 'video' | 'audio', payloadType: number, reader: VideoReader | AudioReader): void {
    const number = this.#numbers[kind]
    if (number === undefined) return
    this.#channels.set(number, {
      isPicture: kind === 'video',
      payloadType,
      packet: (packet, arrival) => reader.packet(packet, arrival),
      report: (report) => reader.report(report),
    })
  }

  #bad(channel: number): CameraFault | undefined {
    this.#counters.badPackets++
    this.#badRunning++
    if (this.#badRunning < MAX_BAD_PACKETS_RUNNING) return undefined
    return fault(
      'desync',
      `${this.#badRunning} consecutive packets on channel ${quoted(String(channel))} are not RTP version 2`,
    )
  }

  #picture(unit: AccessUnit, track: VideoTrack, changed: boolean): void {
    this.#hasPicture = true
    if (changed)
      this.#publish({ kind: 'tracks', tracks: [track, ...(this.#audioTrack === undefined ? [] : [this.#audioTrack])] })
    this.#publish({ kind: 'unit', unit, track: 0 })
  }

  #sound(unit: AccessUnit): void {
    if (this.#hasPicture) this.#publish({ kind: 'unit', unit, track: 1 })
  }
}
