import type { DeviceJobPhase, DeviceJobType } from '@sightline/contract/device-jobs'
import { type Db, instant } from '@sightline/platform/db'

/** A job of a camera or a recorder that waits or runs. */
export interface OpenJob {
  readonly accountId: number
  /** Of the camera or the recorder: their ids are from one space. */
  readonly targetId: number
  readonly jobId: number
  readonly type: DeviceJobType
  /** Which card is formatted; null for other jobs. */
  readonly storageId: number | null
  readonly state: 'queued' | 'running'
  /** What it did last; null while it waits. */
  readonly phase: DeviceJobPhase | null
  /** Milliseconds since 1970; null while it waits. */
  readonly startedAt: number | null
  /** Milliseconds since 1970: a job that hasn't ended by then has failed. */
  readonly deadline: number
}

/** In the order in which they were asked for. */
export async function loadOpenJobs(db: Db): Promise<readonly OpenJob[]> {
  const rows = await db.plain
    .selectFrom('device_jobs')
    .select(['account_id', 'job_id', 'type', 'state', 'phase', 'started_at', 'deadline', 'storage_id'])
    .select(({ fn }) => fn.coalesce('device_id', 'camera_id').$castTo<number>().as('target_id'))
    .where('state', 'in', ['queued', 'running'])
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    targetId: row.target_id,
    jobId: row.job_id,
    type: row.type,
    storageId: row.storage_id,
    state: row.state === 'queued' ? 'queued' : 'running',
    phase: row.phase,
    startedAt: row.started_at,
    deadline: row.deadline,
  }))
}

const ofJob = (db: Db, jobId: number) => db.plain.updateTable('device_jobs').where('job_id', '=', jobId)

/** False if the job was canceled meanwhile. */
export async function beginJob(db: Db, jobId: number, now: number): Promise<boolean> {
  const begun = await ofJob(db, jobId)
    .set({ state: 'running', phase: 'Requesting', started_at: instant(now) })
    .where('state', '=', 'queued')
    .executeTakeFirst()
  return begun.numUpdatedRows > 0n
}

/** The next worker begins it anew: this one stops before the device has anything of it. */
export async function requeueJob(db: Db, jobId: number): Promise<void> {
  const before: readonly DeviceJobPhase[] = ['Requesting', 'Initializing', 'Downloading']
  await ofJob(db, jobId)
    .set({ state: 'queued', phase: null, progress: 0, started_at: null })
    .where('state', '=', 'running')
    .where('phase', 'in', before)
    .execute()
}

/** How far a job is; `progress` in percent. */
export interface JobProgress {
  readonly phase: DeviceJobPhase
  readonly progress: number
}

export async function saveProgress(db: Db, jobId: number, { phase, progress }: JobProgress): Promise<void> {
  await ofJob(db, jobId).set({ phase, progress }).where('state', '=', 'running').execute()
}

/** False once it was canceled. */
export async function isRunningJob(db: Db, jobId: number): Promise<boolean> {
  const running = db.plain.selectFrom('device_jobs').select('job_id').where('job_id', '=', jobId)
  return (await running.where('state', '=', 'running').executeTakeFirst()) !== undefined
}

const LONGEST_TEXT = 300

/** @param error undefined: it succeeded. */
export async function endJob(db: Db, jobId: number, now: number, error?: string): Promise<void> {
  const ended = { ended_at: instant(now) }
  const values =
    error === undefined
      ? { ...ended, state: 'done' as const, progress: 100 }
      : { ...ended, state: 'failed' as const, error: error.slice(0, LONGEST_TEXT) }
  await ofJob(db, jobId).set(values).where('state', '=', 'running').execute()
}

/** Ends the jobs that nobody ended in time: of cameras and recorders that no worker reached. `before` in milliseconds since 1970. */
export async function failOverdueJobs(db: Db, before: number, now: number): Promise<void> {
  await db.plain
    .updateTable('device_jobs')
    .set({ state: 'failed', ended_at: instant(now), error: "it didn't respond in time" })
    .where('state', 'in', ['queued', 'running'])
    .where('deadline', '<', instant(before))
    .execute()
}
