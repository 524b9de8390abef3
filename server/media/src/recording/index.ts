/** Footage on disk: written part by part, found again, proven, deleted. The format is `docs/design/recording-format.md`. */
export { bucketFiles, FootageAway } from './bucket-files.ts'
export { CardImport, type CardImportOptions, type CardSound } from './card-import.ts'
export { readCatalogue } from './catalogue.ts'
export { type ChainHead, chainHeads } from './chain-heads.ts'
export { type ChainProof, checkChainProof, MAX_PROOF_LINES, type ProofLine, readChainProof } from './chain-proof.ts'
export {
  type DeletionRecord,
  finishDeletions,
  type LedgerEnd,
  RECORD_EVERY_MS,
  unrecordedDeletions,
} from './deletion-record.ts'
export { type DiskRoom, diskRoom } from './disk-room.ts'
export { eraseAccount, listAccounts } from './erasure.ts'
export { EventGate } from './event-gate.ts'
export { EventTriggers } from './event-triggers.ts'
export { claimFence } from './fence.ts'
export { FootageCopy } from './footage-copy.ts'
export {
  type DayKey,
  footageKek,
  keysInFiles,
  MissingDayKey,
  newKey,
  newKeyId,
  openWrappedDayKey,
  readAccountKeys,
  readWrappedDayKey,
  toDay,
  unwrapKey,
  type WrappedDayKey,
  type WrappedKey,
  wrapKey,
} from './footage-keys.ts'
export { compareHeads, type Descent, findUnlisted } from './head-descent.ts'
export { listBrokenHeads, readHeadFile, setHeadAside, writeHeadFile } from './head-file.ts'
export { type HeadKey, headKeysText, readHeadKeys } from './head-keys.ts'
export { type BrokenChain, Manifest, type ManifestOptions, readManifest, verifyManifest } from './manifest.ts'
export { OpenSegments } from './open-segments.ts'
export { type DenyReason, findDenyReason } from './range-deletion.ts'
export type { RecordOptions } from './record-options.ts'
export { type RecordingEnd, record } from './recorder.ts'
export { newRecordingCounters, type RecordingCounters } from './recording-counters.ts'
export { healthText, type RecordingHealth, type RecordingProgress } from './recording-health.ts'
export {
  planRecovery,
  type RecoveryOptions,
  type RecoveryPlan,
  type RecoveryReport,
  recoverStream,
} from './recovery.ts'
export {
  type RetentionOptions,
  type RetentionReport,
  type StoreKeeper,
  storeKeeper,
} from './retention.ts'
export {
  causeOfEnd,
  type DeletedRange,
  type DeletionReason,
  type FinishedSlice,
  isRunEnd,
  type RunEnd,
  type RunLog,
  type RunSlice,
  type StreamKey,
  type StreamName,
} from './run-log.ts'
export { type ScrubFinding, scrubStream } from './scrub.ts'
export { diskFiles, onDisk, type ReadQueue, type SegmentFile, type SegmentFiles } from './segment-file.ts'
export { hoursBack, listHours, listSegments } from './segment-files.ts'
export type { IndexedPart, SegmentHeader } from './segment-layout.ts'
export { type Hour, type SegmentName, segmentPath, streamFolder, toHour } from './segment-name.ts'
export { DamagedPart, type KeyFinder, NotASegment, SegmentReader, UnknownKey } from './segment-reader.ts'
export { checkSegment, type SegmentHealth } from './segment-scan.ts'
export { isChainHead, isOlderHead, readHead, type SignedHead, signHead } from './signed-head.ts'
export { readSignedList, type SignedList } from './signed-list.ts'
export { databaseRunLog } from './store.ts'
export { listStreams } from './stream-usage.ts'
export { SyncGroup, type SyncGroupOptions } from './sync-group.ts'
export type { TimeRange } from './time-range.ts'
export { type HeadFinding, type HeadReport, verifyHead } from './verify-head.ts'
export type { LeaseState, WriterLease } from './writer-lease.ts'
