import type { PtzAbilities, PtzAction, PtzActionAnswer, PtzVelocity } from '@sightline/contract/media-plane'
import { fail, ok, type Result } from '@sightline/platform/result'
import type { CameraHabits, OnvifFault, OnvifResult, PtzDevice } from '../source/index.ts'

type MoveAction = Extract<PtzAction, { readonly kind: 'move' }>
type DirectAction = Extract<PtzAction, { readonly kind: 'goto' | 'center' | 'home' }>
type MoverAnswer = Result<PtzActionAnswer, OnvifFault>

/** For each request; also when the one who asked is gone. */
const REQUEST_MS = 6000
/** A stop that failed is tried again after this, each time twice as long. */
const STOP_AGAIN_MS = 250
const MAX_STOP_TRIES = 8
const STOP_ONCE_MORE_MS = 500

const done: PtzActionAnswer = { kind: 'done' }
const busy: PtzActionAnswer = { kind: 'busy' }
const fresh = (): AbortSignal => AbortSignal.timeout(REQUEST_MS)

const isSame = (a: PtzVelocity, b: PtzVelocity): boolean => a.pan === b.pan && a.tilt === b.tilt && a.zoom === b.zoom
const isStill = ({ pan, tilt, zoom }: PtzVelocity): boolean => pan === 0 && tilt === 0 && zoom === 0

/**
 * Who moves a camera, one person at a time, and until when. A move lasts as long as it is repeated; whoever falls silent for longer
 * than they said is gone, and the camera is stopped, whether it has a timeout of its own or not. A stop that fails is tried again.
 */
export class PtzMover implements AsyncDisposable {
  readonly #device: PtzDevice
  readonly #habits: CameraHabits
  readonly #now: () => number
  #holder: { readonly moverId: string; readonly expiry: NodeJS.Timeout } | undefined
  /** Of the latest mover. */
  #latest: { readonly moverId: string; readonly sequence: number } | undefined
  #wanted: PtzVelocity | undefined
  /** What the camera does as far as is known, and since when it was told so. */
  #sent: { readonly velocity: PtzVelocity; readonly at: number; readonly isStep: boolean } | undefined
  #isStopOwed = false
  #failedStops = 0
  #stopAgain: NodeJS.Timeout | undefined
  #isRunning = false
  #running: Promise<OnvifResult<unknown>> | undefined
  /** Gives up the move that the camera hasn't answered. */
  #moving = new AbortController()

  /** Stops a camera that a previous worker left moving, because some cameras don't stop on their own. */
  constructor(device: PtzDevice, habits: CameraHabits, now: () => number = () => performance.now()) {
    this.#device = device
    this.#habits = habits
    this.#now = now
    if (habits.isMoving === true) this.#stopLater(0)
  }

  async act(action: PtzAction): Promise<MoverAnswer> {
    if (action.kind === 'move') return await this.#move(action)
    if (action.kind === 'stop') return await this.#stop(action)
    return await this.#direct(action)
  }

  /** What the camera can do; a camera that can do nothing of it is unsupported. */
  async abilities(signal: AbortSignal): Promise<OnvifResult<PtzAbilities>> {
    const found = await this.#device.node(signal)
    if (!found.ok) return found
    const node = found.value
    const has = (...spaces: readonly unknown[]) => spaces.some((space) => space !== undefined)
    return ok({
      panTilt: has(node.continuousPanTilt, node.relativePanTilt, node.absolutePanTilt),
      zoom: has(node.continuousZoom, node.relativeZoom, node.absoluteZoom),
      absolute: has(node.absolutePanTilt, node.absoluteZoom),
      relative: has(node.relativePanTilt, node.relativeZoom),
      continuous: has(node.continuousPanTilt, node.continuousZoom),
      center: has(node.fieldOfView),
      home: node.hasHome,
      presets: node.maxPresets,
    })
  }

  /** A camera that is moving is stopped. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#release()
    this.#wanted = undefined
    await this.#run()
    clearTimeout(this.#stopAgain)
  }

  async #move(action: MoveAction): Promise<MoverAnswer> {
    const { moverId, holdMs, pan, tilt, zoom } = action
    if (this.#holder !== undefined && this.#holder.moverId !== moverId) return ok(busy)
    if (this.#isOvertaken(action)) return ok(done)
    this.#release()
    this.#holder = { moverId, expiry: setTimeout(() => this.#expire(), holdMs) }
    this.#wanted = { pan, tilt, zoom }
    return toAnswer(await this.#run())
  }

  async #stop(action: Extract<PtzAction, { readonly kind: 'stop' }>): Promise<MoverAnswer> {
    // Whoever sees a camera run may stop it; only the one who moves it is overtaken by their own stop.
    if (this.#holder?.moverId === action.moverId) {
      if (this.#isOvertaken(action)) return ok(done)
      this.#release()
    } else if (this.#holder === undefined) {
      this.#isOvertaken(action)
    }
    this.#wanted = undefined
    // The camera may move because of something else; and a stop is harmless.
    this.#isStopOwed = true
    return toAnswer(await this.#run())
  }

  async #direct(action: DirectAction): Promise<MoverAnswer> {
    if (this.#holder !== undefined && this.#holder.moverId !== action.moverId) return ok(busy)
    this.#release()
    this.#wanted = undefined
    const stopped = await this.#run()
    if (!stopped.ok) return stopped
    if (action.kind === 'home') return toAnswer(await this.#device.home(fresh()))
    if (action.kind === 'center') return toAnswer(await this.#device.center(action, fresh()))
    const gone = await this.#device.goTo(action.presetId, fresh())
    if (gone.ok || gone.failure.isRefusal !== true) return toAnswer(gone)
    const presets = await this.#device.presets(fresh())
    const isThere = !presets.ok || presets.value.some(({ presetId }) => presetId === action.presetId)
    return isThere ? gone : ok({ kind: 'presetNotFound' })
  }

  /** Whether a later action of the same mover came before this one, which was slower on its way. */
  #isOvertaken({ moverId, sequence }: { readonly moverId: string; readonly sequence: number | null }): boolean {
    if (sequence === null) return false
    if (this.#latest?.moverId === moverId && this.#latest.sequence >= sequence) return true
    this.#latest = { moverId, sequence }
    return false
  }

