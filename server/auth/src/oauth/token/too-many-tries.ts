import Provider, { errors } from 'oidc-provider'

/** Responds 429 with `Retry-After` and an OAuth body; RFC 6749 has no error code for it. */
export class TooManyTries extends errors.OIDCProviderError {
  override error_description = 'too many failed attempts'

  constructor(retryAfterS: number) {
    super(429, 'temporarily_unavailable')
    Provider.ctx?.set('retry-after', String(retryAfterS))
  }
}

/** Replies with 429 and `Retry-After`: the queue of password checks is full. */
export class OverloadedError extends errors.OIDCProviderError {
  override error_description = 'too many people are signing in; try again in a few seconds'

  constructor(retryAfterS: number) {
    super(429, 'temporarily_unavailable')
    Provider.ctx?.set('retry-after', String(retryAfterS))
  }
}
