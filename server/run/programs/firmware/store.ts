import { createHash } from 'node:crypto'
import { firmwareParts } from '@sightline/contract/firmware'
import { type Db, isUniqueViolation } from '@sightline/platform/db'

export interface OperatorImage {
  readonly imageId: number
  readonly brand: string
  readonly model: string
  readonly version: string
  readonly sizeBytes: number
  readonly signature: Buffer | undefined
  /** One after the other, each of the size of a part but the last. */
  readonly parts: AsyncIterable<Buffer>
}

/** Stores an image of the operator and returns its SHA-256; undefined if this version is there already. All or nothing. */
export async function saveOperatorImage(db: Db, image: OperatorImage): Promise<string | undefined> {
  const { imageId, brand, model, version, sizeBytes, signature = null, parts } = image
  const hash = createHash('sha256')
  try {
    return await db.transaction(async (tx) => {
      await tx
        .insertInto('firmware_images')
        .values({ image_id: imageId, reseller_id: null, brand, model, version, size_bytes: sizeBytes, signature })
        .execute()
      let part = 0
      for await (const bytes of parts) {
        hash.update(bytes)
        await tx.insertInto('firmware_parts').values({ image_id: imageId, part, bytes }).execute()
        part++
      }
      if (part !== firmwareParts(sizeBytes)) throw new Error(`the file changed while it was read: ${part} parts`)
      const sha256 = hash.digest()
      await tx.updateTable('firmware_images').set({ sha256 }).where('image_id', '=', imageId).execute()
      return sha256.toString('hex')
    })
  } catch (error) {
    if (isUniqueViolation(error, 'firmware_images_by_version')) return undefined
    throw error
  }
}

/** All images, also those of dealers. */
export const listAllImages = (db: Db) =>
  db.plain
    .selectFrom('firmware_images')
    .select(['image_id', 'reseller_id', 'brand', 'model', 'version', 'size_bytes', 'sha256'])
    .orderBy('brand')
    .orderBy('model')
    .orderBy('version')
    .execute()

/** Whether there was one. */
export async function removeAnyImage(db: Db, imageId: number): Promise<boolean> {
  const removed = await db.plain.deleteFrom('firmware_images').where('image_id', '=', imageId).executeTakeFirst()
  return removed.numDeletedRows > 0n
}
