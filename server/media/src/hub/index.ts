/** Between one source and its readers: the recorder, the viewers, the snapshots. */
export { createHub, type Hub, type JoinOptions, type KeyPicture } from './hub.ts'
export { byteLength, type HubMessage, type HubReader } from './hub-reader.ts'
export { MemoryBudget, type MemoryHolder } from './memory-budget.ts'
