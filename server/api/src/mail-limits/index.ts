import { TooManyMails } from '@sightline/contract/auth-plane'
import type { ApiError } from '@sightline/contract/errors'

/** What a call answers that would send somebody one mail too many; undefined of any other failure. */
export const tooManyMails = (error: unknown): ApiError | undefined =>
  error instanceof TooManyMails
    ? { error: 'tooManyRequests', detail: 'that person got many mails lately', retryAfter: error.retryAfterS }
    : undefined
