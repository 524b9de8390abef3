import type { DeviceJobType } from '@sightline/contract/device-jobs'
import { instant, type Tx } from '@sightline/platform/db'
import type { DeviceKey } from '../devices/index.ts'

interface NewDeviceJob extends DeviceKey {
  readonly jobId: number
  readonly type: DeviceJobType
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Whether a job of that type waits or runs. The device is locked. */
export async function hasOpenJob(tx: Tx, { accountId, deviceId }: DeviceKey, type: DeviceJobType): Promise<boolean> {
  const jobs = tx.selectFrom('device_jobs').select('job_id').where('account_id', '=', accountId)
  const open = jobs.where('device_id', '=', deviceId).where('type', '=', type)
  return (await open.where('state', 'in', ['queued', 'running']).limit(1).executeTakeFirst()) !== undefined
}

/** The worker of the device begins with it within a second. */
export async function insertJob(tx: Tx, { accountId, deviceId, jobId, type, now }: NewDeviceJob): Promise<void> {
  await tx
    .insertInto('device_jobs')
    .values({
      account_id: accountId,
      device_id: deviceId,
      job_id: jobId,
      type,
      state: 'queued',
      created_at: instant(now),
    })
    .execute()
}

type JobKey = DeviceKey & { readonly jobId: number }

/** Whether a job of the device was still waiting and is canceled now; undefined if there is no such job. */
export async function cancelJob(
  tx: Tx,
  { accountId, deviceId, jobId, now }: JobKey & { readonly now: number },
): Promise<boolean | undefined> {
  const job = tx.selectFrom('device_jobs').select('state').where('account_id', '=', accountId)
  const found = await job.where('device_id', '=', deviceId).where('job_id', '=', jobId).forUpdate().executeTakeFirst()
  if (found === undefined) return undefined
  if (found.state !== 'queued') return false
  await tx
    .updateTable('device_jobs')
    .set({ state: 'canceled', ended_at: instant(now) })
    .where('account_id', '=', accountId)
    .where('device_id', '=', deviceId)
    .where('job_id', '=', jobId)
    .execute()
  return true
}
