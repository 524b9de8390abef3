import { unescapeNal } from './bit-reader.ts'

/** payloadType of a recovery point (H.264 and H.265 table D.1). */
export const RECOVERY_POINT = 6
/** A minute at ten pictures a second; who promises more is no help to a decoder. */
export const MAX_RECOVERY_PICTURES = 600
const MAX_SEI_BYTES = 4096

/** The payload of the first message of that type, without emulation prevention; `messages` begins behind the NAL header. */
export function findSeiPayload(messages: Uint8Array, type: number): Uint8Array | undefined {
  const plain = unescapeNal(messages, MAX_SEI_BYTES)
  let at = 0
  while (at + 2 < plain.length) {
    const [found, afterType] = seiNumber(plain, at)
    const [size, payload] = seiNumber(plain, afterType)
    if (found === type) return plain.subarray(payload, payload + size)
    at = payload + size
  }
  return undefined
}

/** SEI type and size: each 0xff adds 255, the first other byte ends it (H.264 §7.3.2.3.1). */
function seiNumber(sei: Uint8Array, start: number): readonly [value: number, next: number] {
  let value = 0
  let at = start
  while (sei[at] === 0xff) {
    value += 255
    at++
  }
  return [value + (sei[at] ?? 0), at + 1]
}
