import type { VideoSetup } from './fragments.ts'
import type { GroupPicture, PictureGroup, PictureGroups } from './picture-groups.ts'
import { errorText } from './sink.ts'

export interface PictureDecoderSettings {
  readonly codec: string
  readonly setup: VideoSetup
  readonly width: number
  readonly height: number
  /** A picture was decoded, and kept if it can still be shown. */
  readonly onPicture: () => void
  readonly onFailure: (detail: string) => void
}

const MICROSECONDS_PER_MS = 1000
/** Pictures decoded ahead of the clock at normal speed. */
const AHEAD = 5
const MOST_WAITING = 4
/** After a jump, the pictures before the clock only have to be decoded. */
const MOST_WAITING_BEHIND = 24
/** A decoder that is this far behind its clock continues with the next key picture. */
const LATE_MS = 400
/** A group that begins this soon is decoded before the clock reaches it. */
const SOON_MS = 1000
/** Bytes of decoded pictures kept of one group for playing backwards; of larger groups, pictures are left out evenly. */
const MOST_DECODED_BYTES = 48 * 1024 * 1024
/** Timestamps are rounded to microseconds. */
const ROUNDING_MS = 1

const timeOf = (frame: VideoFrame): number => frame.timestamp / MICROSECONDS_PER_MS

/** A group that is being decoded backwards, and which of its pictures are kept. */
interface Decoding {
  readonly group: PictureGroup
  readonly keeps: (time: number, index: number) => boolean
  out: number
}

/**
 * Decodes the pictures around the clock: ahead of it one after another, or backwards group by group. Frames are closed as soon as
 * they can't be shown any more, because a browser has few of them.
 */
export class PictureDecoder {
  readonly #settings: PictureDecoderSettings
  #decoder: VideoDecoder | undefined
  /** Sorted by time. */
  #frames: VideoFrame[] = []
  #direction: 'forward' | 'backward' = 'forward'
  /** The next picture to decode. */
  #place: { group: PictureGroup; index: number } | undefined
  #inFlight = 0
  /** Of the pictures that were given to the decoder since the last jump: it may still bring one from before. */
  #given = new Set<number>()
  /** Playing backwards: groups that are decoded, with how many pictures they had. */
  #decoded = new Map<PictureGroup, number>()
  #decoding: Decoding | undefined
  /** Paused: up to which picture of a group it was decoded last, so that one that can't be decoded isn't tried again and again. */
  #tried = new Map<PictureGroup, number>()
  /** Backwards: the picture of the clock is decoded. */
  #isThere = false
  #drawnTime: number | undefined
  #now = 0
  #dropped = 0

  constructor(settings: PictureDecoderSettings) {
    this.#settings = settings
  }

  /** The clock jumped, or turned. */
  reset(): void {
    this.#closeFrames()
    this.#place = undefined
    this.#decoded.clear()
    this.#tried.clear()
    this.#given.clear()
    this.#decoding = undefined
    this.#inFlight = 0
    this.#drawnTime = undefined
    if (this.#decoder?.state === 'configured') {
      this.#decoder.reset()
      this.#configure(this.#decoder)
    }
  }

