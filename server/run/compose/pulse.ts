/** How often a child process says that its event loop runs. */
export const BEAT_EVERY_MS = 1000
const LOOK_EVERY_MS = 500
/** After this the child counts as not responding. */
const SILENT_AFTER_MS = 3500
/** After this it is hung for good. */
const HUNG_AFTER_MS = 6000

/** Whether a child process still runs its event loop. */
export interface Pulse extends Disposable {
  /** The child said something. */
  beat(): void
  readonly isSilent: boolean
}

/**
 * Counts the time without a beat in looks of its own: a machine that was asleep, or so busy that this process was late too,
 * doesn't make a child look hung.
 */
export class Silence {
  #ms = 0
  #lookedAt: number

  constructor(now: number) {
    this.#lookedAt = now
  }

  look(now: number): void {
    this.#ms += Math.min(now - this.#lookedAt, 2 * LOOK_EVERY_MS)
    this.#lookedAt = now
  }

  beat(): void {
    this.#ms = 0
  }

  get state(): 'alive' | 'silent' | 'hung' {
    if (this.#ms >= HUNG_AFTER_MS) return 'hung'
    return this.#ms >= SILENT_AFTER_MS ? 'silent' : 'alive'
  }
}

export function watchPulse(onHung: () => void): Pulse {
  const silence = new Silence(performance.now())
  const timer = setInterval(() => {
    silence.look(performance.now())
    if (silence.state !== 'hung') return
    clearInterval(timer)
    onHung()
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    beat: () => silence.beat(),
    get isSilent() {
      return silence.state !== 'alive'
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
