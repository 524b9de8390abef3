import type { ByteRange } from '@sightline/platform/file-reply'
import { type AccessUnit, TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import {
  fragment,
  movieStart,
  type PlacedTrack,
  placeFragment,
  readFragment,
  segmentIndex,
  type TrackFormats,
} from '../mux/index.ts'
import { type FootageAccess, findParts } from '../playback/index.ts'
import { DamagedPart, type IndexedPart, type StreamKey, UnknownKey } from '../recording/index.ts'
import { OpenSegment, readPieces } from './read-clip.ts'

export interface SummaryQuery extends FootageAccess {
  readonly store: string
  /** Its sub-stream is used if that was recorded as long. */
  readonly camera: Omit<StreamKey, 'stream'>
  /** Milliseconds since 1970. */
  readonly from: number
  readonly till: number
  readonly seconds: number
}

/** A short video of a long time: key pictures, each shown equally long. Their bytes are read when they are sent. */
export interface SummaryPlan {
  readonly head: Uint8Array
  readonly pieces: readonly SummaryPiece[]
  readonly bytes: number
}

interface SummaryPiece {
  readonly path: string
  readonly part: IndexedPart
  readonly bytes: number
  /** Ticks. */
  readonly at: number
  readonly duration: number
  readonly placed: PlacedTrack
}

/** As smooth as video usually is. */
const PICTURES_PER_SECOND = 25
const HOUR_MS = 3_600_000
/** The sub-stream may have been recorded a little shorter, because it connects later. */
const ENOUGH = 0.9

/** A part that begins with a key picture. */
interface KeyPart {
  readonly path: string
  readonly part: IndexedPart
  readonly track: TrackConfig
  /** Until the next one, in ticks. */
  readonly lasts: number
}

/**
 * Decides which pictures a summary has, and reads their sizes: the length of the file is known before it is sent.
 * Undefined if there is no key picture in that time. Recovery points alone are no pictures without a decoder.
 */
export async function planSummary(query: SummaryQuery): Promise<SummaryPlan | undefined> {
  const sub = await findKeyParts(query, 'sub')
  const main = await findKeyParts(query, 'main')
  const keys = lengthOf(sub) >= ENOUGH * lengthOf(main) ? sub : main
  await using segments = new OpenSegment(query)
  const formats: TrackConfig[] = []
  const read: { readonly key: KeyPart; readonly bytes: number; readonly format: number }[] = []
  for (const key of chooseKeys(keys, query.seconds * PICTURES_PER_SECOND)) {
    const unit = await readKeyPicture(segments, key)
    if (unit === undefined) continue
    read.push({ key, bytes: sizeOf(unit, key.track), format: numberOf(key.track, formats) })
  }
  const [first, ...others] = formats
  if (first === undefined) return undefined
  const ticksAt = (index: number) => Math.round((index * query.seconds * TICKS_PER_SECOND) / read.length)
  const pieces = read.map(({ key: { path, part }, bytes, format }, index) => {
    const at = ticksAt(index)
    return { path, part, bytes, at, duration: ticksAt(index + 1) - at, placed: { track: 0, format, isSound: false } }
  })
  const head = headOf([first, ...others], pieces)
  return { head, pieces, bytes: pieces.reduce((sum, { bytes }) => sum + bytes, head.length) }
}

function headOf(formats: TrackFormats, pieces: readonly SummaryPiece[]): Uint8Array {
  const duration = pieces.reduce((sum, piece) => sum + piece.duration, 0)
  const createdAt = pieces[0]?.part.wallClock ?? 0
  const index = segmentIndex(pieces.map(({ bytes, duration }) => ({ bytes, duration, isKey: true })))
  return Buffer.concat([movieStart({ tracks: [formats], createdAt, duration }), index])
}

const lengthOf = (keys: readonly KeyPart[]): number => keys.reduce((sum, { lasts }) => sum + lasts, 0)

async function findKeyParts(
  { store, camera, from, till, seconds: _seconds, ...access }: SummaryQuery,
  stream: StreamKey['stream'],
): Promise<readonly KeyPart[]> {
  const keys: KeyPart[] = []
  const query = { ...access, store, stream: { ...camera, stream }, at: from, pictures: 'keys' } as const
  for await (const { segment, part, until } of findParts(query)) {
    if (part.wallClock >= till) break
    const track = segment.head.tracks.find(({ kind }) => kind === 'video')
    if (track === undefined || !part.isKey || part.recovery > 0 || part.wallClock < from) continue
    keys.push({ path: segment.path, part, track, lasts: until - part.time })
  }
  return keys
}

/** About `count` pictures, evenly over the recorded time, and at least one from each hour that has footage. */
function chooseKeys(keys: readonly KeyPart[], count: number): readonly KeyPart[] {
  const step = Math.max(1, lengthOf(keys) / count)
  let passed = 0
  let next = 0
  let hour = Number.NaN
  return keys.filter(({ part, lasts }) => {
    const at = passed
    passed += lasts
    const own = Math.floor(part.wallClock / HOUR_MS)
    if (at < next && own === hour) return false
    hour = own
    next = (Math.floor(at / step) + 1) * step
    return true
  })
}

/** Undefined for footage that can't be shown, or was deleted meanwhile. */
async function readKeyPicture(
  segments: OpenSegment,
  { path, part }: Pick<KeyPart, 'path' | 'part'>,
): Promise<AccessUnit | undefined> {
  try {
    const segment = await segments.find(path)
    const payload = await segment.readPart(part)
    const samples = readFragment(payload, segment.head.tracks, { origin: 0, wallClockAtZero: part.wallClock })
    const unit = samples.find((sample) => sample.unit.kind === 'video')?.unit
    return unit?.isKey === true ? unit : undefined
  } catch (cause) {
    if (cause instanceof DamagedPart || cause instanceof UnknownKey) return undefined
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

function numberOf(track: TrackConfig, formats: TrackConfig[]): number {
  const textOf = (one: TrackConfig) =>
    JSON.stringify(one, (_, value) => (value instanceof Uint8Array ? [...value] : value))
  const text = textOf(track)
  const known = formats.findIndex((format) => textOf(format) === text)
  return known === -1 ? formats.push(track) : known + 1
}

/** Every fragment names its sample description, so that its size doesn't depend on whether the format changes. */
function toFragment(unit: AccessUnit, track: TrackConfig, piece: Omit<SummaryPiece, 'path' | 'part' | 'bytes'>) {
  const { compositionOffset: _shownWhenDecoded, ...own } = unit
  const sample = { track: 0, unit: { ...own, time: piece.at }, duration: piece.duration }
  const bytes = Buffer.concat(fragment({ sequence: 1, tracks: [track], samples: [sample] }))
  const { placed } = piece
  return (sequence: number) =>
    placeFragment(bytes, { sequence, shift: 0, soundFrom: 0, trackOf: () => placed, leftOut: 'hidden' }, true)
}

function sizeOf(unit: AccessUnit, track: TrackConfig): number {
  const placed = { track: 0, format: 1, isSound: false }
  const chunks = toFragment(unit, track, { at: 0, duration: 1, placed })(1)
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

/** The bytes of a summary. Footage that was deleted since it was planned is a box that players skip. */
export async function* readSummary(
  plan: SummaryPlan,
  range: ByteRange,
  access: FootageAccess,
): AsyncGenerator<Uint8Array, void, undefined> {
  await using segments = new OpenSegment(access)
  yield* readPieces(plan, range, async (piece, index) => {
    const unit = await readKeyPicture(segments, piece)
    if (unit === undefined) return undefined
    const track = (await segments.find(piece.path)).head.tracks.find(({ kind }) => kind === 'video')
    return track && toFragment(unit, track, piece)(index)
  })
}
