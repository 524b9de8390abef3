import type { AccessUnit, TrackConfig } from '../frame/index.ts'
import { type Box, getChildBox, readBoxes, toDataView } from './box-reader.ts'
import type { Sample } from './fragment.ts'

const TFHD_BYTES = 8
const TFDT_BYTES = 12
const TRUN_HEADER = 12
const TRUN_SAMPLE = 12
const TRUN_SAMPLE_REORDERED = 16
/** Flag of `trun`: each sample has a composition offset; we write it in version 1, with a sign. */
const HAS_OFFSETS = 0x00_08_00
const NON_SYNC = 0x00_01_00_00

interface Run {
  readonly track: number
  readonly time: number
  readonly table: DataView
  readonly isReordered: boolean
  readonly dataOffset: number
}

/** What a reader adds to the times and clocks inside the file. */
export interface FragmentOffsets {
  /** Ticks added to every time: the inverse of `origin` in `fragment`. */
  readonly origin: number
  /** Wall clock of what is shown at time 0 of the fragment's own count, milliseconds since 1970. */
  readonly wallClockAtZero: number
}

const sampleBytes = (isReordered: boolean): number => (isReordered ? TRUN_SAMPLE_REORDERED : TRUN_SAMPLE)

function readRun(traf: Box): Run {
  const boxes = readBoxes(traf.content)
  const tfhd = getChildBox(boxes, 'tfhd').content
  const tfdt = getChildBox(boxes, 'tfdt').content
  const trun = getChildBox(boxes, 'trun').content
  if (tfhd.length < TFHD_BYTES || tfdt.length !== TFDT_BYTES || trun.length < TRUN_HEADER) {
    throw new Error('traf: a box in it is too short')
  }
  const view = toDataView(trun)
  const count = view.getUint32(4)
  const isReordered = (view.getUint32(0) & HAS_OFFSETS) !== 0
  if (trun.length !== TRUN_HEADER + count * sampleBytes(isReordered)) {
    throw new Error(`trun: ${count} samples named, ${trun.length} bytes there`)
  }
  return {
    track: toDataView(tfhd).getUint32(4) - 1,
    time: Number(toDataView(tfdt).getBigUint64(4)),
    table: view,
    isReordered,
    dataOffset: view.getUint32(8),
  }
}

function nalUnitsOf(data: Uint8Array): readonly Uint8Array[] {
  const view = toDataView(data)
  const units: Uint8Array[] = []
  let at = 0
  while (at < data.length) {
    const size = at + 4 <= data.length ? view.getUint32(at) : Number.POSITIVE_INFINITY
    if (size > data.length - at - 4) throw new Error(`sample: a NAL unit at ${at} passes its end at ${data.length}`)
    units.push(data.subarray(at + 4, at + 4 + size))
    at += 4 + size
  }
  return units
}

function* samplesOf(run: Run, bytes: Uint8Array, kind: AccessUnit['kind'], place: FragmentOffsets): Generator<Sample> {
  const { table, track, isReordered } = run
  let time = run.time
  let offset = run.dataOffset
  for (let at = TRUN_HEADER; at < table.byteLength; at += sampleBytes(isReordered)) {
    const duration = table.getUint32(at)
    const size = table.getUint32(at + 4)
    if (size > bytes.length - offset) throw new Error(`sample of ${size} bytes at ${offset} passes the fragment's end`)
    const data = bytes.subarray(offset, offset + size)
    const composition = isReordered ? table.getInt32(at + 12) : 0
    const unit: AccessUnit = {
      kind,
      time: time + place.origin,
      ...(composition === 0 ? {} : { compositionOffset: composition }),
      wallClock: Math.round(place.wallClockAtZero + (time + composition) / 90),
      isKey: (table.getUint32(at + 8) & NON_SYNC) === 0,
      units: kind === 'video' ? nalUnitsOf(data) : [data],
    }
    yield { track, unit, duration }
    time += duration
    offset += size
  }
}

/**
 * The access units of a fragment written by `fragment`, track by track; payloads are views of `bytes`.
 * @throws when `bytes` is not one whole such fragment, or names a track outside `tracks`.
 */
export function readFragment(
  bytes: Uint8Array,
  tracks: readonly TrackConfig[],
  place: FragmentOffsets,
): readonly Sample[] {
  const [moof, mdat, ...more] = readBoxes(bytes)
  if (moof?.type !== 'moof' || mdat?.type !== 'mdat' || more.length > 0) {
    throw new Error('fragment: expected one moof and one mdat')
  }
  return readBoxes(moof.content)
    .filter((box) => box.type === 'traf')
    .map(readRun)
    .flatMap((run) => {
      const track = tracks[run.track]
      if (track === undefined) throw new Error(`fragment: track ${run.track}, but there are ${tracks.length}`)
      return [...samplesOf(run, bytes, track.kind, place)]
    })
}
