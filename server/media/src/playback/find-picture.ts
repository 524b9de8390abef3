import { type AccessUnit, getPresentationTime } from '../frame/index.ts'
import { type StreamKey, streamFolder } from '../recording/index.ts'
import { openPlayback, type PlaybackQuery } from './open-playback.ts'
import { type FootageAccess, SegmentWalk } from './segment-walk.ts'

/** One picture, by its time of day (milliseconds since 1970) and its place in its run. */
export interface PicturePosition {
  readonly wallClock: number
  readonly runId: string
  /** When it is shown, ticks since the start of the run. */
  readonly time: number
  /** Time of day of the key picture from which it can be decoded. */
  readonly key: number
}

/** What is on the screen: any time of a run, not only the start of a picture. */
export type PlaybackPosition = Omit<PicturePosition, 'key'>

interface Footage extends FootageAccess {
  readonly store: string
  readonly stream: StreamKey
}

/** A time of day is rounded to a millisecond in a browser. */
const ROUNDING_MS = 2
/** How much earlier than the end of the previous part a part may seem to begin. */
const JITTER_MS = 1000
const TICKS_PER_MS = 90

/** In presentation order. Pictures that can be decoded only from a key picture before the first one are left out. */
async function* pictures(query: PlaybackQuery): AsyncGenerator<PicturePosition> {
  let runId: string | undefined
  let order = new ShowingOrder()
  for await (const message of openPlayback(query)) {
    if (message.kind !== 'part') continue
    if (message.runId !== runId) {
      yield* order.rest()
      order = new ShowingOrder()
      runId = message.runId
    }
    for (const { unit } of message.samples) if (unit.kind === 'video') yield* order.next(unit, message.runId)
  }
  yield* order.rest()
}

/** Puts the pictures of one run, which come as they are decoded, in the order in which they are seen. */
class ShowingOrder {
  #waiting: PicturePosition[] = []
  #key: PicturePosition | undefined
  #keyBefore: PicturePosition | undefined

  /** Accepts the next unit and returns the positions that nothing can precede any more. */
  next(unit: AccessUnit, runId: string): PicturePosition[] {
    const { wallClock } = unit
    const place = { wallClock, runId, time: getPresentationTime(unit), key: wallClock }
    if (unit.isKey) {
      this.#keyBefore = this.#key
      this.#key = place
    }
    const key = this.#key !== undefined && place.time < this.#key.time ? this.#keyBefore : this.#key
    if (key !== undefined) this.#waiting = inserted(this.#waiting, { ...place, key: key.wallClock })
    // Nothing is shown before it is decoded.
    const open = this.#waiting.findIndex(({ time }) => time > unit.time)
    return this.#waiting.splice(0, open === -1 ? this.#waiting.length : open)
  }

  rest(): PicturePosition[] {
    return this.#waiting.splice(0)
  }
}

function inserted(ascending: readonly PicturePosition[], picture: PicturePosition): PicturePosition[] {
  const place = ascending.findIndex(({ time }) => time > picture.time)
  return ascending.toSpliced(place === -1 ? ascending.length : place, 0, picture)
}

/** When the newest key picture before a given time was taken; undefined at the start of the footage. */
export async function findPreviousKeyPicture(footage: Footage, at: number): Promise<number | undefined> {
  const walk = new SegmentWalk(streamFolder(footage.store, footage.stream), footage, () => undefined)
  for (let segment = await walk.before(at); segment; segment = await walk.before(segment.head.header.start)) {
    await using open = segment
    const key = open.parts.findLast((part) => part.isKey && part.wallClock < at)
    if (key !== undefined) return key.wallClock
  }
  return undefined
}

/** The picture at a given time: the last that began by then, or the first after it. */
export async function findPicture(footage: Footage, at: number): Promise<PicturePosition | undefined> {
  let seen: PicturePosition | undefined
  for await (const picture of pictures({ ...footage, at })) {
    if (picture.wallClock > at + ROUNDING_MS) return seen ?? picture
    seen = picture
  }
  return seen
}

/**
 * The picture that many pictures after (before, if negative) the one on the screen, or the last or first one if the
 * footage ends sooner. Gaps are skipped. Within a run only its own time counts, because the clock times of parts are
 * arrival times, which have jitter.
 */
export async function findPictureByOffset(
  footage: Footage,
  shown: PlaybackPosition,
  frames: number,
): Promise<PicturePosition | undefined> {
  let current: PicturePosition | undefined
  let left = Math.max(frames, 0)
  for await (const picture of pictures({ ...footage, at: shown.wallClock - JITTER_MS })) {
    if (isShownBy(picture, shown)) {
      current = picture
    } else if (current !== undefined) {
      if (left === 0) break
      left--
      current = picture
    }
  }
  if (current === undefined) return findPicture(footage, shown.wallClock)
  return frames < 0 ? stepBack(footage, current, -frames) : current
}

const isShownBy = (picture: PicturePosition, { runId, time }: PlaybackPosition): boolean =>
  picture.runId === runId && picture.time <= time + ROUNDING_MS * TICKS_PER_MS

/** Goes back from key picture to key picture until there are enough pictures in between. */
async function stepBack(footage: Footage, current: PicturePosition, frames: number): Promise<PicturePosition> {
  let before: PicturePosition[] = []
  let until = current
  let key: number | undefined = current.key
  while (before.length < frames && key !== undefined) {
    const group: PicturePosition[] = []
    for await (const picture of pictures({ ...footage, at: key })) {
      if (picture.runId === until.runId && picture.time >= until.time) break
      group.push(picture)
    }
    before = [...group, ...before]
    until = before[0] ?? until
    key = await findPreviousKeyPicture(footage, key)
  }
  return before.at(-frames) ?? before[0] ?? current
}
