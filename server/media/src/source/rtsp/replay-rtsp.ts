import { ok, type Result } from '@sightline/platform/result'
import type { AccessUnit, TrackConfig } from '../../frame/index.ts'
import type { CameraConnect } from '../camera-address.ts'
import { type CameraFault, fault } from '../camera-fault.ts'
import type { CertificatePin } from '../camera-tls.ts'
import { chooseMedia } from './media-choice.ts'
import { PlayedStream } from './played-stream.ts'
import { parseReplayTime } from './replay-extension.ts'
import { type RtspAddress, resolveControl } from './rtsp-address.ts'
import type { CameraCredentials } from './rtsp-authentication.ts'
import { RtspConnection } from './rtsp-connection.ts'
import { readBase, readChannel, readSession } from './rtsp-setup.ts'
import { parseSdp } from './sdp.ts'
import { newCounters } from './stream-counters.ts'

const REPLY_MS = 8000
/** A camera that has nothing more to send may say so or fall silent. */
const SILENT_MS = 5000
const WATCH_EVERY_MS = 500
const REPLAY = { Require: 'onvif-replay' } as const

export interface ReplayOptions {
  readonly address: RtspAddress
  readonly credentials: CameraCredentials | undefined
  readonly allowBasic: boolean
  readonly connect: CameraConnect
  readonly pin: CertificatePin
  readonly signal: AbortSignal
  /** Milliseconds since 1970, by our clock; the camera begins with the keyframe before it. */
  readonly from: number
  readonly to: number
  /** How far the camera's clock is ahead of ours, in milliseconds. */
  readonly clockAheadMs: number
  /** Gets the pictures in order, with their times by our clock; `false` ends the replay. */
  readonly picture: (unit: AccessUnit, track: TrackConfig) => boolean
  /** Gets the sound with its times, if the camera says them; without it, the camera isn't asked for sound. */
  readonly sound?: ((unit: AccessUnit, track: TrackConfig) => void) | undefined
  /** Every byte that arrives. */
  readonly received: (bytes: number) => void
}

/** `20261127T032000.123Z` (RFC 2326 §3.7). */
const clockText = (time: number): string => new Date(time).toISOString().replaceAll(/[-:]/g, '')

const finished = fault('closed', 'the replay is over')

/** `silent`: the camera sent nothing any more and didn't say that it was the end, which it may or may not be. */
export type ReplayEnd = 'ended' | 'silent'

/**
 * Replays what a camera recorded on its card (ONVIF Streaming §6): as fast as it can, over TCP, each picture with its time in the
 * RTP extension. Resolves when the camera has sent the range or falls silent; pictures and sound without a time are left out, because
 * nobody knows where they belong.
 */
export async function replayRtsp(options: ReplayOptions): Promise<Result<ReplayEnd, CameraFault>> {
  const { signal, clockAheadMs } = options
  let tracks: readonly TrackConfig[] = []
  let heardAt = performance.now()
  let isTerminal = false
  /** The time that a channel said last: a picture has it in its first packet. */
  const times = new Map<number, number>()
  const over = new AbortController()
  const stream = new PlayedStream(newCounters(), (message) => {
    if (message.kind === 'tracks') {
      tracks = message.tracks
      return
    }
    const { unit } = message
    const track = tracks[message.track]
    if (track === undefined || unit.wallClock === 0) return
    if (unit.kind === 'audio') options.sound?.(unit, track)
    else if (!options.picture(unit, track)) over.abort()
  })
  const opened = await RtspConnection.open({
    ...options,
    allowBasic: options.allowBasic || options.address.isSecure === true,
    usesHttp: false,
    replyTimeoutMs: REPLY_MS,
    signal: AbortSignal.any([signal, over.signal]),
    onPacket(channel, bytes, arrival) {
      heardAt = performance.now()
      options.received(bytes.length)
      const replayed = parseReplayTime(bytes)
      if (replayed !== undefined) times.set(channel, replayed.time - clockAheadMs)
      isTerminal ||= replayed?.isTerminal === true
      return stream.onPacket(channel, bytes, { ...arrival, wallClock: times.get(channel) ?? 0 })
    },
  })
  if (!opened.ok) return opened
  const connection = opened.value
  const end = (): void => connection.end(finished)
  const watch = setInterval(() => {
    // After the last picture, the camera has nothing left to say.
    if (performance.now() - heardAt > (isTerminal ? WATCH_EVERY_MS : SILENT_MS)) end()
  }, WATCH_EVERY_MS)
  const ending = AbortSignal.any([signal, over.signal])
  ending.addEventListener('abort', end, { once: true })
  try {
    const begun = await begin(connection, stream, options)
    if (!begun.ok) return begun
    heardAt = performance.now()
    await connection.ended
    return ok(isTerminal || ending.aborted ? 'ended' : 'silent')
  } finally {
    clearInterval(watch)
    ending.removeEventListener('abort', end)
    end()
  }
}

async function begin(
  connection: RtspConnection,
  stream: PlayedStream,
  { address, from, to, clockAheadMs, sound }: ReplayOptions,
): Promise<Result<undefined, CameraFault>> {
  const headers = { Accept: 'application/sdp', ...REPLAY }
  const described = await connection.request({ method: 'DESCRIBE', target: address, headers })
  if (!described.ok) return described
  const sdp = parseSdp(described.value.body)
  const choice = chooseMedia(sdp)
  if (!choice.ok) return choice
  const base = readBase(address, described.value)
  if (!base.ok) return base
  const { media } = choice.value.video
  const target = resolveControl(base.value, media.control)
  if (!target.ok) return target
  const transport = { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' }
  const reply = await connection.request({
    method: 'SETUP',
    target: target.value,
    headers: { ...transport, ...REPLAY },
  })
  if (!reply.ok) return reply
  const session = readSession(reply.value)
  const channel = readChannel(reply.value.headers.get('transport')?.[0] ?? '', 0)
  const whole = resolveControl(base.value, sdp.control)
  if (!whole.ok) return whole
  if (session === undefined || channel === undefined)
    return { ok: false, failure: fault('badReply', 'the reply to SETUP has no session or no interleaved transport') }
  stream.open('video', { channel, ssrc: undefined, report: () => undefined })
  const audio = sound === undefined ? undefined : choice.value.audio
  if (audio !== undefined)
    await setUpSound(connection, stream, resolveControl(base.value, audio.media.control), session.id)
  stream.begin({ ...choice.value, audio })
  const range = `clock=${clockText(from + clockAheadMs)}-${clockText(to + clockAheadMs)}`
  const play = { Session: session.id, Range: range, 'Rate-Control': 'no', Immediate: 'yes', ...REPLAY }
  const played = await connection.request({ method: 'PLAY', target: whole.value, headers: play })
  return played.ok ? ok(undefined) : played
}

/** A camera that doesn't replay sound has pictures all the same. */
async function setUpSound(
  connection: RtspConnection,
  stream: PlayedStream,
  target: Result<RtspAddress, CameraFault>,
  session: string,
): Promise<void> {
  if (!target.ok) return
  const headers = { Transport: 'RTP/AVP/TCP;unicast;interleaved=2-3', Session: session, ...REPLAY }
  const reply = await connection.request({ method: 'SETUP', target: target.value, headers })
  if (!reply.ok) return
  const channel = readChannel(reply.value.headers.get('transport')?.[0] ?? '', 2)
  if (channel !== undefined) stream.open('audio', { channel, ssrc: undefined, report: () => undefined })
}
