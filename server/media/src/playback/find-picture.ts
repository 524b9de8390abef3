import { type StreamKey, streamFolder } from '../recording/index.ts'
import { openPlayback, type PlaybackQuery } from './open-playback.ts'
import { SegmentWalk } from './segment-walk.ts'

/** One picture, by its time of day (milliseconds since 1970) and its place in its run. */
export interface PicturePlace {
  readonly wallClock: number
  readonly runId: string
  /** Ticks since the start of the run. */
  readonly time: number
}

interface Footage {
  readonly store: string
  readonly stream: StreamKey
}

/** A time of day is rounded to a millisecond on its way through a browser. */
const ROUNDING_MS = 2

async function* pictures(query: PlaybackQuery): AsyncGenerator<PicturePlace> {
  for await (const message of openPlayback(query)) {
    if (message.kind !== 'part') continue
    for (const { unit } of message.samples) {
      if (unit.kind === 'video') yield { wallClock: unit.wallClock, runId: message.runId, time: unit.time }
    }
  }
}

/** When the newest key picture before a moment was taken; undefined where the footage begins. */
export async function keyPictureBefore({ store, stream }: Footage, at: number): Promise<number | undefined> {
  const walk = new SegmentWalk(streamFolder(store, stream), () => undefined)
  for (let segment = await walk.before(at); segment; segment = await walk.before(segment.head.header.start)) {
    await using open = segment
    const key = open.parts.findLast((part) => part.isKey && part.wallClock < at)
    if (key !== undefined) return key.wallClock
  }
  return undefined
}

/** The picture that is seen at a moment: the last that began by then, else the first after it. */
export async function pictureAt(footage: Footage, at: number): Promise<PicturePlace | undefined> {
  let seen: PicturePlace | undefined
  for await (const picture of pictures({ ...footage, at })) {
    if (picture.wallClock > at + ROUNDING_MS) return seen ?? picture
    seen = picture
  }
  return seen
}

/**
 * The picture so many pictures after (before, if negative) the one that is seen at a moment; the last or first there is
 * where the footage ends sooner. Gaps are stepped over.
 */
export async function pictureFrom(footage: Footage, at: number, frames: number): Promise<PicturePlace | undefined> {
  const current = await pictureAt(footage, at)
  if (current === undefined || frames === 0) return current
  return frames > 0 ? stepForward(footage, current, frames) : stepBack(footage, current, -frames)
}

async function stepForward(footage: Footage, current: PicturePlace, frames: number): Promise<PicturePlace> {
  let last = current
  let left = frames
  for await (const picture of pictures({ ...footage, at: current.wallClock })) {
    if (picture.wallClock <= current.wallClock) continue
    last = picture
    if (--left === 0) break
  }
  return last
}

/** Goes back key picture by key picture until enough pictures lie between. */
async function stepBack(footage: Footage, current: PicturePlace, frames: number): Promise<PicturePlace> {
  let before: PicturePlace[] = []
  let until = current.wallClock
  while (before.length < frames) {
    const key = await keyPictureBefore(footage, until)
    if (key === undefined) break
    const group: PicturePlace[] = []
    for await (const picture of pictures({ ...footage, at: key })) {
      if (picture.wallClock >= until) break
      group.push(picture)
    }
    before = [...group, ...before]
    until = key
  }
  return before.at(-frames) ?? before[0] ?? current
}
