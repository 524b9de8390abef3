export { type KeyAct, KeyDialogs } from './KeyDialogs.tsx'
export { KeyTable } from './KeyTable.tsx'
export type { KeyCalls } from './key-calls.ts'
export { UsageExample } from './UsageExample.tsx'
