export { Stage } from './Stage.tsx'
export type { WatchedRange } from './StageFootage.tsx'
export { type StagePosition, useStagePosition } from './stage-position.ts'
