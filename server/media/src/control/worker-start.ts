import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import { joinedRuns } from './joined-runs.ts'
import type { Membership } from './membership.ts'
import { markOffline } from './membership-store.ts'
import type { ServedCameras } from './served-cameras.ts'
import type { WorkerMemory } from './worker-memory.ts'

/** A database that answers nothing for so long is away. */
const DATABASE_PATIENCE_MS = 2000
/** It answered before: reading all cameras may take some time. */
const LIST_PATIENCE_MS = 10_000

/**
 * Tells the database that this worker runs, once: what the process before it wrote about its cameras is no longer true, and the
 * others see it. Resolves at once afterwards; rejects while the database is away.
 */
export function introduction(
  { db, workerId }: { readonly db: Db; readonly workerId: string },
  membership: Pick<Membership, 'join'>,
): () => Promise<void> {
  let isMarked = false
  let isDone = false
  const introducing = joinedRuns(async () => {
    if (!isMarked) await markOffline(db, workerId)
    isMarked = true
    await membership.join()
    isDone = true
  })
  return async () => {
    if (!isDone) await introducing.run()
  }
}

export interface WorkerStart {
  readonly introduce: () => Promise<void>
  readonly served: Pick<ServedCameras, 'recall' | 'refresh' | 'refreshLater'>
  /** What the process before this one knew; undefined for the first one. */
  readonly recalled: WorkerMemory | undefined
  readonly log: Logger
}

/** Begins with the cameras in the database. If it is away, with those that the process before this one had. */
export async function startServing({ introduce, served, recalled, log }: WorkerStart): Promise<void> {
  if (recalled === undefined) return await served.refresh()
  try {
    await withinMs(introduce(), DATABASE_PATIENCE_MS)
    await withinMs(served.refresh(), LIST_PATIENCE_MS)
  } catch (err) {
    log.warn({ err, cameras: recalled.cameras.length }, 'the database is away: recording what was recorded before')
    served.recall(recalled)
    served.refreshLater()
  }
}

async function withinMs(work: Promise<void>, ms: number): Promise<void> {
  const over = new AbortController()
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no answer of the database within ${ms} ms`)
  })
  try {
    await Promise.race([work, late])
  } finally {
    over.abort()
    for (const each of [work, late]) each.catch(() => undefined)
  }
}
