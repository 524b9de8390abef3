import { mandatoryRights, type Right } from '@sightline/contract/rights'
import type { OwnPermissions } from './own-permissions.ts'
import type { Text } from './text.ts'

/**
 * Why the current user can't change a right for anyone; undefined if they can. The right `demoUser` removes rights, so
 * everyone can assign it.
 */
export function fixedRight(
  right: Right,
  own: Pick<OwnPermissions, 'isOwner' | 'rights' | 'notOffered'>,
): Text | undefined {
  if (mandatoryRights.includes(right)) return 'Everyone has this right.'
  if (own.notOffered.has(right)) return "Your provider doesn't offer this for your account."
  if (own.isOwner || right === 'demoUser' || own.rights.has(right)) return undefined
  return "You can't grant a right you don't have."
}