  #release(): void {
    clearTimeout(this.#holder?.expiry)
    this.#holder = undefined
  }

  /** No word from the mover. */
  #expire(): void {
    this.#release()
    this.#wanted = undefined
    this.#moving.abort()
    void this.#run()
  }

  /** Tells the camera what is wanted until it does that; one request at a time, so that the last one is the last one there. */
  #run(): Promise<OnvifResult<unknown>> {
    if (this.#running !== undefined) return this.#running
    this.#isRunning = true
    const running = this.#untilAsWanted()
    if (this.#isRunning) this.#running = running
    return running
  }

  async #untilAsWanted(): Promise<OnvifResult<unknown>> {
    try {
      return await this.#tellUntilAsWanted()
    } finally {
      // Before anything else runs: what is wanted from now on needs another run.
      this.#isRunning = false
      this.#running = undefined
    }
  }

  async #tellUntilAsWanted(): Promise<OnvifResult<unknown>> {
    let result: OnvifResult<unknown> = ok(undefined)
    let isRepeated = true
    while (true) {
      const wanted = this.#wanted
      if (wanted === undefined || isStill(wanted)) {
        if (this.#sent === undefined && !this.#isStopOwed) return result
        const stopped = await this.#sendStop()
        if (!stopped.ok) return stopped
        continue
      }
      if (!this.#isDue(wanted, isRepeated)) return result
      isRepeated = false
      result = await this.#sendMove(wanted)
      if (!result.ok) return result
    }
  }

  /** Whether the camera has to be told. A step goes once with each repetition; a move is renewed before it ends by itself. */
  #isDue(wanted: PtzVelocity, isRepeated: boolean): boolean {
    if (this.#sent === undefined || !isSame(this.#sent.velocity, wanted)) return true
    if (this.#sent.isStep) return isRepeated
    return this.#now() - this.#sent.at > this.#device.moveLastsMs / 2
  }

  async #sendMove(velocity: PtzVelocity): Promise<OnvifResult<unknown>> {
    const at = this.#now()
    this.#moving = new AbortController()
    this.#habits.isMoving = true
    const moved = await this.#device.move(velocity, AbortSignal.any([fresh(), this.#moving.signal]))
    if (moved.ok) {
      this.#sent = { velocity, at, isStep: moved.value.isStep }
      return moved
    }
    const isUnanswered = moved.failure.isRefusal !== true
    // Without an answer it may move. One that refused does what it did before.
    if (this.#sent !== undefined || isUnanswered) this.#isStopOwed = true
    this.#wanted = undefined
    this.#release()
    if (!this.#isStopOwed) {
      delete this.#habits.isMoving
      return moved
    }
    const stopped = await this.#sendStop()
    // It may carry out late what it didn't answer.
    if (stopped.ok && isUnanswered) this.#stopLater(STOP_ONCE_MORE_MS)
    return moved
  }

  async #sendStop(): Promise<OnvifResult<unknown>> {
    clearTimeout(this.#stopAgain)
    const stopped = await this.#device.stop(fresh())
    if (stopped.ok || stopped.failure.isUnsupported === true) {
      this.#sent = undefined
      this.#isStopOwed = false
      this.#failedStops = 0
      delete this.#habits.isMoving
      return stopped.ok ? stopped : fail(stopped.failure)
    }
    this.#isStopOwed = true
    this.#failedStops++
    if (this.#failedStops <= MAX_STOP_TRIES) this.#stopLater(STOP_AGAIN_MS * 2 ** (this.#failedStops - 1))
    else {
      // The camera is gone; when it comes back, it has ended its moves.
      this.#sent = undefined
      this.#isStopOwed = false
      this.#failedStops = 0
    }
    return stopped
  }

  #stopLater(delayMs: number): void {
    clearTimeout(this.#stopAgain)
    this.#stopAgain = setTimeout(() => {
      // Someone who moves the camera now is stopped by their own silence.
      if (this.#holder !== undefined) return
      this.#isStopOwed = true
      void this.#run()
    }, delayMs)
  }
}

const toAnswer = (result: OnvifResult<unknown>): MoverAnswer => (result.ok ? ok(done) : result)
