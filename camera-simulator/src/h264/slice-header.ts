import { BitReader, BitWriter } from './bit-stream.ts'
import { getNalType, nalType, toNalUnit, toPayload } from './nal-unit.ts'
import type { PictureParameters, SequenceParameters } from './parameter-sets.ts'

/** A slice header read as far as it must be to put another slice of the same picture in its place (ITU-T H.264 §7.3.3). */
export interface SliceHeader {
  readonly firstMacroblock: number
  readonly kind: 'P' | 'I'
  /** idr_pic_id and the position of its code, in bits of the raw payload; absent outside of IDR pictures. */
  readonly keyPictureId: { readonly value: number; readonly from: number; readonly to: number } | undefined
  readonly references: number
  readonly deblocking: 'on' | 'off' | 'within the slice'
  /** Length of NAL header and slice header together, in bits of the raw payload. */
  readonly bits: number
}

export interface DecodedParameterSets {
  readonly sequence: SequenceParameters
  readonly picture: PictureParameters
}

function kindOf(sliceType: number): 'P' | 'I' {
  if (sliceType % 5 === 0) return 'P'
  if (sliceType % 5 === 2) return 'I'
  throw new Error(`H.264: slice_type ${sliceType}; a clip for the simulator has P and I slices only`)
}

function skipReferenceListChanges(bits: BitReader): void {
  if (bits.bit() === 0) return
  while (bits.ue() !== 3) bits.ue()
}

function skipReferenceMarking(bits: BitReader, isKey: boolean): void {
  if (isKey) {
    bits.bits(2)
    return
  }
  if (bits.bit() === 0) return
  for (let operation = bits.ue(); operation !== 0; operation = bits.ue()) {
    if (operation !== 5) bits.ue()
    if (operation === 3) bits.ue()
  }
}

function skipOrderCount(bits: BitReader, { sequence, picture }: DecodedParameterSets): void {
  if (sequence.orderCountType === 0) {
    bits.bits(sequence.orderCountBits)
    if (picture.bottomFieldOrderPresent) bits.se()
  }
  if (sequence.orderCountType === 1 && !sequence.deltaOrderAlwaysZero) {
    bits.se()
    if (picture.bottomFieldOrderPresent) bits.se()
  }
}

function readDeblocking(bits: BitReader, picture: PictureParameters): SliceHeader['deblocking'] {
  const code = picture.deblockingControlPresent ? bits.ue() : 0
  if (code === 1) return 'off'
  if (picture.deblockingControlPresent) {
    bits.se()
    bits.se()
  }
  return code === 0 ? 'on' : 'within the slice'
}

/** More than a slice header has: the rest of a slice is a thousand times as long. */
const HEADER_BYTES = 256

/** Unescaped from the beginning of the NAL unit as far as {@link readSliceHeader} may read. */
export const headerPayload = (nal: Uint8Array): Uint8Array => toPayload(nal.subarray(0, HEADER_BYTES))

/**
 * `raw` is the unescaped NAL unit, or its beginning. Throws on anything that a clip for the simulator must not contain
 * (fields, B slices, weights).
 */
export function readSliceHeader(raw: Uint8Array, parameters: DecodedParameterSets): SliceHeader {
  const { sequence, picture } = parameters
  if (!sequence.framesOnly) throw new Error('H.264: interlaced clips are not understood')
  const isKey = getNalType(raw) === nalType.keySlice
  const bits = new BitReader(raw)
  bits.bits(8)
  const firstMacroblock = bits.ue()
  const kind = kindOf(bits.ue())
  bits.ue()
  bits.bits(sequence.frameNumberBits)
  const idFrom = bits.position
  const idValue = isKey ? bits.ue() : 0
  const keyPictureId = isKey ? { value: idValue, from: idFrom, to: bits.position } : undefined
  skipOrderCount(bits, parameters)
  if (picture.redundantCountPresent) bits.ue()
  let references = kind === 'P' ? picture.referencesByDefault : 0
  if (kind === 'P') {
    if (picture.weightedPrediction)
      throw new Error('H.264: weighted prediction is not understood (encode with weightp=0)')
    if (bits.bit() === 1) references = bits.ue() + 1
    skipReferenceListChanges(bits)
  }
  if (((raw[0] ?? 0) & 0x60) !== 0) skipReferenceMarking(bits, isKey)
  bits.se()
  const deblocking = readDeblocking(bits, picture)
  return { firstMacroblock, kind, keyPictureId, references, deblocking, bits: bits.position }
}

function payloadBits(raw: Uint8Array): number {
  const last = raw[raw.length - 1] ?? 0
  return raw.length * 8 - (31 - Math.clz32(last & -last)) - 1
}

/**
 * The same key slice with another idr_pic_id. Two IDR pictures in a row must differ in it (§7.4.3), which a clip played in a
 * loop breaks when its first and its last agree. Moves all the bits behind it: right for CAVLC without I_PCM macroblocks only.
 */
export function withKeyPictureId(nal: Buffer, id: number, parameters: DecodedParameterSets): Buffer {
  const { keyPictureId } = readSliceHeader(headerPayload(nal), parameters)
  if (keyPictureId === undefined || keyPictureId.value === id) return nal
  const { from, to } = keyPictureId
  const raw = toPayload(nal)
  const writer = new BitWriter()
  writer.copy(raw, 0, from)
  writer.ue(id)
  writer.copy(raw, to, payloadBits(raw) - to)
  return toNalUnit(writer.finish())
}
