import { type AuthPlane, PASSWORDS_BUSY } from '@sightline/contract/auth-plane'
import type { ApiError } from '@sightline/contract/errors'
import { INVALID_CODE } from '@sightline/contract/mfa'

const LOCK_S = 900

/** Why the request isn't proven to come from the user; undefined if it is. */
export async function getProofDenyReason(
  auth: Pick<AuthPlane, 'confirmIdentity'>,
  question: {
    readonly userId: number
    readonly tokenId: number
    readonly password: string
    readonly code?: string | undefined
    readonly address: string
    readonly host: string
  },
): Promise<ApiError | undefined> {
  const verdict = await auth.confirmIdentity({ ...question, code: question.code })
  switch (verdict) {
    case 'right':
      return undefined
    case 'wrong':
      return { error: 'authenticationFailed', detail: 'Incorrect password' }
    case 'wrongCode':
      return { error: 'notAuthorized', detail: INVALID_CODE }
    case 'overloaded':
      return PASSWORDS_BUSY
    case 'locked':
      return {
        error: 'tooManyRequests',
        detail: 'too many wrong passwords or codes; try again later',
        retryAfter: LOCK_S,
      }
  }
}
