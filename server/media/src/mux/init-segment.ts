import { TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import { ascii, type BoxPart, box, fullBox, u16, u32 } from './box-writer.ts'
import { sampleEntry } from './sample-entry.ts'

const PLAIN = { version: 0, flags: 0 }
const UNITY_MATRIX: readonly BoxPart[] = [0x00_01_00_00, 0, 0, 0, 0x00_01_00_00, 0, 0, 0, 0x40_00_00_00].map(u32)
const LANGUAGE_UNDETERMINED = 0x55_c4

const fileType = (): Uint8Array =>
  box('ftyp', ascii('iso6'), u32(0), ascii('iso6'), ascii('iso5'), ascii('isom'), ascii('mp41'))

function movieHeader(trackCount: number): Uint8Array {
  return fullBox(
    'mvhd',
    PLAIN,
    u32(0),
    u32(0),
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

function media(track: TrackConfig): Uint8Array {
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
    fullBox('stsd', PLAIN, u32(1), sampleEntry(track)),
    fullBox('stts', PLAIN, u32(0)),
    fullBox('stsc', PLAIN, u32(0)),
    fullBox('stsz', PLAIN, u32(0), u32(0)),
    fullBox('stco', PLAIN, u32(0)),
  )
  return box('mdia', mdhd, handler, box('minf', mediaHeader, dataHere, samples))
}

/**
 * The start of a fragmented MP4 (ISO 14496-12 §8.8): `ftyp` and `moov`, one track per entry, ids 1, 2, … in the given
 * order, all in {@link TICKS_PER_SECOND}. Every following {@link fragment} must be given the same tracks.
 * @throws when a video track lacks a parameter set.
 */
export function initSegment(tracks: readonly TrackConfig[]): Uint8Array {
  const trackBoxes = tracks.map((track, index) => box('trak', trackHeader(track, index + 1), media(track)))
  const extends_ = tracks.map((_, index) => fullBox('trex', PLAIN, u32(index + 1), u32(1), u32(0), u32(0), u32(0)))
  const movie = box('moov', movieHeader(tracks.length), ...trackBoxes, box('mvex', ...extends_))
  const file = fileType()
  const bytes = new Uint8Array(file.length + movie.length)
  bytes.set(file)
  bytes.set(movie, file.length)
  return bytes
}
