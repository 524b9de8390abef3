/** What is encoded again for exports (docs/decisions/0154): sound that players don't know, and pictures with text in them. */
export { SoundAgain } from './sound-again.ts'
