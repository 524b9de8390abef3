import type { ApiError } from '@sightline/contract/errors'
import { isStatementTimeout } from '../../db/index.ts'
import { fail, type Result } from '../../result/index.ts'

/** A query that reads too much is cancelled (`limitTime`), and the caller asked to narrow it. */
export async function withStatementTimeout<T>(ask: () => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> {
  try {
    return await ask()
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    return fail({ error: 'timedOut', detail: 'the search took too long: choose a shorter time range' })
  }
}
