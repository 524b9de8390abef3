import type { AccessUnit, TrackConfig } from '../frame/index.ts'

/** One access unit of a fragment. `track` is the index in the list of tracks, `duration` is in ticks. */
export interface Sample {
  readonly track: number
  readonly unit: AccessUnit
  readonly duration: number
}

export interface FragmentContent {
  /** Counts up from 1 within a stream of fragments. */
  readonly sequence: number
  readonly tracks: readonly TrackConfig[]
  /** In decoding order within each track; tracks may be mixed. At least one. */
  readonly samples: readonly Sample[]
  /** Ticks subtracted from every time, so that a file or a session can start at 0. */
  readonly origin?: number
}

const MDAT_HEADER = 8
const MOOF_HEADER = 8
const MFHD = 16
const TRAF_HEADER = 8
const TFHD = 16
const TFDT = 20
const TRUN_HEADER = 20
const TRUN_SAMPLE = 12
const COMPOSITION_OFFSET = 4
const NAL_LENGTH = 4

const DEFAULT_BASE_IS_MOOF = 0x02_00_00
/** Data offset; per sample duration, size and flags. */
const TRUN_FIELDS = 0x00_07_01
/** The same with the composition offset of each sample; version 1, in which it has a sign. */
const TRUN_FIELDS_REORDERED = 0x01_00_0f_01
/** ISO 14496-12 §8.8.3.1: depends on no other sample. */
const SYNC_SAMPLE = 0x02_00_00_00
/** Depends on others; is not a sync sample. */
const OTHER_SAMPLE = 0x01_01_00_00

const BOX = { moof: 0x6d_6f_6f_66, mfhd: 0x6d_66_68_64, traf: 0x74_72_61_66, tfhd: 0x74_66_68_64 } as const
const RUN = { tfdt: 0x74_66_64_74, trun: 0x74_72_75_6e, mdat: 0x6d_64_61_74 } as const

interface Run {
  readonly track: number
  readonly samples: Sample[]
  /** Of each sample. */
  readonly sizes: number[]
  size: number
  nalUnits: number
  /** Samples are shown at other times than they are decoded. */
  isReordered: boolean
}

const trunSize = ({ samples, isReordered }: Run): number =>
  TRUN_HEADER + samples.length * (isReordered ? TRUN_SAMPLE + COMPOSITION_OFFSET : TRUN_SAMPLE)

/** Bytes of the access unit in the file: a video NAL unit is preceded by its length (ISO 14496-15 §4.3.2), audio by nothing. */
function sampleSize(unit: AccessUnit): number {
  let size = unit.kind === 'video' ? unit.units.length * NAL_LENGTH : 0
  for (const nal of unit.units) size += nal.length
  return size
}

function runsOf(samples: readonly Sample[]): readonly Run[] {
  const runs: Run[] = []
  for (const sample of samples) {
    let run = runs.find(({ track }) => track === sample.track)
    if (run === undefined) {
      run = { track: sample.track, samples: [], sizes: [], size: 0, nalUnits: 0, isReordered: false }
      runs.push(run)
    }
    const size = sampleSize(sample.unit)
    run.samples.push(sample)
    run.sizes.push(size)
    run.size += size
    if (sample.unit.kind === 'video') run.nalUnits += sample.unit.units.length
    if (sample.unit.compositionOffset !== undefined) run.isReordered = true
  }
  return runs.sort((a, b) => a.track - b.track)
}

class HeaderWriter {
  readonly view: DataView
  at = 0

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  u32(value: number): void {
    this.view.setUint32(this.at, value)
    this.at += 4
  }

  i32(value: number): void {
    this.view.setInt32(this.at, value)
    this.at += 4
  }

  u64(value: number): void {
    this.view.setBigUint64(this.at, BigInt(value))
    this.at += 8
  }
}

