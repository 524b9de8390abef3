export { Stage, type StageProps } from './Stage.tsx'
export { type StagePosition, useStagePosition } from './stage-position.ts'
export type { WatchedRange } from './StageFootage.tsx'
export type { Arrangement } from './TileBar.tsx'
