import type { ErrorBody } from './bodies.ts'
import { type ErrorName, errorCatalogue } from './catalogue.ts'

export { type ErrorBody, errorBody, type OauthErrorBody, oauthErrorBody } from './bodies.ts'
export { type ErrorName, errorCatalogue } from './catalogue.ts'

/** A failure as a value: the error, with what was expected and what came instead. Never contains a secret. */
export interface ApiError {
  readonly error: ErrorName
  readonly detail?: string
  /** For `validation`: the fields, each with its error text. */
  readonly fields?: readonly { readonly field: string; readonly message: string }[]
  /** For 429 and 503: seconds until another attempt makes sense. */
  readonly retryAfter?: number
}

/** The body of `failure`. With `requestId`, support finds the log entries. */
export function toErrorBody(failure: ApiError, requestId?: string): ErrorBody {
  const { code, title } = errorCatalogue[failure.error]
  return {
    code,
    title,
    ...(failure.detail === undefined ? {} : { detail: failure.detail }),
    ...(failure.fields === undefined ? {} : { fields: [...failure.fields] }),
    ...(requestId === undefined ? {} : { requestId }),
  }
}
