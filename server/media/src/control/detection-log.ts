import { MS_PER_HOUR } from '@sightline/platform/clock'
import type { Logger } from '@sightline/platform/log'
import type { DetectionRecord, LostDetections } from './detections.ts'

type Noted = DetectionRecord | LostDetections

/** Events of one camera in an hour; a camera that reports more is broken or attacked. What it sees is recorded all the same. */
const MAX_PER_HOUR = 360
/** What waits while the database doesn't answer. */
const MAX_WAITING = 5000
const BATCH = 200
const WRITE_AFTER_MS = 200
const RETRY_AFTER_MS = 5000

export interface DetectionLogDeps {
  /** Writes them in their order; the same ones again change nothing. */
  readonly write: (records: readonly Noted[]) => Promise<void>
  readonly log: Logger
}

/** Writes what is detected to the events, shortly after it happens and in its order. Never makes anything wait. */
export class DetectionLog implements AsyncDisposable {
  readonly #deps: DetectionLogDeps
  readonly #hours = new Map<number, { readonly endsAt: number; count: number }>()
  #waiting: Noted[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<boolean> = Promise.resolve(true)

  constructor(deps: DetectionLogDeps) {
    this.#deps = deps
  }

  note(record: Noted): void {
    if (record.change === 'begins' && !this.#isAdmitted(record)) return
    this.#waiting.push(record)
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift()
    this.#schedule(WRITE_AFTER_MS)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    while (this.#waiting.length > 0 && (await this.#write()));
  }

  #isAdmitted({ cameraId, at }: DetectionRecord): boolean {
    const known = this.#hours.get(cameraId)
    const isSame = known !== undefined && at < known.endsAt && at >= known.endsAt - MS_PER_HOUR
    const hour = isSame ? known : { endsAt: at + MS_PER_HOUR, count: 0 }
    this.#hours.set(cameraId, hour)
    hour.count++
    if (hour.count === MAX_PER_HOUR + 1)
      this.#deps.log.warn({ cameraId }, `more than ${MAX_PER_HOUR} events within an hour; the rest are left out`)
    return hour.count <= MAX_PER_HOUR
  }

  #schedule(afterMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#writing.then(() => this.#write())
      void this.#writing.then((isWritten) => {
        if (this.#waiting.length > 0) this.#schedule(isWritten ? WRITE_AFTER_MS : RETRY_AFTER_MS)
      })
    }, afterMs).unref()
  }

  /** Whether the database took what it was given. */
  async #write(): Promise<boolean> {
    const records = this.#waiting.slice(0, BATCH)
    if (records.length === 0) return true
    try {
      await this.#deps.write(records)
      this.#waiting = this.#waiting.filter((record) => !records.includes(record))
      return true
    } catch (err) {
      this.#deps.log.warn({ err, events: records.length }, 'could not write events to the database; retrying')
      return false
    }
  }
}