/** `base` is where the run's data begins, counted from the first byte of `moof`. */
function writeTraf(out: HeaderWriter, run: Run, base: number, origin: number): void {
  out.u32(TRAF_HEADER + TFHD + TFDT + trunSize(run))
  out.u32(BOX.traf)
  out.u32(TFHD)
  out.u32(BOX.tfhd)
  out.u32(DEFAULT_BASE_IS_MOOF)
  out.u32(run.track + 1)
  out.u32(TFDT)
  out.u32(RUN.tfdt)
  out.u32(0x01_00_00_00)
  out.u64((run.samples[0]?.unit.time ?? 0) - origin)
  out.u32(trunSize(run))
  out.u32(RUN.trun)
  out.u32(run.isReordered ? TRUN_FIELDS_REORDERED : TRUN_FIELDS)
  out.u32(run.samples.length)
  out.u32(base)
  for (const [index, sample] of run.samples.entries()) {
    out.u32(sample.duration)
    out.u32(run.sizes[index] ?? 0)
    out.u32(sample.unit.isKey ? SYNC_SAMPLE : OTHER_SAMPLE)
    if (run.isReordered) out.i32(sample.unit.compositionOffset ?? 0)
  }
}

function pushPayload(chunks: Uint8Array[], runs: readonly Run[]): void {
  let nalUnits = 0
  for (const run of runs) nalUnits += run.nalUnits
  const lengths = new Uint8Array(nalUnits * NAL_LENGTH)
  const view = new DataView(lengths.buffer)
  let at = 0
  for (const run of runs) {
    for (const { unit } of run.samples) {
      for (const nal of unit.units) {
        if (unit.kind === 'video') {
          view.setUint32(at, nal.length)
          chunks.push(lengths.subarray(at, at + NAL_LENGTH))
          at += NAL_LENGTH
        }
        chunks.push(nal)
      }
    }
  }
}

interface Layout {
  readonly runs: readonly Run[]
  /** Of moof and the head of mdat. */
  readonly headSize: number
  readonly dataSize: number
}

function layOut(content: FragmentContent): Layout {
  const runs = runsOf(content.samples)
  let headSize = MOOF_HEADER + MFHD + MDAT_HEADER
  let dataSize = 0
  for (const run of runs) {
    headSize += TRAF_HEADER + TFHD + TFDT + trunSize(run)
    dataSize += run.size
    if (content.tracks[run.track] === undefined) throw new Error(`fragment: track ${run.track} not found`)
  }
  if (runs.length === 0) throw new Error('fragment: no sample')
  if (headSize + dataSize > 0xff_ff_ff_ff) throw new Error(`fragment: ${dataSize} bytes pass 4 GiB`)
  return { runs, headSize, dataSize }
}

function writeHead(bytes: Uint8Array, { runs, headSize, dataSize }: Layout, content: FragmentContent): void {
  const out = new HeaderWriter(bytes)
  out.u32(headSize - MDAT_HEADER)
  out.u32(BOX.moof)
  out.u32(MFHD)
  out.u32(BOX.mfhd)
  out.u32(0)
  out.u32(content.sequence)
  let base = headSize
  for (const run of runs) {
    writeTraf(out, run, base, content.origin ?? 0)
    base += run.size
  }
  out.u32(MDAT_HEADER + dataSize)
  out.u32(RUN.mdat)
}

/**
 * One `moof` and its `mdat` (ISO 14496-12 §8.8), as chunks to be written one after another. The payload is not copied:
 * the chunks are views of the access units, byte for byte, with NAL lengths in between.
 * A track's samples follow each other without holes: decode times are that of its first sample plus the durations.
 * @throws when there is no sample, a time lies before `origin`, or the payload passes 4 GiB.
 */
export function fragment(content: FragmentContent): readonly Uint8Array[] {
  const layout = layOut(content)
  const head = new Uint8Array(layout.headSize)
  writeHead(head, layout, content)
  const chunks: Uint8Array[] = [head]
  pushPayload(chunks, layout.runs)
  return chunks
}

/**
 * The same as one piece, in the memory that `room` gives for so many bytes. `payload` is what mdat contains.
 * @throws as {@link fragment}.
 */
export function joinedFragment(
  content: FragmentContent,
  room: (bytes: number) => Uint8Array,
): { readonly bytes: Uint8Array; readonly payload: Uint8Array } {
  const layout = layOut(content)
  const bytes = room(layout.headSize + layout.dataSize)
  writeHead(bytes, layout, content)
  copyPayload(bytes, layout)
  return { bytes, payload: bytes.subarray(layout.headSize) }
}

function copyPayload(bytes: Uint8Array, { runs, headSize }: Layout): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = headSize
  for (const run of runs) {
    for (const { unit } of run.samples) {
      for (const nal of unit.units) {
        if (unit.kind === 'video') {
          view.setUint32(at, nal.length)
          at += NAL_LENGTH
        }
        bytes.set(nal, at)
        at += nal.length
      }
    }
  }
}
