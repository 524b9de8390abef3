export type { RecorderTab, RecorderTabProps } from './recorder-tab.ts'
