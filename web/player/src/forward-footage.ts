import type { FootagePlayer, FootageState } from './footage-player.ts'
import type { CameraView, ViewState } from './view-state.ts'

/** Plays the footage of one camera forward by MediaSource, for browsers without WebCodecs. */
export class ForwardFootage implements FootagePlayer {
  readonly rates = [0.5, 1, 2, 4, 8]
  readonly #listeners = new Set<() => void>()
  #state: FootageState
  #view: CameraView | undefined
  #unsubscribe: (() => void) | undefined

  constructor(time: number) {
    const base = { rate: 1, isPaused: false, isWaiting: true, isStill: false, skipped: undefined, isAtEnd: false }
    this.#state = { time, ...base }
  }

  get state(): FootageState {
    return this.#state
  }

  // A property, because React calls it without `this`.
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Shows the camera of a view, which was opened at the time of `state`; undefined once it is closed. */
  attach(view: CameraView | undefined): void {
    this.#unsubscribe?.()
    this.#view = view
    this.#unsubscribe = view?.subscribe(() => this.#follow(view.state))
    const { rate, isPaused } = this.#state
    if (rate !== 1) view?.setRate(rate)
    if (isPaused) view?.setPaused(true)
  }

  seek(time: number): void {
    this.#change({ time, skipped: undefined, isAtEnd: false, isStill: false })
    this.#view?.seek(time)
  }

  setPaused(isPaused: boolean): void {
    this.#change({ isPaused })
    this.#view?.setPaused(isPaused)
  }

  setRate(rate: number): void {
    this.#change({ rate })
    this.#view?.setRate(rate)
  }

  step(frames: number): void {
    this.#change({ isPaused: true })
    this.#view?.step(frames)
  }

  close(): void {
    this.attach(undefined)
    this.#listeners.clear()
  }

  #follow({ phase, wallclock, gap }: ViewState): void {
    this.#change({
      time: wallclock === undefined ? this.#state.time : Math.round(wallclock),
      isWaiting: phase === 'connecting' || phase === 'reconnecting',
      isStill: phase === 'paused',
      skipped: gap,
      isAtEnd: phase === 'ended',
    })
  }

  #change(change: Partial<FootageState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}
