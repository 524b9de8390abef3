import { setTimeout as sleep } from 'node:timers/promises'
import type { Hub, HubReader } from '../hub/index.ts'
import {
  claimFence,
  EventGate,
  type EventTriggers,
  isRunEnd,
  Manifest,
  planRecovery,
  type RecordingEnd,
  type RecoveryPlan,
  type RunEnd,
  record,
  type StreamKey,
  streamFolder,
} from '../recording/index.ts'
import type { ChannelDeps } from './camera-channel.ts'
import type { LeaseHandle } from './lease-keeper.ts'
import type { LivenessWatch } from './liveness-watch.ts'
import type { RecordingSwitch } from './recording-switch.ts'

export interface RecordedStream
  extends Pick<ChannelDeps, 'camera' | 'store' | 'keys' | 'encryptsFootage' | 'group' | 'room' | 'runs'>,
    Pick<ChannelDeps, 'memory' | 'tally' | 'log' | 'now'> {
  readonly stream: StreamKey
  readonly hub: Hub
  readonly liveness: LivenessWatch
  readonly recording: RecordingSwitch
  /** What is recorded if only events are. */
  readonly triggers: EventTriggers
  readonly signal: AbortSignal
  /** While another worker still has the lease, pictures wait. Undefined if the recording ends before. */
  readonly held: Promise<LeaseHandle | undefined>
  /** Of the streams' folders: newer than the lease's own after the database was restored from a backup. */
  readonly newest: { fence: number }
}

/** What waits for the recorder when a disk is slow: about a minute of a 4 Mbit/s camera. */
const RECORDER_QUEUE_BYTES = 32 * 1024 * 1024
/** Between two tries when the store is out of order. */
const RETRY_MS = 5000

/**
 * Records until the signal aborts or another writer takes over. A damaged store costs only footage: live view continues
 * meanwhile, and the store is retried until it works.
 */
export async function keepRecording(parts: RecordedStream): Promise<RecordingEnd> {
  const { stream, runs, signal } = parts
  let isMissing = false
  while (!signal.aborted) {
    await waitUntilWanted(parts)
    const { off } = parts.recording
    try {
      const end = await recordStream({ ...parts, signal: AbortSignal.any([signal, off]) })
      if (end !== 'stopped' || !off.aborted) return end
    } catch (cause) {
      if (signal.aborted || off.aborted) continue
      if (!isMissing) runs.notRecorded(stream, parts.now(), 'disk')
      isMissing = true
      parts.liveness.health({ kind: 'diskFault', cause })
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  return 'stopped'
}

/** Waits while the camera's mode or schedule says not to record. */
async function waitUntilWanted({ recording, liveness, signal }: RecordedStream): Promise<void> {
  while (recording.reason !== undefined && !signal.aborted) {
    liveness.health({ kind: 'off', reason: recording.reason })
    await recording.untilOn(signal)
  }
}

/**
 * Makes the stream's folder its own, records, and puts the files of an interrupted recording in order meanwhile. Rejects if
 * the store can't be read.
 */
async function recordStream(parts: RecordedStream): Promise<RecordingEnd> {
  const { camera, stream, hub, store, keys, encryptsFootage, group, runs } = parts
  const failed = (cause: unknown) => parts.liveness.health({ kind: 'diskFault', cause })
  parts.liveness.recorderOpened()
  // Joined first, so that new pictures wait while files are read.
  const reader = hub.join({ maxQueuedBytes: RECORDER_QUEUE_BYTES, start: 'next-key', rank: 'recorder' })
  await using gate = openGate(reader, parts)
  const lease = await parts.held
  if (lease === undefined) return 'stopped'
  const newest = await claimFence(streamFolder(store, stream), lease.fence, { group, failed })
  parts.newest.fence = Math.max(parts.newest.fence, newest)
  if (newest > lease.fence) return 'taken'
  const { fence, state } = lease
  const isLogAway = state === 'lapsed'
  const cutOff: RunEnd = lease.isTakeover ? 'takeover' : 'restart'
  const interrupted = await planRecovery({ store, stream, fence, runs, keys, group, cutOff, isLogAway })
  // The mode changed meanwhile: what has waited since is not to be recorded.
  if (parts.signal.aborted) return 'stopped'
  await using manifest = await Manifest.open({ store, stream, group, failed })
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

function openGate(reader: HubReader, parts: RecordedStream): EventGate {
  const { stream, memory, triggers, recording, runs, liveness } = parts
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
  { stream, log }: RecordedStream,
  signal: AbortSignal,
): Promise<void> {
  const of = { cameraId: stream.cameraId, stream: stream.stream }
  const { closed, setAside } = report
  for (;;) {
    try {
      await settle()
      if (closed.length > 0 || setAside.length > 0)
        log.info({ ...of, closed: closed.length, setAside }, 'recovered footage of an interrupted recording')
      return
    } catch (err) {
      log.error({ err, ...of }, 'could not recover footage of an interrupted recording; retrying')
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
  }
}
