import { BitReader } from './bit-stream.ts'
import { toPayload } from './nal-unit.ts'

/** What the simulator needs of a sequence parameter set (ITU-T H.264 §7.3.2.1.1). Sizes in macroblocks and pixels. */
export interface SequenceParameters {
  readonly profileLevel: string
  readonly widthInMacroblocks: number
  readonly heightInMacroblocks: number
  readonly width: number
  readonly height: number
  readonly frameNumberBits: number
  readonly orderCountType: number
  readonly orderCountBits: number
  readonly deltaOrderAlwaysZero: boolean
  readonly framesOnly: boolean
}

const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128])

function skipHighProfileFields(bits: BitReader): void {
  const chromaFormat = bits.ue()
  if (chromaFormat !== 1) throw new Error(`H.264: chroma_format_idc ${chromaFormat}, only 4:2:0 (1) is understood`)
  bits.ue()
  bits.ue()
  bits.bit()
  if (bits.bit() === 1) throw new Error('H.264: scaling matrices are not understood')
}

function readOrderCount(bits: BitReader) {
  const orderCountType = bits.ue()
  if (orderCountType === 0) return { orderCountType, orderCountBits: bits.ue() + 4, deltaOrderAlwaysZero: false }
  if (orderCountType === 2) return { orderCountType, orderCountBits: 0, deltaOrderAlwaysZero: false }
  const deltaOrderAlwaysZero = bits.bit() === 1
  bits.se()
  bits.se()
  const cycle = bits.ue()
  for (let i = 0; i < cycle; i += 1) bits.se()
  return { orderCountType, orderCountBits: 0, deltaOrderAlwaysZero }
}

function readCropping(bits: BitReader) {
  if (bits.bit() === 0) return { horizontal: 0, vertical: 0 }
  const [left, right, top, bottom] = [bits.ue(), bits.ue(), bits.ue(), bits.ue()]
  return { horizontal: 2 * (left + right), vertical: 2 * (top + bottom) }
}

/** Throws if the set is broken or has something that the simulator doesn't support. */
export function readSequenceParameters(nal: Uint8Array): SequenceParameters {
  const bits = new BitReader(toPayload(nal))
  bits.bits(8)
  const [profile, constraints, level] = [bits.bits(8), bits.bits(8), bits.bits(8)]
  bits.ue()
  if (HIGH_PROFILES.has(profile)) skipHighProfileFields(bits)
  const frameNumberBits = bits.ue() + 4
  const order = readOrderCount(bits)
  bits.ue()
  bits.bit()
  const widthInMacroblocks = bits.ue() + 1
  const heightInMapUnits = bits.ue() + 1
  const framesOnly = bits.bit() === 1
  if (!framesOnly) bits.bit()
  bits.bit()
  const heightInMacroblocks = framesOnly ? heightInMapUnits : heightInMapUnits * 2
  const cropping = readCropping(bits)
  return {
    profileLevel: [profile, constraints, level].map((value) => value.toString(16).padStart(2, '0')).join(''),
    widthInMacroblocks,
    heightInMacroblocks,
    width: widthInMacroblocks * 16 - cropping.horizontal,
    height: heightInMacroblocks * 16 - cropping.vertical,
    frameNumberBits,
    ...order,
    framesOnly,
  }
}

/** What the simulator needs of a picture parameter set (§7.3.2.2). */
export interface PictureParameters {
  readonly coding: 'cavlc' | 'cabac'
  readonly bottomFieldOrderPresent: boolean
  readonly referencesByDefault: number
  readonly weightedPrediction: boolean
  readonly deblockingControlPresent: boolean
  readonly redundantCountPresent: boolean
}

export function readPictureParameters(nal: Uint8Array): PictureParameters {
  const bits = new BitReader(toPayload(nal))
  bits.bits(8)
  bits.ue()
  bits.ue()
  const coding = bits.bit() === 1 ? 'cabac' : 'cavlc'
  const bottomFieldOrderPresent = bits.bit() === 1
  if (bits.ue() !== 0) throw new Error('H.264: slice groups are not understood')
  const referencesByDefault = bits.ue() + 1
  bits.ue()
  const weightedPrediction = bits.bit() === 1
  bits.bits(2)
  bits.se()
  bits.se()
  bits.se()
  const deblockingControlPresent = bits.bit() === 1
  bits.bit()
  const redundantCountPresent = bits.bit() === 1
  return {
    coding,
    bottomFieldOrderPresent,
    referencesByDefault,
    weightedPrediction,
    deblockingControlPresent,
    redundantCountPresent,
  }
}
