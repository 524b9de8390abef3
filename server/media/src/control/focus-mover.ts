import type { FocusAbilities, FocusAction } from '@sightline/contract/media-plane'
import { ok } from '@sightline/platform/result'
import type { FocusLens, OnvifResult } from '../source/index.ts'

/** For each request; also when the one who asked is gone. */
const REQUEST_MS = 6000
const STOP_AGAIN_MS = 250
const MAX_STOP_TRIES = 4

const fresh = (): AbortSignal => AbortSignal.timeout(REQUEST_MS)

/** Moves a lens for as long as that is repeated, and stops it then. One request at a time, so that the last one is the last one there. */
export class FocusMover implements AsyncDisposable {
  readonly #lens: FocusLens
  #expiry: NodeJS.Timeout | undefined
  #isMoving = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(lens: FocusLens) {
    this.#lens = lens
  }

  abilities(signal: AbortSignal): Promise<OnvifResult<FocusAbilities>> {
    return this.#lens.abilities(signal)
  }

  async act(action: FocusAction): Promise<OnvifResult<null>> {
    clearTimeout(this.#expiry)
    if (action.kind === 'move' && action.speed !== 0) {
      // Also of a move without an answer: it may have begun.
      this.#expiry = setTimeout(() => void this.#stop(), action.holdMs)
      this.#isMoving = true
      return toNothing(await this.#next(() => this.#lens.move(action.speed, fresh())))
    }
    if (action.kind === 'move' || action.kind === 'stop') return toNothing(await this.#stop())
    if (this.#isMoving) await this.#stop()
    return toNothing(
      await this.#next(() =>
        action.kind === 'step' ? this.#lens.step(action.distance, fresh()) : this.#lens.focusItself(fresh()),
      ),
    )
  }

  /** A lens that moves is stopped. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#expiry)
    if (this.#isMoving) await this.#stop()
  }

  async #stop(tries = 1): Promise<OnvifResult<unknown>> {
    const stopped = await this.#next(() => this.#lens.stop(fresh()))
    if (stopped.ok || stopped.failure.isRefusal === true || tries >= MAX_STOP_TRIES) this.#isMoving = false
    // A lens stops at its end, so this is given up sooner than for a camera that turns.
    else this.#expiry = setTimeout(() => void this.#stop(tries + 1), STOP_AGAIN_MS * tries)
    return stopped
  }

  #next(request: () => Promise<OnvifResult<unknown>>): Promise<OnvifResult<unknown>> {
    const sent = this.#last.then(request)
    this.#last = sent
    return sent
  }
}

const toNothing = (result: OnvifResult<unknown>): OnvifResult<null> => (result.ok ? ok(null) : result)
