import type { Client } from '@sightline/client'
import { FIRMWARE_PART_BYTES, firmwareParts } from '@sightline/contract/firmware'
import { type FirmwareImage, getFirmwareImage, putFirmwarePart } from '@sightline/contract/firmware-images'

/** Bytes as base64. */
export async function toBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const pieces: string[] = []
  // A call takes a limited number of arguments.
  const AT_ONCE = 32_768
  for (let at = 0; at < bytes.length; at += AT_ONCE)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + AT_ONCE)))
  return btoa(pieces.join(''))
}

interface Upload {
  readonly resellerId: string
  readonly image: FirmwareImage
  readonly file: Blob
  /** 0 to 1. */
  readonly onProgress: (share: number) => void
}

/** Uploads a file part by part; the image as it is afterwards. A failure ends it, and what arrived stays. */
export async function uploadParts(
  client: Client,
  { resellerId, image, file, onProgress }: Upload,
): Promise<FirmwareImage> {
  const parts = firmwareParts(file.size)
  for (let part = 0; part < parts; part++) {
    const data = await toBase64(file.slice(part * FIRMWARE_PART_BYTES, (part + 1) * FIRMWARE_PART_BYTES))
    const params = { resellerId, imageId: image.imageId, part: String(part) }
    await client.call(putFirmwarePart, { params, body: { data } })
    onProgress((part + 1) / parts)
  }
  return await client.call(getFirmwareImage, { params: { resellerId, imageId: image.imageId } })
}
