/** RFC 3550 §5.1. The payload is a view: good only as long as the bytes it was read from. */
export interface RtpPacket {
  readonly payloadType: number
  readonly marker: boolean
  readonly sequence: number
  readonly timestamp: number
  readonly ssrc: number
  readonly payload: Uint8Array
}

const FIXED_HEADER = 12

/** undefined if it is not RTP version 2 or its header, extension or padding does not fit. */
export function parseRtp(bytes: Uint8Array): RtpPacket | undefined {
  const first = bytes[0] ?? 0
  const second = bytes[1] ?? 0
  if (bytes.length < FIXED_HEADER || first >> 6 !== 2) return undefined
  let start = FIXED_HEADER + (first & 0x0f) * 4
  if ((first & 0x10) !== 0) {
    if (start + 4 > bytes.length) return undefined
    start += 4 + uint16(bytes, start + 2) * 4
  }
  const padding = (first & 0x20) === 0 ? 0 : (bytes[bytes.length - 1] ?? 0)
  const end = bytes.length - padding
  if (start > end) return undefined
  return {
    payloadType: second & 0x7f,
    marker: second > 0x7f,
    sequence: uint16(bytes, 2),
    timestamp: uint32(bytes, 4),
    ssrc: uint32(bytes, 8),
    payload: bytes.subarray(start, end),
  }
}

/** Which time of the camera's own clock corresponds to which RTP timestamp (RFC 3550 §6.4.1). */
export interface SenderReport {
  readonly ssrc: number
  /** Milliseconds since 1970, with fraction. */
  readonly cameraClock: number
  readonly timestamp: number
}

const SENDER_REPORT = 200
const SECONDS_1900_TO_1970 = 2_208_988_800

/** The first sender report in an RTCP packet, if there is one and the camera knows the time at all. */
export function parseSenderReport(bytes: Uint8Array): SenderReport | undefined {
  for (let at = 0; at + 4 <= bytes.length; at += 4 + uint16(bytes, at + 2) * 4) {
    if ((bytes[at] ?? 0) >> 6 !== 2) return undefined
    if (bytes[at + 1] !== SENDER_REPORT) continue
    if (at + 28 > bytes.length) return undefined
    const seconds = uint32(bytes, at + 8) - SECONDS_1900_TO_1970
    const fraction = uint32(bytes, at + 12) / 2 ** 32
    // A camera without a clock counts from its own start.
    if (seconds <= 0) return undefined
    return { ssrc: uint32(bytes, at + 4), cameraClock: (seconds + fraction) * 1000, timestamp: uint32(bytes, at + 16) }
  }
  return undefined
}

export const uint16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)

const uint32 = (bytes: Uint8Array, at: number): number => uint16(bytes, at) * 65_536 + uint16(bytes, at + 2)
