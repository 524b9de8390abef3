/** Footage on disk: written part by part, found again, proven, deleted. The format is `docs/design/recording-format.md`. */
export { Manifest, verifyManifest } from './manifest.ts'
export { type RecordingHealth, type RecordOptions, record, type WriterLease } from './recorder.ts'
export type { DeletedRange, FinishedSlice, RunEnd, RunLog, RunSlice, StreamKey, StreamName } from './run-log.ts'
export { SyncGroup } from './sync-group.ts'
