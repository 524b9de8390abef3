/** Finds loud sounds in one camera's sound. */
export { type G711Codec, g711Values, toOtherLaw } from './g711.ts'
export { LoudnessDetector, type LoudnessTransition } from './loudness-detector.ts'
