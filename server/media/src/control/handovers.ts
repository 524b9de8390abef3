import type { Db } from '@sightline/platform/db'
import { forgetSuccessors, listAwaited } from './lease-store.ts'

/** How long a camera waits for its next worker, which may not reach it at all. */
const PATIENCE_MS = 15_000
const LOOK_EVERY_MS = 250

export interface HandoversDeps {
  readonly db: Db
  readonly workerId: string
  /** Ends a camera's footage before a key picture and lets go of it; called once. */
  readonly handOver: (cameraId: number) => void
  /** Called a moment later while a camera is to be handed over. */
  readonly lookAgain: () => void
}

/**
 * Cameras that another worker is to have. They stay here until that one has pictures of them or says that it can't be
 * connected beside this one, and then until a key picture comes, so that nothing is missing (docs/decisions/0174).
 */
export class Handovers implements Disposable {
  readonly #deps: HandoversDeps
  /** Since when, by a clock that nobody sets. */
  readonly #since = new Map<number, number>()
  readonly #ending = new Set<number>()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: HandoversDeps) {
    this.#deps = deps
  }

  /** Hands over the cameras that are connected here, and are to be another worker's, as soon as those are awaited. */
  async keep(left: ReadonlySet<number>): Promise<void> {
    const { db, workerId, handOver } = this.#deps
    for (const cameraId of this.#since.keys()) if (!left.has(cameraId)) this.#forget(cameraId)
    if (left.size === 0) return
    const now = performance.now()
    const news = [...left].filter((cameraId) => !this.#since.has(cameraId))
    if (news.length > 0) await forgetSuccessors(db, workerId, news)
    for (const cameraId of news) this.#since.set(cameraId, now)
    const awaited = await listAwaited(db, workerId)
    for (const [cameraId, since] of this.#since) {
      if (this.#ending.has(cameraId) || !(awaited.has(cameraId) || now - since > PATIENCE_MS)) continue
      this.#ending.add(cameraId)
      handOver(cameraId)
    }
    this.#lookLater()
  }

  #forget(cameraId: number): void {
    this.#since.delete(cameraId)
    this.#ending.delete(cameraId)
  }

  #lookLater(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#deps.lookAgain, LOOK_EVERY_MS)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}
