/** What puts the steps of the video plane together, one process's worth of it. */
export { findOwner } from './assignment.ts'
export type { MotionOptions } from './detection-keeper.ts'
export { footageKeyring } from './footage-keyring.ts'
export { answerKeyQuestion, type KeyAnswer, remoteKeyService } from './key-messages.ts'
export { type KeyService, keyService } from './key-service.ts'
export { type MediaWorker, type MediaWorkerDeps, openMediaWorker } from './media-worker.ts'
export { type Durations, type WorkerFigures, workerTally } from './worker-figures.ts'
export type { FromWorker, StreamRequest, ToWorker, WorkerSettings } from './worker-messages.ts'
