import type { Logger } from '@sightline/platform/log'
import type { StatusChange } from './store.ts'

const RETRY_AFTER_MS = 5000

export interface StatusQueue extends AsyncDisposable {
  /** Resolves when it is written, or waits because the database is away. */
  save(change: StatusChange): Promise<void>
}

interface Waiting {
  readonly change: StatusChange
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Writes the state of cameras. While the database is away the newest of each camera waits. */
export function statusQueue({
  write,
  now,
  log,
}: {
  readonly write: (change: StatusChange, at: number) => Promise<void>
  readonly now: () => number
  readonly log: Logger
}): StatusQueue {
  const waiting = new Map<number, Waiting>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const keep = (status: Waiting, err: unknown) => {
    const { cameraId } = status.change
    if (waiting.size === 0) log.warn({ err, cameraId }, 'could not save the status of cameras; retrying')
    waiting.set(cameraId, waiting.get(cameraId) ?? status)
    if (!isClosed) timer ??= setTimeout(() => void retry(), RETRY_AFTER_MS).unref()
  }
  const retry = async () => {
    timer = undefined
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      const [cameraId, status] = first
      try {
        await write(status.change, status.at)
        // A newer one may have come meanwhile.
        if (waiting.get(cameraId) === status) waiting.delete(cameraId)
      } catch (err) {
        return keep(status, err)
      }
    }
  }
  return {
    async save(change) {
      const status = { change, at: now() }
      // What waits is older: this one takes its place and its turn.
      if (waiting.has(change.cameraId)) return void waiting.set(change.cameraId, status)
      await write(change, status.at).catch((err: unknown) => keep(status, err))
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
      await retry()
    },
  }
}
