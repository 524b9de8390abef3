import type { Db } from '@sightline/platform/db'
import type { StaffCaller } from '@sightline/platform/sessions'
import { isDistributor } from './store.ts'

/** The id of a distributor that an address names, or undefined where there is none for this caller: foreign is as good as none. */
export async function reachedDistributor(
  db: Db,
  caller: StaffCaller,
  named: number | 'self',
): Promise<number | undefined> {
  const distributorId = named === 'self' ? caller.distributorId : named
  const isOwn = caller.level === 'distributor' && caller.distributorId === distributorId
  if (distributorId === undefined || !(isOwn || caller.level === 'admin')) return undefined
  return (await isDistributor(db.plain, distributorId)) ? distributorId : undefined
}
