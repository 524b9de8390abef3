import { canPlayByClock, type FootagePlayer } from './footage-player.ts'
import { FootageSession } from './footage-session.ts'
import { ForwardFootage } from './forward-footage.ts'

/** A player of footage that begins at `time`, milliseconds since 1970: by a clock, where this browser can do that. */
export const openFootage = (time: number): FootagePlayer =>
  canPlayByClock() ? new FootageSession(time) : new ForwardFootage(time)
