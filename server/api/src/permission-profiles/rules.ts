import type { ApiError } from '@sightline/contract/errors'
import { allRights, mandatoryRights, type Right } from '@sightline/contract/rights'
import type { RightSwitches } from '@sightline/contract/sub-users'

export const isMandatory = (right: string): boolean => mandatoryRights.some((mandatory) => mandatory === right)

/** In the order of the specification, without the mandatory ones and without what no right is called. */
export const storedRights = (rights: Iterable<string>): readonly Right[] => {
  const on = new Set(rights)
  return allRights.filter((right) => on.has(right) && !isMandatory(right))
}

/** What is on after those switches. */
export const switched = (current: readonly Right[], switches: RightSwitches): readonly Right[] =>
  storedRights(allRights.filter((right) => switches[right] ?? current.includes(right)))

/** Why those switches cannot be: mandatory rights stay on (code 3). */
export function mandatoryFault(switches: RightSwitches): ApiError | undefined {
  const off = mandatoryRights.filter((right) => switches[right] === false)
  if (off.length === 0) return undefined
  return {
    error: 'validation',
    detail: `every user has ${off.join(', ')}`,
    fields: off.map((field) => ({ field, message: 'This right cannot be switched off' })),
  }
}

/** The most profiles that an account has of its own. */
export const MOST_PROFILES = 100

/** Why a profile cannot be changed or deleted, if so: it is everybody's, or people have it. */
export function profileFault(
  profile: { readonly builtin: boolean; readonly users: number },
  wanted: 'change' | 'deletion',
): ApiError | undefined {
  if (profile.builtin) return { error: 'notAuthorized', detail: 'a built-in profile stays as it is' }
  if (wanted === 'change' || profile.users === 0) return undefined
  return { error: 'businessRule', detail: `${profile.users} users have this profile; give them another one first` }
}
