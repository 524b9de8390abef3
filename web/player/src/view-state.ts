import type { SoundState } from './sound.ts'

export type Phase =
  /** No picture yet of what was asked for. */
  | 'connecting'
  | 'playing'
  /** Live pictures come, but later than they could. */
  | 'delayed'
  | 'paused'
  /** Pictures stopped coming, or the connection was lost; another try is under way. */
  | 'reconnecting'
  /** The camera itself is not connected. */
  | 'offline'
  /** The person may no longer watch, or there is no such camera. */
  | 'refused'
  /** The end of what is recorded. */
  | 'ended'
  /** This browser cannot show the stream. */
  | 'unsupported'

export interface ViewState {
  readonly phase: Phase
  /** Code of the error catalogue with which the server ended the stream. */
  readonly code?: number
  readonly detail?: string
  /** Time of day of the picture on the screen, milliseconds since 1970. */
  readonly wallclock?: number
  /** Live: this clock minus the server's when the picture reached it. */
  readonly latencyMs?: number
  /** From opening the view to its first picture. */
  readonly firstPictureMs?: number
  readonly transport?: 'webcodecs' | 'mse'
  readonly width?: number
  readonly height?: number
  /** Undefined until a stream has begun. */
  readonly sound?: SoundState
  readonly pictures: number
  readonly rate: number
  /** Recorded footage was missing between these two moments; it was skipped. */
  readonly gap?: { readonly from: number; readonly till: number }
}

export const firstState: ViewState = { phase: 'connecting', pictures: 0, rate: 1 }

/** Live pictures come at least this often; after that the connection is taken for dead. */
const SILENCE_MS = 5000
/** So much later than they could come, live pictures are called delayed. */
const LATE_MS = 2000

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 8000

/** Milliseconds before the next try, after so many failures in a row. */
export const retryDelay = (failures: number): number =>
  Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1), LONGEST_RETRY_MS)

/** What the code means with which the server ended a stream (api.md §12). */
export function phaseOfEnd(code: number): Phase {
  if (code === 0) return 'ended'
  if (code === 4 || code === 9) return 'refused'
  if (code === 14 || code === 18) return 'offline'
  return 'reconnecting'
}

/** How live pictures come. Milliseconds, all but `latencyMs` measured by one clock. */
export interface LiveMeasure {
  readonly sinceBytesMs: number
  readonly sincePictureMs: number
  /** Of the last picture, and the least seen so far: the viewer's clock need not agree with the server's. */
  readonly latencyMs: number
  readonly leastLatencyMs: number
}

export function judgeLive(measure: LiveMeasure): 'playing' | 'delayed' | 'lost' {
  if (measure.sinceBytesMs > SILENCE_MS) return 'lost'
  const late = measure.sincePictureMs + measure.latencyMs - measure.leastLatencyMs
  return late > LATE_MS ? 'delayed' : 'playing'
}
