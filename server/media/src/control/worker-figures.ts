import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Db } from '@sightline/platform/db'
import { newRecordingCounters, type RecordingCounters } from '../recording/index.ts'
import { newCounters, type StreamCounters } from '../source/index.ts'
import { type LeaseCounters, newLeaseCounters } from './late-leases.ts'
import type { StreamUse } from './stream-sessions.ts'

/** The state of a camera: connected and recorded, connected only, or not connected. */
/** `off`: online, and not to be recorded by its mode or schedule. */
export type CameraSituation = 'recorded' | 'unrecorded' | 'off' | 'offline'

/** How long something took, each time. */
export interface Durations {
  /** How many took at most so long: seconds, ascending, each count with those before it. */
  readonly upTo: readonly (readonly [seconds: number, count: number])[]
  readonly count: number
  /** Seconds of all together. */
  readonly sum: number
}

/** Connections to the database: for work, and the one reserved for leases. */
export type WorkerConnections = Readonly<Record<'work' | 'leases', ReturnType<Db['connections']>>>

/** What a media worker is doing, and has done since it began. Crosses a process border. */
export interface WorkerFigures {
  readonly cameras: Readonly<Record<CameraSituation, number>>
  readonly viewers: Readonly<Record<StreamUse, number>>
  /** Streams that were refused because too many were open. */
  readonly refusedStreams: number
  /** Cameras that aren't connected, because there is no processor time for them. */
  readonly refusedCameras: number
  readonly leases: Readonly<LeaseCounters>
  /** In the folder of footage; undefined if the system doesn't say. */
  readonly freeDiskBytes: number | undefined
  readonly database: WorkerConnections
  readonly recorded: Readonly<RecordingCounters>
  readonly received: Readonly<StreamCounters>
  /** Bringing one file to the disk. */
  readonly syncs: Durations
  readonly failedSyncs: number
  /** How late timers were since the last call, in seconds. */
  readonly eventLoopDelay: { readonly median: number; readonly p99: number; readonly max: number }
  /** Own and in the kernel. */
  readonly processorSeconds: number
  readonly residentBytes: number
}

const SYNC_LIMITS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
/** Each sample wakes the process: at 20 ms that was 0.3 % of a core, at 100 ms it is 0.06 %. */
const DELAY_RESOLUTION_MS = 100

/** Counters that the components of a worker update. */
export interface WorkerTally extends Disposable {
  readonly recorded: RecordingCounters
  /** Counters of one connection; they count as long as the worker runs. */
  openReceived(): Disposable & { readonly counters: StreamCounters }
  readonly viewers: Record<StreamUse, number>
  readonly refused: { streams: number }
  readonly leases: LeaseCounters
  synced(seconds: number, outcome: 'done' | 'failed'): void
  figures(of: {
    readonly cameras: readonly CameraSituation[]
    readonly refusedCameras: number
    readonly freeDiskBytes: number | undefined
    readonly database: WorkerConnections
  }): WorkerFigures
}

export function workerTally(): WorkerTally {
  const recorded = newRecordingCounters()
  const closed = newCounters()
  const open = new Set<StreamCounters>()
  const viewers = { live: 0, playback: 0, mp4: 0, snapshot: 0 }
  const refused = { streams: 0 }
  const leases = newLeaseCounters()
  const counts = SYNC_LIMITS.map(() => 0)
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })
  delay.enable()
  let syncs = 0
  let syncSeconds = 0
  let failedSyncs = 0
  /** The measurement includes the interval of its own timer. */
  const late = (nanoseconds: number) => Math.max(nanoseconds / NANOSECONDS - DELAY_RESOLUTION_MS / 1000, 0)
  return {
    recorded,
    openReceived() {
      const counters = newCounters()
      open.add(counters)
      return {
        counters,
        [Symbol.dispose]() {
          open.delete(counters)
          addCounters(closed, counters)
        },
      }
    },
    viewers,
    refused,
    leases,
    synced(seconds, outcome) {
      syncs++
      syncSeconds += seconds
      if (outcome === 'failed') failedSyncs++
      for (const [at, limit] of SYNC_LIMITS.entries()) if (seconds <= limit) counts[at] = (counts[at] ?? 0) + 1
    },
    figures({ cameras, refusedCameras, freeDiskBytes, database }) {
      const of = (situation: CameraSituation) => cameras.filter((each) => each === situation).length
      const { user, system } = process.cpuUsage()
      const isMeasured = delay.count > 0
      const eventLoopDelay = {
        median: isMeasured ? late(delay.percentile(50)) : 0,
        p99: isMeasured ? late(delay.percentile(99)) : 0,
        max: isMeasured ? late(delay.max) : 0,
      }
      delay.reset()
      return {
        cameras: { recorded: of('recorded'), unrecorded: of('unrecorded'), off: of('off'), offline: of('offline') },
        viewers: { ...viewers },
        refusedStreams: refused.streams,
        refusedCameras,
        leases: { ...leases },
        freeDiskBytes,
        database,
        recorded: { ...recorded },
        received: sumOfCounters([closed, ...open]),
        syncs: {
          upTo: SYNC_LIMITS.map((limit, at) => [limit, counts[at] ?? 0] as const),
          count: syncs,
          sum: syncSeconds,
        },
        failedSyncs,
        eventLoopDelay,
        processorSeconds: (user + system) / MICROSECONDS,
        residentBytes: process.memoryUsage.rss(),
      }
    },
    [Symbol.dispose]: () => void delay.disable(),
  }
}

function addCounters(sum: StreamCounters, counters: StreamCounters): void {
  for (const name of Object.keys(sum) as (keyof StreamCounters)[]) sum[name] += counters[name]
}

function sumOfCounters(all: readonly StreamCounters[]): StreamCounters {
  const sum = newCounters()
  for (const counters of all) addCounters(sum, counters)
  return sum
}
