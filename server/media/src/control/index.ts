/** What puts the steps of the video plane together, one process's worth of it. */
export { FRONT_DISK, findOwner, listCandidates, machineOfDisk } from './assignment.ts'
export type { MotionOptions } from './detection-keeper.ts'
export type { ExportEncoding } from './export-clips.ts'
export type { FootageBucket } from './footage-copier.ts'
export {
  type FootageAddress,
  findClipEnd,
  findDisk,
  findWantedFootage,
  hasFootage,
  type WantedClip,
  type WantedFootage,
} from './footage-disk-store.ts'
export { openFootageFiles } from './footage-files.ts'
export { footageKeyring } from './footage-keyring.ts'
export { DiskAway, type HeadDisk, localHeadDisk } from './head-disk.ts'
export { type HeadSigner, headSigner } from './head-signer.ts'
export { joinedRuns } from './joined-runs.ts'
export { answerKeyQuestion, type KeyAnswer, type KeyQuestion, remoteKeyService } from './key-messages.ts'
export { type KeyService, keyService } from './key-service.ts'
export {
  addMachine,
  endConnections,
  listMachines,
  type MachineRow,
  machineUser,
  revokeMachine,
} from './machine-store.ts'
export { type MediaWorker, type MediaWorkerDeps, openMediaWorker } from './media-worker.ts'
export { evictSilentWorkers } from './membership-store.ts'
export { OpenStreams, type StreamLimits } from './open-streams.ts'
export type { PictureOptions } from './picture-sources.ts'
export { loadPlacements } from './store.ts'
export type { StreamOwner, StreamPermit } from './stream-sessions.ts'
export { AWAY_PARAMETER } from './upgrade-handler.ts'
export { type Durations, type WorkerFigures, workerTally } from './worker-figures.ts'
export type { WorkerMemory } from './worker-memory.ts'
export type { FromWorker, StreamRequest, ToWorker, WebRtcSettings, WorkerSettings } from './worker-messages.ts'
export { readFromWorker, readToWorker } from './worker-wire.ts'
