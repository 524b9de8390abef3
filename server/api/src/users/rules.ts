import type { ApiError } from '@sightline/contract/errors'
import { foldEmail } from '@sightline/contract/user-details'
import type { UserBase, UserBasePatch } from '@sightline/contract/users'
import { fail, ok, type Result } from '@sightline/platform/result'

/** A checked change of the signed-in user; `needsPassword` if the current password must be verified first. */
export interface UserChange {
  readonly next: UserBase
  readonly emailFolded: string
  readonly needsPassword: boolean
}

/** The user after `patch`, or why the patch is not allowed (specification §2 Details, api.md §4). */
export function applyPatch(
  current: UserBase,
  patch: UserBasePatch,
  account: { readonly preventEditUserDetails: boolean },
): Result<UserChange, ApiError> {
  if (account.preventEditUserDetails) {
    return fail({
      error: 'notAuthorized',
      detail: "the reseller doesn't allow users of this account to change their details",
    })
  }
  const { password, ...changes } = patch
  const next = { ...current, ...changes }
  const emailChanges = next.email !== current.email
  if (emailChanges && password === undefined) {
    const field = { field: 'password', message: 'Please enter your current password' }
    return fail({ error: 'validation', detail: 'a new email address requires the current password', fields: [field] })
  }
  return ok({ next, emailFolded: foldEmail(next.email), needsPassword: emailChanges })
}
