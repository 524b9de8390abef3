import { newCounters, type StreamCounters } from '../source/index.ts'
import type { WorkerTally } from './worker-figures.ts'

/** What arrived from one camera since its channel was opened, of all of its connections together. */
export class CameraTraffic {
  readonly #tally: Pick<WorkerTally, 'openReceived'>
  readonly #closed = newCounters()
  readonly #open = new Set<StreamCounters>()

  constructor(tally: Pick<WorkerTally, 'openReceived'>) {
    this.#tally = tally
  }

  /** Counters of one connection, which count for the camera and for its worker. */
  openReceived(): ReturnType<WorkerTally['openReceived']> {
    const received = this.#tally.openReceived()
    const { counters } = received
    this.#open.add(counters)
    return {
      counters,
      [Symbol.dispose]: () => {
        this.#open.delete(counters)
        addTo(this.#closed, counters)
        received[Symbol.dispose]()
      },
    }
  }

  get totals(): StreamCounters {
    const sum = { ...this.#closed }
    for (const counters of this.#open) addTo(sum, counters)
    return sum
  }
}

function addTo(sum: StreamCounters, counters: StreamCounters): void {
  for (const name of Object.keys(sum) as (keyof StreamCounters)[]) sum[name] += counters[name]
}
