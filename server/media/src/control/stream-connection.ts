import type { Hub } from '../hub/index.ts'
import {
  type BackChannelResult,
  type CameraFault,
  type CameraHabits,
  type CameraState,
  fault,
  keepCameraConnected,
  openBackChannel,
  type PlayRtspOptions,
  playRtsp,
} from '../source/index.ts'
import type { CameraAdmission } from './camera-admission.ts'
import type { ChannelDeps } from './camera-channel.ts'
import type { LivenessWatch } from './liveness-watch.ts'
import type { MicrophoneGate } from './microphone-gate.ts'
import type { CameraToServe } from './store.ts'

/** The camera's certificate (SHA-256), from the first connection that it accepted on; it is the same for all streams. */
export interface KnownCertificate {
  sha256: Buffer | undefined
}

export interface ConnectedStream extends Pick<ChannelDeps, 'camera' | 'password' | 'connect' | 'tally'> {
  /** Of the stream on the camera. */
  readonly path: string
  readonly hub: Hub
  readonly liveness: LivenessWatch
  /** What was learned of the camera. */
  readonly habits: CameraHabits
  readonly certificate: KnownCertificate
  readonly admission: Pick<CameraAdmission, 'enter'>
  /** Hears how far each connection comes. */
  readonly onStep?: PlayRtspOptions['onStep']
}

/** One connection: publishes until the camera ends it or it makes no progress, and resolves with the reason. */
export type PlayStream = (publish: PlayRtspOptions['publish'], signal: AbortSignal) => Promise<CameraFault>

/** Plays a stream, if the worker has room for it, until the camera ends it or makes no progress. */
export async function playStream(
  stream: ConnectedStream,
  publish: PlayRtspOptions['publish'],
  signal: AbortSignal,
): Promise<CameraFault> {
  const place = await stream.admission.enter(stream.camera.cameraId, signal)
  if (place === undefined) return OVERLOADED
  const ended = await playAdmitted(stream, publish, AbortSignal.any([signal, place]))
  return place.aborted && !signal.aborted ? OVERLOADED : ended
}

const OVERLOADED = fault('overloaded', 'the server has more cameras than it can record')

async function playAdmitted(
  { camera, path, password, connect, tally, liveness, habits, certificate, onStep }: ConnectedStream,
  publish: PlayRtspOptions['publish'],
  signal: AbortSignal,
): Promise<CameraFault> {
  using received = tally.openReceived()
  const { counters } = received
  const overdue = new AbortController()
  let reason: CameraFault | undefined
  liveness.connected({
    counters,
    end: (why) => {
      reason ??= why
      overdue.abort()
    },
  })
  const ended = await playRtsp({
    ...destinationOf(camera, path, password),
    pin: certificate,
    onCertificate: (sha256) => {
      certificate.sha256 ??= sha256
    },
    allowBasic: camera.allowBasic,
    habits,
    connect,
    signal: AbortSignal.any([signal, overdue.signal]),
    publish,
    counters,
    reusesMemory: true,
    ...(onStep === undefined ? {} : { onStep }),
  })
  return reason ?? ended
}

const destinationOf = (camera: CameraToServe, path: string, password: string | undefined) => ({
  address: { host: camera.address, port: camera.rtspPort, path, isSecure: camera.isSecure },
  ...(camera.username === null ? {} : { credentials: { username: camera.username, password: password ?? '' } }),
})

/** Until a camera that takes its time to open its loudspeaker is given up. */
const REPLY_MS = 5000

/** Opens the camera's loudspeaker in a connection of its own; it closes with the signal. */
export const openLoudspeaker = (
  {
    camera,
    password,
    connect,
    habits,
    certificate,
  }: Omit<ConnectedStream, 'path' | 'hub' | 'liveness' | 'tally' | 'admission'>,
  signal: AbortSignal,
): Promise<BackChannelResult> =>
  openBackChannel({
    credentials: undefined,
    ...destinationOf(camera, camera.mainPath, password),
    pin: certificate,
    // TLS hides the password on its way.
    allowBasic: camera.allowBasic || camera.isSecure,
    connect,
    usesHttp: habits.usesHttp ?? false,
    replyTimeoutMs: REPLY_MS,
    signal,
  })

/** Keeps a stream connected until the signal aborts; what it publishes reaches its hub. */
export const keepConnected = (
  {
    hub,
    liveness,
    microphone,
    habits,
  }: Pick<ConnectedStream, 'hub' | 'liveness'> & {
    readonly microphone: MicrophoneGate
    /** Of the main stream, which is connected first: it counts rejected passwords. */
    readonly habits?: CameraHabits
  },
  {
    play,
    onState,
    signal,
  }: { readonly play: PlayStream; readonly onState: (state: CameraState) => void; readonly signal: AbortSignal },
): Promise<void> =>
  keepCameraConnected({
    play,
    publish: microphone.open((message) => {
      liveness.published(message)
      hub.publish(message)
    }),
    onState,
    signal,
    habits,
  })
