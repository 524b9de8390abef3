/** Recorded footage, read by byte ranges and played from any time. */
export {
  findPicture,
  findPictureByOffset,
  findPreviousKeyPicture,
  type PicturePosition,
  type PlaybackPosition,
} from './find-picture.ts'
export {
  type FoundPart,
  findParts,
  openPlayback,
  type PlaybackMessage,
  type PlaybackQuery,
  type PlayedPart,
} from './open-playback.ts'
export type { PlaybackEnd, PlaybackEndCode } from './playback-end.ts'
export type { PlaybackLimits } from './playback-limits.ts'
export { type PlaybackSocketOptions, servePlayback } from './playback-socket.ts'
export { readQueue } from './read-queue.ts'
export type { FootageAccess } from './segment-walk.ts'
export { SessionTimeline } from './session-timeline.ts'
