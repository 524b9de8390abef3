import type { ApiError } from '@sightline/contract/errors'

/** Maximum number of an account's own profiles. */
export const MAX_PROFILES = 100

/** Why a profile can't be changed or deleted: it is a standard one, or it is in use. */
export function profileFault(
  profile: { readonly builtin: boolean; readonly users: number },
  wanted: 'change' | 'deletion',
): ApiError | undefined {
  if (profile.builtin)
    return { error: 'notAuthorized', detail: "built-in permission profiles can't be changed or deleted" }
  if (wanted === 'change' || profile.users === 0) return undefined
  return {
    error: 'businessRule',
    detail: `${profile.users} users have this permission profile: give them another one first`,
  }
}
