import type { ApiError } from '@sightline/contract/errors'
import { fail, type Result } from '@sightline/platform/result'

/**
 * Work that takes much while it is done, for `most` at once; of each account one at a time, so that none keeps the places
 * from the others. `doing` says in a refusal what they do.
 */
export function fewAtOnce({ most, doing }: { readonly most: number; readonly doing: string }) {
  const running = new Set<number>()
  return async <T>(accountId: number, work: () => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> => {
    if (running.has(accountId) || running.size >= most) {
      const whose = running.has(accountId) ? 'this account is' : 'others are'
      return fail({ error: 'overloaded', detail: `${whose} ${doing} at this moment`, retryAfter: 5 })
    }
    running.add(accountId)
    try {
      return await work()
    } finally {
      running.delete(accountId)
    }
  }
}
