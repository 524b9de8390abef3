import type { CameraWarning } from '@sightline/contract/cameras'
import { instant, type Tx } from '@sightline/platform/db'

interface WarningKey {
  readonly accountId: number
  readonly userId: number
  readonly cameraId: number
  readonly warning: CameraWarning
}

export async function isDismissed(tx: Tx, { accountId, userId, cameraId, warning }: WarningKey): Promise<boolean> {
  const row = await tx
    .selectFrom('dismissed_warnings')
    .select('warning')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('camera_id', '=', cameraId)
    .where('warning', '=', warning)
    .executeTakeFirst()
  return row !== undefined
}

export async function dismiss(
  tx: Tx,
  { accountId, userId, cameraId, warning }: WarningKey,
  now: number,
): Promise<void> {
  await tx
    .insertInto('dismissed_warnings')
    .values({ account_id: accountId, user_id: userId, camera_id: cameraId, warning, dismissed_at: instant(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function showAgain(tx: Tx, { accountId, userId, cameraId, warning }: WarningKey): Promise<void> {
  await tx
    .deleteFrom('dismissed_warnings')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('camera_id', '=', cameraId)
    .where('warning', '=', warning)
    .execute()
}
