import { createSemaphore } from '@sightline/platform/limits'
import type { ReadQueue } from '../recording/index.ts'

/** Four threads read, write and sync files; viewers use at most two of them, however many there are. */
const CONCURRENT_READS = 2

/** Limits concurrent reads of viewers, so that recorders don't have to wait for them. */
export function readQueue(): ReadQueue {
  const semaphore = createSemaphore<'disk'>({
    overall: { concurrency: CONCURRENT_READS, queue: Number.POSITIVE_INFINITY },
  })
  return async (read) => {
    const done = await semaphore.run('disk', read)
    if (!done.ok) throw new Error('a queue without a bound was full')
    return done.value
  }
}

export const readAtOnce: ReadQueue = (read) => read()
