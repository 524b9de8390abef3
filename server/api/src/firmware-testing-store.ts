import { createHash, randomInt } from 'node:crypto'
import type { TestApi } from './slice-testing.ts'

interface OfferedInput {
  readonly model: string
  readonly version: string
  /** Undefined: the operator's. */
  readonly resellerId?: number
  readonly signed?: true
  /** Any by default. */
  readonly imageId?: number
  /** Not all of it was uploaded. */
  readonly isIncomplete?: true
}

/** Offers firmware of Acme; the id of the image. */
export async function offerFirmware({ owner }: Pick<TestApi, 'owner'>, given: OfferedInput): Promise<number> {
  const imageId = given.imageId ?? randomInt(2, 2 ** 40)
  const bytes = Buffer.from('abc')
  await owner.plain
    .insertInto('firmware_images')
    .values({
      image_id: imageId,
      reseller_id: given.resellerId ?? null,
      brand: 'ACME',
      model: given.model,
      version: given.version,
      size_bytes: bytes.length,
      sha256: given.isIncomplete === true ? null : createHash('sha256').update(bytes).digest(),
      signature: given.signed === true ? Buffer.from('signed') : null,
    })
    .execute()
  await owner.plain.insertInto('firmware_parts').values({ image_id: imageId, part: 0, bytes }).execute()
  return imageId
}
