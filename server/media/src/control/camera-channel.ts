import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionResult } from '@sightline/contract/cameras'
import type { Logger } from '@sightline/platform/log'
import type { TrackConfig } from '../frame/index.ts'
import { createHub, type Hub } from '../hub/index.ts'
import {
  healthText,
  Manifest,
  planRecovery,
  type RecordingEnd,
  type RecordingHealth,
  type RecoveryPlan,
  type RunEnd,
  type RunLog,
  RunLogUnavailable,
  record,
  type SyncGroup,
} from '../recording/index.ts'
import {
  type CameraConnect,
  type CameraFaultKind,
  type CameraState,
  keepCameraConnected,
  playRtsp,
} from '../source/index.ts'
import { absenceLog } from './absence-log.ts'
import { outcomeOfState } from './camera-addition.ts'
import { type CameraEvent, type CameraEvents, cameraEvents } from './camera-events.ts'
import { keepLease, type LeaseDeps, type LeaseHandle } from './lease-keeper.ts'
import type { AdditionOutcome, CameraToServe, Presence, StatusChange } from './store.ts'
import type { CameraSituation, WorkerTally } from './worker-figures.ts'

export interface ChannelDeps {
  readonly camera: CameraToServe
  readonly password: string | undefined
  readonly connect: CameraConnect
  readonly store: string
  readonly group: SyncGroup
  readonly runs: RunLog
  readonly leases: Pick<LeaseDeps, 'take' | 'renew' | 'late'>
  readonly saveStatus: (change: StatusChange) => Promise<void>
  /** Called once with the result of adding a new camera. */
  readonly saveOutcome: (outcome: AdditionOutcome) => Promise<void>
  /** Gets the camera's events for its owner. */
  readonly note: (event: CameraEvent) => void
  readonly tally: Pick<WorkerTally, 'recorded' | 'received'>
  readonly log: Logger
  readonly now: () => number
}

/** One camera: what connects to it, records it, and shows it to viewers through its hub. */
export interface CameraChannel extends AsyncDisposable {
  readonly camera: CameraToServe
  readonly hub: Hub
  /** A sentence for the operator while footage cannot be written. */
  readonly problem: string | undefined
  readonly situation: CameraSituation
}

/** What waits for the recorder when a disk is slow: about a minute of a 4 Mbit/s camera. */
const RECORDER_QUEUE_BYTES = 32 * 1024 * 1024
/** How often `lastSeen` moves while a camera is online. */
const SEEN_EVERY_MS = 10_000
/** Between two tries when the store is out of order. */
const RETRY_MS = 5000

const resultOf: Readonly<Record<CameraFaultKind, ConnectionResult>> = {
  credentialsIncorrect: 'credentialsIncorrect',
  timeout: 'timeout',
  silent: 'timeout',
  unreachable: 'unreachable',
  addressRefused: 'unreachable',
  badReply: 'unreachable',
  desync: 'unreachable',
  closed: 'unreachable',
  noVideo: 'unreachable',
  unsupportedCodec: 'unreachable',
}

export function openCameraChannel(deps: ChannelDeps): CameraChannel {
  const { camera, log } = deps
  const { cameraId } = camera
  const hub = createHub()
  const stopping = new AbortController()
  const status = statusKeeper(deps)
  const watchAddition = additionWatch(deps)
  const events = cameraEvents(deps.note, deps.now)
  let problem: string | undefined
  const onHealth = (health: RecordingHealth) => {
    const before = problem
    problem = health.kind === 'ok' ? undefined : `camera ${cameraId} is not being recorded: ${healthText(health)}`
    status.recording(health.kind === 'ok')
    events.recording(health)
    // A fault is met again at each try; a log that repeats it would only fill the disk further.
    if (problem === before) return
    if (health.kind === 'ok') log.info({ cameraId }, 'recording resumed')
    else log.error({ cameraId, err: health.cause }, problem ?? '')
  }
  const running = run({ ...deps, hub, signal: stopping.signal, status, watchAddition, events, onHealth }).catch(
    (err: unknown) => {
      log.error({ err, cameraId }, 'a camera channel ended because of a bug')
      problem = `camera ${cameraId} is unavailable because of a bug: restart the server`
    },
  )
  return {
    camera,
    hub,
    get problem() {
      return problem
    },
    get situation() {
      return status.situation
    },
    async [Symbol.asyncDispose]() {
      stopping.abort('stopped')
      await running
      events.closed()
      await status.stop()
    },
  }
}

