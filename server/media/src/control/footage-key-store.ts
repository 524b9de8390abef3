import type { Db } from '@sightline/platform/db'
import type { WrappedKey } from '../recording/index.ts'

interface CameraKey {
  readonly accountId: number
  readonly cameraId: number
}

/** Stores the account's key unless it has one; returns the one that it has. */
export async function storeAccountKey({ plain }: Db, accountId: number, made: WrappedKey): Promise<WrappedKey> {
  await plain
    .insertInto('footage_account_keys')
    .values({ account_id: accountId, key_id: made.keyId, wrapped: made.wrapped })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await findAccountKey({ plain }, accountId)) ?? made
}

/** The account that has the camera, and those whose it was when it was removed; empty if there is no such camera. */
export async function listAccounts({ plain }: Db, cameraId: number): Promise<readonly number[]> {
  const rows = await plain
    .selectFrom('cameras')
    .select('account_id')
    .where('camera_id', '=', cameraId)
    .union(plain.selectFrom('removed_cameras').select('account_id').where('camera_id', '=', cameraId))
    .execute()
  return rows.map((row) => row.account_id)
}

export async function findAccountKey({ plain }: Pick<Db, 'plain'>, accountId: number): Promise<WrappedKey | undefined> {
  const row = await plain
    .selectFrom('footage_account_keys')
    .where('account_id', '=', accountId)
    .select(['key_id', 'wrapped'])
    .executeTakeFirst()
  return row && { keyId: row.key_id, wrapped: row.wrapped }
}

/** Stores the keys of days that have none; returns those that the days have. */
export async function storeDayKeys(
  { plain }: Db,
  { accountId, cameraId }: CameraKey,
  made: ReadonlyMap<string, WrappedKey>,
): Promise<ReadonlyMap<string, WrappedKey>> {
  const of = { account_id: accountId, camera_id: cameraId }
  await plain
    .insertInto('footage_day_keys')
    .values([...made].map(([day, { keyId, wrapped }]) => ({ ...of, day, key_id: keyId, wrapped })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const rows = await plain
    .selectFrom('footage_day_keys')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('day', 'in', [...made.keys()])
    .select(['day', 'key_id', 'wrapped'])
    .execute()
  return new Map(rows.map((row) => [row.day, { keyId: row.key_id, wrapped: row.wrapped }]))
}

export async function findDayKey(
  { plain }: Db,
  { accountId, cameraId }: CameraKey,
  keyId: string,
): Promise<{ readonly day: string; readonly key: WrappedKey } | undefined> {
  const row = await plain
    .selectFrom('footage_day_keys')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('key_id', '=', keyId)
    .select(['day', 'wrapped'])
    .executeTakeFirst()
  return row && { day: row.day, key: { keyId, wrapped: row.wrapped } }
}

export async function deleteDayKey({ plain }: Db, { accountId, cameraId }: CameraKey, day: string): Promise<void> {
  await plain
    .deleteFrom('footage_day_keys')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('day', '=', day)
    .execute()
}
