import type { AuthPlane } from '@sightline/contract/auth-plane'
import { type Clock, MS_PER_MINUTE, repeatUntil } from '@sightline/platform/clock'
import type { Db } from '@sightline/platform/db'
import type { Logger } from '@sightline/platform/log'
import {
  type Erasure,
  eraseLines,
  eraseMails,
  erasuresToDo,
  hasLinesLeft,
  type LinesOf,
  LOG_BEGIN,
  type LogPlace,
  markErased,
} from './erase-store.ts'

export interface ErasingParts {
  /** Under the role `eraser`. */
  readonly db: Db
  readonly auth: Pick<AuthPlane, 'forgetUser'>
  readonly clock: Clock
  readonly log: Logger
}

const LOOK_EVERY_MS = MS_PER_MINUTE
/** Who was inside while the rows went may write a line after that, of a stream that ends or a token that was revoked. */
const LATE_LINES_MS = 5 * MS_PER_MINUTE

/**
 * Erases what is left of people who are gone, outside of their rows: sign-ins, personal values in the log, mails. Each step can
 * be taken again, by several processes at once as well, and is marked when it is whole: whatever is killed is done the next time.
 * Footage is the media workers'.
 */
export function startErasing(parts: ErasingParts): AsyncDisposable {
  const closing = new AbortController()
  const look = () =>
    eraseDue(parts, closing.signal).catch((err: unknown) =>
      parts.log.warn({ err }, 'what is to be erased cannot be read'),
    )
  const running = look().then(() => repeatUntil(closing.signal, LOOK_EVERY_MS, look))
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      await running
    },
  }
}

/** Erases what is due. */
export async function eraseDue(parts: ErasingParts, signal?: AbortSignal): Promise<void> {
  for (let after = 0; ; ) {
    const erasures = await erasuresToDo(parts.db, after)
    for (const erasure of erasures) {
      if (signal?.aborted === true) return
      const { userId } = erasure
      await erase(erasure, parts, signal).catch((err: unknown) =>
        parts.log.error({ err, userId }, 'somebody who is gone could not be erased; tried again'),
      )
    }
    const last = erasures.at(-1)
    if (last === undefined) return
    after = last.userId
  }
}

async function erase(erasure: Erasure, parts: ErasingParts, signal: AbortSignal | undefined): Promise<void> {
  const { db, auth, clock } = parts
  const { userId, accountId, removedAt } = erasure
  if (!erasure.isSignInErased) {
    await auth.forgetUser({ userId })
    await markErased(db, userId, { column: 'sign_in_erased_at', at: clock.now() })
  }
  if (!erasure.isLogDue) return
  const isAccount = userId === accountId
  const lines: readonly LinesOf[] = [{ aboutUserId: userId }, ...(isAccount ? [{ accountId }] : [])]
  const mailsLeft = isAccount && (await eraseMails(db, accountId))
  let linesLeft = false
  for (const of of lines) linesLeft = (await eraseAllOf(of, db, signal)) || linesLeft
  if (mailsLeft || linesLeft || clock.now() < removedAt + LATE_LINES_MS) return
  await markErased(db, userId, { column: 'log_erased_at', at: clock.now() })
  parts.log.info({ userId, accountId }, 'somebody who is gone is erased')
}

/** Whether lines are left: not sealed yet, or this is to stop. */
async function eraseAllOf(of: LinesOf, db: Db, signal: AbortSignal | undefined): Promise<boolean> {
  for (let place: LogPlace | undefined = LOG_BEGIN; place !== undefined; ) {
    if (signal?.aborted === true) return true
    place = await eraseLines(db, of, place)
  }
  return hasLinesLeft(db, of)
}
