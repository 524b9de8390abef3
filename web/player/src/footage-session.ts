import type { FootagePlayer, FootageState } from './footage-player.ts'
import { watchPage } from './hidden-page.ts'
import { PlaybackClock } from './playback-clock.ts'
import { SessionTrack, type SessionTrackSettings } from './session-track.ts'
import type { Gap } from './view-state.ts'

/** The longest wait for pictures; after that, the other cameras continue. */
const LONGEST_WAIT_MS = 4000
const TOLD_EVERY_MS = 250

/** A shorter gap, as after a jump to shortly before its end, is skipped without a word. */
const SHORT_GAP_MS = 1500

/** While someone listens, a picture may come so late before sound stops for it. */
const LISTENERS_GRACE_MS = 250

/**
 * Plays the footage of one to nine cameras by one clock of the time of day. Gaps of one camera are waited through while another has
 * footage; where none has, they are skipped. Stands still while the page is hidden.
 */
export class FootageSession implements FootagePlayer {
  readonly rates = [-16, -8, -4, -2, -1, 0.5, 1, 2, 4, 8, 16]
  readonly #clock: PlaybackClock
  readonly #tracks = new Map<number, SessionTrack>()
  readonly #listeners = new Set<() => void>()
  readonly #leaving = new AbortController()
  #state: FootageState
  #frame = 0
  #waitingSince: number | undefined
  #toldAt = 0
  #wasPaused = false
  #isStill = false
  /** Steps backwards need pictures before the one that is shown. */
  #direction = 1
  #pending: { readonly id: number; readonly frames: number; readonly since: number } | undefined

