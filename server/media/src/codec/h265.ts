import type { TrackConfig } from '../frame/index.ts'
import { BitReader, unescapeNal } from './bit-reader.ts'
import { findSeiPayload, MAX_RECOVERY_PICTURES, RECOVERY_POINT } from './sei.ts'

/** nal_unit_type (H.265 table 7-1) and the packet types of RFC 7798 §4.4. */
export const H265_NAL = {
  lastSlice: 31,
  firstIrap: 16,
  lastIrap: 21,
  vps: 32,
  sps: 33,
  pps: 34,
  delimiter: 35,
  sei: 39,
  aggregation: 48,
  fragment: 49,
} as const

/** Profile, tier and level, as the configuration record of a file wants them (ISO 14496-15 §8.3.2.1). */
export interface H265Profile {
  readonly space: number
  readonly tier: number
  readonly idc: number
  /** 32 flags, most significant first. */
  readonly compatibility: number
  /** The six bytes between the compatibility flags and the level. */
  readonly constraints: Uint8Array
  readonly level: number
}

export interface H265Sps {
  readonly profile: H265Profile
  /** Pixels shown, inside the conformance window. */
  readonly width: number
  readonly height: number
  readonly chromaFormat: number
  readonly bitDepthLuma: number
  readonly bitDepthChroma: number
  readonly subLayers: number
  readonly temporalIdNested: boolean
  /**
   * How many pictures may be decoded before one that is shown earlier (sps_max_num_reorder_pics); absent if it can't be
   * read.
   */
  readonly reorderDepth?: number
}

const MAX_PARAMETER_SET_BYTES = 4096
const MAX_SIDE = 16_384
/** maxDpbSize is never more (H.265 §A.4.2). */
const MAX_REORDER_DEPTH = 16

export const h265NalType = (nal: Uint8Array): number => ((nal[0] ?? 0) >> 1) & 0x3f

export const isH265Slice = (type: number): boolean => type <= H265_NAL.lastSlice

/** first_slice_segment_in_pic_flag (H.265 §7.3.6.1). */
export const startsH265Picture = (slice: Uint8Array): boolean => ((slice[2] ?? 0) & 0x80) !== 0

const isIrap = (type: number): boolean => type >= H265_NAL.firstIrap && type <= H265_NAL.lastIrap

/**
 * How many pictures after this one all is as it was sent, if a decoder starts here: 0 at an intra random access picture
 * (BLA, IDR or CRA), recovery_poc_cnt at a recovery point (H.265 §D.3.8); undefined if it can't start here.
 */
export function getH265Recovery(nals: readonly Uint8Array[]): number | undefined {
  if (nals.some((nal) => isIrap(h265NalType(nal)))) return 0
  for (const nal of nals) {
    const payload = h265NalType(nal) === H265_NAL.sei ? findSeiPayload(nal.subarray(2), RECOVERY_POINT) : undefined
    if (payload === undefined) continue
    const reader = new BitReader(payload)
    const pictures = Math.max(reader.signedGolomb(), 0)
    return reader.overrun || pictures > MAX_RECOVERY_PICTURES ? undefined : pictures
  }
  return undefined
}

/** Reads a sequence parameter set (H.265 §7.3.2.2.1), header included; undefined if it is not one or is cut short. */
export function parseH265Sps(nal: Uint8Array): H265Sps | undefined {
  if (h265NalType(nal) !== H265_NAL.sps || nal.length < 15) return undefined
  const reader = new BitReader(unescapeNal(nal.subarray(2), MAX_PARAMETER_SET_BYTES))
  reader.skip(4) // sps_video_parameter_set_id
  const subLayers = reader.bits(3) + 1
  const temporalIdNested = reader.flag()
  const profile = readProfile(reader, subLayers)
  reader.unsignedGolomb() // sps_seq_parameter_set_id
  const chromaFormat = reader.unsignedGolomb()
  if (chromaFormat === 3) reader.skip(1) // separate_colour_plane_flag
  const size = readSize(reader, chromaFormat)
  const bitDepthLuma = reader.unsignedGolomb() + 8
  const bitDepthChroma = reader.unsignedGolomb() + 8
  if (reader.overrun || size === undefined || chromaFormat > 3 || bitDepthLuma > 16 || bitDepthChroma > 16)
    return undefined
  const sps = { profile, ...size, chromaFormat, bitDepthLuma, bitDepthChroma, subLayers, temporalIdNested }
  const reorderDepth = readReorderDepth(reader, subLayers)
  return reorderDepth === undefined ? sps : { ...sps, reorderDepth }
}

