import type { Preferences } from '@sightline/contract/preferences'
import type { Tx } from '@sightline/platform/db'

interface UserKey {
  readonly accountId: number
  readonly userId: number
}

/** Empty if nothing was ever stored. */
export async function loadPreferences(tx: Tx, { accountId, userId }: UserKey): Promise<Preferences> {
  const row = await tx
    .selectFrom('user_preferences')
    .select('preferences')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.preferences ?? {}
}

export async function savePreferences(tx: Tx, { accountId, userId }: UserKey, preferences: Preferences): Promise<void> {
  const values = { preferences: JSON.stringify(preferences) }
  await tx
    .insertInto('user_preferences')
    .values({ account_id: accountId, user_id: userId, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doUpdateSet(values))
    .execute()
}
