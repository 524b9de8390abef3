import type { CheckUpFinding } from '@sightline/contract/camera-check-ups'
import { type Db, instant } from '@sightline/platform/db'
import { sql } from 'kysely'

interface CameraKey {
  readonly accountId: number
  readonly cameraId: number
}

export interface CheckUpStore {
  /** Whether the camera was added and never checked since. */
  readonly isDue: () => Promise<boolean>
  /** Replaces what was found before. */
  readonly save: (findings: readonly CheckUpFinding[]) => Promise<void>
}

export const checkUpStore = (
  { db, now }: { readonly db: Db; readonly now: () => number },
  camera: CameraKey,
): CheckUpStore => ({
  isDue: () => isDue(db, camera),
  save: (findings) => saveCheckUp(db, camera, { findings, at: now() }),
})

async function isDue(db: Db, { accountId, cameraId }: CameraKey): Promise<boolean> {
  const row = await db.plain
    .selectFrom('cameras as c')
    .leftJoin('camera_check_ups as u', (join) =>
      join.onRef('u.account_id', '=', 'c.account_id').onRef('u.camera_id', '=', 'c.camera_id'),
    )
    .select('c.camera_id')
    .where('c.account_id', '=', accountId)
    .where('c.camera_id', '=', cameraId)
    .where('c.addition_status', '=', 'added')
    .where(({ or, eb }) =>
      or([eb('u.checked_at', 'is', null), eb('u.checked_at', '<', eb.ref('c.addition_started_at'))]),
    )
    .executeTakeFirst()
  return row !== undefined
}

/** Nothing is kept of a camera that was removed meanwhile. */
async function saveCheckUp(
  db: Db,
  { accountId, cameraId }: CameraKey,
  { findings, at }: { readonly findings: readonly CheckUpFinding[]; readonly at: number },
): Promise<void> {
  const text = JSON.stringify(findings)
  await sql`
    insert into camera_check_ups (account_id, camera_id, checked_at, findings)
    select account_id, camera_id, ${instant(at)}, ${text}::jsonb
      from cameras where account_id = ${accountId} and camera_id = ${cameraId}
    on conflict (account_id, camera_id) do update set checked_at = excluded.checked_at, findings = excluded.findings
  `.execute(db.plain)
}
