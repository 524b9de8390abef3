import type { PermissionProfile } from '@sightline/contract/permission-profiles'
import { allRights, mandatoryRights } from '@sightline/contract/rights'
import type { OwnStanding } from '../rights/index.ts'

/**
 * Whether somebody may give a profile to others: who has every right in it. Rights that the brand does not offer count
 * for nobody, so they are in nobody's way here; the server decides.
 */
export const givable = ({ rights }: Pick<PermissionProfile, 'rights'>, own: OwnStanding): boolean =>
  own.isOwner ||
  allRights.every(
    (right) =>
      !rights[right] ||
      right === 'demoUser' ||
      mandatoryRights.includes(right) ||
      own.rights.has(right) ||
      own.notOffered.has(right),
  )
