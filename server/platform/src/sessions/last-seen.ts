import { sql } from 'kysely'
import { type Clock, MS_PER_MINUTE, repeatEvery } from '../clock/index.ts'
import type { Db } from '../db/index.ts'
import type { Logger } from '../log/index.ts'

/** When tokens were last used, written once a minute for all of them together. */
export interface LastSeen extends AsyncDisposable {
  /** Records a call or a continuing stream with that token. Doesn't wait. */
  note(tokenSha256: Buffer): void
  /** Writes down what was noted since the last time. */
  flush(): Promise<void>
}

/** The number of tokens in one statement. */
const AT_ONCE = 1000

export function openLastSeen({
  db,
  clock,
  log,
}: {
  readonly db: Db
  readonly clock: Clock
  readonly log: Logger
}): LastSeen {
  let noted = new Map<string, Buffer>()
  const flush = async () => {
    const tokens = [...noted.values()]
    noted = new Map()
    const now = clock.now()
    const minute = new Date(now - (now % MS_PER_MINUTE)).toISOString()
    for (let from = 0; from < tokens.length; from += AT_ONCE) {
      const some = tokens.slice(from, from + AT_ONCE)
      await sql`select note_sessions_seen(${some}::bytea[], ${minute}::timestamptz)`.execute(db.plain)
    }
  }
  const closing = new AbortController()
  const writing = repeatEvery(closing.signal, MS_PER_MINUTE, () =>
    flush().catch((err: unknown) => log.warn({ err }, 'could not save when users were last seen')),
  )
  return {
    note: (tokenSha256) => void noted.set(tokenSha256.toString('latin1'), tokenSha256),
    flush,
    async [Symbol.asyncDispose]() {
      closing.abort()
      await writing
    },
  }
}
