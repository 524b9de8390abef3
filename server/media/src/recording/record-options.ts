import type { HubMessage, HubReader } from '../hub/index.ts'
import type { DiskRoom } from './disk-room.ts'
import type { DayKey } from './footage-keys.ts'
import type { Manifest } from './manifest.ts'
import type { RecordingCounters } from './recording-counters.ts'
import type { RecordingHealth, RecordingProgress } from './recording-health.ts'
import type { RunLog, StreamKey } from './run-log.ts'
import type { SegmentKind } from './segment-layout.ts'
import type { SyncGroup } from './sync-group.ts'
import type { WriterLease } from './writer-lease.ts'

/** What a recorder gets, in order. */
export type RecorderMessage =
  | HubMessage
  /** What follows is recorded for this; only between runs. */
  | { readonly kind: 'purpose'; readonly of: SegmentKind }

/** Where a recorder reads from; like a reader of a hub. */
export interface RecorderInput extends Pick<HubReader, 'finish' | 'leave'> {
  next(): Promise<RecorderMessage | undefined>
  take(): RecorderMessage | undefined
}

export interface RecordOptions {
  readonly reader: RecorderInput
  /** Folder of all footage on this disk. */
  readonly store: string
  readonly stream: StreamKey
  /** Of the runs, unless the reader says otherwise. */
  readonly kind: SegmentKind
  readonly lease: WriterLease
  /** The chain of this stream; it is not closed here. */
  readonly manifest: Manifest
  /** Shared by all recorders of the disk. */
  readonly group: SyncGroup
  readonly room?: DiskRoom | undefined
  readonly runs: RunLog
  /**
   * The camera's key for the day of a time. Without it, footage isn't encrypted.
   * @throws {MissingDayKey}
   */
  readonly dayKey?: (time: number) => DayKey
  readonly health: (health: RecordingHealth) => void
  readonly counters?: RecordingCounters
  readonly progress?: RecordingProgress
  /** Length of a segment; a test may want it short. */
  readonly segmentMs?: number
  /** 128 random bits as 32 hexadecimal digits. */
  readonly newId?: () => string
  /** Milliseconds of a clock that nobody sets. */
  readonly monotonic?: () => number
}
