/** One coded picture. Times are milliseconds since 1970, of when it is shown. */
export interface GroupPicture {
  readonly time: number
  readonly isKey: boolean
  readonly data: Uint8Array
}

/** Pictures that can be decoded one after another from the key picture that begins them, in decoding order. */
export interface PictureGroup {
  readonly key: number
  readonly pictures: GroupPicture[]
  /** When the last picture that arrived is over. */
  till: number
}

/** Times of one picture that came twice differ by rounding only. */
const SAME_MS = 2
/** Coded bytes kept of one camera: about a minute at 4 Mbit/s. */
const MOST_BYTES = 32 * 1024 * 1024
/** Parts of a group follow each other within this time, unless the connection is slow. */
const ARRIVING_MS = 700
/** The next group may begin this much later than the last picture of this one ends. */
const BETWEEN_GROUPS_MS = 60
/** Groups closer than this to the clock are never dropped. */
const NEAR_MS = 5000

/** The coded pictures of one camera around the clock, by groups, whatever their order of arrival. */
export class PictureGroups {
  #groups: PictureGroup[] = []
  #receiving: PictureGroup | undefined
  /** Pictures of that group that came since its key picture came last. */
  #received = 0
  #bytes = 0
  #addedAt = 0

  clear(): void {
    this.#groups = []
    this.#receiving = undefined
    this.#bytes = 0
  }

  /** The next picture in order of arrival; `durationMs` is how long it lasts. One without a key picture before it is left out. */
  add(picture: GroupPicture, durationMs: number): void {
    if (picture.isKey) this.#receiving = this.#begin(picture.time)
    const group = this.#receiving
    if (group === undefined) return
    this.#addedAt = performance.now()
    if (this.#isKnown(group, picture, this.#received++)) return
    group.pictures.push(picture)
    group.till = Math.max(group.till, picture.time + durationMs)
    this.#bytes += picture.data.length
  }

  /** Whether more pictures of the group are probably on their way. */
  isArriving(group: PictureGroup): boolean {
    return group === this.#receiving && performance.now() - this.#addedAt < ARRIVING_MS
  }

  /** After a break in what arrives, nothing continues the last group. */
  endGroup(): void {
    this.#receiving = undefined
  }

  /** The last group that begins by then. */
  at(time: number): PictureGroup | undefined {
    return this.#groups.findLast(({ key }) => key <= time + SAME_MS)
  }

  /** The time of the picture that is to be seen then; undefined if it isn't here. */
  timeDue(time: number): number | undefined {
    let due: number | undefined
    for (const picture of this.at(time)?.pictures ?? []) {
      if (picture.time <= time + SAME_MS && picture.time > (due ?? Number.NEGATIVE_INFINITY)) due = picture.time
    }
    return due
  }

  /** Whether the picture to be seen then is here, and not only one before it. The next may begin `lateMs` after the last one ends. */
  hasArrived(time: number, lateMs: number): boolean {
    const group = this.at(time)
    // The next one counts as begun a moment early, because of rounding.
    return group === undefined || time + SAME_MS < group.till + lateMs || this.after(group) !== undefined
  }

  after(group: PictureGroup): PictureGroup | undefined {
    return this.#groups[this.#groups.indexOf(group) + 1]
  }

  before(group: PictureGroup): PictureGroup | undefined {
    return this.#groups[this.#groups.indexOf(group) - 1]
  }

  /** Until when footage is here without a break, from that time on; groups further apart than `breakMs` don't belong together. */
  bufferedUntil(time: number, breakMs: number): number | undefined {
    let group = this.at(time)
    if (group === undefined || group.till < time) return undefined
    for (
      let next = this.after(group);
      next !== undefined && next.key - group.till < breakMs;
      next = this.after(group)
    ) {
      group = next
    }
    return group.till
  }

  get first(): PictureGroup | undefined {
    return this.#groups[0]
  }

  /**
   * The time of the picture that many pictures after (before, if negative) the one at `time`; undefined beyond what is here, and while
   * pictures on the way there are still to come.
   */
  timeOfStep(time: number, frames: number): number | undefined {
    const times = this.#groups
      .flatMap(({ pictures }) => pictures.map((picture) => picture.time))
      .toSorted((a, b) => a - b)
    const shown = times.findLastIndex((one) => one <= time + SAME_MS)
    const target = times[shown + frames]
    return target === undefined || (frames < 0 && this.#lacksPictures(target, time)) ? undefined : target
  }

  /** Whether the end of a group is on its way that begins by `time` and is over after `target`. */
  #lacksPictures(target: number, time: number): boolean {
    const group = this.#receiving
    if (group === undefined || !this.isArriving(group)) return false
    const next = this.after(group)
    const isBetween = next !== undefined && next.key > target && group.key <= time
    return isBetween && next.key <= time + SAME_MS && group.till + BETWEEN_GROUPS_MS < next.key
  }

  /** Drops what is furthest from the clock, if too much is kept. */
  trim(now: number): void {
    while (this.#bytes > MOST_BYTES) {
      const [first] = this.#groups
      const last = this.#groups.at(-1)
      if (first === undefined || last === undefined || first === last) return
      const far = now - first.key > last.key - now ? first : last
      if (Math.abs(far.key - now) < NEAR_MS || far === this.#receiving) return
      this.#drop(far)
    }
  }

  #begin(key: number): PictureGroup {
    this.#received = 0
    const known = this.#groups.find((group) => Math.abs(group.key - key) <= SAME_MS)
    if (known !== undefined) return known
    const group: PictureGroup = { key, pictures: [], till: key }
    const place = this.#groups.findLastIndex((one) => one.key < key) + 1
    this.#groups.splice(place, 0, group)
    return group
  }

  /**
   * Whether a group that comes again has that picture, at that place. It keeps what it has meanwhile, because the clock may be in it;
   * from the first difference on, what comes counts.
   */
  #isKnown(group: PictureGroup, picture: GroupPicture, place: number): boolean {
    const known = group.pictures[place]
    if (known === undefined) return false
    if (Math.abs(known.time - picture.time) <= SAME_MS) return true
    for (const { data } of group.pictures.splice(place)) this.#bytes -= data.length
    group.till = picture.time
    return false
  }

  #drop(group: PictureGroup): void {
    this.#groups = this.#groups.filter((one) => one !== group)
    for (const { data } of group.pictures) this.#bytes -= data.length
  }
}
