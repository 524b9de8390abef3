import { MissingDayKey } from './footage-keys.ts'
import type { RunSlice } from './run-log.ts'

/** What the operator must know. `ok` is reported once footage is on the disk, at first and after a fault. */
export type RecordingHealth =
  | { readonly kind: 'ok' }
  /** Ready to record when something happens. */
  | { readonly kind: 'standby' }
  /** The store can't be read or written; recording retries automatically. */
  | { readonly kind: 'diskFault'; readonly cause: unknown }
  /** Pictures come, but for so many milliseconds the disk has neither taken nor confirmed any. */
  | { readonly kind: 'stalled'; readonly forMs: number }
  /** The camera's mode or schedule says so: no fault. */
  | { readonly kind: 'off'; readonly reason: 'mode' | 'schedule' }
  /** Another worker has taken over; this recorder has stopped. */
  | { readonly kind: 'fenced'; readonly cause: unknown }

/** Gets every step of the footage to the disk. */
export interface RecordingProgress {
  /** A part is in its file; `slice` is the run so far. `isKept` resolves once the disk has confirmed it, or refused it. */
  written(slice: RunSlice, isKept: Promise<boolean>): void
}

/** Error codes of the system that an operator can do something about. */
const FAULTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EACCES: 'no permission to write to the footage folder',
  EPERM: 'no permission to write to the footage folder',
  EROFS: 'the disk is read-only',
  ENOENT: 'the footage folder is missing',
  ENOTDIR: 'the footage folder is missing',
  EIO: 'the disk reports errors',
  ENODEV: 'the disk is missing',
  ESTALE: 'the disk is missing',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}
/** Causes are nested; none of our chains is nearly this long. */
const MAX_CAUSES = 8

/** What is wrong with the store, in words for the operator without paths. */
export function storeFault(cause: unknown): string {
  if (cause instanceof MissingDayKey) return 'there is no key to encrypt footage with'
  let error = cause
  for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth++) {
    const words = 'code' in error && typeof error.code === 'string' ? FAULTS[error.code] : undefined
    if (words !== undefined) return words
    error = error.cause
  }
  return 'could not write footage'
}

/** Why nothing is recorded, in words for the operator and the owner. */
export function healthText(health: Exclude<RecordingHealth, { kind: 'ok' | 'standby' }>): string {
  if (health.kind === 'fenced') return 'another worker has taken over'
  if (health.kind === 'off')
    return health.reason === 'mode' ? 'the mode of the camera changed' : 'the recording schedule ended'
  if (health.kind === 'stalled') return 'the disk does not respond'
  return storeFault(health.cause)
}
