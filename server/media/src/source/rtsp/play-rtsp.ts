import type { StreamMessage } from '../../frame/index.ts'
import { afterReading } from '../after-reading.ts'
import type { CameraConnect } from '../camera-address.ts'
import { type CameraFault, fault } from '../camera-fault.ts'
import type { CameraHabits, KeepAliveMethod } from '../camera-habits.ts'
import type { CertificatePin } from '../camera-tls.ts'
import { PlayedStream, type SilenceLimits } from './played-stream.ts'
import { findRedirect, MAX_REDIRECTS, type RtspDestination } from './redirect.ts'
import type { RtspAddress } from './rtsp-address.ts'
import type { CameraCredentials } from './rtsp-authentication.ts'
import { RtspConnection } from './rtsp-connection.ts'
import { openSession, type RtspSession } from './rtsp-setup.ts'
import type { StreamCounters } from './stream-counters.ts'

export interface RtspTimeouts extends SilenceLimits {
  readonly replyMs: number
  /** Between two reports to the camera. */
  readonly reportMs: number
}

const DEFAULT_TIMEOUTS: RtspTimeouts = {
  replyMs: 5000,
  silentMs: 10_000,
  firstPictureMs: 30_000,
  nextKeyMs: 600_000,
  reportMs: 5000,
}

export interface PlayRtspOptions {
  readonly address: RtspAddress
  readonly credentials?: CameraCredentials
  /** Off unless the camera can do nothing better and its owner accepted that. */
  readonly allowBasic?: boolean
  readonly connect: CameraConnect
  readonly signal: AbortSignal
  readonly publish: (message: Exclude<StreamMessage, { kind: 'ended' }>) => void
  readonly counters: StreamCounters
  /** What is published goes to a hub, or to someone else who holds the memory of pictures while it is needed. */
  readonly reusesMemory?: boolean
  readonly timeouts?: Partial<RtspTimeouts>
  /** Over TLS: the certificate that the camera has to show. By default any. */
  readonly pin?: CertificatePin
  /** Gets the SHA-256 of the certificate of a camera that accepted the credentials, before anything is published. */
  readonly onCertificate?: (sha256: Buffer) => void
  /** Kept by the caller from one connection to the next. */
  readonly habits?: CameraHabits
  /** Hears how far the connection is, step by step. */
  readonly onStep?: (step: RtspStep) => void
}

/** `connected`: the port is open; `responded`: it speaks RTSP; `accepted`: DESCRIBE succeeded; `playing`: PLAY did. */
export type RtspStep = 'connected' | 'responded' | 'accepted' | 'playing'

/**
 * Plays one stream of a camera over RTSP 1.0 with the media inside the connection (RFC 2326 §10.12), or over UDP if the
 * camera insists, until it fails or `signal` aborts. Resolves with the reason; after an abort that is `closed`. Publishes
 * the tracks with the first key picture, not before.
 */
export async function playRtsp(options: PlayRtspOptions): Promise<CameraFault> {
  const habits = options.habits ?? {}
  let to: RtspDestination = options
  for (let redirects = 0; ; redirects++) {
    const { address, credentials } = to
    const played = await playEitherWay({ ...options, address, credentials, habits })
    const next = findRedirect(to, played)
    if (next === undefined || redirects === MAX_REDIRECTS) return played.ended
    to = next
  }
}

type PlayOptions = Omit<PlayRtspOptions, 'credentials' | 'habits'> & {
  readonly credentials: CameraCredentials | undefined
  readonly habits: CameraHabits
}

/** By RTSP, or over HTTP if that is what the camera's port speaks. */
async function playEitherWay(options: PlayOptions): Promise<Played> {
  const { habits } = options
  let played = await playOnce(options)
  if (played.speaksHttp === true && habits.usesHttp !== true && !options.signal.aborted) {
    habits.usesHttp = true
    played = await playOnce(options)
  }
  if (played.hasPlayed !== true && isEvidence(played.ended, options)) delete habits.usesHttp
  return played
}

/** What was learned is right if the camera played. One that isn't there shows nothing. */
const isEvidence = ({ kind }: CameraFault, { signal }: Pick<PlayOptions, 'signal'>): boolean =>
  !signal.aborted && kind !== 'unreachable'

