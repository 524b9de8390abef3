import type { Gap } from './view-state.ts'

/** What people see of the time of footage. */
export interface FootageState {
  /** Milliseconds since 1970, to a quarter of a second while it runs. */
  readonly time: number
  readonly rate: number
  readonly isPaused: boolean
  /** The time stands still until pictures arrive. */
  readonly isWaiting: boolean
  /** Paused, and every camera shows its picture of this time. */
  readonly isStill: boolean
  /** Nothing was recorded by any camera in this time; playback continued after it. */
  readonly skipped: Gap | undefined
  /** No camera has footage from here on. */
  readonly isAtEnd: boolean
}

/** Plays footage: of several cameras by one clock, or of one where the browser can't do that. */
export interface FootagePlayer {
  readonly state: FootageState
  /** The rates at which it plays; negative ones play backwards. */
  readonly rates: readonly number[]
  subscribe(listener: () => void): () => void
  /** Milliseconds since 1970. */
  seek(time: number): void
  setPaused(isPaused: boolean): void
  setRate(rate: number): void
  /** Pauses and steps by that many pictures of a camera; negative ones step back. Other cameras follow. */
  step(frames: number, cameraId: number): void
  close(): void
}

/** Whether this browser can play by a clock, in both directions: WebCodecs exists in secure contexts only. */
export const canPlayByClock = (): boolean => typeof VideoDecoder !== 'undefined'
