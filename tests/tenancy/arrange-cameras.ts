import { instant } from '@sightline/platform/db'
import { tokenSha256 } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { silentAbilities, silentFinding } from '../../server/api/src/media-testing.ts'
import { type Arranger, HOUR_MS, type TreeIds } from './arrange.ts'

/** What media workers say about a camera, with a text that only its account may see. */
async function addCameraReports(
  owner: Arranger['owner'],
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
  mark: string,
): Promise<void> {
  await owner.insertInto('camera_status').values({ account_id: accountId, camera_id: cameraId, online: true }).execute()
  const abilities = JSON.stringify({ ...silentAbilities, resolutions: [mark] })
  const asked = { account_id: accountId, camera_id: cameraId, asked_at: instant(Date.now()), abilities }
  await owner.insertInto('camera_capabilities').values(asked).execute()
  const key = { account_id: accountId, camera_id: cameraId }
  const now = instant(Date.now())
  // Its password can be set.
  await owner
    .updateTable('cameras')
    .set({ onvif_port: 80, username: 'viewer' })
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .execute()
  const findings = JSON.stringify([{ ...silentFinding, subject: mark }])
  await owner
    .insertInto('camera_check_ups')
    .values({ ...key, checked_at: now, findings })
    .execute()
  const habits = JSON.stringify({ wifi: { failedSsid: mark } })
  await owner
    .insertInto('camera_habits')
    .values({ ...key, connection: '', learned_at: now, habits })
    .execute()
  await owner
    .insertInto('camera_password_changes')
    .values({ ...key, asked_at: now, password_sealed: Buffer.from(mark) })
    .execute()
  const minute = { seconds: 60, at: now, bytes: 1, dropped: 0, buffer_bytes: 0 } as const
  await owner
    .insertInto('camera_statistics')
    .values({ ...key, ...minute })
    .execute()
  const over = { dry_run: true, status: 'ready' as const, started_at: now, connection: '{}', brand: mark }
  await owner
    .insertInto('camera_replacements')
    .values({ ...key, ...over })
    .execute()
  // Its time is over.
  const former = { connection: JSON.stringify({ brand: mark }), replaced_at: now, undo_until: instant(Date.now() - 1) }
  await owner
    .insertInto('former_cameras')
    .values({ ...key, ...former })
    .execute()
}

/** A job of a camera that has ended. */
export async function addCameraJob(
  { owner, ids, canaries }: Arranger,
  at: TreeIds,
  camera: { readonly cameraId: number; readonly zoneId: number },
): Promise<number> {
  const id = await ids.next()
  const error = canaries.mark({ kind: 'cameraJob', id, ...at, ...camera })
  const job = { job_id: id, type: 'reboot', state: 'failed', created_at: instant(Date.now()), error } as const
  await owner
    .insertInto('device_jobs')
    .values({ account_id: at.accountId, camera_id: camera.cameraId, ...job })
    .execute()
  return id
}

/** A range of a camera's footage that is locked, and one that somebody deleted. */
export async function addKeptAndDeletedFootage(
  { owner, ids, canaries }: Arranger,
  at: TreeIds,
  camera: { readonly cameraId: number; readonly zoneId: number },
): Promise<{ readonly recordingLockId: number; readonly recordingDeletionId: number }> {
  const lockId = await ids.next()
  const deletionId = await ids.next()
  const reason = canaries.mark({ kind: 'recordingLock', id: lockId, ...at, ...camera })
  canaries.mark({ kind: 'recordingDeletion', id: deletionId, ...at, ...camera })
  const range = { started_at: instant(Date.UTC(2026, 0, 1)), ended_at: instant(Date.UTC(2026, 0, 2)) }
  const of = { account_id: at.accountId, camera_id: camera.cameraId, ...range }
  const now = instant(Date.now())
  await owner
    .insertInto('footage_locks')
    .values({ ...of, footage_lock_id: lockId, locked_by: at.accountId, locked_at: now, reason })
    .execute()
  await owner
    .insertInto('footage_deletion_requests')
    .values({ ...of, footage_deletion_request_id: deletionId, requested_by: at.accountId, requested_at: now })
    .execute()
  return { recordingLockId: lockId, recordingDeletionId: deletionId }
}

