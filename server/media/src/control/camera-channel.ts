import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@sightline/platform/log'
import { createHub, type Hub, type HubReader, type MemoryBudget } from '../hub/index.ts'
import {
  claimFence,
  type DiskRoom,
  EventGate,
  EventTriggers,
  healthText,
  isRunEnd,
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
  streamFolder,
} from '../recording/index.ts'
import {
  type CameraConnect,
  type CameraFault,
  type CameraHabits,
  type CameraState,
  fault,
  keepCameraConnected,
  type PlayRtspOptions,
  playRtsp,
} from '../source/index.ts'
import { absenceLog } from './absence-log.ts'
import { outcomeOfState } from './camera-addition.ts'
import { type CameraEvent, type CameraEvents, cameraEvents } from './camera-events.ts'
import type { FootageKeyring } from './footage-keyring.ts'
import { keepLease, type LeaseDeps, type LeaseHandle } from './lease-keeper.ts'
import { type LivenessWatch, watchLiveness } from './liveness-watch.ts'
import { type RecordingPlan, RecordingSwitch } from './recording-switch.ts'
import { type StatusKeeper, statusKeeper, toRecordingState } from './status-keeper.ts'
import type { AdditionOutcome, CameraToServe, StatusChange } from './store.ts'
import type { CameraSituation, WorkerTally } from './worker-figures.ts'

export interface ChannelDeps {
  readonly camera: CameraToServe
  readonly password: string | undefined
  readonly connect: CameraConnect
  readonly store: string
  readonly keys: FootageKeyring
  readonly encryptsFootage: boolean
  /** The memory for media, shared by all cameras of the worker. */
  readonly memory: MemoryBudget
  readonly group: SyncGroup
  readonly room?: DiskRoom
  readonly runs: RunLog
  readonly leases: Pick<LeaseDeps, 'renew' | 'late'> & {
    /** Like {@link LeaseDeps.take}, with a fence above the given one. */
    readonly take: (above: number) => ReturnType<LeaseDeps['take']>
  }
  readonly saveStatus: (change: StatusChange) => Promise<void>
  /** Called once with the result of adding a new camera. */
  readonly saveOutcome: (outcome: AdditionOutcome) => Promise<void>
  /** Gets the camera's events for its owner. */
  readonly note: (event: CameraEvent) => void
  readonly tally: Pick<WorkerTally, 'recorded' | 'openReceived'>
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
  /** When to record from now on. */
  plan(plan: RecordingPlan): void
  /** What is recorded if only events are. */
  readonly triggers: EventTriggers
  /** Like disposing of it; `why` is the reason that the footage ends. */
  close(why: RunEnd): Promise<void>
}

/** What waits for the recorder when a disk is slow: about a minute of a 4 Mbit/s camera. */
const RECORDER_QUEUE_BYTES = 32 * 1024 * 1024
/** Between two tries when the store is out of order. */
const RETRY_MS = 5000

export function openCameraChannel(deps: ChannelDeps): CameraChannel {
  const { camera, log } = deps
  const { cameraId } = camera
  const hub = createHub(deps.memory)
  const stopping = new AbortController()
  const status = statusKeeper(deps)
  const watchAddition = additionWatch(deps)
  const events = cameraEvents(deps.note, deps.now)
  const recording = new RecordingSwitch(camera, deps.now)
  const triggers = new EventTriggers()
  let problem: string | undefined
  const onHealth = (health: RecordingHealth) => {
    const before = problem
    const isFault = health.kind !== 'ok' && health.kind !== 'off' && health.kind !== 'standby'
    problem = isFault ? `camera ${cameraId} is not being recorded: ${healthText(health)}` : undefined
    status.recording(toRecordingState(health))
    events.recording(health)
    // A fault is met again at each try; a log that repeats it would only fill the disk further.
    if (problem === before) return
    if (problem === undefined) log.info({ cameraId }, 'recording resumed')
    else log.error({ cameraId, err: 'cause' in health ? health.cause : undefined }, problem)
  }
  const liveness = watchLiveness({
    health: onHealth,
    stalled: (slice) => {
      if (slice !== undefined) deps.runs.runGrew(slice)
      deps.runs.notRecorded(streamOf(camera), slice?.end ?? deps.now(), 'disk')
    },
  })
  const running = run({
    ...deps,
    hub,
    signal: stopping.signal,
    status,
    watchAddition,
    events,
    liveness,
    recording,
    triggers,
    habits: {},
  }).catch((err: unknown) => {
    log.error({ err, cameraId }, 'a camera channel ended because of a bug')
    problem = `camera ${cameraId} is unavailable because of a bug: restart the server`
  })
  return {
    camera,
    hub,
    triggers,
    get problem() {
      return problem
    },
    get situation() {
      return status.situation
    },
    plan: (plan) => recording.set(plan),
    async close(why) {
      stopping.abort(why)
      await running
      recording[Symbol.dispose]()
      liveness[Symbol.dispose]()
      hub[Symbol.dispose]()
      events.closed()
      await status.stop()
    },
    [Symbol.asyncDispose]() {
      return this.close('stopped')
    },
  }
}

interface Running extends ChannelDeps {
  readonly hub: Hub
  readonly signal: AbortSignal
  readonly status: StatusKeeper
  readonly watchAddition: (state: CameraState) => void
  readonly events: CameraEvents
  readonly liveness: LivenessWatch
  readonly recording: RecordingSwitch
  readonly triggers: EventTriggers
  /** What was learned of the camera. */
  readonly habits: CameraHabits
}

