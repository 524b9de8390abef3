import type { ClipSound } from '@sightline/contract/footage-proof'
import type { TrackConfig } from '../frame/index.ts'
import {
  FORMAT_ROOM_BYTES,
  type IndexedStretch,
  MAX_INDEXED_STRETCHES,
  movieStart,
  type PlacedTrack,
  segmentIndex,
  type TrackFormats,
} from '../mux/index.ts'
import { type FootageAccess, findParts } from '../playback/index.ts'
import type { IndexedPart, SegmentReader, StreamKey } from '../recording/index.ts'
import { type AddedSound, addedTrack, isAddable, planPackets, roomBytes } from './added-sound.ts'

export interface ClipQuery extends FootageAccess {
  readonly store: string
  readonly stream: StreamKey
  /** Milliseconds since 1970. The clip begins with the key picture at or before it. */
  readonly from: number
  /** The clip ends with the part of about a second that has the last picture before it. */
  readonly till: number
  readonly sound: 'kept' | 'left-out'
  /** Players show exactly the time that was asked for, although the file has whole parts: more is needed to decode them, and to prove them. */
  readonly isExact?: boolean
  /** G.711, which players of MP4 don't know, is re-encoded for them, beside what was recorded. */
  readonly addsSound?: boolean
  /** The file isn't for players: G.711 is a track like other sound. */
  readonly keepsAllSound?: boolean
}

/** One fragment of the clip, in a segment. */
export interface ClipPiece {
  readonly path: string
  readonly part: IndexedPart
  /** In the clip, without what is added after it. */
  readonly bytes: number
  /** Of the sound that is added after it. */
  readonly addedBytes: number
  /** Ticks added to the times in the segment. */
  readonly shift: number
  /** Ticks of the clip at which its run of footage begins. */
  readonly runFrom: number
  /** Of the last one of a run: ticks of the clip at which the next run begins. */
  readonly soundTill?: number
  /** By the track in the segment. */
  readonly tracks: readonly (PlacedTrack | undefined)[]
}

/** A file of which every byte is known where to find, and none of the footage has been read. */
export interface ClipPlan {
  /** What the file begins with. */
  readonly head: Uint8Array
  readonly pieces: readonly ClipPiece[]
  readonly bytes: number
  /** Ticks. */
  readonly duration: number
  /** Ticks of the file from which on nothing is shown; undefined: all of it. */
  readonly until: number | undefined
  /** The camera changed its format in between: fragments name theirs. */
  readonly namesFormats: boolean
  /** Sound that may not be heard becomes zeros; what players don't know stays where they pass over it. */
  readonly leftOut: 'erased' | 'hidden'
  readonly sound: ClipSound
  /** Ticks of the file that are in the time that was asked for. */
  readonly shown: { readonly from: number; readonly till: number }
  /** Of pictures, and of sound if it has any; each with all formats that the camera used in that time. */
  readonly tracks: readonly TrackFormats[]
  readonly added: AddedSound | undefined
}

const TICKS_PER_MS = 90

/** A clip of a longer time would be larger than its index can describe, and than most file systems of sticks hold. */
export const MAX_CLIP_MS = 12 * 3_600_000

