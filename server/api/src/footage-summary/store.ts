import { instant, type Tx } from '@sightline/platform/db'

/** A row is one hour of footage at most. */
const LONGEST_ROW_MS = 2 * 3_600_000

/** Whether anything of a camera was recorded in a time; milliseconds since 1970. */
export async function hasFootage(
  tx: Tx,
  of: { readonly accountId: number; readonly cameraId: number; readonly from: number; readonly till: number },
): Promise<boolean> {
  const found = await tx
    .selectFrom('recording_runs')
    .select('camera_id')
    .where('account_id', '=', of.accountId)
    .where('camera_id', '=', of.cameraId)
    .where('started_at', '>', instant(of.from - LONGEST_ROW_MS))
    .where('started_at', '<', instant(of.till))
    .where('ended_at', '>', instant(of.from))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
