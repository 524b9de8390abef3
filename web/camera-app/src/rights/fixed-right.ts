import { mandatoryRights, type Right } from '@sightline/contract/rights'
import type { OwnStanding } from './own-standing.ts'
import type { Text } from './text.ts'

/**
 * Why the current user can't change a right for anyone; undefined if they can. The right `demoUser` removes rights, so
 * everyone can assign it.
 */
export function fixedRight(
  right: Right,
  own: Pick<OwnStanding, 'isOwner' | 'rights' | 'notOffered'>,
): Text | undefined {
  if (mandatoryRights.includes(right)) return 'Everybody has this right.'
  if (own.notOffered.has(right)) return 'Not part of what your provider offers to this account.'
  if (own.isOwner || right === 'demoUser' || own.rights.has(right)) return undefined
  return 'You do not have this right yourself, so you cannot give it.'
}
