import type { ViewerSocketLimits } from './viewer-socket.ts'

export interface PlaybackLimits extends ViewerSocketLimits {
  /** At the newest footage, so long is waited for more before it counts as the end. */
  readonly waitMs: number
}

export const DEFAULT_LIMITS: PlaybackLimits = {
  maxSocketBytes: 2 * 1024 * 1024,
  stuckAfterMs: 15_000,
  pingEveryMs: 10_000,
  waitMs: 10_000,
}

/**
 * Above this rate only key pictures are sent: no browser decodes 100 pictures a second of a large stream. No sound is sent nor
 * announced then, because a player that was promised sound waits for it.
 */
export const ALL_PICTURES_RATE = 4