/** That of the highest sub-layer, which is the last. */
function readReorderDepth(reader: BitReader, subLayers: number): number | undefined {
  reader.unsignedGolomb() // log2_max_pic_order_cnt_lsb_minus4
  let depth = 0
  for (let left = reader.flag() ? subLayers : 1; left > 0; left--) {
    reader.unsignedGolomb() // sps_max_dec_pic_buffering_minus1
    depth = reader.unsignedGolomb()
    reader.unsignedGolomb() // sps_max_latency_increase_plus1
  }
  return reader.overrun || depth > MAX_REORDER_DEPTH ? undefined : depth
}

/** profile_tier_level(1, …) of H.265 §7.3.3. */
function readProfile(reader: BitReader, subLayers: number): H265Profile {
  const space = reader.bits(2)
  const tier = reader.bit()
  const idc = reader.bits(5)
  const compatibility = reader.bits(32)
  const constraints = Uint8Array.from({ length: 6 }, () => reader.bits(8))
  const level = reader.bits(8)
  const present = Array.from({ length: subLayers - 1 }, () => ({ profile: reader.flag(), level: reader.flag() }))
  if (present.length > 0) reader.skip(2 * (8 - present.length))
  for (const layer of present) reader.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0))
  return { space, tier, idc, compatibility, constraints, level }
}

function readSize(reader: BitReader, chromaFormat: number): { width: number; height: number } | undefined {
  let width = reader.unsignedGolomb()
  let height = reader.unsignedGolomb()
  if (reader.flag()) {
    const unitX = chromaFormat === 1 || chromaFormat === 2 ? 2 : 1
    const unitY = chromaFormat === 1 ? 2 : 1
    width -= (reader.unsignedGolomb() + reader.unsignedGolomb()) * unitX
    height -= (reader.unsignedGolomb() + reader.unsignedGolomb()) * unitY
  }
  return width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE ? { width, height } : undefined
}

/** `hvc1.1.6.L93.b0` (ISO 14496-15 annex E.3). */
export function h265CodecString(profile: H265Profile): string {
  const space = ['', 'A', 'B', 'C'][profile.space] ?? ''
  const constraints = [...profile.constraints]
  while (constraints.at(-1) === 0) constraints.pop()
  const parts = [
    'hvc1',
    `${space}${profile.idc}`,
    reverseBits(profile.compatibility).toString(16),
    `${profile.tier === 1 ? 'H' : 'L'}${profile.level}`,
    ...constraints.map((byte) => byte.toString(16)),
  ]
  return parts.join('.')
}

function reverseBits(value: number): number {
  let reversed = 0
  for (let bit = 0; bit < 32; bit++) reversed = reversed * 2 + ((value >>> bit) & 1)
  return reversed
}

/** The parameter sets of one stream; a camera may send several PPS. */
export interface H265ParameterSets {
  readonly vps: Uint8Array
  readonly sps: Uint8Array
  readonly pps: readonly Uint8Array[]
}

/** The track these parameter sets describe; undefined if the sequence parameter set cannot be read. */
export function h265Track(sets: H265ParameterSets): Extract<TrackConfig, { kind: 'video' }> | undefined {
  const sps = parseH265Sps(sets.sps)
  if (sps === undefined) return undefined
  const { width, height } = sps
  const parameterSets = [sets.vps, sets.sps, ...sets.pps]
  return { kind: 'video', codec: 'h265', codecString: h265CodecString(sps.profile), width, height, parameterSets }
}
