import type { Logger } from '@sightline/platform/log'

/** What the media plane notices about a camera that its owner should change. */
export type NoticedWarning = 'clockWrong' | 'eventsLost'

export interface WarningRecord {
  readonly accountId: number
  readonly cameraId: number
  readonly warning: NoticedWarning
  /** Whether it applies from `at` on, in milliseconds since 1970; otherwise it is over. */
  readonly isActive: boolean
  readonly at: number
}

const RETRY_AFTER_MS = 5000

export interface CameraWarningsDeps {
  /** The same record again changes nothing. */
  readonly write: (record: WarningRecord) => Promise<void>
  readonly log: Logger
}

const nameOf = ({ cameraId, warning }: WarningRecord): string => `${cameraId} ${warning}`

/**
 * Writes which warnings apply to cameras: each when it changes, and once after a start, because what applied before is not
 * known. While the database is away the newest of each waits. Never makes anything wait.
 */
export class CameraWarnings implements AsyncDisposable {
  readonly #deps: CameraWarningsDeps
  readonly #written = new Map<string, boolean>()
  readonly #waiting = new Map<string, WarningRecord>()
  #writing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(deps: CameraWarningsDeps) {
    this.#deps = deps
  }

  note(record: WarningRecord): void {
    const name = nameOf(record)
    if (!this.#waiting.has(name) && this.#written.get(name) === record.isActive) return
    this.#waiting.set(name, record)
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await this.#write()
    clearTimeout(this.#timer)
  }

  async #write(): Promise<void> {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const [name, record] = first
      try {
        await this.#deps.write(record)
      } catch (err) {
        this.#deps.log.warn({ err, cameraId: record.cameraId }, 'could not save a warning about a camera; retrying')
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => void this.#write(), RETRY_AFTER_MS).unref()
        return
      }
      this.#written.set(name, record.isActive)
      // A newer one may have come meanwhile.
      if (this.#waiting.get(name) === record) this.#waiting.delete(name)
    }
  }
}
