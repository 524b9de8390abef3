/** Clips: MP4 files of recorded footage, put together from its parts without decoding them. */
export { type ClipPiece, type ClipPlan, type ClipQuery, MAX_CLIP_MS, planClip } from './clip-plan.ts'
export { OpenSegment, readClip, skipped } from './read-clip.ts'
export { planSummary, readSummary, type SummaryPlan } from './summary.ts'
