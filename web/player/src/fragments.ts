/** One coded picture or sound packet from a fragment. Times in ticks of the track's time scale. */
export interface CodedSample {
  /** Presentation time. Pictures are in decoding order, which may differ. */
  readonly time: number
  readonly duration: number
  readonly isKey: boolean
  /** For a picture: NAL units, each after its four-byte length (ISO 14496-15). */
  readonly data: Uint8Array
}

/** Decoder setup for video. */
export interface VideoSetup {
  readonly trackId: number
  /** Ticks per second. */
  readonly timeScale: number
  /** Content of avcC or hvcC. */
  readonly description: Uint8Array
}

/** Decoder setup for sound. */
export interface SoundSetup {
  readonly trackId: number
  /** Ticks per second. */
  readonly timeScale: number
  readonly channels: number
  /** Samples per second. */
  readonly sampleRate: number
  /** AudioSpecificConfig of AAC (ISO 14496-3 §1.6.2.1); Opus in one or two channels needs none. */
  readonly description: Uint8Array | undefined
}

interface Box {
  readonly type: string
  /** Position of the content and of the byte after it. */
  readonly start: number
  readonly end: number
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The boxes between two positions. A size beyond the end stops the list, because the bytes come from the network. */
function* boxes(bytes: Uint8Array, start: number, end: number): Generator<Box> {
  const data = view(bytes)
  for (let at = start; at + 8 <= end; ) {
    const size = data.getUint32(at)
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (size < 8 || at + size > end) return
    yield { type, start: at + 8, end: at + size }
    at += size
  }
}

function find(bytes: Uint8Array, within: { start: number; end: number }, type: string): Box | undefined {
  for (const box of boxes(bytes, within.start, within.end)) if (box.type === type) return box
  return undefined
}

const whole = (bytes: Uint8Array) => ({ start: 0, end: bytes.length })

/** Bytes before the entries of `stsd`, and before the boxes of a visual sample entry (ISO 14496-12 §12.1.3). */
const STSD_HEADER = 8
const VISUAL_SAMPLE_ENTRY_HEADER = 78
/** Bytes before the boxes of an audio sample entry, and the positions of its channels and rate (§12.2.3). */
const AUDIO_SAMPLE_ENTRY_HEADER = 28
const CHANNELS_AT = 16
const SAMPLE_RATE_AT = 24

export const isInitSegment = (bytes: Uint8Array): boolean => find(bytes, whole(bytes), 'moov') !== undefined

/** The video track of an initialization segment; undefined if it has none that a decoder could be set up for. */
export function readSetup(bytes: Uint8Array): VideoSetup | undefined {
  return firstTrack(bytes, readVideo)
}

/** The sound track of an initialization segment; undefined if it has none. */
export function readSoundSetup(bytes: Uint8Array): SoundSetup | undefined {
  return firstTrack(bytes, readSound)
}

function firstTrack<Setup>(bytes: Uint8Array, read: (track: Track) => Setup | undefined): Setup | undefined {
  const moov = find(bytes, whole(bytes), 'moov')
  if (moov === undefined) return undefined
  for (const trak of boxes(bytes, moov.start, moov.end)) {
    const track = trak.type === 'trak' ? readTrack(bytes, trak) : undefined
    const setup = track === undefined ? undefined : read(track)
    if (setup !== undefined) return setup
  }
  return undefined
}

interface Track {
  readonly bytes: Uint8Array
  readonly trackId: number
  readonly timeScale: number
  /** The first sample entry, which gives the kind of samples. */
  readonly entry: Box
}

function readTrack(bytes: Uint8Array, trak: Box): Track | undefined {
  const data = view(bytes)
  const tkhd = find(bytes, trak, 'tkhd')
  const mdia = find(bytes, trak, 'mdia')
  const mdhd = mdia && find(bytes, mdia, 'mdhd')
  const minf = mdia && find(bytes, mdia, 'minf')
  const stbl = minf && find(bytes, minf, 'stbl')
  const stsd = stbl && find(bytes, stbl, 'stsd')
  if (tkhd === undefined || mdhd === undefined || stsd === undefined) return undefined
  const [entry] = boxes(bytes, stsd.start + STSD_HEADER, stsd.end)
  if (entry === undefined) return undefined
  const isLong = (box: Box) => bytes[box.start] === 1
  return {
    bytes,
    trackId: data.getUint32(tkhd.start + (isLong(tkhd) ? 20 : 12)),
    timeScale: data.getUint32(mdhd.start + (isLong(mdhd) ? 20 : 12)),
    entry,
  }
}

function readVideo({ bytes, trackId, timeScale, entry }: Track): VideoSetup | undefined {
  const inEntry = { start: entry.start + VISUAL_SAMPLE_ENTRY_HEADER, end: entry.end }
  const configuration = find(bytes, inEntry, 'avcC') ?? find(bytes, inEntry, 'hvcC')
  if (configuration === undefined) return undefined
  return { trackId, timeScale, description: bytes.slice(configuration.start, configuration.end) }
}

function readSound({ bytes, trackId, timeScale, entry }: Track): SoundSetup | undefined {
  if ((entry.type !== 'mp4a' && entry.type !== 'Opus') || entry.end - entry.start < AUDIO_SAMPLE_ENTRY_HEADER) {
    return undefined
  }
  const data = view(bytes)
  const esds = find(bytes, { start: entry.start + AUDIO_SAMPLE_ENTRY_HEADER, end: entry.end }, 'esds')
  return {
    trackId,
    timeScale,
    channels: data.getUint16(entry.start + CHANNELS_AT),
    // The integer part of a 16.16 fixed-point number.
    sampleRate: data.getUint16(entry.start + SAMPLE_RATE_AT),
    description: esds === undefined ? undefined : decoderSpecificInfo(bytes.subarray(esds.start + 4, esds.end)),
  }
}

/** Descriptors of ISO 14496-1 §7.2.6 that contain AudioSpecificConfig, with the number of bytes before their content. */
const DESCRIPTOR_HEADERS: Readonly<Record<number, number>> = { 3: 3, 4: 13 }
const DECODER_SPECIFIC_INFO = 5

function decoderSpecificInfo(bytes: Uint8Array): Uint8Array | undefined {
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0
    let size = 0
    // A length with seven bits per byte; the last byte has no high bit (§8.3.3).
    do {
      at += 1
      size = (size << 7) | ((bytes[at] ?? 0) & 0x7f)
    } while (((bytes[at] ?? 0) & 0x80) !== 0 && at < bytes.length)
    at += 1
    if (tag === DECODER_SPECIFIC_INFO) return bytes.slice(at, at + size)
    at += DESCRIPTOR_HEADERS[tag] ?? size
  }
  return undefined
}

