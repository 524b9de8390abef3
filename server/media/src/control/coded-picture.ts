import type { CodedPicture } from '../decoder/index.ts'
import { type AccessUnit, getPresentationTime, type TrackConfig } from '../frame/index.ts'
import { openPlayback, type PicturePosition, type PlaybackQuery } from '../playback/index.ts'

/** A picture of footage, ready to be decoded. */
export interface RecordedPicture extends CodedPicture {
  /** Milliseconds since 1970. */
  readonly wallClock: number
}

/** A minute at 15 pictures a second; what is further from its key picture takes a decoder too long. */
const MAX_PICTURES = 900
const MAX_BYTES = 32 * 1024 * 1024

/**
 * Reads a picture with everything that it depends on. If its key picture is too far before it, the last picture that can
 * still be reached is returned. Undefined if it was deleted meanwhile, is damaged, or needs pictures that aren't recorded.
 */
export async function readCodedPicture(
  query: Omit<PlaybackQuery, 'at' | 'waitMs'>,
  position: PicturePosition,
): Promise<RecordedPicture | undefined> {
  let group: Group | undefined
  for await (const { track, unit } of videoUnits(query, position)) {
    const time = getPresentationTime(unit)
    if (unit.isKey && time > position.time) return undefined
    // A recovery point continues the group: pictures right after it depend on those before it.
    if (unit.isKey && (unit.recovery === undefined || group === undefined)) group = new Group(track, unit)
    else group?.add(unit)
    if (group !== undefined && (time === position.time || group.isFull)) return group.last()
  }
  return undefined
}

/** The coded pictures of the position's run from its key picture on, in decoding order; they end at damage. */
async function* videoUnits(
  query: Omit<PlaybackQuery, 'at' | 'waitMs'>,
  { key, runId }: PicturePosition,
): AsyncGenerator<{ readonly track: CodedPicture['track']; readonly unit: AccessUnit }> {
  let tracks: readonly TrackConfig[] = []
  for await (const message of openPlayback({ ...query, at: key })) {
    if (message.kind === 'damaged' && message.till > key) return
    if (message.kind === 'tracks') tracks = message.tracks
    if (message.kind !== 'part' || message.runId !== runId) continue
    for (const { unit, track: index } of message.samples) {
      const track = tracks[index]
      if (track?.kind === 'video') yield { track, unit }
    }
  }
}

/** A key picture and those after it. */
class Group {
  readonly #track: CodedPicture['track']
  readonly #units: AccessUnit[]
  #bytes = 0

  constructor(track: CodedPicture['track'], key: AccessUnit) {
    this.#track = track
    this.#units = [key]
  }

  add(unit: AccessUnit): void {
    this.#units.push(unit)
    for (const { length } of unit.units) this.#bytes += length
  }

  get isFull(): boolean {
    return this.#units.length >= MAX_PICTURES || this.#bytes >= MAX_BYTES
  }

  /** The picture that was added last. */
  last(): RecordedPicture | undefined {
    const [first, last] = [this.#units[0], this.#units.at(-1)]
    if (first === undefined || last === undefined || this.#units.length <= (first.recovery ?? 0)) return undefined
    const [from, until] = [getPresentationTime(first), getPresentationTime(last)]
    const before = this.#units.map(getPresentationTime).filter((time) => time >= from && time < until)
    return { track: this.#track, units: this.#units, shown: before.length, wallClock: last.wallClock }
  }
}
