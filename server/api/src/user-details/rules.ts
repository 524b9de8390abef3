import type { ApiError } from '@sightline/contract/errors'
import { countryCodes } from '@sightline/contract/reference-lists'
import type { UserDetails, UserDetailsPatch } from '@sightline/contract/user-details'
import { fail, ok, type Result } from '@sightline/platform/result'

/** The details after `patch`, or why the patch is invalid. An empty text clears a field, like null. */
export function applyPatch(
  current: UserDetails,
  patch: UserDetailsPatch,
  account: { readonly preventEditUserDetails: boolean },
): Result<UserDetails, ApiError> {
  if (account.preventEditUserDetails) {
    return fail({
      error: 'notAuthorized',
      detail: "the reseller doesn't allow users of this account to change their details",
    })
  }
  if (typeof patch.country === 'string' && !countryCodes.has(patch.country)) {
    const field = { field: 'country', message: 'Please choose a country from the list' }
    return fail({ error: 'validation', detail: `unknown country ${patch.country}`, fields: [field] })
  }
  const given = Object.fromEntries(
    Object.entries(patch)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, value === '' ? null : value]),
  )
  return ok({ ...current, ...given })
}
