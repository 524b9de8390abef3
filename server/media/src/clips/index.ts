/** Clips: MP4 files of recorded footage, put together from its parts without decoding them. */
export {
  type AddedSound,
  type ClipSoundSource,
  type EncodedPacket,
  freeBox,
  soundFragment,
  TICKS_PER_SAMPLE,
} from './added-sound.ts'
export { clipGaps } from './clip-gaps.ts'
export { type ClipPiece, type ClipPlan, type ClipQuery, MAX_CLIP_MS, planClip } from './clip-plan.ts'
export { OpenSegment, readClip } from './read-clip.ts'
export { planSummary, readSummary, type SummaryPlan } from './summary.ts'