interface Running extends ChannelDeps {
  readonly hub: Hub
  readonly signal: AbortSignal
  readonly status: StatusKeeper
  readonly watchAddition: (state: CameraState) => void
  readonly events: CameraEvents
  readonly onHealth: (health: RecordingHealth) => void
}

/** As long as the channel is wanted: get the lease, then show and record the camera until the lease is lost. */
async function run(parts: Running): Promise<void> {
  const { signal } = parts
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)
  let cutOff: RunEnd = 'restart'
  while (!signal.aborted) {
    const lease = await keepLease({ ...parts.leases, monotonic: () => performance.now(), wait, signal })
    if (lease === undefined) return
    try {
      const end = await serveUnder(lease, { ...parts, cutOff: lease.isTakeover ? 'takeover' : cutOff })
      cutOff = end === 'unanswered' ? 'database' : 'restart'
    } finally {
      lease.stop()
    }
  }
}

async function serveUnder(lease: LeaseHandle, parts: Omit<Recording, 'lease'>): Promise<RecordingEnd> {
  const { camera, hub, status, watchAddition, events, runs, now } = parts
  const noteAbsence = absenceLog({ stream: streamOf(camera), runs, now })
  // A recorder that stops on its own has lost its lease, even if the lease is renewed just after: everything restarts
  // under another one.
  const over = new AbortController()
  const signal = AbortSignal.any([parts.signal, lease.lost, over.signal])
  const recording = keepRecording({ ...parts, lease, signal }).finally(() => over.abort('restart'))
  const connected = keepCameraConnected({
    play: (publish, playSignal) =>
      playRtsp({
        address: { host: camera.address, port: camera.rtspPort, path: camera.mainPath },
        ...(camera.username === null
          ? {}
          : { credentials: { username: camera.username, password: parts.password ?? '' } }),
        connect: parts.connect,
        signal: playSignal,
        publish,
        counters: parts.tally.received,
      }),
    publish: (message) => hub.publish(message),
    onState: (state) => {
      watchAddition(state)
      status.connection(state)
      events.connection(state)
      noteAbsence(state)
    },
    signal,
  }).finally(() => over.abort('restart'))
  // Neither may continue while its replacement runs.
  await Promise.allSettled([recording, connected])
  await connected
  return await recording
}

interface Recording extends Running {
  readonly lease: LeaseHandle
  /** The end reason of unclosed footage. */
  readonly cutOff: RunEnd
}

/**
 * Records until the signal aborts or another writer takes over. A damaged store costs only footage: live view continues
 * meanwhile, and the store is retried until it works.
 */
