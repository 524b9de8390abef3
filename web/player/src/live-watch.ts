import { judgeLive, type ViewState } from './view-state.ts'

type LivePhase = ReturnType<typeof judgeLive>

/** Judges by the times of what arrives whether a live picture is live. */
export class LiveWatch {
  #bytesAt = 0
  #pictureAt = 0
  #leastLatencyMs = Number.POSITIVE_INFINITY
  #hasPicture = false
  #pictures: 'all' | 'keys' = 'all'

  /** A new connection. Key pictures alone may be far apart, so between them only the connection is judged. */
  begin(pictures: 'all' | 'keys'): void {
    this.#pictures = pictures
    this.#bytesAt = performance.now()
    this.#hasPicture = false
  }

  onBytes(): void {
    this.#bytesAt = performance.now()
    if (this.#pictures === 'keys') this.#pictureAt = this.#bytesAt
  }

  /** Returns whether the picture is shown in time; a connection starts with some that are a few seconds old. */
  onPicture(latencyMs: number | undefined): boolean {
    this.#pictureAt = performance.now()
    if (latencyMs === undefined) return true
    this.#leastLatencyMs = Math.min(this.#leastLatencyMs, latencyMs)
    this.#hasPicture = true
    const leastLatencyMs = this.#leastLatencyMs
    return judgeLive({ sinceBytesMs: 0, sincePictureMs: 0, latencyMs, leastLatencyMs }) === 'playing'
  }

  /** The state once the picture of that time is shown, in a view of that phase. */
  stateAt(wallclock: number | undefined, before: ViewState['phase']): Pick<ViewState, 'phase' | 'latencyMs'> {
    const latencyMs = wallclock === undefined ? undefined : Date.now() - wallclock
    // A connection starts with pictures a few seconds old, which catch up quickly; a lasting delay is judged later.
    const phase = this.onPicture(latencyMs) ? 'playing' : before
    return latencyMs === undefined ? { phase } : { phase, latencyMs }
  }

  /** Undefined before the first picture, unless the connection is lost. `latencyMs` is that of the last picture. */
  judge(latencyMs: number): LivePhase | undefined {
    const now = performance.now()
    const judged = judgeLive({
      sinceBytesMs: now - this.#bytesAt,
      sincePictureMs: now - this.#pictureAt,
      latencyMs,
      leastLatencyMs: Math.min(this.#leastLatencyMs, latencyMs),
    })
    return judged === 'lost' || this.#hasPicture ? judged : undefined
  }
}
