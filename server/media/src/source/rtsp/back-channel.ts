import { aacTrack, G711_RATE } from '../../codec/index.ts'
import { type CameraFault, fault } from '../camera-fault.ts'
import { findRedirect, MAX_REDIRECTS, type RtspDestination } from './redirect.ts'
import { type RtspAddress, resolveControl } from './rtsp-address.ts'
import { RtspConnection, type RtspConnectionOptions } from './rtsp-connection.ts'
import { readBase, readChannel, readSession } from './rtsp-setup.ts'
import { parseSdp, type SdpMedia } from './sdp.ts'
import { AacPackets, G711Packets } from './talk-packets.ts'
import { TalkSender } from './talk-sender.ts'

const BACK_CHANNEL = { Require: 'www.onvif.org/ver20/backchannel' }
const OPTION_UNSUPPORTED = 551
const SILENCE_MS = 5000

export interface BackChannelOptions extends Omit<RtspConnectionOptions, 'onPacket'> {
  /** Milliseconds without sound after which it closes. */
  readonly silenceMs?: number
}

/** AAC-LC. */
export interface LoudspeakerAac {
  readonly sampleRate: number
  readonly channels: number
}

export interface BackChannel extends AsyncDisposable {
  readonly codec: 'PCMU' | 'PCMA' | LoudspeakerAac
  /** Takes G.711 of that codec, one byte a sample, 8000 a second, or one frame of AAC without a header. Resolves when more may come. */
  push(sound: Uint8Array): Promise<void>
  /** Resolves with the reason when it has closed. */
  readonly ended: Promise<CameraFault>
}

export type BackChannelResult =
  | { readonly kind: 'open'; readonly channel: BackChannel }
  /** The camera says that it has none, or none with G.711 or AAC-LC; `codecs` are the names of those that it has. */
  | { readonly kind: 'unsupported'; readonly codecs: readonly string[] }
  /** Whether it has one isn't known. */
  | { readonly kind: 'failed'; readonly fault: CameraFault }

/**
 * Opens the loudspeaker of a camera (ONVIF Streaming Specification, "Back Channel Connection") in a session of its own, so that a camera that
 * doesn't know the requirement loses nothing that it plays. Disposing sends what waits and leaves the session.
 */
export async function openBackChannel(options: BackChannelOptions): Promise<BackChannelResult> {
  let to: RtspDestination = options
  for (let redirects = 0; ; redirects++) {
    const { address, credentials } = to
    const { result, location } = await openOnce({ ...options, address, credentials })
    const next = result.kind === 'failed' ? findRedirect(to, { ended: result.fault, location }) : undefined
    if (next === undefined || redirects === MAX_REDIRECTS) return result
    to = next
  }
}

async function openOnce(
  options: BackChannelOptions,
): Promise<{ result: BackChannelResult; location?: string | undefined }> {
  const opened = await RtspConnection.open({ ...options, onPacket: () => undefined })
  if (!opened.ok) return { result: { kind: 'failed', fault: opened.failure } }
  const connection = opened.value
  const stop = (): void => connection.end(fault('closed', 'stopped by the server'))
  options.signal.addEventListener('abort', stop, { once: true })
  if (options.signal.aborted) stop()
  void connection.ended.then(() => options.signal.removeEventListener('abort', stop))
  const result = await setUp(connection, options)
  if (result.kind !== 'open') connection.end(fault('closed', 'the camera has no back channel to use'))
  return { result, location: connection.location }
}

