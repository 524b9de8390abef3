export { UsageExample } from './UsageExample.tsx'
export { type KeyAct, KeyDialogs } from './KeyDialogs.tsx'
export { KeyTable } from './KeyTable.tsx'
export type { KeyCalls } from './key-calls.ts'
