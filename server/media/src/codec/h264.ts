import type { TrackConfig } from '../frame/index.ts'
import { BitReader, unescapeNal } from './bit-reader.ts'
import { findSeiPayload, MAX_RECOVERY_PICTURES, RECOVERY_POINT } from './sei.ts'

/** nal_unit_type (H.264 table 7-1), as far as a recorder must know it. */
export const H264_NAL = {
  slice: 1,
  partitionA: 2,
  idr: 5,
  sei: 6,
  sps: 7,
  pps: 8,
  delimiter: 9,
  stapA: 24,
  fuA: 28,
} as const

export interface H264Sps {
  readonly profile: number
  readonly constraints: number
  readonly level: number
  /** Pixels shown, after cropping. */
  readonly width: number
  readonly height: number
  /** Pictures per second if the camera states it; it may lie. */
  readonly frameRate?: number
  /** How many pictures may be decoded before one that is shown earlier; absent if the camera doesn't state it. */
  readonly reorderDepth?: number
}

const MAX_PARAMETER_SET_BYTES = 4096
const MAX_SIDE = 16_384
/** profile_idc without B pictures (H.264 §A.2.1). */
const BASELINE = 66
/** MaxDpbFrames is never more (H.264 §A.3.1). */
const MAX_REORDER_DEPTH = 16
/** pic_order_cnt_type of a stream that is shown in the order in which it is decoded (H.264 §8.2.1.3). */
const ORDER_OF_DECODING = 2
export const PROFILES_WITH_CHROMA = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135])

export const h264NalType = (nal: Uint8Array): number => (nal[0] ?? 0) & 0x1f

export const isH264Slice = (type: number): boolean => type >= H264_NAL.slice && type <= H264_NAL.idr

/** A slice whose first macroblock is 0 begins a picture: ue(v) of zero is a single set bit (H.264 §7.3.3). */
export const startsH264Picture = (slice: Uint8Array): boolean => ((slice[1] ?? 0) & 0x80) !== 0

/**
 * How many pictures after this one all is as it was sent, if a decoder starts here: 0 at an IDR, recovery_frame_cnt at a
 * recovery point (H.264 §D.2.8); undefined if it can't start here. Pictures without reference aren't counted by cameras.
 */
export function getH264Recovery(nals: readonly Uint8Array[]): number | undefined {
  if (nals.some((nal) => h264NalType(nal) === H264_NAL.idr)) return 0
  for (const nal of nals) {
    const payload = h264NalType(nal) === H264_NAL.sei ? findSeiPayload(nal.subarray(1), RECOVERY_POINT) : undefined
    if (payload === undefined) continue
    const reader = new BitReader(payload)
    const pictures = reader.unsignedGolomb()
    return reader.overrun || pictures > MAX_RECOVERY_PICTURES ? undefined : pictures
  }
  return undefined
}

/** Reads a sequence parameter set (H.264 §7.3.2.1.1), header byte included; undefined if it is not one or is cut short. */
export function parseH264Sps(nal: Uint8Array): H264Sps | undefined {
  if (h264NalType(nal) !== H264_NAL.sps || nal.length < 4) return undefined
  const reader = new BitReader(unescapeNal(nal.subarray(1), MAX_PARAMETER_SET_BYTES))
  const profile = reader.bits(8)
  const constraints = reader.bits(8)
  const level = reader.bits(8)
  reader.unsignedGolomb() // seq_parameter_set_id
  const chroma = PROFILES_WITH_CHROMA.has(profile) ? readChroma(reader) : 1
  reader.unsignedGolomb() // log2_max_frame_num_minus4
  const orderKind = skipPictureOrder(reader)
  reader.unsignedGolomb() // max_num_ref_frames
  reader.skip(1) // gaps_in_frame_num_value_allowed_flag
  const size = readSize(reader, chroma)
  if (reader.overrun || size === undefined) return undefined
  const sps = { profile, constraints, level, ...size, ...readUsability(reader) }
  return profile === BASELINE || orderKind === ORDER_OF_DECODING ? { ...sps, reorderDepth: 0 } : sps
}

/** From chroma_format_idc up to the scaling lists; returns chroma_format_idc. */
export function readChroma(reader: BitReader): number {
  const chroma = reader.unsignedGolomb()
  if (chroma === 3) reader.skip(1) // separate_colour_plane_flag
  reader.unsignedGolomb() // bit_depth_luma_minus8
  reader.unsignedGolomb() // bit_depth_chroma_minus8
  reader.skip(1) // qpprime_y_zero_transform_bypass_flag
  if (reader.flag()) {
    const lists = chroma === 3 ? 12 : 8
    for (let list = 0; list < lists; list++) if (reader.flag()) skipScalingList(reader, list < 6 ? 16 : 64)
  }
  return chroma
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8
  let next = 8
  for (let i = 0; i < size && next !== 0 && !reader.overrun; i++) {
    next = (last + reader.signedGolomb() + 256) % 256
    last = next === 0 ? last : next
  }
}