async function keepRecording(parts: Recording): Promise<RecordingEnd> {
  const { camera, runs, signal } = parts
  let isMissing = false
  while (!signal.aborted) {
    try {
      return await recordStream(parts)
    } catch (cause) {
      if (signal.aborted) return 'stopped'
      // A run log that doesn't answer says nothing about the disk.
      const isDisk = !(cause instanceof RunLogUnavailable)
      if (isDisk && !isMissing) runs.notRecorded(streamOf(camera), parts.now(), 'disk')
      isMissing ||= isDisk
      parts.onHealth({ kind: 'diskFault', cause })
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  return 'stopped'
}

const streamOf = ({ accountId, cameraId }: CameraToServe) => ({ accountId, cameraId, stream: 'main' as const })

/** Records, and puts the files of an interrupted recording in order meanwhile. Rejects if the store can't be read. */
async function recordStream(parts: Recording): Promise<RecordingEnd> {
  const { camera, hub, store, group, runs, lease, cutOff } = parts
  const stream = streamOf(camera)
  // Joined first, so that new pictures wait while files are read.
  await using reader = hub.join({ maxQueuedBytes: RECORDER_QUEUE_BYTES, start: 'next-key' })
  const interrupted = await planRecovery({ store, stream, fence: lease.fence, runs, group, cutOff })
  await using manifest = await Manifest.open({
    store,
    stream,
    group,
    failed: (cause) => parts.onHealth({ kind: 'diskFault', cause }),
  })
  const over = new AbortController()
  const settled = settle(interrupted, parts, AbortSignal.any([parts.signal, over.signal]))
  try {
    return await record(
      {
        reader,
        store,
        stream,
        kind: 'continuous',
        lease,
        manifest,
        group,
        runs,
        health: parts.onHealth,
        counters: parts.tally.recorded,
      },
      parts.signal,
    )
  } finally {
    over.abort()
    await settled
  }
}

/** Until the files are in order or the recording ends; the next one finds what is left. */
async function settle(
  { report, settle }: RecoveryPlan,
  { camera, log }: Recording,
  signal: AbortSignal,
): Promise<void> {
  const { cameraId } = camera
  const { closed, setAside } = report
  for (;;) {
    try {
      await settle()
      if (closed.length > 0 || setAside.length > 0)
        log.info({ cameraId, closed: closed.length, setAside }, 'recovered footage of an interrupted recording')
      return
    } catch (err) {
      log.error({ err, cameraId }, 'could not recover footage of an interrupted recording; retrying')
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
  }
}

/** Reports how the addition of a camera went, once; one that was added before has nothing to report. */
function additionWatch({ camera, saveOutcome, log, now }: ChannelDeps): (state: CameraState) => void {
  let isOver = camera.additionStatus === 'added'
  return (state) => {
    if (isOver) return
    const outcome = outcomeOfState(state, now() - camera.additionStartedAt)
    if (outcome === undefined) return
    isOver = true
    saveOutcome(outcome).catch((err: unknown) => {
      isOver = false
      log.warn({ err, cameraId: camera.cameraId }, 'could not save how adding a camera went')
    })
  }
}

interface StatusKeeper {
  connection(state: CameraState): void
  recording(isRecording: boolean): void
  readonly situation: CameraSituation
  stop(): Promise<void>
}

/** Keeps the row of table camera_status true: at each change, and about every ten seconds while the camera is seen. */
function statusKeeper({ camera, saveStatus, log, now }: ChannelDeps): StatusKeeper {
  // Nobody is notified about a camera that was never there.
  let isAdded = camera.additionStatus === 'added'
  let tracks: readonly TrackConfig[] = []
  let presence: Presence = 'unknown'
  const isOnline = () => presence === 'online'
  let recording = false
  let result: ConnectionResult = 'neverConnected'
  let saving: Promise<void> = Promise.resolve()
  let queued = false

  const write = async () => {
    queued = false
    const video = tracks.find((track) => track.kind === 'video')
    const audio = tracks.find((track) => track.kind === 'audio')
    await saveStatus({
      accountId: camera.accountId,
      cameraId: camera.cameraId,
      presence,
      recording: isOnline() && recording,
      lastConnectionResult: result,
      lastSeen: isOnline() ? now() : null,
      width: video?.width ?? null,
      height: video?.height ?? null,
      codec: video?.codec ?? null,
      audioCodec: audio?.codec ?? null,
    }).catch((err: unknown) => log.warn({ err, cameraId: camera.cameraId }, 'could not save the status of a camera'))
  }
  const save = () => {
    if (queued) return
    queued = true
    saving = saving.then(write)
  }
  const seen = setInterval(() => {
    if (isOnline()) save()
  }, SEEN_EVERY_MS)
  seen.unref()

  return {
    connection(state) {
      if (state.kind === 'connecting') return
      if (state.kind === 'online') {
        if (!isOnline()) log.info({ cameraId: camera.cameraId }, 'camera is online')
        presence = 'online'
        isAdded = true
        result = 'ok'
        tracks = state.tracks
      } else {
        const { kind, detail } = state.cause
        if (isOnline() || result !== resultOf[kind])
          log.warn({ cameraId: camera.cameraId, fault: kind }, `camera is offline: ${detail}`)
        presence = isAdded ? 'away' : 'unknown'
        result = resultOf[kind]
      }
      save()
    },
    recording(isRecording) {
      if (recording === isRecording) return
      recording = isRecording
      save()
    },
    get situation() {
      if (!isOnline()) return 'offline'
      return recording ? 'recorded' : 'unrecorded'
    },
    async stop() {
      clearInterval(seen)
      presence = 'unknown'
      save()
      await saving
    },
  }
}
