import { FIRMWARE_PART_BYTES } from '../firmware/index.ts'

/** Of one reseller: so many images, of so many bytes together. They are in the database. */
export const MAX_FIRMWARE_IMAGES = 100
export const MAX_FIRMWARE_TOTAL_BYTES = 4 * 1024 ** 3

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const MAX_BASE64_LENGTH = Math.ceil(FIRMWARE_PART_BYTES / 3) * 4

/** What is wrong with bytes as base64. */
export function base64Problem(text: string): string | undefined {
  if (text === '' || text.length > MAX_BASE64_LENGTH) return 'Expected 1 byte to 512 KiB as base64'
  return BASE64.test(text) ? undefined : 'Expected base64'
}
