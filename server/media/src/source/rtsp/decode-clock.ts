import { TICKS_PER_SECOND } from '../../frame/index.ts'

/** Reordering that the parameter sets do not speak of is believed up to this depth; more is a camera's clock that was set back. */
const MAX_UNANNOUNCED = 4
/** No decoder stores more pictures (H.264 §A.3.1, H.265 §A.4.2). */
const MAX_DEPTH = 16
/** The assumed interval before any picture has arrived. */
const ASSUMED_TICKS = TICKS_PER_SECOND / 25

/** When a picture is decoded and shown, in ticks of the run. */
export interface PictureTimes {
  readonly decoded: number
  readonly shown: number
}

/**
 * Decode times for pictures that arrive in decoding order with their presentation times, the only ones that RTP has
 * (RFC 6184 §5.1). If pictures are shown up to `depth` positions earlier than they arrive, picture i is decoded when
 * the (i - depth)th picture is shown. That is known when the picture arrives, so nothing is delayed; without reordering
 * both times are the same.
 */
export class DecodeClock {
  /** The latest times of showing, ascending. */
  #latest: number[] = []
  #depth = 0
  #most = MAX_UNANNOUNCED
  #last = -1

  /** What the parameter sets say: how many pictures may come before one that is shown earlier; undefined where they do not. */
  announce(depth: number | undefined): void {
    this.#most = Math.min(depth ?? MAX_UNANNOUNCED, MAX_DEPTH)
    this.#depth = depth === undefined ? Math.min(this.#depth, this.#most) : this.#most
  }

  /** The next picture depends on none before it, and pictures before it may be missing. */
  restart(): void {
    this.#latest = []
  }

  /** Decode times grow with each picture. A picture that would be shown out of all order is shown after all others. */
  timesOf(wanted: number): PictureTimes {
    const latest = this.#latest
    const newest = latest.at(-1) ?? wanted - 1
    const later = wanted < newest ? latest.length - latest.findIndex((other) => other > wanted) : 0
    const isReordered = later > 0 && later <= this.#most
    const shown = isReordered ? wanted : Math.max(wanted, newest + 1)
    if (isReordered) this.#depth = Math.max(this.#depth, later)
    latest.splice(latest.length - (isReordered ? later : 0), 0, shown)
    if (latest.length > this.#most + 1) latest.shift()
    this.#last = Math.max(this.#last + 1, this.#earliest())
    return { decoded: this.#last, shown }
  }

  #earliest(): number {
    const [first = 0] = this.#latest
    const place = this.#latest.length - 1 - this.#depth
    return this.#latest[place] ?? first + place * ASSUMED_TICKS
  }
}
