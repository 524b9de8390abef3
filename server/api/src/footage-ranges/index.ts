import type { Db, IdSource } from '@sightline/platform/db'
import { recordingDeletions } from './deletions.ts'
import { recordingLocks } from './locks.ts'

interface Deps {
  readonly db: Db
  readonly ids: IdSource
  readonly now: () => number
}

/** Ranges of footage that must stay, or must go. */
export const footageRanges = (deps: Deps) => [...recordingLocks(deps), ...recordingDeletions(deps)]
