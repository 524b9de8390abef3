import { isBackwards } from '@sightline/kit'
import { parseDay } from '@sightline/shell/local-day'

/** The days in the address; by default, the last 31. */
export interface StorageSearch {
  readonly from?: string | undefined
  readonly till?: string | undefined
}

/** Reads an address that a person may have edited. Invalid ranges are ignored. */
export function searchOfStorage(search: Record<string, unknown>): StorageSearch {
  const days = { from: parseDay(search.from), till: parseDay(search.till) }
  const isSpan = days.from !== '' && days.till !== '' && !isBackwards(days)
  return isSpan ? days : { from: undefined, till: undefined }
}
