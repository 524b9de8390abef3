import type { EpochMs } from '../clock.ts'

const INTERLEAVED_HEADER = 4
const RTP_HEADER = 12
/** The header of the extension, an NTP time, and a word of flags (ONVIF Streaming §6.3). */
const EXTENSION_BYTES = 16
const PROFILE = 0xab_ac
const SECONDS_1900_TO_1970 = 2_208_988_800
const EXTENSION_BIT = 0x10
const CLEAN_POINT = 0x80
const TERMINAL = 0x10

interface ReplayedPicture {
  /** By the camera's clock. */
  readonly at: EpochMs
  readonly isKey: boolean
  readonly isLast: boolean
}

/** Puts the replay extension into the first of the packets of one picture. */
export function withReplayExtension(packets: Buffer, { at, isKey, isLast }: ReplayedPicture): Buffer {
  const extension = Buffer.alloc(EXTENSION_BYTES)
  extension.writeUInt16BE(PROFILE, 0)
  extension.writeUInt16BE(EXTENSION_BYTES / 4 - 1, 2)
  const seconds = Math.floor(at / 1000)
  extension.writeUInt32BE(seconds + SECONDS_1900_TO_1970, 4)
  extension.writeUInt32BE(Math.floor(((at - seconds * 1000) / 1000) * 2 ** 32), 8)
  extension[12] = (isKey ? CLEAN_POINT : 0) | (isLast ? TERMINAL : 0)
  const head = Buffer.from(packets.subarray(0, INTERLEAVED_HEADER + RTP_HEADER))
  head.writeUInt16BE(head.readUInt16BE(2) + EXTENSION_BYTES, 2)
  head[INTERLEAVED_HEADER] = (head[INTERLEAVED_HEADER] ?? 0) | EXTENSION_BIT
  return Buffer.concat([head, extension, packets.subarray(INTERLEAVED_HEADER + RTP_HEADER)])
}
