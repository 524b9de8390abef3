import type { Logger } from '@sightline/platform/log'

const LOOK_EVERY_MS = 100
/** One long pause, of a machine that was asleep, counts little. */
const LONGEST_LOOK_MS = 2500
const WINDOW_MS = 10_000
/** Of the time, a timer is overdue: a turn of the event loop takes 250 ms, and what depends on turns takes seconds. */
const OVERLOADED_SHARE = 0.6
const CALM_SHARE = 0.4
/** The share of cameras that stay, and the one if a turn takes more than half a second. */
const KEPT_SHARE = 0.75
const FAR_OVERLOADED_SHARE = 0.82
const KEPT_WHEN_FAR = 0.5
/**
 * Of the memory for video. So much of it waits only if cameras are read faster than they are recorded; less of it than in the window before
 * means that what has piled up is being written.
 */
const FULL_SHARE = 0.5
const DRAINING = 0.95
/** Quiet windows before some cameras are tried again, and the most after tries that failed: an hour. */
const FIRST_CALM_WINDOWS = 6
const MOST_CALM_WINDOWS = 360
/** The share of all cameras that is tried again at once. */
const RETURNING_SHARE = 1 / 16
/** Connections that begin in one look, and while the loop is late. */
const CONNECTIONS_PER_LOOK = 8
const LATE_MS = 250

export interface WorkerLoad {
  /** They have to go before any camera. */
  readonly hasViewers: boolean
  /** The share of the memory for video that is in use. */
  readonly heldShare: number
}

/** The share of ten seconds in which a timer of a tenth of a second was overdue. */
export class LateShare {
  #lookedAt: number
  #late = 0
  #elapsed = 0

  constructor(now: number) {
    this.#lookedAt = now
  }

  /** To be called by the timer. Defined at the end of each window. */
  look(now: number): { readonly lateMs: number; readonly share: number | undefined } {
    const elapsed = Math.min(now - this.#lookedAt, LONGEST_LOOK_MS)
    const lateMs = Math.max(elapsed - LOOK_EVERY_MS, 0)
    this.#lookedAt = now
    this.#elapsed += elapsed
    this.#late += lateMs
    if (this.#elapsed < WINDOW_MS) return { lateMs, share: undefined }
    const share = this.#late / this.#elapsed
    this.#elapsed = 0
    this.#late = 0
    return { lateMs, share }
  }
}

/**
 * Which cameras a worker connects: all of them, or as many as it keeps up with, those that were added first. More of them would
 * cost the footage of all.
 */
export class CameraAdmission {
  readonly #log: Pick<Logger, 'error' | 'info'>
  readonly #cameras = new Map<number, AbortController>()
  readonly #waiting: (() => void)[] = []
  #places = Number.POSITIVE_INFINITY
  #connections = CONNECTIONS_PER_LOOK
  /** The start, and what follows a change, says nothing about the load. */
  #isSettling = true
  #heldBefore = 0
  #calmWindows = 0
  #neededCalm = FIRST_CALM_WINDOWS
  #sinceReturn = Number.POSITIVE_INFINITY

  constructor(log: Pick<Logger, 'error' | 'info'>) {
    this.#log = log
  }

  join(cameraId: number): void {
    this.#cameras.set(cameraId, new AbortController())
    this.#letGo()
  }

  leave(cameraId: number): void {
    this.#cameras.delete(cameraId)
  }

  /** Waits until the camera may connect; the signal aborts when it has to go. Undefined: there is no room for it. */
  async enter(cameraId: number, signal: AbortSignal): Promise<AbortSignal | undefined> {
    if (this.#connections <= 0) await this.#turn(signal)
    this.#connections--
    const camera = this.#cameras.get(cameraId)
    if (camera === undefined) return signal
    if (!this.#admitted().has(cameraId)) return undefined
    if (camera.signal.aborted) this.#cameras.set(cameraId, new AbortController())
    return this.#cameras.get(cameraId)?.signal
  }

  /** Cameras that there is no room for. */
  get refused(): number {
    return Math.max(this.#cameras.size - this.#places, 0)
  }

  /** A sentence for the operator. */
  get problem(): string | undefined {
    if (this.refused === 0) return undefined
    return `this media worker is overloaded: it carries ${this.#places} of its ${this.#cameras.size} cameras, and doesn't record those that were added last; give the machine more processor time, or let more workers or machines share the cameras`
  }

  /** `share`: of the last window. */
  looked({ lateMs, share }: ReturnType<LateShare['look']>, { hasViewers, heldShare }: WorkerLoad): void {
    this.#connections = lateMs < LATE_MS ? CONNECTIONS_PER_LOOK : 1
    for (const next of this.#waiting.splice(0, this.#connections)) next()
    if (share === undefined) return
    const isDraining = heldShare < this.#heldBefore * DRAINING
    this.#heldBefore = heldShare
    this.#sinceReturn++
    if (this.#isSettling) this.#isSettling = false
    else if (share < OVERLOADED_SHARE) this.#grow(share)
    else if (heldShare >= FULL_SHARE && !isDraining && !hasViewers) this.#shrink(share)
  }

  #shrink(share: number): void {
    this.#calmWindows = 0
    const carried = Math.min(this.#places, this.#cameras.size)
    if (carried <= 1) return
    if (this.#sinceReturn <= FIRST_CALM_WINDOWS) this.#neededCalm = Math.min(this.#neededCalm * 2, MOST_CALM_WINDOWS)
    const kept = share >= FAR_OVERLOADED_SHARE ? KEPT_WHEN_FAR : KEPT_SHARE
    this.#places = Math.max(1, Math.floor(carried * kept))
    this.#isSettling = true
    this.#letGo()
    this.#log.error({ late: Math.round(share * 100) / 100 }, this.problem ?? '')
  }

  #grow(share: number): void {
    if (this.#places === Number.POSITIVE_INFINITY) return
    this.#calmWindows = share < CALM_SHARE ? this.#calmWindows + 1 : 0
    if (this.refused > 0 && this.#calmWindows < this.#neededCalm) return
    this.#calmWindows = 0
    this.#sinceReturn = 0
    this.#places += Math.max(1, Math.floor(this.#cameras.size * RETURNING_SHARE))
    const isPart = this.refused > 0
    if (!isPart) this.#places = Number.POSITIVE_INFINITY
    const tried = isPart ? `${this.#places}` : `all of its ${this.#cameras.size}`
    this.#log.info({}, `this media worker tries to carry ${tried} cameras`)
  }

  #admitted(): ReadonlySet<number> {
    return new Set([...this.#cameras.keys()].sort((a, b) => a - b).slice(0, this.#places))
  }

  #letGo(): void {
    if (this.refused === 0) return
    const admitted = this.#admitted()
    for (const [cameraId, camera] of this.#cameras) if (!admitted.has(cameraId)) camera.abort()
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    const stop = () => resolve()
    signal.addEventListener('abort', stop, { once: true })
    await promise
    signal.removeEventListener('abort', stop)
  }
}

/** Watches the event loop of this process for the cameras until it is disposed of. */
export function watchCameraLoad(admission: CameraAdmission, load: () => WorkerLoad): Disposable {
  const late = new LateShare(performance.now())
  const timer = setInterval(() => admission.looked(late.look(performance.now()), load()), LOOK_EVERY_MS)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
