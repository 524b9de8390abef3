import {
  BitReader,
  getH264Recovery,
  getH265Recovery,
  H264_NAL,
  H265_NAL,
  h264NalType,
  h264Track,
  h265NalType,
  h265Track,
  isH264Slice,
  isH265Slice,
  parseH264Sps,
  parseH265Sps,
  startsH264Picture,
  startsH265Picture,
} from '../../codec/index.ts'
import type { AccessUnit, TrackConfig } from '../../frame/index.ts'
import {
  type Depacketize,
  depacketizeH264,
  depacketizeH265,
  startsH264Unit,
  startsH265Unit,
} from './depacketize-video.ts'

export type VideoTrack = Extract<TrackConfig, { kind: 'video' }>

/** The differences between H.264 and H.265 that matter without decoding. */
export interface VideoFormat {
  readonly depacketize: Depacketize
  readonly isSlice: (nal: Uint8Array) => boolean
  readonly startsPicture: (slice: Uint8Array) => boolean
  /** The same for what a packet carries, which may begin with parameter sets. */
  readonly startsUnit: (payload: Uint8Array) => boolean
  /** See {@link AccessUnit.recovery}: 0 for a picture that a decoder needs nothing else for, undefined if it can't start there. */
  readonly recovery: (nals: readonly Uint8Array[]) => number | undefined
  readonly ppsId: (pps: Uint8Array) => number
  readonly setKind: (nal: Uint8Array) => 'vps' | 'sps' | 'pps' | undefined
  readonly track: (sets: ParameterSets) => VideoTrack | undefined
  /** How many pictures may be decoded before one that is shown earlier; undefined if it isn't stated. */
  readonly reorderDepth: (sps: Uint8Array) => number | undefined
}

export interface ParameterSets {
  readonly vps: Uint8Array | undefined
  readonly sps: Uint8Array | undefined
  readonly pps: readonly Uint8Array[]
}

const H264_SETS: Readonly<Record<number, 'sps' | 'pps'>> = { [H264_NAL.sps]: 'sps', [H264_NAL.pps]: 'pps' }
const H265_SETS: Readonly<Record<number, 'vps' | 'sps' | 'pps'>> = {
  [H265_NAL.vps]: 'vps',
  [H265_NAL.sps]: 'sps',
  [H265_NAL.pps]: 'pps',
}

export const h264Format: VideoFormat = {
  depacketize: depacketizeH264,
  isSlice: (nal) => isH264Slice(h264NalType(nal)),
  startsPicture: startsH264Picture,
  startsUnit: startsH264Unit,
  recovery: getH264Recovery,
  ppsId: (pps) => new BitReader(pps.subarray(1)).unsignedGolomb(),
  setKind: (nal) => H264_SETS[h264NalType(nal)],
  track: ({ sps, pps }) => (sps === undefined || pps.length === 0 ? undefined : h264Track(sps, pps)),
  reorderDepth: (sps) => parseH264Sps(sps)?.reorderDepth,
}

export const h265Format: VideoFormat = {
  depacketize: depacketizeH265,
  isSlice: (nal) => isH265Slice(h265NalType(nal)),
  startsPicture: startsH265Picture,
  startsUnit: startsH265Unit,
  recovery: getH265Recovery,
  ppsId: (pps) => new BitReader(pps.subarray(2)).unsignedGolomb(),
  setKind: (nal) => H265_SETS[h265NalType(nal)],
  track: ({ vps, sps, pps }) =>
    vps === undefined || sps === undefined || pps.length === 0 ? undefined : h265Track({ vps, sps, pps }),
  reorderDepth: (sps) => parseH265Sps(sps)?.reorderDepth,
}

const MAX_PPS = 8
const MAX_SET_BYTES = 4096

/** Follows the parameter sets of one stream, from the SDP and from the pictures. */
export class ParameterSetTracker {
  readonly #format: VideoFormat
  #sets: ParameterSets = { vps: undefined, sps: undefined, pps: [] }
  /** The track as last announced; undefined until there are enough readable sets. */
  track: VideoTrack | undefined

  constructor(format: VideoFormat) {
    this.#format = format
  }

  /** As in {@link VideoFormat}. */
  get reorderDepth(): number | undefined {
    const { sps } = this.#sets
    return sps && this.#format.reorderDepth(sps)
  }

  /** Stores the sets among these units. True if they describe another track than before. */
  take(nals: readonly Uint8Array[]): boolean {
    const before = this.#sets
    for (const nal of nals) {
      const kind = this.#format.setKind(nal)
      if (kind !== undefined && nal.length > 1 && nal.length <= MAX_SET_BYTES) this.#takeSet(kind, nal)
    }
    if (this.#sets === before) return false
    const track = this.#format.track(this.#sets)
    if (track === undefined) return false
    this.track = track
    return true
  }

  #takeSet(kind: 'vps' | 'sps' | 'pps', nal: Uint8Array): void {
    const sets = this.#sets
    if (kind === 'pps') {
      if (sets.pps.some((known) => isSame(known, nal))) return
      const id = this.#format.ppsId(nal)
      const others = sets.pps.filter((known) => this.#format.ppsId(known) !== id)
      this.#sets = { ...sets, pps: [...others, Uint8Array.from(nal)].slice(-MAX_PPS) }
      return
    }
    const known = sets[kind]
    if (known !== undefined && isSame(known, nal)) return
    // Copied, because it lives as long as the stream and would otherwise keep the pictures of the same buffer in
    // memory.
    this.#sets =
      kind === 'sps' ? { ...sets, sps: Uint8Array.from(nal), pps: [] } : { ...sets, vps: Uint8Array.from(nal) }
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