/** Undefined if nothing was recorded in that time. */
export async function planClip({
  from,
  till,
  sound,
  isExact = false,
  addsSound = false,
  keepsAllSound = false,
  ...where
}: ClipQuery): Promise<ClipPlan | undefined> {
  const formats = new ClipFormats(sound, { addsSound, keepsAllSound })
  const pieces: Omit<ClipPiece, 'bytes' | 'addedBytes'>[] = []
  const heard: { readonly end: number; readonly isAdded: boolean }[] = []
  const sizes: number[] = []
  const stretches: Omit<IndexedStretch, 'bytes'>[] = []
  let run: { readonly id: string; readonly from: number; readonly start: number } | undefined
  let duration = 0
  let createdAt: number | undefined
  let lastAt = { wallClock: 0, at: 0 }
  for await (const { segment, part, until } of findParts({ ...where, at: from })) {
    if (part.wallClock >= till) break
    const { runId, baseTime } = segment.head.header
    const tracks = formats.placesOf(segment)
    if (!tracks.some((placed) => placed?.isSound === false)) continue
    createdAt ??= part.wallClock
    // Runs follow each other without the time in between.
    if (run?.id !== runId) run = { id: runId, from: duration, start: baseTime + part.time }
    pieces.push({ path: segment.path, part, shift: baseTime - run.start + run.from, runFrom: run.from, tracks })
    sizes.push(segment.payloadBytes(part))
    lastAt = { wallClock: part.wallClock, at: run.from + baseTime + part.time - run.start }
    const end = run.from + baseTime + until - run.start
    stretches.push({ duration: end - duration, isKey: part.isKey })
    heard.push({ end, isAdded: formats.isAddedTo(segment) })
    duration = end
  }
  if (pieces.length === 0) return undefined
  const cut = cutOf({ from, till }, { createdAt: createdAt ?? from, lastAt, duration })
  const { hidden, until } = isExact ? cut : WHOLE
  const shown = (until ?? duration) - hidden
  const namesFormats = formats.isChanging
  const room = namesFormats ? FORMAT_ROOM_BYTES : 0
  const added = addedSound(heard, { placed: formats.added, until: until ?? duration })
  const sized = pieces.map((piece, index) => ({
    ...piece,
    ...endOfRun(piece, pieces[index + 1]),
    bytes: (sizes[index] ?? 0) + room,
    addedBytes: roomBytes(added?.packets[index]?.length ?? 0),
  }))
  const index = segmentIndex(
    joined(
      shownStretches(stretches, { duration, until }).map((stretch, at) => ({
        ...stretch,
        bytes: (sized[at]?.bytes ?? 0) + (sized[at]?.addedBytes ?? 0),
      })),
    ),
  )
  const created = (createdAt ?? from) + hidden / TICKS_PER_MS
  const start = movieStart({ tracks: formats.tracks, createdAt: created, duration: shown, hidden })
  const head = Buffer.concat([start, index])
  const bytes = sized.reduce((sum, piece) => sum + piece.bytes + piece.addedBytes, head.length)
  const asked = { from: cut.hidden, till: cut.until ?? duration }
  const { tracks, leftOut, sound: heardSound } = formats
  return {
    head,
    pieces: sized,
    bytes,
    duration,
    until,
    namesFormats,
    leftOut,
    sound: heardSound,
    shown: asked,
    tracks,
    added,
  }
}

type RunPlace = Pick<ClipPiece, 'runFrom'>

const endOfRun = ({ runFrom }: RunPlace, next: RunPlace | undefined): Pick<ClipPiece, 'soundTill'> =>
  next === undefined || next.runFrom === runFrom ? {} : { soundTill: next.runFrom }

function addedSound(
  heard: readonly { readonly end: number; readonly isAdded: boolean }[],
  { placed, until }: { readonly placed: PlacedTrack | undefined; readonly until: number },
): AddedSound | undefined {
  if (placed === undefined) return undefined
  return { placed, packets: planPackets(heard, until) }
}

interface Cut {
  /** Ticks at the beginning that aren't shown. */
  readonly hidden: number
  readonly until: number | undefined
}

const WHOLE: Cut = { hidden: 0, until: undefined }

interface RecordedSpan {
  /** When the first picture was taken, and the first of the last part, which is at that many ticks. */
  readonly createdAt: number
  readonly lastAt: { readonly wallClock: number; readonly at: number }
  readonly duration: number
}

/** What to show of a file for a span of time: the clock of each part says when its first picture was taken. */
function cutOf(
  { from, till }: { readonly from: number; readonly till: number },
  { createdAt, lastAt, duration }: RecordedSpan,
): Cut {
  const hidden = Math.min(duration, Math.max(0, Math.round((from - createdAt) * TICKS_PER_MS)))
  const end = lastAt.at + Math.round((till - lastAt.wallClock) * TICKS_PER_MS)
  return { hidden, until: end < duration ? end : undefined }
}

type Stretch = Omit<IndexedStretch, 'bytes'>

/** The last one ends where nothing is shown any more. */
function shownStretches(
  stretches: readonly Stretch[],
  { duration, until = duration }: { readonly duration: number; readonly until: number | undefined },
): readonly Stretch[] {
  return stretches.map((stretch, at) =>
    at === stretches.length - 1 ? { ...stretch, duration: stretch.duration - (duration - until) } : stretch,
  )
}

