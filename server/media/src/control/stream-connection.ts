import type { Hub } from '../hub/index.ts'
import {
  type CameraFault,
  type CameraHabits,
  type CameraState,
  keepCameraConnected,
  type PlayRtspOptions,
  playRtsp,
} from '../source/index.ts'
import type { ChannelDeps } from './camera-channel.ts'
import type { LivenessWatch } from './liveness-watch.ts'

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
}

/** One connection: publishes until the camera ends it or it makes no progress, and resolves with the reason. */
export type PlayStream = (publish: PlayRtspOptions['publish'], signal: AbortSignal) => Promise<CameraFault>

/** Plays a stream until the camera ends it or makes no progress. */
export async function playStream(
  { camera, path, password, connect, tally, liveness, habits, certificate }: ConnectedStream,
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
    address: { host: camera.address, port: camera.rtspPort, path, isSecure: camera.isSecure },
    pin: certificate,
    onCertificate: (sha256) => {
      certificate.sha256 ??= sha256
    },
    ...(camera.username === null ? {} : { credentials: { username: camera.username, password: password ?? '' } }),
    allowBasic: camera.allowBasic,
    habits,
    connect,
    signal: AbortSignal.any([signal, overdue.signal]),
    publish,
    counters,
  })
  return reason ?? ended
}

/** Keeps a stream connected until the signal aborts; what it publishes reaches its hub. */
export const keepConnected = (
  { hub, liveness }: Pick<ConnectedStream, 'hub' | 'liveness'>,
  {
    play,
    onState,
    signal,
  }: { readonly play: PlayStream; readonly onState: (state: CameraState) => void; readonly signal: AbortSignal },
): Promise<void> =>
  keepCameraConnected({
    play,
    publish: (message) => {
      liveness.published(message)
      hub.publish(message)
    },
    onState,
    signal,
  })
