import { mandatoryRights, type Right } from '@sightline/contract/rights'
import type { OwnStanding } from './own-standing.ts'
import type { Text } from './text.ts'

/**
 * Why a right cannot be switched for anybody by who looks at it; undefined where it can. The right `demoUser` takes from
 * whoever has it, so everybody may give it.
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
