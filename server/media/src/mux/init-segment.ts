import { TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import { ascii, type BoxPart, box, fullBox, join, u16, u32, u64 } from './box-writer.ts'
import { sampleEntry } from './sample-entry.ts'

const PLAIN = { version: 0, flags: 0 }
const UNITY_MATRIX: readonly BoxPart[] = [0x00_01_00_00, 0, 0, 0, 0x00_01_00_00, 0, 0, 0, 0x40_00_00_00].map(u32)
const LANGUAGE_UNDETERMINED = 0x55_c4

const fileType = (): Uint8Array =>
  box('ftyp', ascii('iso6'), u32(0), ascii('iso6'), ascii('iso5'), ascii('isom'), ascii('mp41'))

/** Seconds between 1904, where ISO 14496-12 begins to count, and 1970. */
export const EPOCH_1904_SECONDS = 2_082_844_800

function movieHeader(trackCount: number, createdAt: number): Uint8Array {
  return fullBox(
    'mvhd',
    PLAIN,
    u32(createdAt),
    u32(createdAt),
    u32(TICKS_PER_SECOND),
    u32(0),
    u32(0x00_01_00_00),
    u16(0x01_00),
    new Uint8Array(10),
    ...UNITY_MATRIX,
    new Uint8Array(24),
    u32(trackCount + 1),
  )
}

function trackHeader(track: TrackConfig, id: number): Uint8Array {
  const [width, height] = track.kind === 'video' ? [track.width, track.height] : [0, 0]
  return fullBox(
    'tkhd',
    // Enabled, in the movie, in the preview.
    { version: 0, flags: 7 },
    u32(0),
    u32(0),
    u32(id),
    u32(0),
    u32(0),
    new Uint8Array(8),
    u16(0),
    u16(0),
    u16(track.kind === 'audio' ? 0x01_00 : 0),
    u16(0),
    ...UNITY_MATRIX,
    u32(width * 65_536),
    u32(height * 65_536),
  )
}

function media(formats: TrackFormats): Uint8Array {
  const [track] = formats
  const isVideo = track.kind === 'video'
  // Audio times are in 90 kHz too: every fragment has an absolute time, so rounding of a sample's duration never adds
  // up.
  const mdhd = fullBox('mdhd', PLAIN, u32(0), u32(0), u32(TICKS_PER_SECOND), u32(0), u16(LANGUAGE_UNDETERMINED), u16(0))
  const handler = fullBox(
    'hdlr',
    PLAIN,
    u32(0),
    ascii(isVideo ? 'vide' : 'soun'),
    new Uint8Array(12),
    ascii(isVideo ? 'video\0' : 'audio\0'),
  )
  const mediaHeader = isVideo
    ? fullBox('vmhd', { version: 0, flags: 1 }, new Uint8Array(8))
    : fullBox('smhd', PLAIN, u32(0))
  const dataHere = box('dinf', fullBox('dref', PLAIN, u32(1), fullBox('url ', { version: 0, flags: 1 })))
  const samples = box(
    'stbl',
    fullBox('stsd', PLAIN, u32(formats.length), ...formats.map(sampleEntry)),
    fullBox('stts', PLAIN, u32(0)),
    fullBox('stsc', PLAIN, u32(0)),
    fullBox('stsz', PLAIN, u32(0), u32(0)),
    fullBox('stco', PLAIN, u32(0)),
  )
  return box('mdia', mdhd, handler, box('minf', mediaHeader, dataHere, samples))
}

/** What one track of a file contains, in the order of its sample descriptions: a camera's format may change on the way. */
export type TrackFormats = readonly [TrackConfig, ...TrackConfig[]]

export interface MovieStart {
  readonly tracks: readonly TrackFormats[]
  /** Milliseconds since 1970: when the first picture was taken. */
  readonly createdAt?: number
  /** Ticks of the whole file, if it is known. */
  readonly duration?: number
  /** Ticks at the beginning that are there to decode what follows, and aren't shown. */
  readonly hidden?: number
}

/**
 * Shows a track from `hidden` on (ISO 14496-12 §8.6.6). The length of an edit of a fragmented file is 0: up to its end.
 */
const editList = (hidden: number): Uint8Array =>
  box('edts', fullBox('elst', { version: 1, flags: 0 }, u32(1), u64(0), u64(hidden), u16(1), u16(0)))

/**
 * The start of a fragmented MP4 (ISO 14496-12 §8.8): `ftyp` and `moov`, one track per entry, ids 1, 2, … in the given
 * order, all in {@link TICKS_PER_SECOND}.
 * @throws when a video track lacks a parameter set.
 */
export function movieStart({ tracks, createdAt, duration, hidden = 0 }: MovieStart): Uint8Array {
  const created = createdAt === undefined ? 0 : Math.floor(createdAt / 1000) + EPOCH_1904_SECONDS
  const edits = hidden === 0 ? [] : [editList(hidden)]
  const trackBoxes = tracks.map((formats, index) =>
    box('trak', trackHeader(formats[0], index + 1), ...edits, media(formats)),
  )
  const extends_ = tracks.map((_, index) => fullBox('trex', PLAIN, u32(index + 1), u32(1), u32(0), u32(0), u32(0)))
  const whole = duration === undefined ? [] : [fullBox('mehd', { version: 1, flags: 0 }, u64(duration))]
  const movie = box('moov', movieHeader(tracks.length, created), ...trackBoxes, box('mvex', ...whole, ...extends_))
  return join([fileType(), movie])
}

/** {@link movieStart} of a stream whose length isn't known. Every following {@link fragment} must be given the same tracks. */
export const initSegment = (tracks: readonly TrackConfig[]): Uint8Array =>
  movieStart({ tracks: tracks.map((track) => [track]) })
