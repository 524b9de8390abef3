import { brandSource, createBrandLookup } from '@sightline/platform/brands'
import { type Clock, systemClock } from '@sightline/platform/clock'
import { type DatabaseConnection, type Db, idSource, instant } from '@sightline/platform/db'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { startJobWorker } from '@sightline/platform/jobs'
import { silentLogger } from '@sightline/platform/log'
import { mailOutbox } from '@sightline/platform/mail'
import { type DeletionsDeps, deletionTasks } from './account-deletion/carry-out.ts'
import { erasureTasks } from './account-deletion/erase.ts'

/** Carries out deletions like a process of the product, for tests. */
export const deletionsDeps = (db: Db, clock: Clock): DeletionsDeps => ({
  db,
  ids: idSource(db),
  brands: brandSource(createBrandLookup(db), { scheme: 'https', ownHosts: () => ['video.example'], clock }),
  outbox: mailOutbox(envelopeEncryption(Buffer.alloc(32, 7)), clock),
  clock,
  log: silentLogger,
})

/** Carries out deletions and erases data like a process of the product, soon after another one was killed. */
export const startDeletionWorker = (
  connection: DatabaseConnection,
  { app, eraser }: { readonly app: Db; readonly eraser: Db },
): Promise<AsyncDisposable> => {
  const of = { clock: systemClock, log: silentLogger }
  const tasks = {
    ...deletionTasks(deletionsDeps(app, systemClock)),
    ...erasureTasks({ db: eraser, auth: { forgetUser: async () => undefined }, ...of }),
  }
  return startJobWorker({ connection, lanes: [{ tasks, concurrency: 2 }], log: silentLogger, deadAfterMs: 1200 })
}

/** Moves a user's request to that day, as if it had been made earlier. */
export async function moveDeletion(owner: Db, userId: number, deletesAt: number): Promise<void> {
  await owner.plain
    .updateTable('users')
    .set({ deletes_at: instant(deletesAt) })
    .where('user_id', '=', userId)
    .execute()
}
