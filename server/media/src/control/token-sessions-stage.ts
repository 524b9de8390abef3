/** For tests: sessions of the account 1000 that the token `token` opens, without a database. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EndCode, StreamSession, StreamSessions } from './stream-sessions.ts'

interface TokenSessionOptions {
  readonly rights: readonly string[]
  /** How long opening takes. */
  readonly openMs?: number
  /** Every stream is refused with this code. */
  readonly refusedWith?: EndCode | undefined
}

/** `open` has the sessions that are open, newest last; aborting one takes its permission. */
export function tokenSessions({ rights, openMs = 0, refusedWith }: TokenSessionOptions) {
  const open: AbortController[] = []
  const sessions: Pick<StreamSessions, 'open'> = {
    async open({ credential, cameraId, stream, from }) {
      if (openMs > 0) await sleep(openMs)
      if (refusedWith !== undefined) return { ok: false, code: refusedWith }
      if ('ticket' in credential || credential.accessToken !== 'token') return { ok: false, code: 9 }
      const abort = new AbortController()
      open.push(abort)
      const session = {
        use: from === undefined ? 'live' : 'playback',
        accountId: 1000,
        cameraId,
        from,
        stream: stream ?? 'main',
        signal: abort.signal,
        caller: { rights: new Set(rights) },
        close: () => void open.splice(open.indexOf(abort), 1),
      }
      return { ok: true, session: session as unknown as StreamSession }
    },
  }
  return { sessions, open }
}