interface Played {
  readonly ended: CameraFault
  /** Where the camera sends its viewers. */
  readonly location?: string | undefined
  /** The port answers in HTTP. */
  readonly speaksHttp?: boolean
  readonly hasPlayed?: boolean
}

const ANY_CERTIFICATE: CertificatePin = { sha256: undefined }

async function playOnce(options: PlayOptions): Promise<Played> {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const { habits } = options
  let hasPicture = false
  const published = (message: Exclude<StreamMessage, { kind: 'ended' }>): void => {
    hasPicture ||= message.kind === 'tracks'
    options.publish(message)
  }
  const stream = new PlayedStream(options.counters, published, options.reusesMemory)
  const opened = await RtspConnection.open({
    address: options.address,
    connect: options.connect,
    credentials: options.credentials,
    // TLS hides the password on its way.
    allowBasic: options.allowBasic === true || options.address.isSecure === true,
    pin: options.pin ?? ANY_CERTIFICATE,
    usesHttp: habits.usesHttp ?? false,
    replyTimeoutMs: timeouts.replyMs,
    signal: options.signal,
    onPacket: (channel, bytes, arrival) => stream.onPacket(channel, bytes, arrival),
  })
  if (!opened.ok) return { ended: opened.failure }
  const connection = opened.value
  const onStep = options.onStep ?? (() => undefined)
  onStep('connected')
  const stop = (): void => connection.end(stopped)
  options.signal.addEventListener('abort', stop, { once: true })
  if (options.signal.aborted) stop()
  using ports = new DisposableStack()
  try {
    const session = await openSession({ connection, address: options.address, stream, habits, ports, onStep })
    if (!session.ok) {
      return { ended: session.failure, location: connection.location, speaksHttp: connection.speaksHttp }
    }
    if (connection.certificate !== undefined) options.onCertificate?.(connection.certificate)
    options.signal.removeEventListener('abort', stop)
    const ended = await stayWith(session.value, stream, { timeouts, habits, signal: options.signal })
    // It was agreed on, and nothing came: something on the way lets no UDP through.
    if (!hasPicture && isEvidence(ended, options)) delete habits.usesUdp
    return { ended, hasPlayed: true }
  } finally {
    options.signal.removeEventListener('abort', stop)
    if (!options.signal.aborted) stop()
  }
}

const stopped = fault('closed', 'stopped by the server')

const OTHER_METHOD: Readonly<Record<KeepAliveMethod, KeepAliveMethod>> = {
  GET_PARAMETER: 'OPTIONS',
  OPTIONS: 'GET_PARAMETER',
}

interface StayOptions {
  readonly timeouts: RtspTimeouts
  readonly habits: CameraHabits
  readonly signal: AbortSignal
}

async function stayWith(
  session: RtspSession,
  stream: PlayedStream,
  { timeouts, habits, signal }: StayOptions,
): Promise<CameraFault> {
  const { connection, base, id, keepAliveMs } = session
  const headers = { Session: id }
  const leave = (): void => connection.leave({ method: 'TEARDOWN', target: base, headers }, stopped)
  const watch = setInterval(
    afterReading(() => {
      const silence = stream.silence(timeouts)
      if (silence !== undefined) connection.end(silence)
    }),
    Math.min(1000, timeouts.silentMs / 4),
  )
  const reports = setInterval(() => stream.sendReports(), timeouts.reportMs)
  let method = session.keepAlive
  let hasSwitched = false
  const beat = setInterval(() => {
    const used = method
    // Many cameras never answer; their packets show whether they are alive.
    void connection.request({ method: used, target: base, headers }).then((reply) => {
      if (reply.ok) return
      if (reply.failure.kind === 'credentialsIncorrect') connection.end(reply.failure)
      // One that rejects both counts them all the same.
      if (reply.failure.kind !== 'badReply' || hasSwitched) return
      hasSwitched = true
      method = OTHER_METHOD[used]
      habits.keepAlive = method
    })
  }, keepAliveMs)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  try {
    return await connection.ended
  } finally {
    clearInterval(watch)
    clearInterval(reports)
    clearInterval(beat)
    signal.removeEventListener('abort', leave)
  }
}
