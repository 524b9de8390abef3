import type { GreyDecoder } from '../decoder/index.ts'
import type { AccessUnit } from '../frame/index.ts'

/**
 * A camera with rarer key pictures is decoded as a whole: motion between them would be missed. So is one that refreshes
 * gradually: its recovery points are no whole pictures.
 */
const MAX_GOP_MS = 4000
const MAX_GOP_PICTURES = 600

/**
 * Gives a decoder only what is needed: while nothing moves, key pictures, each with the one after it, because a decoder
 * gives a picture when the next one comes; all of them while something may move.
 */
export class PictureFeed {
  readonly #decoder: Pick<GreyDecoder, 'push'>
  /** Since the last key picture. */
  #group: AccessUnit[] = []
  #pushed = 0
  #isAlert = false
  #hasLongGroups = false

  constructor(decoder: Pick<GreyDecoder, 'push'>) {
    this.#decoder = decoder
  }

  add(picture: AccessUnit): void {
    const [key] = this.#group
    const length = key === undefined ? 0 : picture.wallClock - key.wallClock
    if (picture.isKey) {
      this.#hasLongGroups = length > MAX_GOP_MS || picture.recovery !== undefined
      this.#group = [picture]
      this.#pushed = 0
    } else {
      if (key === undefined) return
      this.#hasLongGroups ||= length > MAX_GOP_MS
      this.#group.push(picture)
    }
    if (this.#isAlert || this.#hasLongGroups) this.#pushAll()
    else if (this.#group.length <= 2) this.#push(picture)
    if (this.#group.length <= MAX_GOP_PICTURES) return
    // Without those in between, the following ones can't be decoded.
    this.#group = this.#pushed === this.#group.length ? [picture] : []
    this.#pushed = this.#group.length
  }

  /** Whether something may move; the pictures since the last key picture follow at once. */
  alert(isAlert: boolean): void {
    if (isAlert && !this.#isAlert) this.#pushAll()
    this.#isAlert = isAlert
  }

  #pushAll(): void {
    for (const picture of this.#group.slice(this.#pushed)) this.#push(picture)
  }

  #push(picture: AccessUnit): void {
    this.#pushed++
    this.#decoder.push(picture)
  }
}
