/**
 * The time of day that all pictures of a session show, in milliseconds since 1970. It runs at a rate, which is negative backwards,
 * and stands still while it is paused or held.
 */
export class PlaybackClock {
  readonly #monotonic: () => number
  #time: number
  #since: number
  #rate = 1
  #isPaused = false
  #isHeld = false

  /** `monotonic` in milliseconds. */
  constructor(time: number, monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
    this.#time = time
    this.#since = monotonic()
  }

  now(): number {
    if (!this.isRunning) return this.#time
    return this.#time + (this.#monotonic() - this.#since) * this.#rate
  }

  get rate(): number {
    return this.#rate
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  get isRunning(): boolean {
    return !this.#isPaused && !this.#isHeld
  }

  jump(time: number): void {
    this.#time = time
    this.#since = this.#monotonic()
  }

  setRate(rate: number): void {
    this.jump(this.now())
    this.#rate = rate
  }

  setPaused(isPaused: boolean): void {
    this.jump(this.now())
    this.#isPaused = isPaused
  }

  /** Pictures have to be waited for. */
  setHeld(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return
    this.jump(this.now())
    this.#isHeld = isHeld
  }
}
