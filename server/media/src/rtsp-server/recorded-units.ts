import { type AccessUnit, TICKS_PER_SECOND, type TrackConfig } from '../frame/index.ts'
import {
  findParts,
  findPreviousKeyPicture,
  openPlayback,
  type PlaybackMessage,
  type PlaybackQuery,
  type PlayedPart,
  SessionTimeline,
} from '../playback/index.ts'

/** Recorded footage of a stream. */
export interface RecordedFootage extends Omit<PlaybackQuery, 'at' | 'till' | 'pictures' | 'waitMs' | 'signal'> {
  /** Where it starts unless a client says otherwise, milliseconds since 1970. */
  readonly from: number
  /** Nothing from then on is sent. */
  readonly till: number | undefined
  /** Whether footage of a time is on another machine; it isn't sent from here. */
  readonly isElsewhere: (time: number) => Promise<boolean>
}

export interface RecordedSpan {
  readonly footage: RecordedFootage
  readonly at: number
  /** Backwards: the earlier end. */
  readonly till: number | undefined
  readonly direction: 'forwards' | 'backwards'
  readonly pictures: 'all' | 'keys'
  readonly leastDistanceMs: number
  readonly waitMs: number
  readonly signal: AbortSignal
}

/** A picture or a piece of sound, with its place in a presentation that has no gaps. */
export interface RecordedUnit {
  readonly unit: AccessUnit
  readonly track: TrackConfig
  /** All that were recorded then. */
  readonly tracks: readonly TrackConfig[]
  /** When it is decoded and when it is shown, in ticks; gaps are skipped. */
  readonly decode: number
  readonly shown: number
  readonly duration: number
  /** Nothing that belongs to it comes after it: a gap follows, or the end. */
  readonly endsSection: boolean
  /** It doesn't continue what was before. */
  readonly isApart: boolean
  readonly isLast: boolean
}

const TICKS_PER_MS = TICKS_PER_SECOND / 1000
/** Backwards, a longer time between two key pictures is taken for a gap. */
const LONGEST_STEP_MS = 10_000

/** The units of a span in the order in which they are sent. */
export async function* recordedUnits(span: RecordedSpan): AsyncGenerator<RecordedUnit, void, undefined> {
  const units = span.direction === 'backwards' ? keysBackwards(span) : forwards(span)
  let held: RecordedUnit[] = []
  // The last of each kind is held until it is known what follows.
  for await (const next of units) {
    if (next.isApart) yield* held.map((each) => ({ ...each, endsSection: true }))
    else yield* held.filter(({ unit }) => unit.kind === next.unit.kind)
    held = next.isApart ? [next] : [...held.filter(({ unit }) => unit.kind !== next.unit.kind), next]
  }
  yield* held.map((each) => ({ ...each, endsSection: true, isLast: true }))
}

/** Whether anything can be played from a time on, without waiting for it to be recorded. */
export async function hasFootage({
  footage,
  at,
  till,
}: Pick<RecordedSpan, 'footage' | 'at' | 'till'>): Promise<boolean> {
  for await (const { part } of findParts({ ...footage, at, till })) return till === undefined || part.wallClock < till
  return false
}

async function* forwards(span: RecordedSpan) {
  let [isFirst, isApart] = [true, false]
  for await (const piece of pieces(span)) {
    isApart ||= piece.isApart
    for (const unit of piece.units) {
      yield { ...unit, isApart: isApart && !isFirst }
      ;[isFirst, isApart] = [false, false]
    }
  }
}

/** Part by part; what is on another machine ends it. */
async function* pieces({ footage, leastDistanceMs, direction: _, ...span }: RecordedSpan) {
  const timeline = new SessionTimeline()
  let tracks: readonly TrackConfig[] = []
  let isApart = false
  let lastKey = Number.NEGATIVE_INFINITY
  for await (const message of openPlayback({ ...footage, ...span })) {
    if (message.kind === 'tracks') tracks = message.tracks
    if (message.kind === 'gap' && (await footage.isElsewhere(message.from))) return
    if (message.kind === 'gap' || message.kind === 'damaged') isApart = true
    if (message.kind !== 'part') continue
    const { offset, moved } = timeline.place(message)
    if (span.pictures === 'keys' && message.wallClock - lastKey < leastDistanceMs) continue
    lastKey = message.wallClock
    yield { units: inOrder(message, { tracks, till: span.till, offset }), isApart: isApart || moved }
    isApart = false
  }
}

interface Placing {
  readonly tracks: readonly TrackConfig[]
  readonly till: number | undefined
  readonly offset: number
}

/** Up to the last picture that is shown before `till`: what it needs is before it. */
function inOrder(part: PlayedPart, { tracks, till = Number.POSITIVE_INFINITY, offset }: Placing) {
  const sorted = part.samples.toSorted((one, other) => one.unit.time - other.unit.time)
  const last = sorted.findLastIndex(({ unit }) => unit.wallClock < till)
  return sorted.slice(0, last + 1).flatMap(({ unit, track: index, duration }) => {
    const track = tracks[index]
    if (track === undefined) return []
    const decode = unit.time + offset
    const shown = decode + (unit.compositionOffset ?? 0)
    return [{ unit, track, tracks, decode, shown, duration, endsSection: false, isLast: false }]
  })
}

/** Key pictures, the newest first; each is shown until the one before it. */
async function* keysBackwards({ footage, at, till = Number.NEGATIVE_INFINITY, leastDistanceMs, signal }: RecordedSpan) {
  let shown = 0
  let before: number | undefined
  // The key picture of that very time counts, too.
  for (let until = at + 1; ; ) {
    const key = await findPreviousKeyPicture({ ...footage, signal }, until)
    if (key === undefined || key < till || signal.aborted) return
    until = key
    if (before !== undefined && before - key < leastDistanceMs) continue
    const found = await readKey(footage, key, signal)
    if (found === undefined) continue
    if (before !== undefined) shown += Math.min(before - key, LONGEST_STEP_MS) * TICKS_PER_MS
    before = key
    yield { ...found, decode: shown, shown, duration: 0, endsSection: false, isApart: false, isLast: false }
  }
}

async function readKey(footage: RecordedFootage, at: number, signal: AbortSignal) {
  let tracks: readonly TrackConfig[] = []
  for await (const message of openPlayback({ ...footage, at, till: undefined, pictures: 'keys', signal })) {
    if (message.kind === 'tracks') tracks = message.tracks
    if (message.kind === 'damaged') return undefined
    if (message.kind !== 'part') continue
    return keyOf(message, tracks)
  }
  return undefined
}

function keyOf({ samples }: Extract<PlaybackMessage, { kind: 'part' }>, tracks: readonly TrackConfig[]) {
  const key = samples.find(({ unit }) => unit.kind === 'video')
  const track = key && tracks[key.track]
  return key === undefined || track === undefined ? undefined : { unit: key.unit, track, tracks }
}
