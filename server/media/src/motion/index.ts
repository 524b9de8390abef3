/** Finds motion in small grey pictures of one camera. */
export { MotionDetector, type MotionPicture, type MotionTransition } from './motion-detector.ts'
