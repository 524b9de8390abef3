import type { ApiError } from '@sightline/contract/errors'
import { fail, type Result } from '@sightline/platform/result'

/** A file of 100,000 lines takes some 50 MB while it is written: not for everybody at once. */
const MOST_AT_ONCE = 4

/** Of each account one at a time, so that none keeps the places from the others. */
export function fewAtOnce() {
  const running = new Set<number>()
  return async <T>(accountId: number, work: () => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> => {
    if (running.has(accountId) || running.size >= MOST_AT_ONCE) {
      const whose = running.has(accountId) ? 'this account is' : 'others are'
      return fail({ error: 'overloaded', detail: `${whose} exporting the audit log at this moment`, retryAfter: 5 })
    }
    running.add(accountId)
    try {
      return await work()
    } finally {
      running.delete(accountId)
    }
  }
}
