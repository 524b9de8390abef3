/** Finds loud sounds in one camera's sound. */
export { type G711Codec, toOtherLaw } from './g711.ts'
export { LoudnessDetector, type LoudnessTransition } from './loudness-detector.ts'
