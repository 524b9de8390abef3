import { fail, ok, type Result } from '@sightline/platform/result'
import { type CameraFault, fault } from '../camera-fault.ts'
import type { CameraHabits, KeepAliveMethod } from '../camera-habits.ts'
import { chooseMedia, type MediaChoice } from './media-choice.ts'
import type { OpenTrack, PlayedStream } from './played-stream.ts'
import { type RtspAddress, resolveControl } from './rtsp-address.ts'
import type { RtspConnection } from './rtsp-connection.ts'
import type { RtspMessage } from './rtsp-framing.ts'
import { parseSdp, type SdpMedia } from './sdp.ts'
import { UdpPorts } from './udp-ports.ts'

const DEFAULT_SESSION_SECONDS = 60
const MAX_SESSION_SECONDS = 60
/** The channels of a track that comes over UDP, which has none. */
const UDP_CHANNELS = 256

export interface RtspSession {
  readonly connection: RtspConnection
  readonly base: RtspAddress
  readonly id: string
  readonly keepAlive: KeepAliveMethod
  readonly keepAliveMs: number
}

interface SetupDeps {
  readonly connection: RtspConnection
  readonly address: RtspAddress
  readonly stream: PlayedStream
  readonly habits: CameraHabits
  /** Ports that are open until the session ends. */
  readonly ports: DisposableStack
  readonly onStep: (step: 'responded' | 'accepted' | 'playing') => void
}

type SessionId = Pick<RtspSession, 'id' | 'keepAliveMs'>

/** Faults of one track; the connection continues. */
const REFUSALS: ReadonlySet<CameraFault['kind']> = new Set([
  'badReply',
  'streamNotFound',
  'transportUnsupported',
  'busy',
])

/** OPTIONS, DESCRIBE, SETUP and PLAY. */
export async function openSession(deps: SetupDeps): Promise<Result<RtspSession, CameraFault>> {
  const { connection, address, stream, habits, onStep } = deps
  const offered = await connection.request({ method: 'OPTIONS', target: address })
  // Some cameras don't know OPTIONS, or never answer it.
  if (!offered.ok && offered.failure.kind !== 'badReply' && offered.failure.kind !== 'timeout') return offered
  if (offered.ok) onStep('responded')
  const described = await connection.request({
    method: 'DESCRIBE',
    target: address,
    headers: { Accept: 'application/sdp' },
  })
  if (!described.ok) return described
  habits.authentication = connection.authentication
  onStep('accepted')
  const sdp = parseSdp(described.value.body)
  const choice = chooseMedia(sdp)
  if (!choice.ok) return choice
  const base = readBase(address, described.value)
  if (!base.ok) return base
  const session = await setUpTracks(deps, base.value, choice.value)
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
  onStep('playing')
  const methods = offered.ok ? (offered.value.headers.get('public')?.join(',').toUpperCase() ?? '') : ''
  const keepAlive = habits.keepAlive ?? (methods.includes('GET_PARAMETER') ? 'GET_PARAMETER' : 'OPTIONS')
  return ok({ connection, base: target.value, keepAlive, ...session.value })
}

/** Relative controls are relative to Content-Base, or Content-Location, or the requested address (RFC 2326 §C.1.1). */
export function readBase(address: RtspAddress, described: RtspMessage): Result<RtspAddress, CameraFault> {
  const base = described.headers.get('content-base')?.[0] ?? described.headers.get('content-location')?.[0]
  return base === undefined || !base.includes('://') ? ok(address) : resolveControl(address, base)
}

async function setUpTracks(
  deps: SetupDeps,
  base: RtspAddress,
  choice: MediaChoice,
): Promise<Result<SessionId, CameraFault>> {
  const { stream, habits } = deps
  const setUp = () => setUpTrack(deps, base, { media: choice.video.media, channel: 0 })
  let video = await setUp()
  // Firmware changes: what a camera took the last time, it may refuse today.
  if (!video.ok && isAboutTransport(video.failure, habits)) {
    habits.usesUdp = habits.usesUdp !== true
    video = await setUp()
  }
  if (!video.ok || habits.usesUdp === false) delete habits.usesUdp
  if (!video.ok) return video
  stream.open('video', video.value.track)
  if (choice.audio === undefined) return ok(video.value)
  const audio = await setUpTrack(deps, base, { media: choice.audio.media, channel: 2, session: video.value.id })
  if (audio.ok) stream.open('audio', audio.value.track)
  // A picture without sound is better than none.
  return audio.ok || REFUSALS.has(audio.failure.kind) ? ok(video.value) : audio
}

/** Cameras without UDP refuse it in several ways. */
const isAboutTransport = ({ kind }: CameraFault, { usesUdp }: CameraHabits): boolean =>
  kind === 'transportUnsupported' || (usesUdp === true && kind === 'badReply')

