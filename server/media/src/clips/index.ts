/** Clips: MP4 files of recorded footage, put together from its parts without decoding them. */
export { type ClipPlan, type ClipQuery, MAX_CLIP_MS, planClip } from './clip-plan.ts'
export { type ByteRange, readClip } from './read-clip.ts'
