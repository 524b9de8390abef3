import type { DefaultedInstant } from '../instant.ts'
import type { Nullable } from './column-kinds.ts'

/** Firmware of a model of cameras or recorders. */
export interface FirmwareImagesTable {
  image_id: number
  /** Null: the operator's, for all accounts. */
  reseller_id: Nullable<number>
  brand: string
  model: string
  version: string
  size_bytes: number
  /** Null until all parts have arrived. */
  sha256: Nullable<Buffer>
  signature: Nullable<Buffer>
  created_at: DefaultedInstant
}

/** The bytes of an image, in parts of 512 KiB. */
export interface FirmwarePartsTable {
  image_id: number
  part: number
  bytes: Buffer
}
