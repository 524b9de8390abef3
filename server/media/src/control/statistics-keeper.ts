import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import type { CameraChannel } from './camera-channel.ts'
import { type CameraSample, CameraSampler } from './camera-sampler.ts'
import { dropOldStatistics, insertMinutes, type StatisticsRecord, sumQuarter } from './statistics-store.ts'

export interface SampledCamera extends CameraSample {
  readonly accountId: number
  readonly cameraId: number
}

/** What is counted of a camera while its channel is open. */
export function toSample({ camera, checked }: Pick<CameraChannel, 'camera' | 'checked'>): SampledCamera {
  const { main, sub, received } = checked
  const { accountId, cameraId } = camera
  const bufferBytes = main.recorderBytes + (sub?.recorderBytes ?? 0)
  return { accountId, cameraId, received: received(), bufferBytes, latest: main.latestKeyPicture() }
}

export interface StatisticsKeeperDeps {
  readonly db: Db
  readonly samples: () => Iterable<SampledCamera>
  /** Whether this worker does what is to be done once. */
  readonly isFirst: () => boolean
  readonly log: Logger
  readonly now: () => number
}

/** Keyframes are seldom closer together. */
const SAMPLE_EVERY_MS = 5000
const QUARTER_MS = 15 * MS_PER_MINUTE
/** A day and what is being summed; a week and what is being summed. */
const KEPT_MS = { minutes: 25 * MS_PER_HOUR, quarters: 8 * MS_PER_DAY } as const

/**
 * Writes what arrived from each camera, minute by minute, in one statement for all of them. Counters are read every five
 * seconds; nothing is done for a picture. What can't be written is lost: it is about health, and not needed to find footage.
 */
export class StatisticsKeeper implements AsyncDisposable {
  readonly #deps: StatisticsKeeperDeps
  readonly #samplers = new Map<number, CameraSampler>()
  readonly #timer: NodeJS.Timeout
  #minute: number
  #quarter: number
  #writing: Promise<void> = Promise.resolve()

  constructor(deps: StatisticsKeeperDeps) {
    this.#deps = deps
    this.#minute = floorTo(deps.now(), MS_PER_MINUTE)
    this.#quarter = floorTo(deps.now(), QUARTER_MS)
    this.#timer = setInterval(() => this.sample(), SAMPLE_EVERY_MS).unref()
  }

  /** Reads all counters, and writes the minute that is over. */
  sample(): void {
    const { samples, now } = this.#deps
    const at = now()
    const records: StatisticsRecord[] = []
    const isOver = floorTo(at, MS_PER_MINUTE) !== this.#minute
    const seen = new Set<number>()
    for (const { accountId, cameraId, ...sample } of samples()) {
      seen.add(cameraId)
      const sampler = this.#samplers.get(cameraId) ?? new CameraSampler()
      this.#samplers.set(cameraId, sampler)
      sampler.add(sample)
      const bucket = isOver ? sampler.take() : undefined
      if (bucket !== undefined) records.push({ accountId, cameraId, at: this.#minute, ...bucket })
    }
    for (const cameraId of this.#samplers.keys()) if (!seen.has(cameraId)) this.#samplers.delete(cameraId)
    if (!isOver) return
    this.#minute = floorTo(at, MS_PER_MINUTE)
    this.#writing = this.#writing.then(() => this.#write(records))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#writing
  }

  async #write(records: readonly StatisticsRecord[]): Promise<void> {
    const { db, isFirst, log, now } = this.#deps
    try {
      if (records.length > 0) await insertMinutes(db, records)
      const quarter = floorTo(now(), QUARTER_MS)
      // A minute after its end: other workers write their last minute too.
      if (quarter === this.#quarter || now() - quarter < 2 * MS_PER_MINUTE) return
      const before = this.#quarter
      this.#quarter = quarter
      if (!isFirst()) return
      for (let from = before; from < quarter; from += QUARTER_MS) await sumQuarter(db, from, from + QUARTER_MS)
      await dropOldStatistics(db, { minutesBefore: now() - KEPT_MS.minutes, quartersBefore: now() - KEPT_MS.quarters })
    } catch (err) {
      log.warn({ err }, 'could not write statistics of cameras')
    }
  }
}

const floorTo = (time: number, unit: number): number => Math.floor(time / unit) * unit
