import { type Box, getChildBox, readBoxes, toDataView } from './box-reader.ts'

/** Where a fragment goes in another file. */
export interface FragmentPlacement {
  /** Counts up from 1. */
  readonly sequence: number
  /** Ticks added to its times. */
  readonly shift: number
  /** Sound that would begin before this time of the other file is left out. */
  readonly soundFrom: number
  /** Samples that begin at or after this time of the other file are not shown: they stay, and players don't know of them. */
  readonly until?: number
  /** Where the next run of footage begins in the other file: the last sound before it ends there, although its frame is longer. */
  readonly soundTill?: number | undefined
  /** By the track of the fragment; undefined leaves the track out. */
  readonly trackOf: (track: number) => PlacedTrack | undefined
  /** `erased`: what is left out becomes zeros. `hidden`: its samples stay, and players pass over them. */
  readonly leftOut: 'erased' | 'hidden'
}

export interface PlacedTrack {
  /** Index of the track in the other file. */
  readonly track: number
  /** Number of the sample description there, from 1. */
  readonly format: number
  readonly isSound: boolean
}

/** By how much every fragment grows if formats are named; 0 otherwise. */
export const FORMAT_ROOM_BYTES = 16

const BOX_HEAD = 8
const HAS_FORMAT = 0x00_00_02
const FREE = 0x66_72_65_65
const TFHD_BYTES = 16

/**
 * Gives a fragment of `fragment` its place in another file, without touching a byte of its samples. What is left out becomes a
 * box that players skip, its samples zeros, so that the size doesn't depend on what is inside: a file of known fragments has a
 * known length before one of them is read.
 * @param bytes changed in place.
 * @param namesFormats the fragment names its sample description, and grows by {@link FORMAT_ROOM_BYTES}.
 * @throws when `bytes` is not one whole such fragment.
 */
export function placeFragment(
  bytes: Uint8Array,
  placement: FragmentPlacement,
  namesFormats: boolean,
): readonly Uint8Array[] {
  const [moof, mdat, ...more] = readBoxes(bytes)
  if (moof?.type !== 'moof' || mdat?.type !== 'mdat' || more.length > 0)
    throw new Error('fragment: expected one moof and one mdat')
  const boxes = readBoxes(moof.content)
  toDataView(getChildBox(boxes, 'mfhd').content).setUint32(4, placement.sequence)
  const formats: number[] = []
  for (const traf of boxes.filter(({ type }) => type === 'traf')) formats.push(placeTrack(bytes, moof, traf, placement))
  if (!namesFormats) return [bytes]
  return [withFormats(moof, boxes, formats), bytes.subarray(mdat.offset)]
}

/** Returns the number of the sample description, 0 for a track that is left out. */
function placeTrack(bytes: Uint8Array, moof: Box, traf: Box, placement: FragmentPlacement): number {
  const { shift, soundFrom, trackOf, leftOut, until } = placement
  const boxes = readBoxes(traf.content)
  const tfhd = toDataView(getChildBox(boxes, 'tfhd').content)
  const tfdt = toDataView(getChildBox(boxes, 'tfdt').content)
  const placed = trackOf(tfhd.getUint32(4) - 1)
  const time = Number(tfdt.getBigUint64(4)) + shift
  if (placed === undefined || (placed.isSound && time < soundFrom)) {
    if (leftOut === 'erased') eraseSamples(bytes, getChildBox(boxes, 'trun'))
    toDataView(moof.content).setUint32(traf.offset + 4, FREE)
    traf.content.fill(0)
    return 0
  }
  if (time < 0) throw new Error(`fragment: a picture at ${time}, before the file begins`)
  const trun = getChildBox(boxes, 'trun')
  const soundTill = placed.isSound ? placement.soundTill : undefined
  const end = Math.min(until ?? Number.POSITIVE_INFINITY, soundTill ?? Number.POSITIVE_INFINITY)
  const shown = Number.isFinite(end) ? countShown(trun, end - time) : undefined
  if (shown === 0) {
    toDataView(moof.content).setUint32(traf.offset + 4, FREE)
    traf.content.fill(0)
    return 0
  }
  if (shown !== undefined) hideSamples(traf, trun, shown)
  if (soundTill !== undefined) endSamples(trun, soundTill - time)
  tfhd.setUint32(4, placed.track + 1)
  tfdt.setBigUint64(4, BigInt(time))
  return placed.format
}

