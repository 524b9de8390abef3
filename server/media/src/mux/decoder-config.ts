/** What a decoder must know before the first picture: AVCDecoderConfigurationRecord and HEVCDecoderConfigurationRecord (ISO 14496-15). */
import { BitReader, H264_NAL, H265_NAL, h264NalType, h265NalType, parseH265Sps, unescapeNal } from '../codec/index.ts'
import { join, u8, u16, u32 } from './box-writer.ts'

const HEVC_PARAMETER_SETS = [H265_NAL.vps, H265_NAL.sps, H265_NAL.pps] as const

/** H.264 profiles whose record contains chroma format and bit depths (ISO 14496-15 §5.3.3.1.2). */
const PROFILES_WITH_CHROMA = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 134, 135, 138, 139, 144])

/**
 * Chroma format and bit depths for the end of `avcC`, from the SPS; 4:2:0 with 8 bits if it is truncated, as it can't
 * be decoded then anyway.
 */
function chromaOf(sps: Uint8Array): readonly number[] {
  const bits = new BitReader(unescapeNal(sps.subarray(4), 64))
  bits.unsignedGolomb()
  const format = bits.unsignedGolomb()
  if (format === 3) bits.skip(1)
  const lumaMinus8 = bits.unsignedGolomb()
  const chromaMinus8 = bits.unsignedGolomb()
  return bits.overrun || format > 3 ? [0xfd, 0xf8, 0xf8, 0] : [0xfc | format, 0xf8 | lumaMinus8, 0xf8 | chromaMinus8, 0]
}

/**
 * `avcC` content. Needs at least one SPS of four bytes and one PPS.
 *
 * @throws if a set is missing: such a stream can't be decoded.
 */
export function avcConfig(parameterSets: readonly Uint8Array[]): Uint8Array {
  const spsList = parameterSets.filter((nal) => h264NalType(nal) === H264_NAL.sps)
  const ppsList = parameterSets.filter((nal) => h264NalType(nal) === H264_NAL.pps)
  const [sps] = spsList
  if (sps === undefined || sps.length < 4 || ppsList.length === 0) {
    throw new Error(`H.264 track needs an SPS and a PPS; got ${spsList.length} SPS and ${ppsList.length} PPS`)
  }
  const list = (nals: readonly Uint8Array[]) => nals.flatMap((nal) => [u16(nal.length), nal])
  const record = [
    [1, sps[1] ?? 0, sps[2] ?? 0, sps[3] ?? 0, 0xff],
    u8(0xe0 | spsList.length),
    ...list(spsList),
    u8(ppsList.length),
    ...list(ppsList),
  ]
  if (PROFILES_WITH_CHROMA.has(sps[1] ?? 0)) record.push(chromaOf(sps))
  return join(record)
}

/**
 * `hvcC` content (ISO 14496-15 §8.3.3.1). Needs VPS, SPS and PPS.
 * @throws when one is missing or the SPS cannot be read.
 */
export function hevcConfig(parameterSets: readonly Uint8Array[]): Uint8Array {
  const arrays = HEVC_PARAMETER_SETS.map((type) => ({
    type,
    nals: parameterSets.filter((nal) => h265NalType(nal) === type),
  }))
  const sps = parseH265Sps(arrays[1]?.nals[0] ?? new Uint8Array(0))
  if (sps === undefined || arrays.some((array) => array.nals.length === 0)) {
    const counts = arrays.map((array) => array.nals.length).join(', ')
    throw new Error(`H.265 track needs a VPS, a readable SPS and a PPS; got ${counts}`)
  }
  const { profile } = sps
  return join([
    u8(1),
    u8((profile.space << 6) | (profile.tier << 5) | profile.idc),
    u32(profile.compatibility),
    profile.constraints,
    u8(profile.level),
    u16(0xf0_00),
    [0xfc, 0xfc | sps.chromaFormat, 0xf8 | (sps.bitDepthLuma - 8), 0xf8 | (sps.bitDepthChroma - 8)],
    u16(0),
    u8((sps.subLayers << 3) | (sps.temporalIdNested ? 4 : 0) | 3),
    u8(arrays.length),
    ...arrays.flatMap(({ type, nals }) => [
      u8(0x80 | type),
      u16(nals.length),
      ...nals.flatMap((nal) => [u16(nal.length), nal]),
    ]),
  ])
}

/** The NAL units inside `avcC`. Every count and length is checked against the available bytes. */
export function parameterSetsOfAvc(config: Uint8Array): Record<'sps' | 'pps', readonly Uint8Array[]> {
  const reader = new NalListReader(config, 5)
  const sps = reader.nals(reader.byte() & 0x1f)
  return { sps, pps: reader.nals(reader.byte()) }
}

/** The NAL units inside `hvcC`: one list for each of VPS, SPS and PPS. */
export function parameterSetsOfHevc(config: Uint8Array): readonly (readonly Uint8Array[])[] {
  const reader = new NalListReader(config, 22)
  const lists: (readonly Uint8Array[])[] = []
  for (let arrays = reader.byte(); arrays > 0; arrays--) {
    reader.byte()
    lists.push(reader.nals(reader.short()))
  }
  return lists
}

class NalListReader {
  readonly #bytes: Uint8Array
  #at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  byte(): number {
    const value = this.#bytes[this.#at++]
    if (value === undefined) throw new Error(`decoder configuration ends after ${this.#bytes.length} bytes`)
    return value
  }

  short(): number {
    return this.byte() * 256 + this.byte()
  }

  nals(count: number): readonly Uint8Array[] {
    const found: Uint8Array[] = []
    for (let i = 0; i < count; i++) {
      const size = this.short()
      if (this.#at + size > this.#bytes.length) {
        throw new Error(`decoder configuration names a NAL unit of ${size} bytes beyond its end`)
      }
      found.push(this.#bytes.slice(this.#at, this.#at + size))
      this.#at += size
    }
    return found
  }
}
