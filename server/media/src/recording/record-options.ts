import type { HubReader } from '../hub/index.ts'
import type { DiskRoom } from './disk-room.ts'
import type { DayKey } from './footage-keys.ts'
import type { Manifest } from './manifest.ts'
import type { RecordingCounters } from './recording-counters.ts'
import type { RecordingHealth, RecordingProgress } from './recording-health.ts'
import type { RunLog, StreamKey } from './run-log.ts'
import type { SegmentKind } from './segment-layout.ts'
import type { SyncGroup } from './sync-group.ts'
import type { WriterLease } from './writer-lease.ts'

export interface RecordOptions {
  readonly reader: HubReader
  /** Folder of all footage on this disk. */
  readonly store: string
  readonly stream: StreamKey
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
}