  close(): void {
    this.#closeFrames()
    if (this.#decoder !== undefined && this.#decoder.state !== 'closed') this.#decoder.close()
    this.#decoder = undefined
  }

  /** Pictures that were decoded for the clock and never drawn, because it was further already. */
  get dropped(): number {
    return this.#dropped
  }

  /** Decodes what is needed next; called once per animation frame. A paused clock needs each picture exactly. */
  feed(groups: PictureGroups, { now, rate, isPaused }: { now: number; rate: number; isPaused: boolean }): void {
    this.#now = now
    const direction = rate < 0 ? 'backward' : 'forward'
    if (direction !== this.#direction) {
      this.reset()
      this.#direction = direction
    }
    if (direction === 'forward') this.#feedForward(groups, now, rate)
    else if (isPaused) this.#feedExact(groups, now)
    else this.#feedBackward(groups, now)
  }

  /** Whether the picture of that time is decoded, or was drawn last. */
  hasPicture(time: number): boolean {
    if (this.#direction === 'backward') return this.#isThere
    // What comes later than a missing picture shows that it won't come.
    if ((this.#drawnTime ?? 0) / MICROSECONDS_PER_MS >= time - ROUNDING_MS) return true
    return this.#frames.some((frame) => timeOf(frame) >= time - ROUNDING_MS)
  }

  /** The picture of that time, if it is another than the last drawn. It is valid until the next call. */
  pictureAt(now: number): VideoFrame | undefined {
    if (this.#direction === 'backward' && !this.#isThere) return undefined
    const place = this.#frames.findLastIndex((frame) => timeOf(frame) <= now + ROUNDING_MS)
    if (this.#direction === 'backward') this.#closeBetween(place + 1, this.#frames.length)
    const frame = this.#frames[place]
    if (frame === undefined) return undefined
    if (this.#direction === 'forward' && place > 0) this.#drop(place)
    if (frame.timestamp === this.#drawnTime) return undefined
    this.#drawnTime = frame.timestamp
    return frame
  }

  #feedForward(groups: PictureGroups, now: number, rate: number): void {
    const wanted = groups.at(now) ?? firstSoon(groups, now)
    if (wanted === undefined) return
    if (this.#place === undefined || this.#isLate(wanted, now)) this.#place = { group: wanted, index: 0 }
    const ahead = AHEAD * Math.max(1, Math.ceil(rate))
    while (this.#isHungry(now, ahead)) {
      const picture = this.#nextPicture(groups)
      if (picture === undefined) return
      this.#decode(picture)
    }
  }

  #isLate(wanted: PictureGroup, now: number): boolean {
    const place = this.#place
    if (place === undefined || place.group === wanted || wanted.key <= place.group.key) return false
    const next = place.group.pictures[place.index]
    return next === undefined ? place.group.till < now - LATE_MS : next.time < now - LATE_MS
  }

  #isHungry(now: number, ahead: number): boolean {
    const isBehind = this.#isBehind(now)
    if ((this.#decoder?.decodeQueueSize ?? 0) >= (isBehind ? MOST_WAITING_BEHIND : MOST_WAITING)) return false
    const later = this.#frames.filter((frame) => timeOf(frame) > now).length
    return isBehind || later + this.#inFlight < ahead
  }

  /** After a jump, the pictures from the key picture up to the clock are decoded, and all but the last are closed. */
  #isBehind(now: number): boolean {
    const next = this.#place?.group.pictures[this.#place.index]
    return next !== undefined && next.time <= now
  }

  #nextPicture(groups: PictureGroups): GroupPicture | undefined {
    const place = this.#place
    if (place === undefined) return undefined
    const picture = place.group.pictures[place.index]
    if (picture !== undefined) {
      place.index++
      return picture
    }
    const group = groups.after(place.group)
    if (group === undefined || group.pictures.length === 0) return undefined
    this.#place = { group, index: 1 }
    return group.pictures[0]
  }

  #feedBackward(groups: PictureGroups, now: number): void {
    const current = groups.at(now)
    // Of a group that is being decoded, the picture of the clock may still be to come.
    this.#isThere = current !== undefined && this.#isDecoded(current)
    if (current === undefined) return
    const before = groups.before(current)
    this.#forgetOthers(current, before)
    if (this.#decoding !== undefined) return
    const next = [current, before].find((group) => group !== undefined && !this.#isDecoded(group))
    if (next === undefined) return
    const keepEvery = Math.max(1, Math.ceil(next.pictures.length / this.#mostPictures))
    const count = next.pictures.length
    const done = () => this.#decoded.set(next, count)
    void this.#decodeGroup({ group: next, keeps: (_, index) => index % keepEvery === 0, out: 0 }, next.pictures).then(
      (isWhole) => isWhole && done(),
    )
  }

  /** Keeps the pictures up to the clock, so that the next steps back are as fast, and those at the end of the group before. */
  #feedExact(groups: PictureGroups, now: number): void {
    const current = groups.at(now)
    const due = groups.timeDue(now)
    this.#isThere = current !== undefined && due !== undefined && this.#isThereExactly(current, due)
    if (current === undefined || due === undefined) return
    const before = groups.before(current)
    this.#forgetOthers(current, before)
    if (this.#decoding !== undefined) return
    if (!this.#isThere) this.#decodeUntil(current, due)
    else if (before !== undefined && !this.#isThereExactly(before, lastTime(before))) {
      this.#decodeUntil(before, lastTime(before))
    }
  }

  #isThereExactly(group: PictureGroup, due: number): boolean {
    return this.#hasFrame(due) || (this.#tried.get(group) === due && this.#decoding?.group !== group)
  }

  #decodeUntil(group: PictureGroup, due: number): void {
    this.#forget(group)
    this.#tried.set(group, due)
    const times = group.pictures.map(({ time }) => time).toSorted((a, b) => a - b)
    const end = times.findLastIndex((time) => time <= due + ROUNDING_MS)
    const from = times[Math.max(0, end + 1 - this.#mostPictures)] ?? due
    const keeps = (time: number) => time >= from - ROUNDING_MS && time <= due + ROUNDING_MS
    // In decoding order, a picture may come before one that is shown earlier.
    const count = group.pictures.findLastIndex(({ time }) => time <= due + ROUNDING_MS) + 1
    void this.#decodeGroup({ group, keeps, out: 0 }, group.pictures.slice(0, count))
  }

  #hasFrame(time: number): boolean {
    return this.#frames.some((frame) => Math.abs(timeOf(frame) - time) <= ROUNDING_MS)
  }

  /** Decoded pictures of one group that fit in memory. */
  get #mostPictures(): number {
    const { width, height } = this.#settings
    return Math.max(2, Math.floor(MOST_DECODED_BYTES / (width * height * 1.5)))
  }

  #forgetOthers(current: PictureGroup, before: PictureGroup | undefined): void {
    for (const group of this.#decoded.keys()) if (group !== current && group !== before) this.#forget(group)
    for (const group of this.#tried.keys()) if (group !== current && group !== before) this.#tried.delete(group)
    const from = (before ?? current).key - ROUNDING_MS
    this.#closeBetween(0, this.#frames.filter((frame) => timeOf(frame) < from).length)
  }

  /** Returns whether it was decoded to its end. */
  async #decodeGroup(decoding: Decoding, pictures: readonly GroupPicture[]): Promise<boolean> {
    this.#decoding = decoding
    for (const picture of pictures) this.#decode(picture)
    // A flush that is interrupted by a reset rejects.
    await this.#decoder?.flush().catch(() => undefined)
    if (this.#decoding !== decoding) return false
    this.#decoding = undefined
    return true
  }

  /** More of a group may have arrived since. */
  #isDecoded(group: PictureGroup): boolean {
    return this.#decoded.get(group) === group.pictures.length
  }

  #forget(group: PictureGroup): void {
    this.#decoded.delete(group)
    const isOfGroup = (frame: VideoFrame) =>
      timeOf(frame) >= group.key - ROUNDING_MS && timeOf(frame) < group.till - ROUNDING_MS
    for (const frame of this.#frames) if (isOfGroup(frame)) frame.close()
    this.#frames = this.#frames.filter((frame) => !isOfGroup(frame))
  }

  #decode({ time, isKey, data }: GroupPicture): void {
    const decoder = this.#opened()
    if (decoder === undefined) return
    const timestamp = Math.round(time * MICROSECONDS_PER_MS)
    this.#inFlight++
    this.#given.add(timestamp)
    decoder.decode(new EncodedVideoChunk({ type: isKey ? 'key' : 'delta', timestamp, data }))
  }

  #opened(): VideoDecoder | undefined {
    if (this.#decoder !== undefined) return this.#decoder.state === 'configured' ? this.#decoder : undefined
    const opened = new VideoDecoder({
      output: (frame) => {
        this.#keep(frame)
        this.#settings.onPicture()
      },
      error: (error) => {
        if (this.#decoder === opened) this.#settings.onFailure(error.message)
      },
    })
    this.#decoder = opened
    this.#configure(opened)
    return opened.state === 'configured' ? opened : undefined
  }

  #configure(decoder: VideoDecoder): void {
    const { codec, setup } = this.#settings
    try {
      decoder.configure({ codec, description: setup.description, optimizeForLatency: true })
    } catch (error) {
      this.#settings.onFailure(errorText(error))
    }
  }

  #keep(frame: VideoFrame): void {
    if (!this.#given.delete(frame.timestamp)) {
      frame.close()
      return
    }
    this.#inFlight = Math.max(0, this.#inFlight - 1)
    const decoding = this.#decoding
    const isLeftOut = decoding !== undefined && !decoding.keeps(timeOf(frame), decoding.out++)
    if (isLeftOut || this.#frames.some(({ timestamp }) => timestamp === frame.timestamp)) {
      frame.close()
      return
    }
    const place = this.#frames.findLastIndex(({ timestamp }) => timestamp < frame.timestamp) + 1
    this.#frames.splice(place, 0, frame)
    if (this.#direction === 'forward') this.#closePast()
  }

  /** Of the pictures that are due, only the last is shown. */
  #closePast(): void {
    const shown = this.#frames.findLastIndex((one) => timeOf(one) <= this.#now)
    if (shown > 0) this.#drop(shown)
  }

  /** After a jump, the pictures from the key picture on are no loss. */
  #drop(count: number): void {
    const drawn = this.#drawnTime
    if (drawn !== undefined)
      this.#dropped += this.#frames.slice(0, count).filter(({ timestamp }) => timestamp > drawn).length
    this.#closeBetween(0, count)
  }

  #closeBetween(from: number, till: number): void {
    for (const frame of this.#frames.splice(from, till - from)) frame.close()
  }

  #closeFrames(): void {
    this.#closeBetween(0, this.#frames.length)
  }
}

const lastTime = (group: PictureGroup): number => Math.max(...group.pictures.map(({ time }) => time))

const firstSoon = (groups: PictureGroups, now: number): PictureGroup | undefined => {
  const { first } = groups
  return first !== undefined && first.key - now < SOON_MS ? first : undefined
}
