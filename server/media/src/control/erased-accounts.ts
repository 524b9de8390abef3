import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { eraseAccount, listAccounts, type SyncGroup } from '../recording/index.ts'
import { recordErasure } from './deletion-ledger-store.ts'
import { accountsToErase, deleteAccountRows, markFootageErased } from './erasure-store.ts'
import type { FootageCopier } from './footage-copier.ts'

interface ErasingDeps {
  readonly db: Db
  readonly store: string
  readonly now: () => number
  readonly log: Logger
  /** Of footage elsewhere; undefined if there is none. */
  readonly copier?: Pick<FootageCopier, 'eraseAccount'>
  /** Of the disk with the store. */
  readonly group: SyncGroup
  /** Erases the footage of one account; rejects if the disk fails. */
  readonly erase?: typeof eraseAccount
}

/** Runs that were in progress are stored shortly after their camera was removed. */
const LATE_ROWS_MS = 60_000

/**
 * Deletes the footage of deleted accounts from this disk, and their rows. Every folder is checked each time, so that a
 * disk that was unavailable, or restored from a copy, is cleared too.
 */
export async function eraseGoneAccounts(
  { db, store, now, log, group, copier, erase = eraseAccount }: ErasingDeps,
  /** Resolves once nothing is recorded of accounts that are gone. */
  letGo: () => Promise<void>,
): Promise<void> {
  const found = await accountsToErase(db, await listAccounts(store))
  if (found.length === 0) return
  await letGo()
  for (const { accountId, removedAt, isMarked } of found) {
    try {
      await erase(store, accountId, group)
      await copier?.eraseAccount(accountId)
      await recordErasure(db, accountId, now())
      await deleteAccountRows(db, accountId)
      if (isMarked || now() < removedAt + LATE_ROWS_MS) continue
      await markFootageErased(db, accountId, now())
      log.info({ accountId }, 'erased the footage of a deleted account')
    } catch (err) {
      // The others must not wait for it; it is tried again with the next sweep.
      log.error({ err, accountId }, 'could not erase the footage of a deleted account')
    }
  }
}