/**
 * Removes every other track from an initialization segment or fragment in place: its boxes become free space, so that no
 * size or offset changes. Otherwise a video element with a sound track waits for sound, which key pictures don't have.
 */
export function keepOnly(bytes: Uint8Array, trackId: number): void {
  const data = view(bytes)
  for (const top of boxes(bytes, 0, bytes.length)) {
    if (top.type === 'moov') keepInMovie(bytes, top, trackId)
    if (top.type !== 'moof') continue
    for (const traf of boxes(bytes, top.start, top.end)) {
      const tfhd = traf.type === 'traf' ? find(bytes, traf, 'tfhd') : undefined
      if (tfhd !== undefined && data.getUint32(tfhd.start + 4) !== trackId) free(bytes, traf)
    }
  }
}

function keepInMovie(bytes: Uint8Array, moov: Box, trackId: number): void {
  const data = view(bytes)
  const mvex = find(bytes, moov, 'mvex')
  for (const trak of boxes(bytes, moov.start, moov.end)) {
    if (trak.type === 'trak' && readTrack(bytes, trak)?.trackId !== trackId) free(bytes, trak)
  }
  if (mvex === undefined) return
  for (const trex of boxes(bytes, mvex.start, mvex.end)) {
    if (trex.type === 'trex' && data.getUint32(trex.start + 4) !== trackId) free(bytes, trex)
  }
}

const FREE = Uint8Array.from([...'free'].map((letter) => letter.charCodeAt(0)))

const free = (bytes: Uint8Array, box: Box): void => bytes.set(FREE, box.start - 4)

/** One track's samples in a message of fragments, in decoding order. */
export function readSamples(bytes: Uint8Array, trackId: number): CodedSample[] {
  const samples: CodedSample[] = []
  for (const moof of boxes(bytes, 0, bytes.length)) {
    if (moof.type !== 'moof') continue
    for (const traf of boxes(bytes, moof.start, moof.end)) {
      if (traf.type === 'traf') readRun(bytes, { moofStart: moof.start - 8, traf, trackId, into: samples })
    }
  }
  return samples
}

// tfdt, tfhd and trun: ISO 14496-12 §8.8.7, §8.8.8, §8.8.12.
function readRun(
  bytes: Uint8Array,
  { moofStart, traf, trackId, into }: { moofStart: number; traf: Box; trackId: number; into: CodedSample[] },
): void {
  const data = view(bytes)
  const tfhd = find(bytes, traf, 'tfhd')
  const tfdt = find(bytes, traf, 'tfdt')
  const trun = find(bytes, traf, 'trun')
  if (tfhd === undefined || tfdt === undefined || trun === undefined) return
  if (data.getUint32(tfhd.start + 4) !== trackId) return
  const isLong = bytes[tfdt.start] === 1
  let time = isLong ? Number(data.getBigUint64(tfdt.start + 4)) : data.getUint32(tfdt.start + 4)
  const flags = data.getUint32(trun.start) & 0xff_ff_ff
  const count = data.getUint32(trun.start + 4)
  let at = trun.start + 8
  const take = (bit: number): number | undefined => {
    if ((flags & bit) === 0 || at + 4 > trun.end) return undefined
    at += 4
    return data.getUint32(at - 4)
  }
  const takeNumber = (bit: number): number => take(bit) ?? 0
  let offset = moofStart + takeNumber(0x00_00_01)
  const firstFlags = take(0x00_00_04)
  for (let n = 0; n < count && at <= trun.end; n += 1) {
    const duration = takeNumber(0x00_01_00)
    const size = takeNumber(0x00_02_00)
    const sampleFlags = take(0x00_04_00) ?? (n === 0 ? firstFlags : undefined) ?? 0
    // Signed in version 1; no valid offset of version 0 is large enough to be misread.
    const shownAfter = takeNumber(0x00_08_00) | 0
    if (size === 0 || offset + size > bytes.length) return
    into.push({
      time: time + shownAfter,
      duration,
      isKey: (sampleFlags & 0x00_01_00_00) === 0,
      data: bytes.subarray(offset, offset + size),
    })
    offset += size
    time += duration
  }
}

/** Whether one decoder can decode the pictures of both. */
export const sameSetup = (one: VideoSetup | undefined, other: VideoSetup): boolean =>
  one?.trackId === other.trackId &&
  one.timeScale === other.timeScale &&
  one.description.length === other.description.length &&
  one.description.every((byte, index) => byte === other.description[index])
