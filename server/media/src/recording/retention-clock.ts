import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { FILE_MODE } from './durable-folder.ts'
import { HOUR_MS } from './segment-name.ts'

/**
 * Whether footage may be deleted by age: `jumped` if the clock was set while we ran, `unconfirmed` if it was elsewhere when we started,
 * `disagrees` if another clock says so.
 */
export type RetentionClockState = 'trusted' | 'jumped' | 'unconfirmed' | 'disagrees'

export interface RetentionClockOptions {
  /** The clock is remembered in its folder over restarts. */
  readonly store: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds that never jump. */
  readonly monotonic: () => number
  /** How far another clock is ahead of `now`, in milliseconds. One that agrees confirms nothing: it may be the same machine's. */
  readonly otherClockAheadMs?: (() => number) | undefined
}

const JUMP_MS = HOUR_MS
const STEADY_MS = 24 * HOUR_MS
/** A start that long after the clock was last trusted needs no confirmation. */
const PAUSE_MS = 24 * HOUR_MS
const SAVE_EVERY_MS = 60_000

const memory = z.strictObject({
  /** The newest time at which the clock was trusted; undefined if there was no footage and no clock before. */
  trustedAt: z.optional(z.number()),
  /** A clock that isn't trusted yet: when it was last seen, and for how long it has been steady. */
  trial: z.optional(z.strictObject({ seenAt: z.number(), steadyMs: z.number() })),
})
type ClockMemory = z.infer<typeof memory>

interface Trial {
  /** Of `now` over `monotonic`. */
  readonly offset: number
  readonly steadyMs: number
  readonly seenAt: number
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= JUMP_MS

/**
 * Decides whether the machine's clock may decide about footage. It is trusted if it continues where it was last trusted, and otherwise
 * once it was corrected, or has been steady for a day in which we ran: then the time before was wrong, or the machine was off.
 */
export class RetentionClock {
  readonly #options: RetentionClockOptions
  readonly #path: string
  readonly #startedAt: number
  readonly #startOffset: number
  #isLoaded = false
  #trustedAt: number | undefined
  #trustedOffset: number | undefined
  #trial: Trial | undefined
  #savedAt = Number.NEGATIVE_INFINITY
  #savedState: RetentionClockState | undefined
  #judgedAt = Number.NaN

  constructor(options: RetentionClockOptions) {
    this.#options = options
    this.#path = join(options.store, 'clock.json')
    this.#startedAt = options.now()
    this.#startOffset = this.#startedAt - options.monotonic()
  }

  /** When it was made, by its own clock: footage that is newer may have a wrong time. */
  get startedAt(): number {
    return this.#startedAt
  }

  /** The time of the last {@link check}: what it decided holds for ages that are counted from then, because the clock may jump any time. */
  get judgedAt(): number {
    return this.#judgedAt
  }

  /**
   * @param newestBefore the end of the newest footage from before {@link startedAt}, milliseconds since 1970; asked once, for what was
   * recorded before the clock was remembered.
   */
  async check(newestBefore: () => number | undefined): Promise<RetentionClockState> {
    if (!this.#isLoaded) await this.#load(newestBefore())
    this.#judgedAt = this.#options.now()
    const state = this.#judge(this.#judgedAt, this.#options.monotonic())
    await this.#save(state)
    return state
  }

  #judge(now: number, monotonic: number): RetentionClockState {
    const offset = now - monotonic
    if (this.#disagrees()) {
      this.#trial = undefined
      return 'disagrees'
    }
    const isContinued = this.#trustedOffset === undefined ? this.#continues(now) : isNear(offset, this.#trustedOffset)
    if (isContinued) return this.#trust(this.#trustedOffset ?? offset, now)
    const { offset: known, steadyMs, seenAt } = this.#trial ?? { offset, steadyMs: 0, seenAt: monotonic }
    const isSteady = isNear(offset, known)
    this.#trial = isSteady
      ? { offset: known, steadyMs: steadyMs + monotonic - seenAt, seenAt: monotonic }
      : { offset, steadyMs: 0, seenAt: monotonic }
    if (this.#trial.steadyMs >= STEADY_MS) return this.#trust(this.#trial.offset, now)
    return this.#trustedOffset === undefined ? 'unconfirmed' : 'jumped'
  }

  #disagrees(): boolean {
    return !isNear(this.#options.otherClockAheadMs?.() ?? 0, 0)
  }

  #trust(offset: number, now: number): 'trusted' {
    this.#trustedOffset = offset
    this.#trustedAt = now
    this.#trial = undefined
    return 'trusted'
  }

  /** Whether that time can follow the last one that was trusted. */
  #continues(time: number): boolean {
    const last = this.#trustedAt
    return last === undefined || (time >= last - JUMP_MS && time <= last + PAUSE_MS)
  }

  async #load(newestBefore: number | undefined): Promise<void> {
    const kept = await readMemory(this.#path)
    this.#isLoaded = true
    this.#trustedAt = kept?.trustedAt ?? newestBefore
    if (this.#continues(this.#startedAt) && !this.#disagrees()) this.#trustedOffset = this.#startOffset
    const { trial } = kept ?? {}
    // After a longer pause, nobody knows how the clock came to where it is.
    if (trial === undefined || this.#startedAt < trial.seenAt - JUMP_MS || this.#startedAt > trial.seenAt + PAUSE_MS)
      return
    this.#trial = { offset: this.#startOffset, steadyMs: trial.steadyMs, seenAt: this.#startedAt - this.#startOffset }
  }

  async #save(state: RetentionClockState): Promise<void> {
    const monotonic = this.#options.monotonic()
    if (state === this.#savedState && monotonic - this.#savedAt < SAVE_EVERY_MS) return
    this.#savedState = state
    this.#savedAt = monotonic
    const trial = this.#trial && { seenAt: this.#options.now(), steadyMs: this.#trial.steadyMs }
    // A disk that takes nothing more has to be swept. What isn't remembered only lets footage stay for longer.
    await writeMemory(this.#path, { trustedAt: this.#trustedAt, trial }).catch(() => undefined)
  }
}

/** Undefined if there is none, or none that can be read. */
async function readMemory(path: string): Promise<ClockMemory | undefined> {
  try {
    return memory.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return undefined
  }
}

/** Workers that share the disk share the file: each replaces it as a whole. */
async function writeMemory(path: string, kept: ClockMemory): Promise<void> {
  const unfinished = `${path}.${process.pid}`
  try {
    await writeFile(unfinished, JSON.stringify(kept), { mode: FILE_MODE })
    await rename(unfinished, path)
  } catch (cause) {
    await rm(unfinished, { force: true })
    throw cause
  }
}
