import { createHash } from 'node:crypto'
import { firmwareParts } from '@sightline/contract/firmware'
import { type Db, instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { OpenJob } from './job-store.ts'

/** What an upgrade installs. */
export interface FirmwareToInstall {
  readonly imageId: number
  readonly brand: string
  readonly model: string
  readonly version: string
  readonly sizeBytes: number
  readonly sha256: Buffer
}

/** Undefined if it was removed since the upgrade was asked for. */
export async function loadFirmware(db: Db, jobId: number): Promise<FirmwareToInstall | undefined> {
  const row = await db.plain
    .selectFrom('device_jobs as j')
    .innerJoin('firmware_images as i', 'i.image_id', 'j.image_id')
    .select(['i.image_id', 'i.brand', 'i.model', 'i.version', 'i.size_bytes', 'i.sha256'])
    .where('j.job_id', '=', jobId)
    .executeTakeFirst()
  if (row === undefined || row.sha256 === null) return undefined
  const { brand, model, version, sha256 } = row
  return { imageId: row.image_id, brand, model, version, sizeBytes: row.size_bytes, sha256 }
}

/** The bytes of an image, one part at a time. */
export async function* readParts(db: Db, { imageId, sizeBytes }: FirmwareToInstall): AsyncIterable<Buffer> {
  const parts = db.plain.selectFrom('firmware_parts').select('bytes').where('image_id', '=', imageId)
  for (let part = 0; part < firmwareParts(sizeBytes); part++)
    yield (await parts.where('part', '=', part).executeTakeFirstOrThrow()).bytes
}

/** Whether the stored bytes are those whose checksum was written down. */
export async function isIntact(db: Db, image: FirmwareToInstall): Promise<boolean> {
  const hash = createHash('sha256')
  for await (const bytes of readParts(db, image)) hash.update(bytes)
  return hash.digest().equals(image.sha256)
}

/** How many cameras and recorders of an account are upgraded at a time. */
const UPGRADES_AT_A_TIME = 2

/**
 * Begins an upgrade if it is its turn. `wait`: as many as may are upgraded now; `gone`: it was canceled. Two workers that ask at the
 * same time are answered one after the other.
 */
export const beginUpgrade = (
  db: Db,
  { accountId, jobId }: Pick<OpenJob, 'accountId' | 'jobId'>,
  { now, deadline }: { readonly now: number; readonly deadline: number },
): Promise<'begun' | 'wait' | 'gone'> =>
  db.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('firmware'), hashtext(${String(accountId)}))`.execute(tx)
    const running = await tx
      .selectFrom('device_jobs')
      .select(({ fn }) => fn.countAll<number>().as('jobs'))
      .where('account_id', '=', accountId)
      .where('type', '=', 'firmwareUpgrade')
      .where('state', '=', 'running')
      .executeTakeFirstOrThrow()
    const job = tx.updateTable('device_jobs').where('job_id', '=', jobId).where('state', '=', 'queued')
    if (Number(running.jobs) >= UPGRADES_AT_A_TIME) {
      const state = await tx.selectFrom('device_jobs').select('state').where('job_id', '=', jobId).executeTakeFirst()
      return state?.state === 'queued' ? 'wait' : 'gone'
    }
    const values = { state: 'running' as const, phase: 'Requesting' as const, started_at: instant(now) }
    const begun = await job.set({ ...values, deadline: instant(deadline) }).executeTakeFirst()
    return begun.numUpdatedRows > 0n ? 'begun' : 'gone'
  })

/** After a failure the account's other cameras don't get the same image, until somebody asks again. */
export async function cancelSameUpgrades(
  db: Db,
  { accountId, imageId, now }: { readonly accountId: number; readonly imageId: number; readonly now: number },
): Promise<number> {
  const canceled = await db.plain
    .updateTable('device_jobs')
    .set({
      state: 'canceled',
      ended_at: instant(now),
      error: 'canceled because the same firmware failed at another camera',
    })
    .where('account_id', '=', accountId)
    .where('image_id', '=', imageId)
    .where('state', '=', 'queued')
    .executeTakeFirst()
  return Number(canceled.numUpdatedRows)
}

/** Writes down the version that a camera or a recorder reports now. */
export async function saveVersion(
  db: Db,
  { accountId, targetId }: Pick<OpenJob, 'accountId' | 'targetId'>,
  version: string,
): Promise<void> {
  const values = { firmware_version: version }
  const cameras = db.plain.updateTable('cameras').set(values).where('account_id', '=', accountId)
  await cameras.where('camera_id', '=', targetId).execute()
  const devices = db.plain.updateTable('devices').set(values).where('account_id', '=', accountId)
  await devices.where('device_id', '=', targetId).execute()
}
