import type { AuthPlane } from '@sightline/contract/auth-plane'
import { type Clock, MS_PER_MINUTE } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import { enqueue, type JobTasks } from '@sightline/platform/jobs'
import type { Logger } from '@sightline/platform/log'
import { ok } from '@sightline/platform/result'
import {
  type EntrySelection,
  type Erasure,
  eraseEntries,
  eraseMails,
  erasuresToDo,
  hasLinesLeft,
  LOG_BEGIN,
  type LogCursor,
  markErased,
} from './erase-store.ts'

export interface ErasingDeps {
  /** Under the role `eraser`. */
  readonly db: Db
  readonly auth: Pick<AuthPlane, 'forgetUser'>
  readonly clock: Clock
  readonly log: Logger
}

const LOOK_EVERY_MS = MS_PER_MINUTE
/**
 * A session that was open during the deletion may add an entry afterwards, about a stream that ends or a revoked token.
 */
const LATE_LINES_MS = 5 * MS_PER_MINUTE

/**
 * Erases the remaining data of deleted users outside their rows: sign-ins, personal values in the log, emails; each
 * user in a separate job. Each step is repeatable, by several processes at once too, and is marked when complete, so a
 * killed step runs again later. The media workers erase footage.
 */
export const erasureTasks = (deps: ErasingDeps): JobTasks => ({
  findErasures: {
    everyMs: LOOK_EVERY_MS,
    async run() {
      await findToDo(deps)
      return ok(undefined)
    },
  },
  erasePerson: {
    async run({ userId }, { signal }) {
      const [erasure] = await erasuresToDo(deps.db, { after: userId - 1, most: 1 })
      if (erasure?.userId === userId) await erase(erasure, deps, signal)
      return ok(undefined)
    },
  },
})

async function findToDo({ db }: ErasingDeps): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const erasures: readonly Erasure[] = await erasuresToDo(db, { after, most: 200 })
    await db.transaction(async (tx) => {
      for (const { userId } of erasures) {
        await enqueue(tx, { task: 'erasePerson', payload: { userId }, jobKey: String(userId) })
      }
    })
    after = erasures.at(-1)?.userId
  }
}

async function erase(erasure: Erasure, deps: ErasingDeps, signal: AbortSignal): Promise<void> {
  const { db, auth, clock } = deps
  const { userId, accountId, removedAt } = erasure
  if (!erasure.isSignInErased) {
    await auth.forgetUser({ userId })
    await markErased(db, userId, { column: 'sign_in_erased_at', at: clock.now() })
  }
  if (!erasure.isLogDue) return
  const isAccount = userId === accountId
  const lines: readonly EntrySelection[] = [{ aboutUserId: userId }, ...(isAccount ? [{ accountId }] : [])]
  const mailsLeft = isAccount && (await eraseMails(db, accountId))
  let linesLeft = false
  for (const of of lines) linesLeft = (await eraseAllOf(of, db, signal)) || linesLeft
  if (mailsLeft || linesLeft || clock.now() < removedAt + LATE_LINES_MS) return
  await markErased(db, userId, { column: 'log_erased_at', at: clock.now() })
  deps.log.info({ userId, accountId }, 'erased the data of a deleted user')
}

/** Whether entries are left: not signed yet, or this is to stop. */
async function eraseAllOf(of: EntrySelection, db: Db, signal: AbortSignal): Promise<boolean> {
  for (let place: LogCursor | undefined = LOG_BEGIN; place !== undefined; ) {
    if (signal.aborted) return true
    place = await eraseEntries(db, of, place)
  }
  return hasLinesLeft(db, of)
}
