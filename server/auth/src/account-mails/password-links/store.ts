import type { Tx } from '@sightline/platform/db'

/** A new password is what a lockdown waits for. */
export async function endLockdown(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('auth.lockdowns').where('user_id', '=', userId).execute()
}