async function setUp(
  connection: RtspConnection,
  { address, silenceMs }: BackChannelOptions,
): Promise<BackChannelResult> {
  const headers = { Accept: 'application/sdp', ...BACK_CHANNEL }
  const described = await connection.request({ method: 'DESCRIBE', target: address, headers })
  if (!described.ok)
    return connection.refusedStatus === OPTION_UNSUPPORTED
      ? { kind: 'unsupported', codecs: [] }
      : { kind: 'failed', fault: described.failure }
  const sdp = parseSdp(described.value.body)
  const offered = sdp.media.filter(({ kind, isBackChannel }) => kind === 'audio' && isBackChannel)
  const media = offered.find(isG711) ?? offered.find((one) => readAac(one) !== undefined)
  if (media === undefined) return { kind: 'unsupported', codecs: offered.map(({ encoding }) => encoding) }
  const base = readBase(address, described.value)
  if (!base.ok) return { kind: 'failed', fault: base.failure }
  const track = resolveControl(base.value, media.control)
  if (!track.ok) return { kind: 'failed', fault: track.failure }
  const target = resolveControl(base.value, sdp.control)
  if (!target.ok) return { kind: 'failed', fault: target.failure }
  return await play(connection, { media, track: track.value, target: target.value, silenceMs: silenceMs ?? SILENCE_MS })
}

const isG711 = ({ encoding, clockRate, channels }: SdpMedia): boolean =>
  (encoding === 'PCMU' || encoding === 'PCMA') && clockRate === G711_RATE && channels === 1

const AAC_LC = 'mp4a.40.2'

/** Undefined for everything that {@link AacPackets} can't be sent as. */
function readAac({ encoding, clockRate, parameters }: SdpMedia): LoudspeakerAac | undefined {
  if (encoding !== 'MPEG4-GENERIC') return undefined
  const [size, index] = ['sizelength', 'indexlength'].map((name) => Number(parameters.get(name) ?? '0'))
  const track = aacTrack(Uint8Array.from(Buffer.from(parameters.get('config') ?? '', 'hex')))
  if (size !== 13 || index !== 3 || track?.codecString !== AAC_LC) return undefined
  const { sampleRate, channels } = track
  return sampleRate === clockRate && channels <= 2 ? { sampleRate, channels } : undefined
}

interface Wanted {
  readonly media: SdpMedia
  readonly track: RtspAddress
  readonly target: RtspAddress
  readonly silenceMs: number
}

async function play(connection: RtspConnection, wanted: Wanted): Promise<BackChannelResult> {
  const { track, target } = wanted
  const transport = { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' }
  const reply = await connection.request({ method: 'SETUP', target: track, headers: { ...transport, ...BACK_CHANNEL } })
  if (!reply.ok) return { kind: 'failed', fault: reply.failure }
  const session = readSession(reply.value)
  const channel = readChannel(reply.value.headers.get('transport')?.[0] ?? '', 0)
  if (session === undefined || channel === undefined)
    return { kind: 'failed', fault: fault('badReply', 'the reply to SETUP has no session or no interleaved transport') }
  const headers = { Session: session.id, ...BACK_CHANNEL }
  const played = await connection.request({ method: 'PLAY', target, headers })
  if (!played.ok) return { kind: 'failed', fault: played.failure }
  return { kind: 'open', channel: talkOver(connection, { ...wanted, channel, session }) }
}

function talkOver(
  connection: RtspConnection,
  {
    media,
    target,
    channel,
    session,
    silenceMs,
  }: Wanted & { channel: number; session: { id: string; keepAliveMs: number } },
): BackChannel {
  const headers = { Session: session.id }
  const leave = (detail: string): void =>
    connection.leave({ method: 'TEARDOWN', target, headers }, fault('closed', detail))
  const aac = readAac(media)
  const sender = new TalkSender({
    packets: aac === undefined ? new G711Packets() : new AacPackets(aac.sampleRate),
    payloadType: media.payloadType,
    sendRtp: (packet) => connection.sendPacket(channel, packet),
    sendRtcp: (packet) => connection.sendPacket(channel + 1, packet),
    silenceMs,
    onSilence: () => leave('no sound came'),
  })
  const beat = setInterval(() => void connection.request({ method: 'OPTIONS', target, headers }), session.keepAliveMs)
  const ended = connection.ended.finally(() => {
    clearInterval(beat)
    sender[Symbol.dispose]()
  })
  return {
    codec: aac ?? (media.encoding === 'PCMA' ? 'PCMA' : 'PCMU'),
    push: (sound) => sender.push(sound),
    ended,
    async [Symbol.asyncDispose]() {
      await sender.finish()
      leave('the talk is over')
      await ended
    },
  }
}
