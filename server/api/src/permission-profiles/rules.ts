import type { ApiError } from '@sightline/contract/errors'

/** The most profiles that an account has of its own. */
export const MAX_PROFILES = 100

/** Why a profile cannot be changed or deleted, if so: it is everybody's, or people have it. */
export function profileFault(
  profile: { readonly builtin: boolean; readonly users: number },
  wanted: 'change' | 'deletion',
): ApiError | undefined {
  if (profile.builtin) return { error: 'notAuthorized', detail: 'a built-in profile stays as it is' }
  if (wanted === 'change' || profile.users === 0) return undefined
  return { error: 'businessRule', detail: `${profile.users} users have this profile; give them another one first` }
}
