import type { Preferences } from '@sightline/contract/preferences'

type Json = Preferences[string]

const isObject = (value: Json | undefined): value is Preferences =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** RFC 7396, section 2: merges the patch; null removes a member, a list is replaced as a whole. */
export function mergePatch(target: Preferences, patch: Preferences): Preferences {
  const next = new Map(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) next.delete(name)
    else if (isObject(value)) {
      const there = next.get(name)
      next.set(name, mergePatch(isObject(there) ? there : {}, value))
    } else next.set(name, value)
  }
  return Object.fromEntries(next)
}
