import { MOVE_AGAIN_MS, type PtzActionBody } from '@sightline/contract/camera-ptz'

/** From -1 to 1 each: right, up and closer are positive. */
export interface Velocity {
  readonly pan: number
  readonly tilt: number
  readonly zoom: number
}

export const still: Velocity = { pan: 0, tilt: 0, zoom: 0 }

/** A change of direction is sent after this at the earliest. */
const CHANGE_MS = 100
/** Requests that wait for a slow network; more would only arrive late. */
const MAX_WAITING = 4

const isStill = ({ pan, tilt, zoom }: Velocity): boolean => pan === 0 && tilt === 0 && zoom === 0

/**
 * Says that a camera is to move for as long as it should, because it stops without that, and says once when it should stop. A move that
 * fails ends the moving.
 */
export class MoveRepeater {
  readonly #send: (action: PtzActionBody) => Promise<unknown>
  readonly #onFailure: (error: unknown) => void
  // Unique among the windows of one user, so that one's stop isn't another's.
  readonly #mover = Math.random().toString(36).slice(2)
  #sequence = 0
  #velocity = still
  #timer: ReturnType<typeof setInterval> | undefined
  #change: ReturnType<typeof setTimeout> | undefined
  #sentAt = 0
  #waiting = 0

  constructor(send: (action: PtzActionBody) => Promise<unknown>, onFailure: (error: unknown) => void) {
    this.#send = send
    this.#onFailure = onFailure
  }

  get isMoving(): boolean {
    return this.#timer !== undefined
  }

  move(velocity: Velocity): void {
    if (isStill(velocity)) {
      this.stop()
      return
    }
    this.#velocity = velocity
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => this.#sendMove(), MOVE_AGAIN_MS)
      this.#sendMove()
      return
    }
    const wait = this.#sentAt + CHANGE_MS - performance.now()
    if (wait <= 0) this.#sendMove()
    else this.#change ??= setTimeout(() => this.#sendMove(), wait)
  }

  stop(): void {
    if (this.#timer === undefined) return
    this.#end()
    // If this is lost, the server stops the camera a second after the last move.
    this.#send({ action: 'stop', mover: this.#mover, sequence: ++this.#sequence }).catch(() => undefined)
  }

  /** Something that isn't repeated: a preset, a point of the picture. */
  async once(action: PtzActionBody): Promise<void> {
    this.stop()
    try {
      await this.#send({ ...action, mover: this.#mover })
    } catch (error) {
      this.#onFailure(error)
    }
  }

  #end(): void {
    clearInterval(this.#timer)
    clearTimeout(this.#change)
    this.#timer = undefined
    this.#change = undefined
  }

  #sendMove(): void {
    clearTimeout(this.#change)
    this.#change = undefined
    if (this.#waiting >= MAX_WAITING) return
    this.#sentAt = performance.now()
    this.#waiting++
    this.#send({ action: 'move', ...this.#velocity, mover: this.#mover, sequence: ++this.#sequence })
      .catch((error: unknown) => {
        if (!this.isMoving) return
        this.#end()
        this.#onFailure(error)
      })
      .finally(() => {
        this.#waiting--
      })
  }
}