/** An export of the owner's that is done, and footage of that time; the mark is its name. */
export async function addExport(
  { owner, ids, canaries }: Arranger,
  at: TreeIds,
  { cameraId, zoneId }: { readonly cameraId: number; readonly zoneId: number },
): Promise<number> {
  const id = await ids.next()
  const name = canaries.mark({ kind: 'export', id, ...at, cameraId, zoneId })
  const span = { started_at: instant(Date.UTC(2026, 0, 1)), ended_at: instant(Date.UTC(2026, 0, 1, 1)) }
  const of = { account_id: at.accountId, ...span }
  await owner
    .insertInto('recording_runs')
    .values({ ...of, camera_id: cameraId, stream: 'main', run_id: 'e'.repeat(32), bytes: 1000 })
    .execute()
  const now = Date.now()
  const made = { exported_at: instant(now), expires_at: instant(now + 86_400_000), size_bytes: 1000, has_sound: false }
  const wanted = { camera_ids: [cameraId], format: 'zip', name, has_password: false, estimated_bytes: 1000 } as const
  await owner
    .insertInto('exports')
    .values({
      ...of,
      ...wanted,
      ...made,
      export_id: id,
      user_id: at.accountId,
      created_at: instant(now),
      status: 'Done',
      progress: 100,
      attempt: 1,
      sha256: Buffer.alloc(32, 1),
    })
    .execute()
  return id
}

/** The secret of an account's share. */
export const makeShareSecret = (accountId: number): string => String(accountId).padStart(22, 'S')

/** A share of the owner's for people of the account whose copy is done; the mark is its name. */
export async function addShare(
  { owner, ids, canaries }: Arranger,
  at: TreeIds,
  { cameraId, zoneId }: { readonly cameraId: number; readonly zoneId: number },
): Promise<number> {
  const [id, exportId] = [await ids.next(), await ids.next()]
  const name = canaries.mark({ kind: 'share', id, ...at, cameraId, zoneId })
  const now = Date.now()
  const until = instant(now + 86_400_000)
  const span = { started_at: instant(Date.UTC(2026, 0, 1)), ended_at: instant(Date.UTC(2026, 0, 1, 0, 10)) }
  const copied = { is_shared: true, kept_until: until, expires_at: until, exported_at: instant(now) }
  await owner
    .insertInto('exports')
    .values({
      ...span,
      ...copied,
      account_id: at.accountId,
      export_id: exportId,
      user_id: at.accountId,
      camera_ids: [cameraId],
      format: 'mp4',
      has_password: false,
      estimated_bytes: 1000,
      created_at: instant(now),
      status: 'Done',
      progress: 100,
      attempt: 1,
      size_bytes: 1000,
      has_sound: false,
      sha256: Buffer.alloc(32, 3),
    })
    .execute()
  await owner
    .insertInto('shares')
    .values({
      account_id: at.accountId,
      share_id: id,
      export_id: exportId,
      user_id: at.accountId,
      secret_sha256: tokenSha256(makeShareSecret(at.accountId)),
      is_public: false,
      name,
      created_at: instant(now),
      expires_at: until,
    })
    .execute()
  return id
}

export async function addCamera({ owner, ids, canaries }: Arranger, at: TreeIds, zoneId: number): Promise<number> {
  const id = await ids.next()
  const name = canaries.mark({ kind: 'camera', id, ...at, cameraId: id, zoneId })
  const secret = canaries.mark({ kind: 'secret', id })
  await owner
    .insertInto('cameras')
    .values({
      account_id: at.accountId,
      camera_id: id,
      zone_id: zoneId,
      name,
      model: name,
      eth_mac_address: '02:00:00:00:00:01',
      address: '192.0.2.7',
      rtsp_port: 554,
      main_path: `/${secret}`,
      // Who may edit the camera sees the user name.
      username: name,
      password_sealed: Buffer.from(secret),
      speaker: true,
    })
    .execute()
  await addCameraReports(owner, { ...at, cameraId: id }, name)
  const times = { started_at: instant(Date.now() - HOUR_MS), ended_at: instant(Date.now() - HOUR_MS / 2) }
  const run = { stream: 'main', run_id: '0'.repeat(32), bytes: 1000, is_open: false } as const
  const footage = { account_id: at.accountId, camera_id: id, ...run, ...times }
  await owner.insertInto('recording_runs').values(footage).execute()
  await sql`select sum_recording_days(${at.accountId}, ${id}, 'main', '-infinity', 'infinity')`.execute(owner)
  const lock = {
    footage_lock_id: await ids.next(),
    camera_id: id,
    locked_by: at.accountId,
    locked_at: times.ended_at,
    ...times,
  }
  await owner
    .insertInto('footage_locks')
    .values({ account_id: at.accountId, ...lock })
    .execute()
  return id
}
