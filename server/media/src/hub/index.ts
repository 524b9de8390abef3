/** Between one source and its readers: the recorder, the viewers, the snapshots. */
export { createHub, type Hub, type JoinOptions, type KeyPicture } from './hub.ts'
export type { HubMessage, HubReader } from './hub-reader.ts'
export { MemoryBudget } from './memory-budget.ts'