  constructor(time: number) {
    this.#clock = new PlaybackClock(time)
    const base = { isPaused: false, isWaiting: true, isStill: false, skipped: undefined, isAtEnd: false }
    this.#state = { time, rate: 1, ...base }
    const onPage = {
      onHidden: () => this.#onHidden(),
      onLeft: () => {
        for (const track of this.#tracks.values()) track.leave()
      },
      onShown: () => this.#onShown(),
    }
    watchPage(onPage, this.#leaving.signal)
    this.#clock.setHeld(true)
    this.#frame = requestAnimationFrame(() => this.#draw())
  }

  get state(): FootageState {
    return this.#state
  }

  // A property, because React calls it without `this`.
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Shows a camera on a canvas; it is closed by {@link removeTrack}. */
  addTrack(id: number, settings: Omit<SessionTrackSettings, 'clock' | 'onProgress'>): SessionTrack {
    const onProgress = () => this.#onProgress(track)
    const track = new SessionTrack({ ...settings, clock: this.#clock, onProgress })
    this.#tracks.get(id)?.close()
    this.#tracks.set(id, track)
    return track
  }

  removeTrack(id: number, track: SessionTrack): void {
    track.close()
    if (this.#tracks.get(id) === track) this.#tracks.delete(id)
  }

  seek(time: number): void {
    this.#pending = undefined
    this.#isStill = false
    this.#direction = Math.sign(this.#clock.rate)
    this.#clock.jump(time)
    this.#clock.setHeld(true)
    this.#waitingSince = performance.now()
    for (const track of this.#tracks.values()) track.seek(time)
    this.#follow({ skipped: undefined, isAtEnd: false })
  }

  setPaused(isPaused: boolean): void {
    this.#pending = undefined
    if (!isPaused) this.#direction = Math.sign(this.#clock.rate)
    this.#clock.setPaused(isPaused)
    this.#follow(isPaused ? {} : { isAtEnd: false })
  }

  setRate(rate: number): void {
    this.#clock.setRate(rate)
    this.#direction = Math.sign(rate)
    this.#follow({ isAtEnd: false })
  }

  step(frames: number, id: number): void {
    if (!this.#clock.isPaused) this.setPaused(true)
    if (frames === 0) return
    const before = this.#pending?.id === id ? this.#pending.frames : 0
    this.#pending = { id, frames: before + frames, since: performance.now() }
    this.#isStill = false
    if (Math.sign(frames) !== this.#direction) {
      this.#direction = Math.sign(frames)
      this.#follow({})
    }
    this.#stepOn()
  }

  close(): void {
    cancelAnimationFrame(this.#frame)
    this.#leaving.abort()
    for (const track of this.#tracks.values()) track.close()
    this.#tracks.clear()
    this.#listeners.clear()
  }

  /** Makes the pending step once the picture is here, or beyond a gap. */
  #stepOn(): void {
    const { id, frames, since } = this.#pending ?? { id: 0, frames: 0, since: 0 }
    const track = this.#tracks.get(id) ?? this.#tracks.values().next().value
    if (track === undefined || frames === 0 || performance.now() - since > LONGEST_WAIT_MS) {
      this.#pending = undefined
      return
    }
    const now = this.#clock.now()
    const time = track.timeOfStep(now, frames) ?? beyond(track.gapBeside(now, frames), frames)
    if (time === undefined) return
    this.#pending = undefined
    this.#moveTo(time)
    this.#tell({})
  }

  /** To a time whose pictures are here or come next, without asking for them again. */
  #moveTo(time: number): void {
    this.#isStill = false
    this.#clock.jump(time)
    for (const track of this.#tracks.values()) track.followClock(this.#sentRate)
  }

  /** Paused, pictures are needed in the direction of the last step. */
  get #sentRate(): number {
    return this.#clock.isPaused ? this.#direction : this.#clock.rate
  }

  #follow(change: Partial<Pick<FootageState, 'skipped' | 'isAtEnd'>>): void {
    for (const track of this.#tracks.values()) track.followClock(this.#sentRate)
    this.#tell(change)
  }

  #draw(): void {
    this.#frame = requestAnimationFrame(() => this.#draw())
    this.#advance()
  }

  /** Waiting for the animation frame would cost one between the footage and the decoder, and another before the picture. */
  #onProgress(track: SessionTrack): void {
    if (this.#waitingSince !== undefined && track.prepare(this.#clock.now(), this.#sentRate)) this.#advance()
  }

  /** All cameras change their pictures together, once each has the picture of this time. A slow device plays slower, in step. */
  #advance(): void {
    const now = this.#clock.now()
    const tracks = [...this.#tracks.values()]
    const ready = tracks.filter((track) => track.prepare(now, this.#sentRate))
    if (this.#mayShow(ready.length, tracks)) for (const track of tracks) track.draw(now)
    const isStill = this.#clock.isPaused && this.#pending === undefined && ready.length === tracks.length
    if (this.#pending !== undefined) this.#stepOn()
    this.#skip(now)
    if (isStill !== this.#isStill || performance.now() - this.#toldAt > TOLD_EVERY_MS) {
      this.#isStill = isStill
      this.#tell({})
    }
  }

  /** Holds the clock until all cameras are ready; after a while the others continue without those that aren't. */
  #mayShow(ready: number, tracks: readonly SessionTrack[]): boolean {
    const isReady = tracks.length > 0 && ready === tracks.length
    this.#waitingSince = isReady ? undefined : (this.#waitingSince ?? performance.now())
    const waited = this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince
    const mayShow = isReady || (waited > LONGEST_WAIT_MS && ready > 0)
    // Sound that stops for each late picture is worse than a picture that is left out.
    const graceMs = this.#clock.isRunning && tracks.some(({ isHeard }) => isHeard) ? LISTENERS_GRACE_MS : 0
    this.#clock.setHeld(!mayShow && waited >= graceMs)
    return mayShow
  }

  /** Where no camera has footage, playback continues at the next. */
  #skip(now: number): void {
    const tracks = [...this.#tracks.values()].filter(
      ({ state }) => state.phase !== 'refused' && state.phase !== 'unsupported',
    )
    if (tracks.length === 0 || !this.#clock.isRunning) return
    if (!tracks.every(({ state }) => state.phase === 'gap' || state.phase === 'ended')) return
    const gaps = tracks.flatMap((track) => track.gapAt(now) ?? [])
    if (gaps.length === 0) {
      this.#stop(now)
      return
    }
    const isForward = this.#clock.rate > 0
    const from = Math.max(...gaps.map((gap) => gap.from))
    const till = Math.min(...gaps.map((gap) => gap.till))
    this.#moveTo(isForward ? till : from - 1)
    this.#tell(till - from > SHORT_GAP_MS ? { skipped: { from, till } } : {})
  }

  #stop(now: number): void {
    this.#clock.jump(now)
    this.#clock.setPaused(true)
    this.#tell({ isAtEnd: true })
  }

  #tell(change: Partial<Pick<FootageState, 'skipped' | 'isAtEnd'>>): void {
    this.#toldAt = performance.now()
    const { rate, isPaused } = this.#clock
    const time = Math.round(this.#clock.now())
    const before = this.#state
    this.#state = { ...before, ...change, time, rate, isPaused, isWaiting: this.#isWaitingLong, isStill: this.#isStill }
    if (isSame(before, this.#state)) return
    for (const listener of this.#listeners) listener()
  }

  /** Pictures that are late by a moment are no news. */
  get #isWaitingLong(): boolean {
    return this.#waitingSince !== undefined && performance.now() - this.#waitingSince > TOLD_EVERY_MS
  }

  #onHidden(): void {
    this.#wasPaused = this.#clock.isPaused
    this.setPaused(true)
  }

  #onShown(): void {
    for (const track of this.#tracks.values()) track.return()
    if (!this.#wasPaused) this.setPaused(false)
  }
}

/** The first picture beyond a gap. */
function beyond(gap: Gap | undefined, direction: number): number | undefined {
  if (gap === undefined) return undefined
  return direction > 0 ? gap.till + 1 : gap.from - 1
}

const isSame = (one: FootageState, other: FootageState): boolean =>
  one.time === other.time &&
  one.rate === other.rate &&
  one.isPaused === other.isPaused &&
  one.isWaiting === other.isWaiting &&
  one.isStill === other.isStill &&
  one.skipped === other.skipped &&
  one.isAtEnd === other.isAtEnd