/** Returns pic_order_cnt_type. */
function skipPictureOrder(reader: BitReader): number {
  const kind = reader.unsignedGolomb()
  if (kind === 0) reader.unsignedGolomb() // log2_max_pic_order_cnt_lsb_minus4
  if (kind !== 1) return kind
  reader.skip(1) // delta_pic_order_always_zero_flag
  reader.signedGolomb() // offset_for_non_ref_pic
  reader.signedGolomb() // offset_for_top_to_bottom_field
  const cycle = Math.min(reader.unsignedGolomb(), 255)
  for (let i = 0; i < cycle && !reader.overrun; i++) reader.signedGolomb()
  return kind
}

function readSize(reader: BitReader, chroma: number): { width: number; height: number } | undefined {
  const codedWidth = (reader.unsignedGolomb() + 1) * 16
  const mapUnits = reader.unsignedGolomb() + 1
  const fieldFactor = reader.flag() ? 1 : 2
  if (fieldFactor === 2) reader.skip(1) // mb_adaptive_frame_field_flag
  const codedHeight = mapUnits * 16 * fieldFactor
  reader.skip(1) // direct_8x8_inference_flag
  let width = codedWidth
  let height = codedHeight
  if (reader.flag()) {
    const unitX = chroma === 1 || chroma === 2 ? 2 : 1
    const unitY = (chroma === 1 ? 2 : 1) * fieldFactor
    width -= (reader.unsignedGolomb() + reader.unsignedGolomb()) * unitX
    height -= (reader.unsignedGolomb() + reader.unsignedGolomb()) * unitY
  }
  return width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE ? { width, height } : undefined
}

/** The VUI's value (H.264 §E.1.1). A camera that truncates the VUI has stated nothing more. */
function readUsability(reader: BitReader): Pick<H264Sps, 'frameRate' | 'reorderDepth'> {
  if (!reader.flag()) return {}
  if (reader.flag() && reader.bits(8) === 255) reader.skip(32) // extended sample aspect ratio
  if (reader.flag()) reader.skip(1) // overscan
  if (reader.flag()) {
    reader.skip(4) // video_format, video_full_range_flag
    if (reader.flag()) reader.skip(24) // colour description
  }
  if (reader.flag()) {
    reader.unsignedGolomb()
    reader.unsignedGolomb()
  }
  const frameRate = reader.flag() ? readFrameRate(reader) : undefined
  const reorderDepth = readReorderDepth(reader)
  return {
    ...(frameRate === undefined ? {} : { frameRate }),
    ...(reorderDepth === undefined ? {} : { reorderDepth }),
  }
}

function readFrameRate(reader: BitReader): number | undefined {
  const ticksPerField = reader.bits(32)
  const timeScale = reader.bits(32)
  reader.skip(1) // fixed_frame_rate_flag
  if (reader.overrun || ticksPerField === 0) return undefined
  const rate = timeScale / (2 * ticksPerField)
  return rate > 0 && rate <= 1000 ? rate : undefined
}

/** max_num_reorder_frames, behind the timing of the VUI. */
function readReorderDepth(reader: BitReader): number | undefined {
  const hasNalHrd = reader.flag()
  if (hasNalHrd) skipHrd(reader)
  const hasVclHrd = reader.flag()
  if (hasVclHrd) skipHrd(reader)
  if (hasNalHrd || hasVclHrd) reader.skip(1) // low_delay_hrd_flag
  reader.skip(1) // pic_struct_present_flag
  if (!reader.flag()) return undefined
  reader.skip(1) // motion_vectors_over_pic_boundaries_flag
  for (let i = 0; i < 4; i++) reader.unsignedGolomb() // sizes of pictures, macroblocks and motion vectors
  const depth = reader.unsignedGolomb()
  return reader.overrun || depth > MAX_REORDER_DEPTH ? undefined : depth
}

/** hrd_parameters() (H.264 §E.1.2). */
function skipHrd(reader: BitReader): void {
  const buffers = Math.min(reader.unsignedGolomb() + 1, 32)
  reader.skip(8) // bit_rate_scale, cpb_size_scale
  for (let i = 0; i < buffers && !reader.overrun; i++) {
    reader.unsignedGolomb()
    reader.unsignedGolomb()
    reader.skip(1)
  }
  reader.skip(20) // lengths of the delays
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')

/** The track these parameter sets describe; undefined if the sequence parameter set cannot be read. */
export function h264Track(
  sps: Uint8Array,
  pps: readonly Uint8Array[],
): Extract<TrackConfig, { kind: 'video' }> | undefined {
  const parsed = parseH264Sps(sps)
  if (parsed === undefined) return undefined
  const { profile, constraints, level, width, height } = parsed
  const codecString = `avc1.${hex(profile)}${hex(constraints)}${hex(level)}`
  return { kind: 'video', codec: 'h264', codecString, width, height, parameterSets: [sps, ...pps] }
}