/** Several fragments share an entry if there are too many of them. */
function joined(stretches: readonly IndexedStretch[]): readonly IndexedStretch[] {
  const together = Math.ceil(stretches.length / MAX_INDEXED_STRETCHES)
  if (together === 1) return stretches
  const all: IndexedStretch[] = []
  for (let at = 0; at < stretches.length; at += together) {
    const some = stretches.slice(at, at + together)
    const sum = (of: (one: IndexedStretch) => number) => some.reduce((total, one) => total + of(one), 0)
    all.push({ bytes: sum((one) => one.bytes), duration: sum((one) => one.duration), isKey: some[0]?.isKey === true })
  }
  return all
}

/** Sound that players of MP4 files know. G.711 isn't among it. */
const isPlayable = ({ codec }: TrackConfig): boolean => codec === 'aac' || codec === 'opus'

/** The tracks of the clip: one for pictures, one for sound, each with all formats that the camera used in that time. */
class ClipFormats {
  readonly #sound: ClipQuery['sound']
  readonly #addsSound: boolean
  readonly #isKnown: (track: TrackConfig) => boolean
  readonly #video: TrackConfig[] = []
  readonly #audio: TrackConfig[] = []
  readonly #numbers = new Map<string, number>()
  #last: { readonly segment: SegmentReader; readonly places: readonly (PlacedTrack | undefined)[] } | undefined
  #isRecorded = false
  #isAddable = false
  #isHidden = false

  constructor(sound: ClipQuery['sound'], { addsSound, keepsAllSound }: { addsSound: boolean; keepsAllSound: boolean }) {
    this.#sound = sound
    this.#addsSound = addsSound && sound === 'kept'
    this.#isKnown = keepsAllSound ? ({ kind }) => kind === 'audio' : isKnownSound
  }

  get tracks(): readonly TrackFormats[] {
    const audio = this.added === undefined ? this.#audio : [addedTrack()]
    return [this.#video, audio].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others]]))
  }

  get isChanging(): boolean {
    return this.#video.length > 1 || this.#audio.length > 1
  }

  /** Where sound that is re-encoded goes. Beside sound in another format there is none: few players change the format of sound. */
  get added(): PlacedTrack | undefined {
    return this.#isAddable && this.#audio.length === 0 ? { track: 1, format: 1, isSound: true } : undefined
  }

  get leftOut(): ClipPlan['leftOut'] {
    return this.#sound === 'left-out' ? 'erased' : 'hidden'
  }

  get sound(): ClipSound {
    if (!this.#isRecorded) return 'none'
    if (this.#sound === 'left-out') return 'leftOut'
    if (this.#isHidden || (this.#isAddable && this.added === undefined)) return 'hidden'
    return this.added === undefined ? 'kept' : 'encoded'
  }

  placesOf(segment: SegmentReader): readonly (PlacedTrack | undefined)[] {
    if (this.#last?.segment !== segment) this.#last = { segment, places: this.#place(segment.head.tracks) }
    return this.#last.places
  }

  /** Whether sound of this segment is re-encoded. */
  isAddedTo({ head: { tracks } }: SegmentReader): boolean {
    return this.#addsSound && tracks.some(isAddable)
  }

  #place(tracks: readonly TrackConfig[]): readonly (PlacedTrack | undefined)[] {
    const video = tracks.findIndex(({ kind }) => kind === 'video')
    const audio = this.#sound === 'left-out' ? -1 : tracks.findIndex(this.#isKnown)
    if (video !== -1) this.#noteSound(tracks)
    return tracks.map((track, index) => {
      if (index === video) return { track: 0, format: this.#numberOf(track, this.#video), isSound: false }
      return index === audio ? { track: 1, format: this.#numberOf(track, this.#audio), isSound: true } : undefined
    })
  }

  #noteSound(tracks: readonly TrackConfig[]): void {
    if (!tracks.some(({ kind }) => kind === 'audio')) return
    this.#isRecorded = true
    if (tracks.some(this.#isKnown)) return
    if (this.#addsSound && tracks.some(isAddable)) this.#isAddable = true
    else this.#isHidden = true
  }

  #numberOf(track: TrackConfig, known: TrackConfig[]): number {
    const key = JSON.stringify(track, (_, value) => (value instanceof Uint8Array ? [...value] : value))
    const number = this.#numbers.get(key)
    if (number !== undefined) return number
    known.push(track)
    this.#numbers.set(key, known.length)
    return known.length
  }
}

const isKnownSound = (track: TrackConfig): boolean => track.kind === 'audio' && isPlayable(track)
