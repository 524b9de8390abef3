export { PlayControls } from './PlayControls.tsx'
export { stageToolClass } from './StageTools.tsx'
export { FrozenNotice, StateBadge } from './StateBadge.tsx'
export { useDenyReason } from './use-deny-reason.ts'
