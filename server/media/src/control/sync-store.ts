import { scheduleSpans } from '@sightline/contract/schedules'
import { type Db, instant } from '@sightline/platform/db'
import { isRunEnd, type RunEnd } from '../recording/index.ts'
import type { CameraToServe } from './store.ts'
import type { FillableGap, FormerPlan, LoggedRun, SyncFacts } from './sync-plan.ts'

type Key = Pick<CameraToServe, 'accountId' | 'cameraId'>

/** A day and an hour: rows are an hour long at most. */
const LOOK_BACK_MS = 25 * 3_600_000
const KEPT_MS = 30 * 24 * 3_600_000
const LONGEST_NOTE = 300

/** What decides which gaps of a camera are filled. */
export async function loadSyncFacts(
  db: Db,
  camera: Key & Pick<CameraToServe, 'recordingSpans'>,
  now: number,
): Promise<Pick<SyncFacts, 'runs' | 'tried'> & { readonly formerPlans: (plan: SyncFacts['plan']) => FormerPlan[] }> {
  const { accountId, cameraId } = camera
  const [runs, plans, jobs] = await Promise.all([
    db.plain
      .selectFrom('recording_runs')
      .select(['started_at', 'ended_at', 'is_open', 'end_reason'])
      .where('account_id', '=', accountId)
      .where('camera_id', '=', cameraId)
      .where('stream', '=', 'main')
      .where('started_at', '>', instant(now - LOOK_BACK_MS))
      .orderBy('started_at')
      .orderBy('ended_at')
      .execute(),
    db.plain
      .selectFrom('camera_plans')
      .select(['plan_until', 'mode', 'recording_mode', 'schedule', 'time_zone', 'microphone'])
      .where('account_id', '=', accountId)
      .where('camera_id', '=', cameraId)
      .orderBy('plan_until')
      .execute(),
    db.plain
      .selectFrom('sync_jobs')
      .select(['gap_start', 'gap_end'])
      .where('account_id', '=', accountId)
      .where('camera_id', '=', cameraId)
      .where('status', '=', 'Ended')
      .where('stopped', '=', false)
      .where('gap_end', '>', instant(now - LOOK_BACK_MS))
      .execute(),
  ])
  return {
    runs: runs.map(
      (row): LoggedRun => ({
        start: row.started_at,
        end: row.ended_at,
        isOpen: row.is_open,
        why: toReason(row.end_reason),
      }),
    ),
    tried: jobs.map((row) => ({ start: row.gap_start, end: row.gap_end })),
    formerPlans: (plan) =>
      plans.map((row) => ({
        until: row.plan_until,
        mode: row.mode,
        recordingMode: row.recording_mode,
        recordingSpans: row.schedule === null ? camera.recordingSpans : scheduleSpans.parse(row.schedule).recording,
        // Of before these were kept.
        timeZone: row.time_zone ?? plan.timeZone,
        microphone: row.microphone ?? false,
      })),
  }
}

/** A deletion is none of the reasons for which a gap is filled. */
function toReason(text: string | null): RunEnd | null {
  if (text === null) return null
  return isRunEnd(text) ? text : 'deleted'
}

const jobsOf = (db: Db, { accountId, cameraId }: Key) =>
  db.plain
    .selectFrom('sync_jobs')
    .select(['sync_job_id', 'gap_start', 'gap_end'])
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)

const running = (db: Db, camera: Key) => jobsOf(db, camera).where('status', '=', 'Running')

/** Jobs that may go on. */
const open = (db: Db, camera: Key) =>
  jobsOf(db, camera).where(({ or, eb }) => or([eb('status', '=', 'Running'), eb('stopped', '=', true)]))

/** Begins a job, or continues the one of this gap that was interrupted or stopped; returns its id. */
export async function beginSyncJob(
  db: Db,
  camera: Key,
  { gap, now }: { readonly gap: FillableGap; readonly now: number },
): Promise<number> {
  const again = { status: 'Running', stopped: false, note: null, ended_at: null } as const
  const jobs = await open(db, camera).execute()
  // What it filled before is no longer part of the gap.
  const own = jobs.find((row) => row.gap_start <= gap.start && gap.end <= row.gap_end)
  if (own !== undefined) {
    await ofJob(db, camera, own.sync_job_id).set(again).execute()
    return own.sync_job_id
  }
  const row = await db.plain
    .insertInto('sync_jobs')
    .values({
      account_id: camera.accountId,
      camera_id: camera.cameraId,
      status: 'Running',
      gap_start: instant(gap.start),
      gap_end: instant(gap.end),
      began_at: instant(now),
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'camera_id', 'gap_start']).doUpdateSet(again))
    .returning('sync_job_id')
    .executeTakeFirstOrThrow()
  return row.sync_job_id
}

/** Ends jobs that were interrupted after they had filled everything. */
export async function endFinishedJobs(
  db: Db,
  camera: Key,
  { gaps, now }: { readonly gaps: readonly FillableGap[]; readonly now: number },
): Promise<void> {
  for (const row of await running(db, camera).execute()) {
    const isOpen = gaps.some((gap) => row.gap_start <= gap.start && gap.end <= row.gap_end)
    if (!isOpen) await endSyncJob(db, camera, row.sync_job_id, { now, note: null })
  }
}

const ofJob = (db: Db, { accountId, cameraId }: Key, jobId: number) =>
  db.plain
    .updateTable('sync_jobs')
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('sync_job_id', '=', jobId)

/** Sync is off: its jobs end, and go on once it is on again. */
export async function stopSyncJobs(db: Db, { accountId, cameraId }: Key, now: number): Promise<void> {
  await db.plain
    .updateTable('sync_jobs')
    .set({ status: 'Ended', stopped: true, ended_at: instant(now), note: 'sync was stopped' })
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('status', '=', 'Running')
    .execute()
}

/** Adds what was filled, in milliseconds. */
export async function addSynced(db: Db, camera: Key, jobId: number, ms: number): Promise<void> {
  await ofJob(db, camera, jobId)
    .set(({ eb }) => ({ synced_ms: eb('synced_ms', '+', ms) }))
    .execute()
}

export async function endSyncJob(
  db: Db,
  camera: Key,
  jobId: number,
  { now, note }: { readonly now: number; readonly note: string | null },
): Promise<void> {
  await ofJob(db, camera, jobId)
    .set({ status: 'Ended', ended_at: instant(now), note: note?.slice(0, LONGEST_NOTE) ?? null })
    .execute()
  await db.plain
    .deleteFrom('sync_jobs')
    .where('account_id', '=', camera.accountId)
    .where('camera_id', '=', camera.cameraId)
    .where('began_at', '<', instant(now - KEPT_MS))
    .execute()
}

/** Whether the camera records on a card of its own. */
export async function saveCard(db: Db, { accountId, cameraId }: Key, isRecording: boolean): Promise<void> {
  await db.plain
    .updateTable('camera_status')
    .set({ recording_on_sd: isRecording })
    .where('account_id', '=', accountId)
    .where('camera_id', '=', cameraId)
    .where('recording_on_sd', '<>', isRecording)
    .execute()
}
