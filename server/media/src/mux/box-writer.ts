/**
 * Builds ISO base media boxes (ISO 14496-12 §4.2) as byte arrays. Made for initialisation segments, which are small and
 * rare; the boxes of a fragment are written straight into one buffer by `fragment.ts`.
 */
export type BoxPart = Uint8Array | readonly number[]

const encoder = new TextEncoder()

export const ascii = (text: string): Uint8Array => encoder.encode(text)

export const u8 = (value: number): readonly number[] => [value & 0xff]
export const u16 = (value: number): readonly number[] => [(value >>> 8) & 0xff, value & 0xff]
export const u32 = (value: number): readonly number[] => [
  (value >>> 24) & 0xff,
  (value >>> 16) & 0xff,
  (value >>> 8) & 0xff,
  value & 0xff,
]

export const u64 = (value: number): readonly number[] => [...u32(Math.floor(value / 2 ** 32)), ...u32(value >>> 0)]

export function join(parts: readonly BoxPart[]): Uint8Array {
  let size = 0
  for (const part of parts) size += part.length
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

export function box(type: string, ...content: readonly BoxPart[]): Uint8Array {
  const body = join(content)
  return join([u32(body.length + 8), ascii(type), body])
}

/** A box with a version and 24 bits of flags in front (ISO 14496-12 §4.2, FullBox). */
export function fullBox(
  type: string,
  head: { version: number; flags: number },
  ...content: readonly BoxPart[]
): Uint8Array {
  return box(type, u32(((head.version << 24) | head.flags) >>> 0), ...content)
}
