import { setTimeout as sleep } from 'node:timers/promises'
import type { Hub } from '../hub/index.ts'
import type { EventTriggers } from '../recording/index.ts'
import { type CameraHabits, type CameraState, fault } from '../source/index.ts'
import { absenceLog } from './absence-log.ts'
import type { AdditionWatch } from './addition-watch.ts'
import { checkOnAdoption } from './adoption-check-up.ts'
import type { ChannelDeps } from './camera-channel.ts'
import type { CameraEvents } from './camera-events.ts'
import type { FollowedCamera } from './camera-reports.ts'
import { type CardSyncDeps, keepSynced } from './card-sync.ts'
import type { CheckedCamera } from './check-up.ts'
import type { HabitKeeper } from './habit-keeper.ts'
import { keepLease, type LeaseHandle } from './lease-keeper.ts'
import type { LivenessWatch } from './liveness-watch.ts'
import type { MicrophoneGate } from './microphone-gate.ts'
import type { RecordingSwitch } from './recording-switch.ts'
import type { StatusKeeper } from './status-keeper.ts'
import type { CameraToServe } from './store.ts'
import { type KnownCertificate, keepConnected, playStream } from './stream-connection.ts'
import { keepRecording } from './stream-recording.ts'
import type { SubStream } from './sub-stream.ts'
import { announceWhenReady } from './successor.ts'

/** After a bug. */
const RETRY_MS = 5000
/** How long a camera of another worker is kept connected beside it. */
const BESIDE_MS = 20_000

/** A channel at work. */
export interface RunningChannel extends ChannelDeps {
  /** Of the main stream. */
  readonly hub: Hub
  readonly sub: SubStream | undefined
  /** What the camera itself detects. */
  readonly followed: FollowedCamera
  readonly signal: AbortSignal
  readonly status: StatusKeeper
  readonly addition: AdditionWatch
  readonly events: CameraEvents
  readonly liveness: LivenessWatch
  readonly recording: RecordingSwitch
  readonly microphone: MicrophoneGate
  readonly triggers: EventTriggers
  /** What was learned of the camera. */
  readonly habits: CameraHabits
  readonly habitKeeper: HabitKeeper
  readonly certificate: KnownCertificate
  readonly checked: CheckedCamera
  readonly isOnline: () => boolean
  /** With its latest settings. */
  readonly latest: { readonly camera: CameraToServe }
}

/**
 * As long as the channel is wanted: get the lease, then show and record the camera until the lease is lost. While another
 * worker has it, the camera is connected already, so that nothing is missing when that one lets go (docs/decisions/0174).
 */
export async function serveInTurn(parts: RunningChannel): Promise<void> {
  const { signal } = parts
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)
  const newest = { fence: 0 }
  let { recalled } = parts.leases
  while (!signal.aborted) {
    const elsewhere = Promise.withResolvers<'elsewhere'>()
    const granted = keepLease({
      ...parts.leases,
      recalled,
      take: () => parts.leases.take(newest.fence),
      elsewhere: () => elsewhere.resolve('elsewhere'),
      monotonic: () => performance.now(),
      wait,
      signal,
    })
    // If it isn't the camera's any more, another one is taken.
    recalled = undefined
    try {
      const isElsewhere = (await Promise.race([granted, elsewhere.promise])) === 'elsewhere'
      const isOver = isElsewhere && (await serveBeside(granted, { ...parts, newest }))
      if (!isOver && (await granted) !== undefined) await serveUnder(granted, { ...parts, newest })
    } catch (err) {
      // A bug must not leave a camera unrecorded until the next start, nor its status as it was.
      parts.log.error(
        { err, cameraId: parts.camera.cameraId },
        'a camera channel failed because of a bug; it starts again',
      )
      const cause = fault('closed', 'internal error')
      parts.status.connection({ kind: 'offline', cause, retryInMs: RETRY_MS })
      await wait(RETRY_MS)
    } finally {
      ;(await granted)?.stop()
    }
  }
}

interface Served extends RunningChannel {
  /** Of the streams' folders: newer than the lease's own after the database was restored from a backup. */
  readonly newest: { fence: number }
}

type Granted = Promise<LeaseHandle | undefined>

