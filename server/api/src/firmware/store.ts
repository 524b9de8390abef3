import type { Tx } from '@sightline/platform/db'
import { sql } from 'kysely'
import type { JobOwner } from '../device-jobs/index.ts'
import type { OfferedImage } from './rules.ts'

/** What a camera or a recorder said that it is. */
export interface Model {
  readonly brand: string | null
  readonly model: string | null
  readonly current: string | null
}

export async function loadModel(tx: Tx, owner: JobOwner): Promise<Model> {
  const columns = ['brand', 'model', 'firmware_version'] as const
  const row =
    'deviceId' in owner
      ? await tx
          .selectFrom('devices')
          .select(columns)
          .where('account_id', '=', owner.accountId)
          .where('device_id', '=', owner.deviceId)
          .executeTakeFirstOrThrow()
      : await tx
          .selectFrom('cameras')
          .select(columns)
          .where('account_id', '=', owner.accountId)
          .where('camera_id', '=', owner.cameraId)
          .executeTakeFirstOrThrow()
  return { brand: row.brand, model: row.model, current: row.firmware_version }
}

/** The complete images of the operator and of the account's dealer that are for that model. */
export async function listOffered(
  tx: Tx,
  { accountId }: Pick<JobOwner, 'accountId'>,
  { brand, model }: Model,
): Promise<readonly OfferedImage[]> {
  if (brand === null || model === null) return []
  const rows = await tx
    .selectFrom('firmware_images')
    .select(['image_id', 'reseller_id', 'version', 'size_bytes', 'sha256'])
    .select(({ eb }) => eb('signature', 'is not', null).as('signed'))
    .where(sql<boolean>`lower(brand) = lower(${brand.trim()}) and lower(model) = lower(${model.trim()})`)
    .where('sha256', 'is not', null)
    .where(sql<boolean>`(reseller_id is null or reseller_id = (
      select a.reseller_id from accounts a where a.account_id = ${accountId}))`)
    // Of two with the same version, the operator's is the one that is shown and installed first.
    .orderBy(sql`reseller_id is not null`)
    .orderBy('image_id')
    .execute()
  return rows.map((row) => ({
    imageId: row.image_id,
    version: row.version,
    providedBy: row.reseller_id === null ? 'operator' : 'dealer',
    sizeBytes: row.size_bytes,
    sha256: row.sha256?.toString('hex') ?? '',
    signed: Boolean(row.signed),
  }))
}

/** Says which image an upgrade installs. */
export async function saveJobImage(
  tx: Tx,
  { accountId }: JobOwner,
  { jobId, image }: { readonly jobId: number; readonly image: OfferedImage },
): Promise<void> {
  await tx
    .updateTable('device_jobs')
    .set({ image_id: image.imageId, firmware_version: image.version })
    .where('account_id', '=', accountId)
    .where('job_id', '=', jobId)
    .execute()
}
