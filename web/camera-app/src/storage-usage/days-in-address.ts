import { isBackwards } from '@sightline/kit'
import { dayIn } from '../account-time/index.ts'

/** The days that are shown as the address has them; without them the last 31. */
export interface StorageSearch {
  readonly from?: string | undefined
  readonly till?: string | undefined
}

/** Reads an address that a person may have changed; days that make no span are left out. */
export function searchOfStorage(search: Record<string, unknown>): StorageSearch {
  const days = { from: dayIn(search.from), till: dayIn(search.till) }
  const isSpan = days.from !== '' && days.till !== '' && !isBackwards(days)
  return isSpan ? days : { from: undefined, till: undefined }
}