/**
 * Returns whether the lease came in time; then the camera was served until it was lost. A camera that refuses a second
 * connection is connected once the lease is there.
 */
async function serveBeside(granted: Granted, parts: Served): Promise<boolean> {
  const apart = new AbortController()
  const timer = setTimeout(() => apart.abort('stopped'), BESIDE_MS)
  let isHeld = false
  void granted.then(() => {
    isHeld = true
    clearTimeout(timer)
  })
  const announced = announceWhenReady(parts, granted, parts.signal)
  const onConnection = (state: CameraState) => {
    if (isHeld || state.kind !== 'offline') return
    announced.refused()
    apart.abort('stopped')
  }
  const signal = AbortSignal.any([parts.signal, apart.signal])
  try {
    await serveUnder(granted, { ...parts, signal, onConnection })
  } finally {
    clearTimeout(timer)
  }
  return !apart.signal.aborted
}

/** What is known of the camera is reported only under its lease: until then it is another worker's to say. */
async function serveUnder(
  granted: Granted,
  parts: Served & { readonly onConnection?: (state: CameraState) => void },
): Promise<void> {
  const { camera, hub, status, addition, events, runs, now, liveness, sub, followed, onConnection } = parts
  const stream = mainStreamKey(camera)
  const noteAbsence = absenceLog({ stream, runs, now })
  // A recorder that stops on its own has lost its lease, even if the lease is renewed just after: everything restarts
  // under another one.
  const over = new AbortController()
  const signal = AbortSignal.any([parts.signal, over.signal])
  const held = heldUntil(granted, signal)
  void held.then((lease) => lease && follow(lease.lost, over))
  const report = (state: CameraState) => {
    addition.connection(state)
    status.connection(state)
    events.connection(state)
    noteAbsence(state)
    followed.mainChanged(state)
  }
  const recording = keepRecording({ ...parts, stream, held, signal }).finally(() => over.abort('restart'))
  const connected = keepConnected(
    { hub, liveness, microphone: parts.microphone, habits: parts.habits },
    {
      play: (publish, playSignal) =>
        playStream({ ...parts, path: camera.mainPath, onStep: addition.step }, publish, playSignal),
      onState: (state) => {
        sub?.mainChanged(state)
        onConnection?.(state)
        void held.then((lease) => lease && report(state))
      },
      signal,
    },
  ).finally(() => over.abort('restart'))
  const beside = sub?.serve({ held, newest: parts.newest, signal })
  const asked = held.then((lease) => lease && serveRequests(lease, { ...parts, signal }))
  // None may continue while its replacement runs.
  await Promise.allSettled([recording, connected, beside, asked])
  await connected
  await recording
}

/** What else is done under the lease. */
const serveRequests = (lease: LeaseHandle, parts: RunningChannel) =>
  Promise.allSettled([
    keepSynced(syncOf(parts, lease, mainStreamKey(parts.camera)), parts.signal),
    checkOnAdoption(parts, parts.signal),
    parts.habitKeeper.keep(parts.signal),
    parts.followed.serve(parts.signal),
  ])

/** The lease, unless the signal aborts before it is granted. */
function heldUntil(granted: Granted, signal: AbortSignal): Granted {
  const aborted = Promise.withResolvers<undefined>()
  if (signal.aborted) aborted.resolve(undefined)
  signal.addEventListener('abort', () => aborted.resolve(undefined), { once: true })
  return Promise.race([granted, aborted.promise])
}

function follow(lost: AbortSignal, over: AbortController): void {
  if (lost.aborted) over.abort(lost.reason)
  else lost.addEventListener('abort', () => over.abort(lost.reason), { once: true })
}

/** What fills gaps of the main stream under this lease. */
const syncOf = (parts: RunningChannel, lease: LeaseHandle, stream: CardSyncDeps['stream']): CardSyncDeps => ({
  ...parts,
  ...parts.sync,
  stream,
  lease,
  dayKey: parts.encryptsFootage ? (time) => parts.keys.dayKey(parts.camera, time) : undefined,
  latest: () => parts.latest.camera,
})

/** The camera's main stream. */
export const mainStreamKey = ({ accountId, cameraId }: CameraToServe) => ({
  accountId,
  cameraId,
  stream: 'main' as const,
})
