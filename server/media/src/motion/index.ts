/** Finds motion in small grey pictures of one camera. */
export { COLUMNS as BLOCK_COLUMNS, ROWS as BLOCK_ROWS } from './blocks.ts'
export { MotionDetector, type MotionPicture, type MotionTransition } from './motion-detector.ts'
export { TripwireWatch } from './tripwire-watch.ts'
