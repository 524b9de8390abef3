import type { PermissionProfile } from '@sightline/contract/permission-profiles'
import { allRights, mandatoryRights } from '@sightline/contract/rights'
import type { OwnPermissions } from '../rights/index.ts'

/**
 * Whether the current user can assign a profile: only with every right in it. Rights that the brand doesn't offer don't
 * count here; the server decides.
 */
export const assignableRights = ({ rights }: Pick<PermissionProfile, 'rights'>, own: OwnPermissions): boolean =>
  own.isOwner ||
  allRights.every(
    (right) =>
      !rights[right] ||
      right === 'demoUser' ||
      mandatoryRights.includes(right) ||
      own.rights.has(right) ||
      own.notOffered.has(right),
  )
