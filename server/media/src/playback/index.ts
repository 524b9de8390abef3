/** Recorded footage, read by byte ranges and played from any time. */
export {
  findPicture,
  findPictureByOffset,
  findPreviousKeyPicture,
  type PicturePosition,
  type PlaybackPosition,
} from './find-picture.ts'
export { openPlayback, type PlaybackMessage, type PlaybackQuery, type PlayedPart } from './open-playback.ts'
export {
  type PlaybackEnd,
  type PlaybackEndCode,
  type PlaybackLimits,
  type PlaybackSocketOptions,
  servePlayback,
} from './playback-socket.ts'
export { readQueue } from './read-queue.ts'
