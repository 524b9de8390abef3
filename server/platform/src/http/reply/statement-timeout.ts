import type { ApiError } from '@sightline/contract/errors'
import { isStatementTimeout } from '../../db/index.ts'
import { fail, type Result } from '../../result/index.ts'

/** A question that looks at too much is given up (`limitTime`), and the caller told to ask for less. */
export async function withStatementTimeout<T>(ask: () => Promise<Result<T, ApiError>>): Promise<Result<T, ApiError>> {
  try {
    return await ask()
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    return fail({ error: 'timedOut', detail: 'the search took too long: choose a shorter time range' })
  }
}
