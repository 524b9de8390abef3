export { deviceQueries } from './device-queries.ts'
export type { RecorderTab, RecorderTabProps } from './recorder-tab.ts'
