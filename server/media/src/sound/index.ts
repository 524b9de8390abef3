/** Finds loud sounds in one camera's sound. */
export { type G711Codec, LoudnessDetector, type LoudnessTransition } from './loudness-detector.ts'