const TRUN_HEADER = 12
const sampleBytes = (trun: Box): number => ((toDataView(trun.content).getUint32(0) & 0x00_08_00) === 0 ? 12 : 16)

/**
 * How many samples of a run to keep so that everything shown before `ticks` is shown: samples are in decoding order, so some that are
 * shown later may be needed. Undefined: all of them.
 */
function countShown(trun: Box, ticks: number): number | undefined {
  const view = toDataView(trun.content)
  const count = view.getUint32(4)
  const each = sampleBytes(trun)
  let [time, shown] = [0, 0]
  for (let index = 0; index < count; index++) {
    const at = TRUN_HEADER + index * each
    const composition = each === 16 ? view.getInt32(at + 12) : 0
    if (time + composition < ticks) shown = index + 1
    time += view.getUint32(at)
  }
  return shown === count ? undefined : shown
}

/** The last sample of a run lasts until `ticks` at most. */
function endSamples(trun: Box, ticks: number): void {
  const view = toDataView(trun.content)
  const last = view.getUint32(4) - 1
  const each = sampleBytes(trun)
  let time = 0
  for (let index = 0; index < last; index++) time += view.getUint32(TRUN_HEADER + index * each)
  const at = TRUN_HEADER + last * each
  view.setUint32(at, Math.min(view.getUint32(at), ticks - time))
}

/** The run says that it ends earlier; a box to skip has the rest of its table. At least one sample is hidden, which has 12 bytes. */
function hideSamples(traf: Box, trun: Box, shown: number): void {
  const each = sampleBytes(trun)
  const size = BOX_HEAD + TRUN_HEADER + shown * each
  const view = toDataView(traf.content)
  toDataView(trun.content).setUint32(4, shown)
  view.setUint32(trun.offset, size)
  const rest = trun.size - size
  view.setUint32(trun.offset + size, rest)
  view.setUint32(trun.offset + size + 4, FREE)
  traf.content.fill(0, trun.offset + size + 8, trun.offset + trun.size)
}

/** The samples of a run, without a gap from its data offset on (ISO 14496-12 §8.8.8). */
function eraseSamples(bytes: Uint8Array, trun: Box): void {
  const view = toDataView(trun.content)
  const isReordered = (view.getUint32(0) & 0x00_08_00) !== 0
  const count = view.getUint32(4)
  let size = 0
  for (let index = 0; index < count; index++) size += view.getUint32(12 + index * (isReordered ? 16 : 12) + 4)
  const from = view.getUint32(8)
  if (from + size > bytes.length) throw new Error(`fragment: samples end at ${from + size} of ${bytes.length}`)
  bytes.fill(0, from, from + size)
}

/** The moof again, with the number of the sample description in each tfhd, and a box to skip for the rest of the room. */
function withFormats(moof: Box, boxes: readonly Box[], formats: readonly number[]): Uint8Array {
  const out = new Uint8Array(moof.size + FORMAT_ROOM_BYTES)
  const view = toDataView(out)
  view.setUint32(0, out.length)
  out.set([0x6d, 0x6f, 0x6f, 0x66], 4)
  let at = BOX_HEAD
  let traf = 0
  for (const { offset, size, type } of boxes) {
    const whole = moof.content.subarray(offset, offset + size)
    const format = type === 'traf' ? (formats[traf++] ?? 0) : 0
    if (format === 0) {
      out.set(whole, at)
      at += size
      continue
    }
    const head = BOX_HEAD + TFHD_BYTES
    out.set(whole.subarray(0, head), at)
    view.setUint32(at, size + 4)
    view.setUint32(at + BOX_HEAD, TFHD_BYTES + 4)
    view.setUint32(at + BOX_HEAD + 8, view.getUint32(at + BOX_HEAD + 8) | HAS_FORMAT)
    view.setUint32(at + head, format)
    out.set(whole.subarray(head), at + head + 4)
    const trun = getChildBox(readBoxes(whole.subarray(BOX_HEAD)), 'trun')
    const dataOffset = at + 4 + BOX_HEAD + trun.offset + BOX_HEAD + 8
    view.setUint32(dataOffset, view.getUint32(dataOffset) + FORMAT_ROOM_BYTES)
    at += size + 4
  }
  view.setUint32(at, out.length - at)
  view.setUint32(at + 4, FREE)
  return out
}
