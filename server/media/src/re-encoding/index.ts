/** What is re-encoded for exports (docs/decisions/0154): sound that players don't know, and pictures with text in them. */
export { changesCodec, DerivedClip } from './derived-clip.ts'
export type { DrawnText } from './overlay-script.ts'
export { SoundAgain } from './sound-again.ts'
