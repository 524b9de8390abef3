import { TICKS_PER_SECOND } from '../frame/index.ts'
import { fullBox, u16, u32, u64 } from './box-writer.ts'

/** A stretch of a file that can be played from its beginning if `isKey`. */
export interface IndexedStretch {
  readonly bytes: number
  /** Ticks. */
  readonly duration: number
  readonly isKey: boolean
}

const BEGINS_WITH_KEY = 0x90_00_00_00
/** The number of entries has 16 bits. */
export const MAX_INDEXED_STRETCHES = 65_535

/**
 * Where each stretch of a fragmented MP4 is (`sidx`, ISO 14496-12 §8.16.3), so that a player can go to any time of a long file. It
 * stands right before the first fragment.
 */
export function segmentIndex(stretches: readonly IndexedStretch[]): Uint8Array {
  const entries = stretches.flatMap(({ bytes, duration, isKey }) => [
    ...u32(bytes),
    ...u32(duration),
    ...u32(isKey ? BEGINS_WITH_KEY : 0),
  ])
  const head = [u32(1), u32(TICKS_PER_SECOND), u64(0), u64(0), u16(0), u16(stretches.length)]
  return fullBox('sidx', { version: 1, flags: 0 }, ...head, entries)
}
