import { type Db, instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { WarningRecord } from './camera-warnings.ts'

/** The same record again changes nothing: a warning keeps the time since which it applies. */
export async function saveWarning(
  { plain }: Db,
  { accountId, cameraId, warning, isActive, at }: WarningRecord,
): Promise<void> {
  if (!isActive) {
    const warnings = plain.deleteFrom('camera_warnings').where('account_id', '=', accountId)
    await warnings.where('camera_id', '=', cameraId).where('warning', '=', warning).execute()
    return
  }
  // Nothing is kept of a camera that was removed meanwhile.
  await sql`
    insert into camera_warnings (account_id, camera_id, warning, since, last_at)
    select account_id, camera_id, ${warning}, ${instant(at)}, ${instant(at)} from cameras
     where account_id = ${accountId} and camera_id = ${cameraId}
    on conflict (account_id, camera_id, warning) do update set last_at = excluded.last_at`.execute(plain)
}
