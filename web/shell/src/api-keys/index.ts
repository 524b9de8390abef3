export { HowTo } from './HowTo.tsx'
export { type KeyAct, KeyDialogs } from './KeyDialogs.tsx'
export { KeyTable } from './KeyTable.tsx'
export type { KeyCalls } from './key-calls.ts'
