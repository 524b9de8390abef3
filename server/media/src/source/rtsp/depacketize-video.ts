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
  if (type === H264_NAL.fuA) return continueUnit(payload, 1, writer, (header & 0xe0) | ((payload[1] ?? 0) & 0x1f))
  if (writer.isInsideUnit) return false
  const units = splitUnits(payload, type >= H264_NAL.sei && type <= H264_NAL.delimiter)
  if (units === undefined && (type === 0 || type > H264_NAL.stapA)) return false
  for (const unit of units ?? [payload]) writer.whole(unit)
  return true
}

/** RFC 7798: single unit, aggregation packet, fragmentation unit; without decoding order numbers, which need sprop-max-don-diff. */
export function depacketizeH265(payload: Uint8Array, writer: NalWriter): boolean {
  const first = payload[0] ?? 0
  const second = payload[1] ?? 0
  const type = (first >> 1) & 0x3f
  if (payload.length < 3) return false
  if (type === H265_NAL.aggregation) return aggregate(payload.subarray(2), writer)
  if (type === H265_NAL.fragment) {
    const firstOfUnit = (first & 0x81) | (((payload[2] ?? 0) & 0x3f) << 1)
    return continueUnit(payload, 2, writer, (firstOfUnit << 8) | second)
  }
  if (writer.isInsideUnit) return false
  const units = splitUnits(payload, type >= H265_NAL.vps && type < H265_NAL.aggregation)
  if (units === undefined && type > H265_NAL.aggregation) return false
  for (const unit of units ?? [payload]) writer.whole(unit)
  return true
}

/**
 * Some cameras send units with start codes (H.264 annex B), several in one packet, which RTP doesn't have. Undefined if
 * there are none. They are looked for at the beginning, and inside units that aren't slices.
 */
function splitUnits(payload: Uint8Array, mayHoldSeveral: boolean): readonly Uint8Array[] | undefined {
  const isAnnexB = payload[0] === 0 && payload[1] === 0 && (payload[2] === 1 || (payload[2] === 0 && payload[3] === 1))
  if (!isAnnexB && !mayHoldSeveral) return undefined
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
  const units: Uint8Array[] = []
  let start = isAnnexB ? -1 : 0
  for (let code = bytes.indexOf(START_CODE); code >= 0; code = bytes.indexOf(START_CODE, code + START_CODE.length)) {
    if (start >= 0) units.push(withoutZeros(payload.subarray(start, code)))
    start = code + START_CODE.length
  }
  if (units.length === 0 && !isAnnexB) return undefined
  return [...units, payload.subarray(start)].filter((unit) => unit.length > 0)
}

const START_CODE = Buffer.from([0, 0, 1])

/** The zero before a long start code doesn't belong to the unit. */
const withoutZeros = (unit: Uint8Array): Uint8Array => (unit.at(-1) === 0 ? unit.subarray(0, -1) : unit)

/** Units one after another, each behind its size in two bytes (RFC 6184 §5.7.1, RFC 7798 §4.4.2). */
function aggregate(units: Uint8Array, writer: NalWriter): boolean {
  if (writer.isInsideUnit) return false
  let at = 0
  while (at + 2 <= units.length) {
    const end = at + 2 + uint16(units, at)
    if (end > units.length) return false
    // Some cameras send units without content.
    if (end > at + 2) writer.whole(units.subarray(at + 2, end))
    at = end
  }
  return at === units.length
}

/** Adds a fragment. `header` is that of the whole unit, which fragments don't repeat; it is as long as what is before the fragment's own. */
function continueUnit(payload: Uint8Array, headerBytes: 1 | 2, writer: NalWriter, header: number): boolean {
  const fragment = payload[headerBytes]
  if (fragment === undefined) return false
  const isStart = (fragment & START) !== 0
  if (isStart === writer.isInsideUnit) return false
  if (isStart) {
    writer.begin()
    if (headerBytes === 2) writer.byte(header >> 8)
    writer.byte(header & 0xff)
  }
  writer.append(payload, headerBytes + 1)
  if ((fragment & END) !== 0) writer.end()
  return true
}

/** Whether a packet begins another picture if the one before is whole (H.264 §7.4.1.2.3). */
export function startsH264Unit(payload: Uint8Array): boolean {
  const type = (payload[0] ?? 0) & 0x1f
  if (type === H264_NAL.stapA) return startsH264Unit(payload.subarray(3))
  const isFragment = type === H264_NAL.fuA
  if (isFragment && ((payload[1] ?? 0) & START) === 0) return false
  const unitType = isFragment ? (payload[1] ?? 0) & 0x1f : type
  if (unitType >= H264_NAL.sei) return unitType <= H264_NAL.delimiter
  return ((payload[isFragment ? 2 : 1] ?? 0) & 0x80) !== 0
}

/** The same for H.265 (§7.4.2.4.4). */
export function startsH265Unit(payload: Uint8Array): boolean {
  const type = ((payload[0] ?? 0) >> 1) & 0x3f
  if (type === H265_NAL.aggregation) return startsH265Unit(payload.subarray(4))
  const isFragment = type === H265_NAL.fragment
  if (isFragment && ((payload[2] ?? 0) & START) === 0) return false
  const unitType = isFragment ? (payload[2] ?? 0) & 0x3f : type
  if (unitType >= H265_NAL.vps) return unitType < H265_NAL.aggregation
  return ((payload[isFragment ? 3 : 2] ?? 0) & 0x80) !== 0
}
