import Provider, { errors } from 'oidc-provider'

/** Answers 429 with `Retry-After` and an OAuth body; RFC 6749 has no code of its own for it. */
export class TooManyTries extends errors.OIDCProviderError {
  override error_description = 'too many failed tries'

  constructor(retryAfterS: number) {
    super(429, 'temporarily_unavailable')
    Provider.ctx?.set('retry-after', String(retryAfterS))
  }
}

/** Answers 503 with `Retry-After`: more passwords are being checked than this machine can. */
export class Overloaded extends errors.OIDCProviderError {
  override error_description = 'many people are signing in at this moment'
  override expose = true

  constructor(retryAfterS: number) {
    super(503, 'temporarily_unavailable')
    Provider.ctx?.set('retry-after', String(retryAfterS))
  }
}
