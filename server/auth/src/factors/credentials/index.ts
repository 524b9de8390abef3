import { PASSWORDS_BUSY } from '@sightline/contract/auth-plane'
import {
  checkCredentials,
  decodePasswordHeader,
  PASSWORD_HEADER,
  patchCredentials,
} from '@sightline/contract/credentials'
import type { ApiError } from '@sightline/contract/errors'
import type { Clock } from '@sightline/platform/clock'
import { type ServedRoute, serve } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { Caller } from '@sightline/platform/sessions'
import type { WriteAudit } from '../../people/audit/index.ts'
import type { Sessions } from '../../sessions/index.ts'
import { isCommonPassword } from './common-passwords.ts'
import { replacePasswordHash } from './store.ts'
import { type PasswordVerdict, type VerifyDeps, verifyPassword } from './verify.ts'

export { isCommonPassword } from './common-passwords.ts'
export { removeCredentials, removeFactors, savePasswordHash } from './store.ts'
export { type VerifyDeps, verifyPassword } from './verify.ts'

export interface CredentialsDeps extends VerifyDeps {
  readonly clock: Clock
  readonly sessions: Sessions
  readonly audit: WriteAudit
}

/**
 * The response for each verdict other than `right` (decision 1: code 8 without a challenge, so that the client stays
 * signed in).
 */
function refusalOf(verdict: Exclude<PasswordVerdict, { kind: 'right' }>): ApiError {
  switch (verdict.kind) {
    case 'wrong':
      return { error: 'authenticationFailed', detail: 'Incorrect password' }
    case 'locked':
      return {
        error: 'tooManyRequests',
        detail: 'too many wrong passwords; try again later',
        retryAfter: verdict.retryAfterS,
      }
    case 'overloaded':
      return PASSWORDS_BUSY
  }
}

/** Why this caller can't change the password. */
function notChangeable(caller: Caller): ApiError | undefined {
  if (caller.kind === 'member' && caller.preventEditUserDetails) {
    return {
      error: 'notAuthorized',
      detail: "the reseller doesn't allow users of this account to change their details",
    }
  }
  return undefined
}

/** The error for one of the most used passwords. */
export const commonPassword: ApiError = {
  error: 'validation',
  detail: 'newPassword: too common, choose another one',
  fields: [{ field: 'newPassword', message: 'This password is too common' }],
}

/** `users/self/credentials`: checking and changing the user's own password. */
export const credentials = (deps: CredentialsDeps): readonly ServedRoute[] => [
  serve(checkCredentials, async (caller, { header, address }) => {
    const given = header(PASSWORD_HEADER)
    const password = given === undefined ? undefined : decodePasswordHeader(given)
    if (password === undefined) {
      return fail({
        error: 'validation',
        detail: `${PASSWORD_HEADER}: expected the password in UTF-8, encoded as base64url`,
      })
    }
    const verdict = await verifyPassword({ userId: caller.userId, password, address }, deps)
    return verdict.kind === 'right' ? ok(undefined) : fail(refusalOf(verdict))
  }),
  serve(patchCredentials, async (caller, { body, address }) => {
    const refusal = notChangeable(caller)
    if (refusal !== undefined) return fail(refusal)
    const { userId } = caller
    const verdict = await verifyPassword({ userId, password: body.password, address }, deps)
    if (verdict.kind !== 'right') return fail(refusalOf(verdict))
    if (isCommonPassword(body.newPassword)) return fail(commonPassword)
    const hashed = await deps.passwords.hash(body.newPassword)
    if (!hashed.ok) return fail(refusalOf({ kind: 'overloaded' }))
    const change = { userId, checkedHash: verdict.passwordHash, passwordHash: hashed.value }
    const isChanged = await deps.sessions.endUserWith(
      (tx) => replacePasswordHash(tx, deps.clock, change),
      userId,
      caller.tokenId,
    )
    if (!isChanged) return fail(refusalOf({ kind: 'wrong' }))
    await deps.audit({ ...caller, action: 'passwordChanged', address })
    return ok(undefined)
  }),
]
