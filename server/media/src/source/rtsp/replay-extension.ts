const RTP_HEADER = 12
const PROFILE = 0xab_ac
/** An NTP time of 8 bytes, and the flags. */
const LEAST_WORDS = 3
const SECONDS_1900_TO_1970 = 2_208_988_800
const TERMINAL = 0x10

/** What the extension of a replayed packet says. */
export interface ReplayTime {
  /** Of the picture, by the camera's clock; milliseconds since 1970. */
  readonly time: number
  /** No picture follows. */
  readonly isTerminal: boolean
}

/** The replay extension of an RTP packet (ONVIF Streaming §6.3); undefined if it has none. */
export function parseReplayTime(bytes: Uint8Array): ReplayTime | undefined {
  const [first = 0] = bytes
  if (bytes.length < RTP_HEADER || first >> 6 !== 2 || (first & 0x10) === 0) return undefined
  const at = RTP_HEADER + (first & 0x0f) * 4
  if (at + 4 + LEAST_WORDS * 4 > bytes.length) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint16(at) !== PROFILE || view.getUint16(at + 2) < LEAST_WORDS) return undefined
  const seconds = view.getUint32(at + 4) - SECONDS_1900_TO_1970
  const time = Math.round((seconds + view.getUint32(at + 8) / 2 ** 32) * 1000)
  return { time, isTerminal: (view.getUint8(at + 12) & TERMINAL) !== 0 }
}
