import { H264_NAL, H265_NAL } from '../../codec/index.ts'
import type { NalWriter } from './nal-writer.ts'
import { uint16 } from './rtp-packet.ts'

/** Adds the content of one packet; false if the packet is malformed or continues a unit whose start is missing. */
export type Depacketize = (payload: Uint8Array, writer: NalWriter) => boolean

const START = 0x80
const END = 0x40

/** RFC 6184: single unit, STAP-A, FU-A. Interleaved mode (STAP-B, MTAP, FU-B) is never offered to a camera. */
export function depacketizeH264(payload: Uint8Array, writer: NalWriter): boolean {
  const header = payload[0] ?? 0
  const type = header & 0x1f
  if (type === H264_NAL.stapA) return aggregate(payload.subarray(1), writer)
  if (type === H264_NAL.fuA) {
    const fragment = payload[1]
    if (fragment === undefined) return false
    return continueUnit(writer, {
      isStart: (fragment & START) !== 0,
      isEnd: (fragment & END) !== 0,
      header: [(header & 0xe0) | (fragment & 0x1f)],
      piece: payload.subarray(2),
    })
  }
  if (type === 0 || type > H264_NAL.stapA || writer.isInsideUnit) return false
  writer.whole(payload)
  return true
}

/** RFC 7798: single unit, aggregation packet, fragmentation unit; without decoding order numbers, which need sprop-max-don-diff. */
export function depacketizeH265(payload: Uint8Array, writer: NalWriter): boolean {
  const [first = 0, second = 0, fragment] = payload
  const type = (first >> 1) & 0x3f
  if (payload.length < 3) return false
  if (type === H265_NAL.aggregation) return aggregate(payload.subarray(2), writer)
  if (type === H265_NAL.fragment) {
    if (fragment === undefined) return false
    return continueUnit(writer, {
      isStart: (fragment & START) !== 0,
      isEnd: (fragment & END) !== 0,
      header: [(first & 0x81) | ((fragment & 0x3f) << 1), second],
      piece: payload.subarray(3),
    })
  }
  if (type > H265_NAL.aggregation || writer.isInsideUnit) return false
  writer.whole(payload)
  return true
}

/** Units one after another, each behind its size in two bytes (RFC 6184 §5.7.1, RFC 7798 §4.4.2). */
function aggregate(units: Uint8Array, writer: NalWriter): boolean {
  if (writer.isInsideUnit) return false
  let at = 0
  while (at + 2 < units.length) {
    const end = at + 2 + uint16(units, at)
    if (end === at + 2 || end > units.length) return false
    writer.whole(units.subarray(at + 2, end))
    at = end
  }
  return at === units.length
}

interface Fragment {
  readonly isStart: boolean
  readonly isEnd: boolean
  /** The header of the whole unit, which fragments do not repeat. */
  readonly header: readonly number[]
  readonly piece: Uint8Array
}

function continueUnit(writer: NalWriter, { isStart, isEnd, header, piece }: Fragment): boolean {
  if (isStart === writer.isInsideUnit) return false
  if (isStart) {
    writer.begin()
    writer.append(Uint8Array.from(header))
  }
  writer.append(piece)
  if (isEnd) writer.end()
  return true
}
