import { createHash } from 'node:crypto'
import { firmwareParts } from '@sightline/contract/firmware'
import type { FirmwareImage, NewFirmwareImage } from '@sightline/contract/firmware-images'
import { toDateTime } from '@sightline/contract/wire'
import { isUniqueViolation, type Tx } from '@sightline/platform/db'

const columns = ['image_id', 'brand', 'model', 'version', 'size_bytes', 'sha256', 'created_at'] as const

/** The images of a reseller; those of the operator aren't among them. */
const imagesOf = (tx: Tx, resellerId: number) =>
  tx
    .selectFrom('firmware_images')
    .select(columns)
    .select(({ eb }) => eb('signature', 'is not', null).as('signed'))
    .select((eb) =>
      eb
        .selectFrom('firmware_parts as p')
        .select(({ fn }) => fn.sum<number | null>(fn('octet_length', ['p.bytes'])).as('received'))
        .whereRef('p.image_id', '=', 'firmware_images.image_id')
        .as('received'),
    )
    .where('reseller_id', '=', resellerId)

type ImageRow = Awaited<ReturnType<ReturnType<typeof imagesOf>['execute']>>[number]

const toImage = (row: ImageRow): FirmwareImage => ({
  imageId: row.image_id,
  brand: row.brand,
  model: row.model,
  version: row.version,
  sizeBytes: row.size_bytes,
  receivedBytes: Number(row.received ?? 0),
  sha256: row.sha256?.toString('hex') ?? null,
  signed: Boolean(row.signed),
  createdAt: toDateTime(row.created_at),
})

/** By brand and model, the newest upload first. */
export async function listImages(tx: Tx, resellerId: number): Promise<FirmwareImage[]> {
  const rows = await imagesOf(tx, resellerId).orderBy('brand').orderBy('model').orderBy('created_at', 'desc').execute()
  return rows.map(toImage)
}

export interface ImageKey {
  readonly resellerId: number
  readonly imageId: number
}

export async function findImage(tx: Tx, { resellerId, imageId }: ImageKey): Promise<FirmwareImage | undefined> {
  const row = await imagesOf(tx, resellerId).where('image_id', '=', imageId).executeTakeFirst()
  return row && toImage(row)
}

/** Locked until the transaction ends, so that parts arrive one after the other. */
export async function lockImage(tx: Tx, key: ImageKey): Promise<FirmwareImage | undefined> {
  const locked = tx.selectFrom('firmware_images').select('image_id').where('reseller_id', '=', key.resellerId)
  const row = await locked.where('image_id', '=', key.imageId).forUpdate().executeTakeFirst()
  return row && findImage(tx, key)
}

/** Fails with {@link isImageThere}. */
export async function insertImage(tx: Tx, { resellerId, imageId }: ImageKey, given: NewFirmwareImage): Promise<void> {
  await tx
    .insertInto('firmware_images')
    .values({
      image_id: imageId,
      reseller_id: resellerId,
      brand: given.brand.trim(),
      model: given.model.trim(),
      version: given.version.trim(),
      size_bytes: given.sizeBytes,
      signature: given.signature === undefined ? null : Buffer.from(given.signature, 'base64'),
    })
    .execute()
}

export const isImageThere = (error: unknown): boolean => isUniqueViolation(error, 'firmware_images_by_version')

/** Writes a part; one that was written before is replaced. */
export async function savePart(
  tx: Tx,
  { imageId, part, bytes }: { readonly imageId: number; readonly part: number; readonly bytes: Buffer },
): Promise<void> {
  await tx
    .insertInto('firmware_parts')
    .values({ image_id: imageId, part, bytes })
    .onConflict((conflict) => conflict.columns(['image_id', 'part']).doUpdateSet({ bytes }))
    .execute()
}

/** Offers an image whose parts have all arrived. Its checksum is ours, over what is stored. */
export async function completeImage(tx: Tx, { imageId, sizeBytes }: FirmwareImage): Promise<void> {
  const hash = createHash('sha256')
  const parts = tx.selectFrom('firmware_parts').select('bytes').where('image_id', '=', imageId)
  // One at a time: an image can be larger than what this process should hold.
  for (let part = 0; part < firmwareParts(sizeBytes); part++)
    hash.update((await parts.where('part', '=', part).executeTakeFirstOrThrow()).bytes)
  await tx.updateTable('firmware_images').set({ sha256: hash.digest() }).where('image_id', '=', imageId).execute()
}

export async function removeImage(tx: Tx, { resellerId, imageId }: ImageKey): Promise<void> {
  const images = tx.deleteFrom('firmware_images').where('reseller_id', '=', resellerId)
  await images.where('image_id', '=', imageId).execute()
}