/** As long as the channel is wanted: get the lease, then show and record the camera until the lease is lost. */
async function run(parts: Running): Promise<void> {
  const { signal } = parts
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)
  const newest = { fence: 0 }
  while (!signal.aborted) {
    const take = () => parts.leases.take(newest.fence)
    const lease = await keepLease({ ...parts.leases, take, monotonic: () => performance.now(), wait, signal })
    if (lease === undefined) return
    try {
      await serveUnder(lease, { ...parts, newest, cutOff: lease.isTakeover ? 'takeover' : 'restart' })
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
      lease.stop()
    }
  }
}

async function serveUnder(lease: LeaseHandle, parts: Omit<Recording, 'lease'>): Promise<void> {
  const { camera, hub, status, watchAddition, events, runs, now } = parts
  const noteAbsence = absenceLog({ stream: streamOf(camera), runs, now })
  // A recorder that stops on its own has lost its lease, even if the lease is renewed just after: everything restarts
  // under another one.
  const over = new AbortController()
  const signal = AbortSignal.any([parts.signal, lease.lost, over.signal])
  const recording = keepRecording({ ...parts, lease, signal }).finally(() => over.abort('restart'))
  const connected = keepCameraConnected({
    play: (publish, playSignal) => play(parts, publish, playSignal),
    publish: (message) => {
      parts.liveness.published(message)
      hub.publish(message)
    },
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
  await recording
}

/** Plays the main stream until the camera ends it or makes no progress. */
async function play(
  { camera, password, connect, tally, liveness, habits }: Running,
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
    address: { host: camera.address, port: camera.rtspPort, path: camera.mainPath },
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

interface Recording extends Running {
  readonly lease: LeaseHandle
  /** The end reason of unclosed footage. */
  readonly cutOff: RunEnd
  /** Of the stream's folder: newer than the lease's own after the database was restored from a backup. */
  readonly newest: { fence: number }
}

/**
 * Records until the signal aborts or another writer takes over. A damaged store costs only footage: live view continues
 * meanwhile, and the store is retried until it works.
 */
async function keepRecording(parts: Recording): Promise<RecordingEnd> {
  const { camera, runs, signal } = parts
  let isMissing = false
  while (!signal.aborted) {
    await waitUntilWanted(parts)
    const { off } = parts.recording
    try {
      const end = await recordStream({ ...parts, signal: AbortSignal.any([signal, off]) })
      if (end !== 'stopped' || !off.aborted) return end
    } catch (cause) {
      if (signal.aborted || off.aborted) continue
      // A run log that doesn't answer says nothing about the disk.
      const isDisk = !(cause instanceof RunLogUnavailable)
      if (isDisk && !isMissing) runs.notRecorded(streamOf(camera), parts.now(), 'disk')
      isMissing ||= isDisk
      parts.liveness.health({ kind: 'diskFault', cause })
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  return 'stopped'
}

/** Waits while the camera's mode or schedule says not to record. */
async function waitUntilWanted({ recording, liveness, signal }: Recording): Promise<void> {
  while (recording.reason !== undefined && !signal.aborted) {
    liveness.health({ kind: 'off', reason: recording.reason })
    await recording.untilOn(signal)
  }
}

const streamOf = ({ accountId, cameraId }: CameraToServe) => ({ accountId, cameraId, stream: 'main' as const })

/**
 * Makes the stream's folder its own, records, and puts the files of an interrupted recording in order meanwhile. Rejects if
 * the store can't be read.
 */
async function recordStream(parts: Recording): Promise<RecordingEnd> {
  const { camera, hub, store, keys, encryptsFootage, group, runs, lease, cutOff } = parts
  const stream = streamOf(camera)
  const failed = (cause: unknown) => parts.liveness.health({ kind: 'diskFault', cause })
  parts.liveness.recorderOpened()
  // Joined first, so that new pictures wait while files are read.
  const reader = hub.join({ maxQueuedBytes: RECORDER_QUEUE_BYTES, start: 'next-key', rank: 'recorder' })
  await using gate = openGate(reader, parts)
  parts.newest.fence = await claimFence(streamFolder(store, stream), lease.fence, { group, failed })
  if (parts.newest.fence > lease.fence) return 'taken'
  const interrupted = await planRecovery({ store, stream, fence: lease.fence, runs, keys, group, cutOff })
  // The mode changed meanwhile: what has waited since is not to be recorded.
  if (parts.signal.aborted) return 'stopped'
  await using manifest = await Manifest.open({
    store,
    stream,
    group,
    failed,
  })
  const over = new AbortController()
  const settled = settle(interrupted, parts, AbortSignal.any([parts.signal, over.signal]))
  try {
    return await record(
      {
        reader: gate,
        store,
        stream,
        kind: 'continuous',
        lease,
        manifest,
        ...(encryptsFootage && { dayKey: (time: number) => keys.dayKey(camera, time) }),
        group,
        room: parts.room,
        runs,
        health: parts.liveness.health,
        progress: parts.liveness.progress,
        counters: parts.tally.recorded,
      },
      parts.signal,
    )
  } finally {
    over.abort()
    gate.ended(parts.now(), isRunEnd(parts.signal.reason) ? parts.signal.reason : 'stopped')
    await settled
  }
}

function openGate(reader: HubReader, { camera, memory, triggers, recording, runs, liveness }: Recording): EventGate {
  const stream = streamOf(camera)
  return new EventGate({
    reader,
    memory,
    triggers,
    isOnEvents: () => recording.isOnEvents,
    notRecorded: (from, why) => runs.notRecorded(stream, from, why),
    standby: liveness.standby,
  })
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
