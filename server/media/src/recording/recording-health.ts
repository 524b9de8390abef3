/** What the operator must hear of. `ok` comes once footage is on the disk, at first and after a fault. */
export type RecordingHealth =
  | { readonly kind: 'ok' }
  /** The store cannot be read or written; recording is tried again by itself. */
  | { readonly kind: 'diskFault'; readonly cause: unknown }
  /** Another worker has taken over; this recorder has stopped. */
  | { readonly kind: 'fenced'; readonly cause: unknown }
  /** The database did not say in time that this worker may go on; it begins anew as soon as the database answers. */
  | { readonly kind: 'unconfirmed'; readonly cause: unknown }

/** Not the store, but the log of runs could not be asked or told. */
export class RunLogUnavailable extends Error {
  override readonly name = 'RunLogUnavailable'
}

/** Error codes of the system that an operator can do something about. */
const FAULTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'the folder of footage may not be written to',
  EPERM: 'the folder of footage may not be written to',
  EROFS: 'the disk is read-only',
  ENOENT: 'the folder of footage is gone',
  ENOTDIR: 'the folder of footage is gone',
  EIO: 'the disk reports errors',
  ENODEV: 'the disk is gone',
  ESTALE: 'the disk is gone',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}
/** Causes hang below each other; no chain of ours is nearly so long. */
const MOST_CAUSES = 8

/** What is wrong with the store, in words for the operator that hold no path. */
export function storeFault(cause: unknown): string {
  if (cause instanceof RunLogUnavailable) return 'the database cannot be asked what was recorded'
  let error = cause
  for (let depth = 0; depth < MOST_CAUSES && error instanceof Error; depth++) {
    const words = 'code' in error && typeof error.code === 'string' ? FAULTS[error.code] : undefined
    if (words !== undefined) return words
    error = error.cause
  }
  return 'footage cannot be written'
}

/** Why nothing is recorded, in words for the operator and the owner. */
export function healthText(health: Exclude<RecordingHealth, { kind: 'ok' }>): string {
  if (health.kind === 'fenced') return 'another worker has taken over'
  if (health.kind === 'unconfirmed')
    return 'the database did not confirm in time that this worker may continue recording'
  return storeFault(health.cause)
}
