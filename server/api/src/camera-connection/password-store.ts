import { instant, type Tx } from '@sightline/platform/db'
import { enqueue } from '@sightline/platform/jobs'

interface CameraKey {
  readonly accountId: number
  readonly cameraId: number
}

/** After the call has surely ended: it asks the camera four times at most, each for twelve seconds. */
const SETTLE_AFTER_MS = 60_000

/** Keeps a new password from before it is sent to the camera, with the job that settles it if the call doesn't. */
export async function keepNewPassword(
  tx: Tx,
  { accountId, cameraId }: CameraKey,
  { passwordSealed, now }: { readonly passwordSealed: Buffer; readonly now: number },
): Promise<void> {
  const values = { asked_at: instant(now), password_sealed: passwordSealed }
  await tx
    .insertInto('camera_password_changes')
    .values({ account_id: accountId, camera_id: cameraId, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'camera_id']).doUpdateSet(values))
    .execute()
  await enqueue(tx, { task: 'settleCameraPassword', payload: { accountId, cameraId }, runAt: now + SETTLE_AFTER_MS })
}

/** A new password of which it isn't known whether the camera took it. */
export async function findNewPassword(tx: Tx, { accountId, cameraId }: CameraKey): Promise<Buffer | undefined> {
  const row = await tx
    .selectFrom('camera_password_changes')
    .select('password_sealed')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .executeTakeFirst()
  return row?.password_sealed
}

/** @returns whether there was one; with `passwordSealed` only that one. */
export async function forgetNewPassword(
  tx: Tx,
  { accountId, cameraId }: CameraKey,
  passwordSealed?: Buffer,
): Promise<boolean> {
  const rows = tx
    .deleteFrom('camera_password_changes')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
  const named = passwordSealed === undefined ? rows : rows.where('password_sealed', '=', passwordSealed)
  return (await named.executeTakeFirst()).numDeletedRows > 0n
}
