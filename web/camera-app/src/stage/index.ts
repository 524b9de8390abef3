export { Stage } from './Stage.tsx'
export { type StagePosition, useStagePosition } from './stage-position.ts'
