import { CAMERA_LOG_DAYS, type CameraLogEvent } from '@sightline/contract/camera-logs'
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_SECOND } from '@sightline/platform/clock'
import type { Logger } from '@sightline/platform/log'
import type { CameraEvent } from './camera-events.ts'

interface CameraKey {
  readonly accountId: number
  readonly cameraId: number
}

export type CameraLogRecord = CameraKey & CameraEvent

/** Entries per camera and hour; one more entry counts those beyond. */
export const MAX_ENTRIES_PER_HOUR = 30
/** The number of entries that wait while the database doesn't answer. */
const MAX_WAITING = 5000
/** Lines in one statement. */
const BATCH = 500
const WRITE_EVERY_MS = MS_PER_SECOND
const SWEEP_EVERY_MS = MS_PER_HOUR

interface Hour {
  readonly of: CameraKey
  readonly endsAt: number
  lines: number
  readonly left: Map<CameraLogEvent, number>
}

/** Limits the entries of a camera that keeps reconnecting, so that it doesn't fill the disk. */
export class LogRateLimit {
  readonly #hours = new Map<number, Hour>()

  /** What of it is to be written. */
  admit(entry: CameraLogRecord): readonly CameraLogRecord[] {
    const { accountId, cameraId, at, event } = entry
    const over = this.over(at, cameraId)
    const hour = this.#hours.get(cameraId) ?? {
      of: { accountId, cameraId },
      endsAt: at + MS_PER_HOUR,
      lines: 0,
      left: new Map(),
    }
    this.#hours.set(cameraId, hour)
    if (hour.lines < MAX_ENTRIES_PER_HOUR) {
      hour.lines++
      return [...over, entry]
    }
    hour.left.set(event, (hour.left.get(event) ?? 0) + 1)
    return over
  }

  /** Counts of completed hours, for one camera or all. A clock that was set back ends an hour too. */
  over(now: number, only?: number): readonly CameraLogRecord[] {
    const ended = [...this.#hours].filter(
      ([cameraId, { endsAt }]) =>
        (only === undefined || only === cameraId) && (now >= endsAt || now < endsAt - MS_PER_HOUR),
    )
    for (const [cameraId] of ended) this.#hours.delete(cameraId)
    return ended.flatMap(([, hour]) => summary(hour))
  }

  /** Counts of what was left out so far. */
  rest(): readonly CameraLogRecord[] {
    const hours = [...this.#hours.values()]
    this.#hours.clear()
    return hours.flatMap(summary)
  }
}

function summary({ of, endsAt, left }: Hour): readonly CameraLogRecord[] {
  if (left.size === 0) return []
  const sum = [...left.values()].reduce((a, b) => a + b, 0)
  const each = [...left].map(([event, times]) => `${times} ${event}`).join(', ')
  const detail = `${sum} more within the hour, not listed individually: ${each}`
  return [{ ...of, at: endsAt, level: 'warning', event: 'repeated', detail }]
}

export interface CameraLog extends AsyncDisposable {
  note(entry: CameraLogRecord): void
}

export interface CameraLogDeps {
  readonly table: {
    /** Writes lines in their order. */
    write(entries: readonly CameraLogRecord[]): Promise<void>
    /** Removes what is older; milliseconds since 1970. */
    drop(before: number): Promise<void>
  }
  readonly log: Logger
  readonly now: () => number
}

/** The log in table `camera_log`, written together each second; lines older than 90 days go. */
export function openCameraLog({ table, log, now }: CameraLogDeps): CameraLog {
  const limit = new LogRateLimit()
  let waiting: CameraLogRecord[] = []
  let sweptAt = Number.NEGATIVE_INFINITY
  let writing: Promise<void> = Promise.resolve()

  const flush = async () => {
    const entries = waiting.slice(0, BATCH)
    waiting = waiting.slice(BATCH)
    try {
      if (entries.length > 0) await table.write(entries)
    } catch (err) {
      waiting = [...entries, ...waiting].slice(-MAX_WAITING)
      log.warn({ err, lines: entries.length }, 'could not write the camera log')
    }
  }
  const sweep = async () => {
    if (now() - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = now()
    await table
      .drop(now() - CAMERA_LOG_DAYS * MS_PER_DAY)
      .catch((err: unknown) => log.warn({ err }, 'could not delete old camera log entries'))
  }
  const take = (entries: readonly CameraLogRecord[]) => {
    waiting = [...waiting, ...entries].slice(-MAX_WAITING)
  }
  const timer = setInterval(() => {
    take(limit.over(now()))
    writing = writing.then(flush).then(sweep)
  }, WRITE_EVERY_MS)
  timer.unref()
  return {
    note: (entry) => take(limit.admit(entry)),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      take(limit.rest().map((entry) => ({ ...entry, at: Math.min(entry.at, now()) })))
      await writing
      for (let before = 0; waiting.length > 0 && waiting.length !== before; ) {
        before = waiting.length
        await flush()
      }
    },
  }
}
