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