interface WantedTrack {
  readonly media: SdpMedia
  readonly channel: number
  readonly session?: string
}

async function setUpTrack(
  deps: SetupDeps,
  base: RtspAddress,
  { media, channel, session }: WantedTrack,
): Promise<Result<SessionId & { readonly track: OpenTrack }, CameraFault>> {
  const { connection, habits } = deps
  const target = resolveControl(base, media.control)
  if (!target.ok) return target
  const ports = habits.usesUdp === true ? await openPorts(deps, UDP_CHANNELS + channel) : undefined
  if (ports === undefined && habits.usesUdp === true)
    return fail(fault('transportUnsupported', 'no UDP ports are free for the video'))
  const reply = await connection.request({
    method: 'SETUP',
    target: target.value,
    headers: {
      Transport:
        ports === undefined
          ? `RTP/AVP/TCP;unicast;interleaved=${channel}-${channel + 1}`
          : `RTP/AVP;unicast;client_port=${ports.rtpPort}-${ports.rtpPort + 1}`,
      ...(session === undefined ? {} : { Session: session }),
    },
  })
  if (!reply.ok) return reply
  const given = readSession(reply.value)
  if (given === undefined) return fail(fault('badReply', 'the reply to SETUP has no session'))
  const transport = reply.value.headers.get('transport')?.[0] ?? ''
  const ssrc = announcedSource(transport)
  if (ports !== undefined) return openOverUdp(ports, { given, transport, channel: UDP_CHANNELS + channel, ssrc })
  const used = readChannel(transport, channel)
  if (used === undefined) return fail(fault('transportUnsupported', 'the reply to SETUP has no interleaved transport'))
  const report = (bytes: Uint8Array): void => connection.sendPacket(used + 1, bytes)
  return ok({ ...given, track: { channel: used, ssrc, report } })
}

async function openPorts({ connection, stream, ports }: SetupDeps, channel: number): Promise<UdpPorts | undefined> {
  const opened = await UdpPorts.open({
    peer: connection.peer,
    onRtp: (bytes, arrival) => {
      const packetFault = stream.onPacket(channel, bytes, arrival)
      if (packetFault !== undefined) connection.end(packetFault)
    },
    onRtcp: (bytes, arrival) => void stream.onPacket(channel + 1, bytes, arrival),
  })
  return opened && ports.use(opened)
}

function openOverUdp(
  ports: UdpPorts,
  given: {
    readonly given: SessionId
    readonly transport: string
    readonly channel: number
    readonly ssrc: number | undefined
  },
): Result<SessionId & { readonly track: OpenTrack }, CameraFault> {
  const { transport, channel, ssrc } = given
  const match = /server_port\s*=\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?/i.exec(transport)
  const rtpPort = Number(match?.[1])
  const rtcpPort = Number(match?.[2] ?? rtpPort + 1)
  const isPort = (port: number): boolean => port > 0 && port <= 65_535
  // Without server ports the camera still sends to ours; only our reports can't reach it.
  if (isPort(rtpPort) && isPort(rtcpPort)) ports.open(rtpPort, rtcpPort)
  return ok({ ...given.given, track: { channel, ssrc, report: (bytes) => ports.report(bytes) } })
}

export function readSession(reply: RtspMessage): SessionId | undefined {
  const match = /^([^\s;]{1,256})\s*(?:;.*?timeout\s*=\s*(\d{1,6}))?/i.exec(reply.headers.get('session')?.[0] ?? '')
  if (match?.[1] === undefined || !/^[\x21-\x7e]+$/.test(match[1])) return undefined
  const seconds = Math.min(Number(match[2] ?? DEFAULT_SESSION_SECONDS) || DEFAULT_SESSION_SECONDS, MAX_SESSION_SECONDS)
  return { id: match[1], keepAliveMs: Math.max(1000, seconds * 500) }
}

/** Some cameras put blanks into it. */
function announcedSource(transport: string): number | undefined {
  const digits = /ssrc\s*=\s*([0-9a-f ]{1,12})/i.exec(transport)?.[1]?.replaceAll(' ', '') ?? ''
  return /^[0-9a-f]{1,8}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}

/** The channel that the camera chose for RTP; RTCP is on the next one. Cameras that omit it use the requested one. */
export function readChannel(transport: string, asked: number): number | undefined {
  if (!/tcp/i.test(transport) && !/interleaved/i.test(transport)) return undefined
  const match = /interleaved\s*=\s*(\d{1,3})/i.exec(transport)
  const channel = match === null ? asked : Number(match[1])
  return channel <= 254 ? channel : undefined
}
