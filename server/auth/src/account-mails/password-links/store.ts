import type { Tx } from '@sightline/platform/db'

/** A new password lifts a lockdown. */
export async function endLockdown(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('auth.lockdowns').where('user_id', '=', userId).execute()
}
