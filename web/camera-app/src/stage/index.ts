export { Stage, type StageProps } from './Stage.tsx'
export type { WatchedRange } from './StageFootage.tsx'
export { type StagePosition, useStagePosition } from './stage-position.ts'
export type { Arrangement } from './TileBar.tsx'
