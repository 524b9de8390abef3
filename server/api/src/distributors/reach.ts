import type { Distributor } from '@sightline/contract/distributors'
import type { Db } from '@sightline/platform/db'
import type { StaffCaller } from '@sightline/platform/sessions'
import { findDistributor } from './store.ts'

/** A distributor that an address names, or undefined where there is none for this caller: foreign is as good as none. */
export async function reachedDistributor(
  db: Db,
  caller: StaffCaller,
  named: number | 'self',
): Promise<Distributor | undefined> {
  const distributorId = named === 'self' ? caller.distributorId : named
  const isOwn = caller.level === 'distributor' && caller.distributorId === distributorId
  if (distributorId === undefined || !(isOwn || caller.level === 'admin')) return undefined
  return findDistributor(db.plain, distributorId)
}
