import type { ErrorBody } from './bodies.ts'
import { type ErrorName, errorCatalogue } from './catalogue.ts'

export { type ErrorBody, errorBody, type OauthErrorBody, oauthErrorBody } from './bodies.ts'
export { type ErrorName, errorCatalogue } from './catalogue.ts'

/** A refusal as a value: which error, and what exactly was expected and came. Never holds a secret. */
export interface ApiError {
  readonly error: ErrorName
  readonly detail?: string
  /** For `validation`: which fields, each with the text to show beside it. */
  readonly fields?: readonly { readonly field: string; readonly message: string }[]
  /** For 429 and 503: seconds until another try makes sense. */
  readonly retryAfter?: number
}

/** The body that carries `failure`; `requestId` leads support to the log lines. */
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
