import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { BitReader, unescapeNal } from './bit-reader.ts'
import { H264_NAL, h264NalType, isH264Slice, PROFILES_WITH_CHROMA, readChroma } from './h264.ts'
import { RbspWriter } from './rbsp-writer.ts'

/** What slices of a stream look like (H.264 §7.3.2.1.1). */
interface Coding {
  readonly spsId: number
  readonly frameNumBits: number
  /** 0 unless the order is counted by the low bits of the slice header. */
  readonly orderBits: number
  readonly hasDeltas: boolean
  readonly macroblocks: number
}

const MAX_SET_BYTES = 4096
const MAX_MACROBLOCKS = 139_264
/** Of the parameter sets that are made here; cameras count from 0. */
const PPS_IDS = [255, 254]
const PPS_HEADER = 0x68
const IDR_HEADER = 0x65
const ALL_INTRA = 7
/**
 * mb_type 3 (16×16, predicted from the mean, nothing coded), intra_chroma_pred_mode 0, mb_qp_delta 0, coeff_token of no
 * coefficients: mid-grey where there are no neighbors, and then everywhere.
 */
const GREY_MACROBLOCK = 0b0010_0111

/**
 * A gray IDR picture a tick before a recovery point: browsers decode nothing before an IDR, and streams that refresh
 * gradually have none. Undefined where none is needed or can be made: for H.265, and for streams of fields, without
 * chroma, or with chroma of full size.
 */
export function makeGreyStart(recoveryPoint: AccessUnit, track: TrackConfig | undefined): AccessUnit | undefined {
  if (recoveryPoint.recovery === undefined || track?.kind !== 'video' || track.codec !== 'h264') return undefined
  const units = greyPicture(track.parameterSets, recoveryPoint.units)
  const { wallClock, time } = recoveryPoint
  return units && { kind: 'video', time: Math.max(time - 1, 0), wallClock, isKey: true, units }
}

/** Its own picture parameter set and one slice. */
function greyPicture(
  parameterSets: readonly Uint8Array[],
  first: readonly Uint8Array[],
): readonly Uint8Array[] | undefined {
  const sps = parameterSets.find((set) => h264NalType(set) === H264_NAL.sps)
  const slice = first.find((nal) => isH264Slice(h264NalType(nal)))
  const coding = sps && readCoding(sps)
  if (coding === undefined || slice === undefined) return undefined
  const used = parameterSets.filter((set) => h264NalType(set) === H264_NAL.pps).map(ppsId)
  const id = PPS_IDS.find((candidate) => !used.includes(candidate)) ?? 255
  return [greyPps(id, coding.spsId), greySlice(id, coding, readOrder(slice, coding))]
}

const ppsId = (pps: Uint8Array): number => new BitReader(pps.subarray(1)).unsignedGolomb()

function readCoding(sps: Uint8Array): Coding | undefined {
  const reader = new BitReader(unescapeNal(sps.subarray(1), MAX_SET_BYTES))
  const profile = reader.bits(8)
  reader.skip(16) // constraints, level
  const spsId = reader.unsignedGolomb()
  const chroma = PROFILES_WITH_CHROMA.has(profile) ? readChroma(reader) : 1
  const frameNumBits = reader.unsignedGolomb() + 4
  const kind = reader.unsignedGolomb()
  const orderBits = kind === 0 ? reader.unsignedGolomb() + 4 : 0
  const hasDeltas = kind === 1 && !reader.flag()
  if (kind === 1) {
    reader.signedGolomb() // offset_for_non_ref_pic
    reader.signedGolomb() // offset_for_top_to_bottom_field
    const cycle = Math.min(reader.unsignedGolomb(), 255)
    for (let i = 0; i < cycle; i++) reader.signedGolomb()
  }
  reader.unsignedGolomb() // max_num_ref_frames
  reader.skip(1) // gaps_in_frame_num_value_allowed_flag
  const macroblocks = (reader.unsignedGolomb() + 1) * (reader.unsignedGolomb() + 1)
  const hasFramesOnly = reader.flag()
  const isKnown = hasFramesOnly && (chroma === 1 || chroma === 2) && frameNumBits <= 16 && orderBits <= 16
  if (reader.overrun || !isKnown || macroblocks > MAX_MACROBLOCKS) return undefined
  return { spsId, frameNumBits, orderBits, hasDeltas, macroblocks }
}

/** pic_order_cnt_lsb of the picture before this one: twice one less, as frames count. */
function readOrder(slice: Uint8Array, { frameNumBits, orderBits }: Coding): number {
  const reader = new BitReader(unescapeNal(slice.subarray(1, 33), 32))
  reader.unsignedGolomb() // first_mb_in_slice
  reader.unsignedGolomb() // slice_type
  reader.unsignedGolomb() // pic_parameter_set_id
  reader.skip(frameNumBits)
  const order = orderBits === 0 ? 0 : reader.bits(orderBits)
  const size = 2 ** orderBits
  return (order - 2 + size) % size
}

function greyPps(id: number, spsId: number): Uint8Array {
  const writer = new RbspWriter()
  writer.unsignedGolomb(id)
  writer.unsignedGolomb(spsId)
  writer.bits(0, 2) // CAVLC, no second field
  writer.unsignedGolomb(0) // one slice group
  writer.unsignedGolomb(0) // num_ref_idx_l0_default_active_minus1
  writer.unsignedGolomb(0) // num_ref_idx_l1_default_active_minus1
  writer.bits(0, 3) // no weighted prediction
  for (let i = 0; i < 3; i++) writer.unsignedGolomb(0) // quantization as usual
  writer.bits(0, 3) // no control of deblocking, no constrained prediction, no redundant pictures
  return writer.toNal(PPS_HEADER)
}

function greySlice(id: number, { frameNumBits, orderBits, hasDeltas, macroblocks }: Coding, order: number): Uint8Array {
  const writer = new RbspWriter()
  writer.unsignedGolomb(0) // first_mb_in_slice
  writer.unsignedGolomb(ALL_INTRA)
  writer.unsignedGolomb(id)
  writer.bits(0, frameNumBits)
  writer.unsignedGolomb(0) // idr_pic_id
  writer.bits(order, orderBits)
  if (hasDeltas) writer.unsignedGolomb(0)
  writer.bits(0, 2) // dec_ref_pic_marking
  writer.unsignedGolomb(0) // slice_qp_delta
  for (let i = 0; i < macroblocks; i++) writer.bits(GREY_MACROBLOCK, 8)
  return writer.toNal(IDR_HEADER)
}
