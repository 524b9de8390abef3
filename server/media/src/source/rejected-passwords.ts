import type { CameraHabits } from './camera-habits.ts'

/** The longest pause: a clock that was set back must not make it longer. */
const LONGEST_MS = 75 * 60_000

/**
 * How often in a row a camera has rejected the password, and until when it isn't tried again. It is kept with what was learned of the
 * camera, so that a worker that starts again doesn't begin to try again.
 */
export class RejectedPasswords {
  readonly #habits: CameraHabits
  readonly #kind: 'rejections' | 'onvifRejections'
  readonly #now: () => number

  /** @param now milliseconds since 1970. */
  constructor(habits: CameraHabits, kind: 'rejections' | 'onvifRejections', now: () => number = Date.now) {
    this.#habits = habits
    this.#kind = kind
    this.#now = now
  }

  get count(): number {
    return this.#habits[this.#kind]?.count ?? 0
  }

  /** How long the next try has to wait, in milliseconds. */
  get leftMs(): number {
    const { retryAt = 0 } = this.#habits[this.#kind] ?? {}
    return Math.min(Math.max(retryAt - this.#now(), 0), LONGEST_MS)
  }

  /** Another one, which is followed by a pause of that many milliseconds. */
  add(pauseMs: number): void {
    this.#habits[this.#kind] = { count: this.count + 1, retryAt: this.#now() + pauseMs }
  }

  /** The camera took the password. */
  clear(): void {
    delete this.#habits[this.#kind]
  }
}
