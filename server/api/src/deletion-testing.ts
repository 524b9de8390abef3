import { brandSource, brandsOf } from '@sightline/platform/brands'
import type { Clock } from '@sightline/platform/clock'
import { type Db, idSource, instant } from '@sightline/platform/db'
import { silentLogger } from '@sightline/platform/log'
import { mailOutbox } from '@sightline/platform/mail'
import { sealing } from '@sightline/platform/sealing'
import type { DeletionsParts } from './account-deletion/carry-out.ts'

/** What carries deletions out, as a process of the product has it. For tests. */
export const deletionsParts = (db: Db, clock: Clock): DeletionsParts => ({
  db,
  ids: idSource(db),
  brands: brandSource(brandsOf(db), { scheme: 'https', ownHosts: () => ['video.example'], clock }),
  outbox: mailOutbox(sealing(Buffer.alloc(32, 7)), clock),
  clock,
  log: silentLogger,
})

/** Moves what somebody asked for to that day, as if they had asked earlier. */
export async function moveDeletion(owner: Db, userId: number, deletesAt: number): Promise<void> {
  await owner.plain
    .updateTable('users')
    .set({ deletes_at: instant(deletesAt) })
    .where('user_id', '=', userId)
    .execute()
}
