import type { ApiError } from '@sightline/contract/errors'
import { fail, type Result } from '../result/index.ts'
import type { Semaphore, SemaphoreFull } from './semaphore.ts'

/** How a call without room is refused: `doing` completes "this account is …". */
export interface OverloadReason {
  readonly doing: string
  readonly retryAfterS: number
}

/** 429 if the key uses its own share, 503 if others leave no slot. */
export const toOverloadError = (full: SemaphoreFull, { doing, retryAfterS }: OverloadReason): ApiError =>
  full === 'keyFull'
    ? {
        error: 'tooManyRequests',
        detail: `this account is already ${doing}: wait until that finishes`,
        retryAfter: retryAfterS,
      }
    : {
        error: 'overloaded',
        detail: `the server is busy: too many others are ${doing}; try again shortly`,
        retryAfter: retryAfterS,
      }

/** Work of a call that only a few accounts may do at the same time. */
export type LimitedCall = <T>(
  accountId: number,
  work: () => Promise<Result<T, ApiError>>,
) => Promise<Result<T, ApiError>>

export function limitedCall(semaphore: Semaphore<number>, refusal: OverloadReason): LimitedCall {
  return async (accountId, work) => {
    const done = await semaphore.run(accountId, work)
    return done.ok ? done.value : fail(toOverloadError(done.failure, refusal))
  }
}
