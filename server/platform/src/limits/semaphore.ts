import { fail, ok, type Result } from '../result/index.ts'

/** The maximum running at once, and the maximum waiting in order. Without `queue`, none wait. */
export interface SemaphoreBounds {
  readonly concurrency: number
  readonly queue?: number
}

export interface SemaphoreLimits {
  /** Per key. By default, only `overall` applies. */
  readonly perKey?: SemaphoreBounds
  /** For all keys together. By default, only `perKey` applies. */
  readonly overall?: SemaphoreBounds
}

/** Which limit is reached: the key's own, or the one for all keys together. */
export type SemaphoreFull = 'keyFull' | 'full'

/** Room for one piece of work. */
export interface Permit {
  /** Releases the permit. The second call does nothing. */
  release(): void
}

export interface Semaphore<Key> {
  /** Runs `work` as soon as there is a free slot; refuses immediately if the queue is full. */
  run<T>(key: Key, work: () => Promise<T>): Promise<Result<T, SemaphoreFull>>
  /** Takes a permit if one is free, for work that ends elsewhere. Never waits. */
  tryAcquire(key: Key): Result<Permit, SemaphoreFull>
}

interface Waiter {
  readonly order: number
  readonly start: () => void
}

interface KeyState {
  running: number
  readonly waiting: Waiter[]
}

const UNBOUNDED: Required<SemaphoreBounds> = { concurrency: Number.POSITIVE_INFINITY, queue: Number.POSITIVE_INFINITY }
const bounded = (bounds: SemaphoreBounds | undefined): Required<SemaphoreBounds> =>
  bounds === undefined ? UNBOUNDED : { queue: 0, ...bounds }

/**
 * Limits concurrency by key and overall. Waiting work is served in order of arrival, as far as its key has a free slot.
 */
export function createSemaphore<Key>(limits: SemaphoreLimits): Semaphore<Key> {
  const { wait, tryAcquire } = createPermits<Key>(limits)
  return {
    async run(key, work) {
      const acquired = tryAcquire(key)
      const entered = acquired.ok ? acquired : await wait(key)
      if (!entered.ok) return entered
      try {
        return ok(await work())
      } finally {
        entered.value.release()
      }
    },
    tryAcquire,
  }
}

interface Permits<Key> extends Pick<Semaphore<Key>, 'tryAcquire'> {
  /** Waits for the next free permit. */
  wait(key: Key): Promise<Result<Permit, SemaphoreFull>>
}

function createPermits<Key>(limits: SemaphoreLimits): Permits<Key> {
  const perKey = bounded(limits.perKey)
  const overall = bounded(limits.overall)
  const keys = new Map<Key, KeyState>()
  let running = 0
  let waiting = 0
  let arrivals = 0

  const stateOf = (key: Key): KeyState => keys.get(key) ?? { running: 0, waiting: [] }

  /** Why no more can start now. */
  const busy = (state: KeyState): SemaphoreFull | undefined => {
    if (state.running >= perKey.concurrency) return 'keyFull'
    return running >= overall.concurrency ? 'full' : undefined
  }

  const queueFull = (state: KeyState): SemaphoreFull | undefined => {
    if (state.running >= perKey.concurrency && state.waiting.length >= perKey.queue) return 'keyFull'
    return waiting >= overall.queue || state.waiting.length >= perKey.queue ? 'full' : undefined
  }

  const take = (key: Key, state: KeyState): void => {
    state.running += 1
    running += 1
    keys.set(key, state)
  }

  /**
   * Starts the first waiting work among the keys with a free slot; without an overall limit only the key that released
   * a slot has one.
   */
  const startNext = (released: Key): void => {
    const candidates: Iterable<[Key, KeyState]> =
      overall.concurrency === Number.POSITIVE_INFINITY ? [[released, stateOf(released)]] : keys
    let first: { key: Key; state: KeyState; waiter: Waiter } | undefined
    for (const [key, state] of candidates) {
      const [waiter] = state.waiting
      if (waiter === undefined || busy(state) !== undefined) continue
      if (first === undefined || waiter.order < first.waiter.order) first = { key, state, waiter }
    }
    if (first === undefined) return
    first.state.waiting.shift()
    waiting -= 1
    take(first.key, first.state)
    first.waiter.start()
  }

  const permit = (key: Key, state: KeyState): Permit => {
    let isReleased = false
    return {
      release() {
        if (isReleased) return
        isReleased = true
        state.running -= 1
        running -= 1
        if (state.running === 0 && state.waiting.length === 0) keys.delete(key)
        if (waiting > 0) startNext(key)
      },
    }
  }

  const tryAcquire = (key: Key): Result<Permit, SemaphoreFull> => {
    const state = stateOf(key)
    const full = busy(state)
    if (full !== undefined) return fail(full)
    take(key, state)
    return ok(permit(key, state))
  }

  const wait = async (key: Key): Promise<Result<Permit, SemaphoreFull>> => {
    const state = stateOf(key)
    const full = queueFull(state)
    if (full !== undefined) return fail(full)
    keys.set(key, state)
    waiting += 1
    arrivals += 1
    const order = arrivals
    // The permit is handed over, so that new work can't overtake.
    await new Promise<void>((start) => state.waiting.push({ order, start }))
    return ok(permit(key, state))
  }

  return { wait, tryAcquire }
}
