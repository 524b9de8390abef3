import { createSemaphore } from '@sightline/platform/limits'

/** Does the work when it is its turn, in order of arrival. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>

/** Cameras that are asked for their abilities at once, a few seconds each. */
const ASKED_AT_ONCE = 4
/** New cameras that are checked at once: ten seconds or more each, in which they mostly wait for pictures. */
const CHECKED_AT_ONCE = 10

/** What all cameras of a worker share, so that hundreds that connect together aren't asked and checked together. */
export const cameraConcurrency = (): { readonly limitAsking: Limit; readonly limitChecks: Limit } => ({
  limitAsking: limitConcurrency(ASKED_AT_ONCE),
  limitChecks: limitConcurrency(CHECKED_AT_ONCE),
})

/** Lets so many pieces of work run at once; the others wait. */
function limitConcurrency(atOnce: number): Limit {
  const places = createSemaphore<'work'>({
    overall: { concurrency: atOnce, queue: Number.POSITIVE_INFINITY },
  })
  return async (work) => {
    const done = await places.run('work', work)
    if (!done.ok) throw new Error('a queue without an end is full')
    return done.value
  }
}
