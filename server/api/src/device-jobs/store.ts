import type { DeviceJob, DeviceJobType } from '@sightline/contract/device-jobs'
import type { CameraJob } from '@sightline/contract/event-states'
import { instant, type Tx } from '@sightline/platform/db'
import type { MemberCaller } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { accessibleCameras } from '../cameras/index.ts'
import { toDeviceJob } from '../devices/index.ts'

/** What a job is done at: a recorder or a camera. */
export type JobOwner = { readonly accountId: number } & ({ readonly deviceId: number } | { readonly cameraId: number })

const toColumns = (owner: JobOwner) =>
  'deviceId' in owner
    ? { account_id: owner.accountId, device_id: owner.deviceId, camera_id: null }
    : { account_id: owner.accountId, device_id: null, camera_id: owner.cameraId }

const jobsOf = (tx: Tx, owner: JobOwner) => {
  const jobs = tx.selectFrom('device_jobs').where('account_id', '=', owner.accountId)
  return 'deviceId' in owner
    ? jobs.where('device_id', '=', owner.deviceId)
    : jobs.where('camera_id', '=', owner.cameraId)
}

/**
 * A job that no worker ended half a minute after the first of them should have: none is running. By the database's clock, as the
 * workers' are.
 */
const isAbandoned = sql<boolean>`(state in ('queued', 'running') and deadline < now() - interval '1 minute')`
const ABANDONED = 'no media worker was running to do this: try again'

/** Newest first. */
export async function listOwnJobs(tx: Tx, owner: JobOwner): Promise<DeviceJob[]> {
  const jobs = jobsOf(tx, owner).selectAll().select(isAbandoned.as('abandoned'))
  const rows = await jobs.orderBy('created_at', 'desc').orderBy('job_id', 'desc').execute()
  return rows.map(toShownJob)
}

const toShownJob = (row: Parameters<typeof toDeviceJob>[0] & { readonly abandoned: boolean }): DeviceJob =>
  toDeviceJob(row.abandoned ? { ...row, state: 'failed', ended_at: row.deadline, error: ABANDONED } : row)

/** The jobs of all cameras in a caller's scope that wait or run, or ended within the last ten minutes, newest first. */
export async function listCameraJobs(tx: Tx, scope: Pick<MemberCaller, 'accountId' | 'access'>): Promise<CameraJob[]> {
  const rows = await accessibleCameras(tx, scope)
    .innerJoin('device_jobs as j', (join) =>
      join.onRef('j.account_id', '=', 'cameras.account_id').onRef('j.camera_id', '=', 'cameras.camera_id'),
    )
    .selectAll('j')
    .select(['cameras.camera_id', isAbandoned.as('abandoned')])
    .where(sql<boolean>`(j.ended_at is null or j.ended_at > now() - interval '10 minutes')`)
    .orderBy('j.created_at', 'desc')
    .orderBy('j.job_id', 'desc')
    .execute()
  return rows.map((row) => ({ ...toShownJob(row), cameraId: row.camera_id }))
}

export interface NewDeviceJob {
  readonly jobId: number
  readonly type: DeviceJobType
  /** Milliseconds since 1970. */
  readonly now: number
  /** A job that takes longer has failed. */
  readonly deadlineMs: number
  /** Which card is formatted. */
  readonly storageId?: number
}

/** Whether a job of any type waits or runs: there is one at a time. The camera or recorder is locked. Ends one that is abandoned. */
export async function hasOpenJob(tx: Tx, owner: JobOwner): Promise<boolean> {
  const { account_id, device_id, camera_id } = toColumns(owner)
  await tx
    .updateTable('device_jobs')
    .set(({ ref }) => ({ state: 'failed', ended_at: ref('deadline'), error: ABANDONED }))
    .where('account_id', '=', account_id)
    .where(({ eb }) => (device_id === null ? eb('camera_id', '=', camera_id) : eb('device_id', '=', device_id)))
    .where(isAbandoned)
    .execute()
  const open = jobsOf(tx, owner).select('job_id').where('state', 'in', ['queued', 'running'])
  return (await open.limit(1).executeTakeFirst()) !== undefined
}

/** The worker of the camera or recorder begins with it within a second. */
export async function insertJob(
  tx: Tx,
  owner: JobOwner,
  { jobId, type, now, deadlineMs, storageId }: NewDeviceJob,
): Promise<void> {
  await tx
    .insertInto('device_jobs')
    .values({
      ...toColumns(owner),
      job_id: jobId,
      type,
      state: 'queued',
      created_at: instant(now),
      deadline: instant(now + deadlineMs),
      storage_id: storageId ?? null,
    })
    .execute()
}

/** Whether a job was still waiting, or was a check-up, and is canceled now; undefined if there is no such job. */
export async function cancelJob(
  tx: Tx,
  owner: JobOwner,
  { jobId, now }: Pick<NewDeviceJob, 'jobId' | 'now'>,
): Promise<boolean | undefined> {
  const named = jobsOf(tx, owner).select(['state', 'type']).where('job_id', '=', jobId)
  const found = await named.forUpdate().executeTakeFirst()
  if (found === undefined) return undefined
  const endsEarly = found.type === 'checkUp' && found.state === 'running'
  if (found.state !== 'queued' && !endsEarly) return false
  await tx
    .updateTable('device_jobs')
    .set({ state: 'canceled', ended_at: instant(now) })
    .where('account_id', '=', owner.accountId)
    .where('job_id', '=', jobId)
    .execute()
  return true
}

/** How a camera is connected. */
export interface RestartTarget {
  readonly isOnline: boolean
  readonly hasOnvif: boolean
  /** It is one of several inputs of a recorder. */
  readonly isInput: boolean
}

export async function loadConnection(
  tx: Tx,
  { accountId, cameraId }: { readonly accountId: number; readonly cameraId: number },
): Promise<RestartTarget> {
  const row = await tx
    .selectFrom('cameras as c')
    .leftJoin('camera_status as s', (join) =>
      join.onRef('s.account_id', '=', 'c.account_id').onRef('s.camera_id', '=', 'c.camera_id'),
    )
    .select(['c.onvif_port', 'c.device_id', 'c.device_inputs', 's.online'])
    .where('c.account_id', '=', accountId)
    .where('c.camera_id', '=', cameraId)
    .executeTakeFirstOrThrow()
  return {
    isOnline: row.online === true,
    hasOnvif: row.onvif_port !== null,
    isInput: row.device_id !== null || row.device_inputs > 1,
  }
}
