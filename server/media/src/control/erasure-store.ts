import { type Db, instant, matchAny } from '@sightline/platform/db'

export interface ErasedAccount {
  readonly accountId: number
  readonly removedAt: number
  readonly isMarked: boolean
}

/** Deleted accounts that may be erased by now: those on the disk, and those not marked as erased yet. */
export async function accountsToErase(db: Db, onDisk: readonly number[]): Promise<readonly ErasedAccount[]> {
  const rows = await db.plain
    .selectFrom('erased_people as p')
    .innerJoin('erasures as e', 'e.user_id', 'p.user_id')
    .select(['e.account_id', 'e.removed_at', 'e.footage_erased_at'])
    .whereRef('p.user_id', '=', 'p.account_id')
    .where(({ or, eb }) => or([eb('e.footage_erased_at', 'is', null), eb('e.account_id', '=', matchAny([...onDisk]))]))
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    removedAt: row.removed_at,
    isMarked: row.footage_erased_at !== null,
  }))
}

/** Everything that workers wrote down about cameras of an account. */
export async function deleteAccountRows({ plain }: Db, accountId: number): Promise<void> {
  const tables = [
    'recording_days',
    'camera_leases',
    'stream_tickets',
    'camera_log',
    'camera_status',
    'footage_day_keys',
    'footage_account_keys',
    'footage_heads',
  ] as const
  for (const table of [...tables, 'removed_cameras'] as const) {
    await plain.deleteFrom(table).where('account_id', '=', accountId).execute()
  }
}

export async function markFootageErased(db: Db, accountId: number, at: number): Promise<void> {
  await db.plain
    .updateTable('erasures')
    .set({ footage_erased_at: instant(at) })
    .where('user_id', '=', accountId)
    .where('footage_erased_at', 'is', null)
    .execute()
}
