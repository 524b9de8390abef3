import { OpenStreams, type StreamLimits } from '@sightline/media/control'

interface Permit {
  readonly person: string
  readonly accountId: number
}

/** Counts the open streams of all workers together, so that limits per person and account hold over all of them. */
export class StreamPermits {
  readonly #open: OpenStreams<Permit>
  readonly #ofWorkers = new Map<string, Map<number, Permit>>()

  constructor(limits: StreamLimits) {
    this.#open = new OpenStreams(limits)
  }

  /** @param id of the worker's question; it gives the permit back under the same. @returns false if a limit is reached. */
  take(workerId: string, id: number, { person, accountId }: Permit): boolean {
    if (this.#open.isFull(person, accountId)) return false
    const permits = this.#ofWorkers.get(workerId) ?? new Map<number, Permit>()
    this.#ofWorkers.set(workerId, permits)
    if (permits.has(id)) return false
    const permit = { person, accountId }
    permits.set(id, permit)
    this.#open.add(permit)
    return true
  }

  release(workerId: string, id: number): void {
    const permit = this.#ofWorkers.get(workerId)?.get(id)
    if (permit === undefined) return
    this.#ofWorkers.get(workerId)?.delete(id)
    this.#open.delete(permit)
  }

  /** The worker is gone, and its streams with it. */
  releaseAll(workerId: string): void {
    for (const permit of this.#ofWorkers.get(workerId)?.values() ?? []) this.#open.delete(permit)
    this.#ofWorkers.delete(workerId)
  }
}
