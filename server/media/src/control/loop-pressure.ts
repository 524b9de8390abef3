const LOOK_EVERY_MS = 250
/** So late, no viewer is added. The front process takes a worker for hung after 6 s. */
const LATE_MS = 500
/** So late twice in a row, viewers have to go. Once may be a machine that was asleep. */
const VERY_LATE_MS = 1000
/** Lateness counts for so long after it was seen. */
const CALMS_AFTER_MS = 1000

/** Whether the event loop keeps up, by how late a timer is. */
export class LoopPressure {
  #dueAt: number
  #lateAt = Number.NEGATIVE_INFINITY
  #veryLateLooks = 0

  /** @param now milliseconds of a clock that never goes back. */
  constructor(now: number) {
    this.#dueAt = now + LOOK_EVERY_MS
  }

  /** To be called every 250 ms. Returns whether viewers have to go. */
  look(now: number): boolean {
    const lateMs = now - this.#dueAt
    this.#dueAt = now + LOOK_EVERY_MS
    if (lateMs >= LATE_MS) this.#lateAt = now
    this.#veryLateLooks = lateMs >= VERY_LATE_MS ? this.#veryLateLooks + 1 : 0
    return this.#veryLateLooks >= 2
  }

  /** Also between two looks, of which the next may be long overdue. */
  isLate(now: number): boolean {
    return now - this.#dueAt >= LATE_MS || now - this.#lateAt < CALMS_AFTER_MS
  }
}

/** Watches the event loop of this process until it is disposed of. `onPressure`: viewers have to go. */
export function watchLoop(onPressure: () => void): { readonly isLate: () => boolean } & Disposable {
  const pressure = new LoopPressure(performance.now())
  const timer = setInterval(() => pressure.look(performance.now()) && onPressure(), LOOK_EVERY_MS)
  timer.unref()
  return {
    isLate: () => pressure.isLate(performance.now()),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
