import type { Right } from '@sightline/contract/rights'
import { type Caller, type SessionRow, toCaller, tokenSha256 } from '@sightline/platform/sessions'
import type { Ticket } from './store.ts'

/** Why a stream was refused or ended; the codes of the error catalogue (api.md §12). */
export type EndCode = 4 | 9 | 14 | 16 | 18 | 19

export type StreamUse = 'live' | 'playback'

/** Somebody watching: bound to the token, the rights version and the camera it was opened with. */
export interface StreamSession {
  readonly caller: Caller
  readonly accountId: number
  readonly cameraId: number
  readonly use: StreamUse
  /** Playback: where to begin, milliseconds since 1970; undefined where nobody said. */
  readonly from: number | undefined
  /** Aborts with an {@link EndCode} as its reason once the permission is gone. */
  readonly signal: AbortSignal
  close(): void
}

export interface SessionQueries {
  consumeTicket(sha256: Buffer, now: number): Promise<Ticket | undefined>
  loadSessions(sha256s: readonly Buffer[]): Promise<Map<string, SessionRow>>
  mayReach(question: { accountId: number; userId: number; allCameras: boolean; cameraId: number }): Promise<boolean>
}

export interface StreamSessionSettings {
  readonly queries: SessionQueries
  readonly now: () => number
  /** How often every open session is confirmed. */
  readonly confirmEveryMs?: number
  /** A session that could not be confirmed for so long is closed. */
  readonly unconfirmedLimitMs?: number
}

export interface StreamSessions extends AsyncDisposable {
  open(wanted: StreamWanted): Promise<{ ok: true; session: StreamSession } | { ok: false; code: EndCode }>
  /** A revocation became known: confirm now instead of at the next second. */
  confirmNow(): Promise<void>
  readonly size: number
}

export interface StreamWanted {
  readonly cameraId: number
  /** Playback from there, milliseconds since 1970. Without it a token opens live, and a ticket what it was given for. */
  readonly from: number | undefined
  readonly credential: { readonly ticket: string } | { readonly accessToken: string }
}

const rightFor: Readonly<Record<StreamUse, Right>> = { live: 'LiveCamera', playback: 'playback' }

interface Open extends StreamSession {
  readonly abort: AbortController
  readonly sha256: Buffer
  rightsVersion: number
  confirmedAt: number
}

/** Decides who may open a stream and keeps asking while it is open. */
export function streamSessions(settings: StreamSessionSettings): StreamSessions {
  const { queries, now, confirmEveryMs = 1000, unconfirmedLimitMs = 10_000 } = settings
  const open = new Set<Open>()

  const end = (session: Open, code: EndCode) => {
    open.delete(session)
    session.abort.abort(code)
  }

  const permitted = async (caller: Caller, wanted: { cameraId: number; use: StreamUse }): Promise<boolean> => {
    if (!caller.rights.has(rightFor[wanted.use]) || !caller.scopes.includes('read')) return false
    const { accountId, userId, allCameras } = caller
    return queries.mayReach({ accountId, userId, allCameras, cameraId: wanted.cameraId })
  }

  const confirm = async (session: Open, rows: Map<string, SessionRow>) => {
    const row = rows.get(session.sha256.toString('hex'))
    const caller = row === undefined ? undefined : toCaller(row, session.sha256)
    if (caller === undefined) return end(session, 9)
    if (caller.rightsVersion !== session.rightsVersion) {
      if (!(await permitted(caller, session))) return end(session, 9)
      session.rightsVersion = caller.rightsVersion
    }
    session.confirmedAt = now()
  }

  const confirmAll = async () => {
    const sessions = [...open]
    if (sessions.length === 0) return
    try {
      const rows = await queries.loadSessions(sessions.map((session) => session.sha256))
      for (const session of sessions) await confirm(session, rows)
    } catch {
      // The database is away: nobody new gets in, and who cannot be confirmed for long is put out.
      for (const session of sessions) if (now() - session.confirmedAt > unconfirmedLimitMs) end(session, 16)
    }
  }

  let confirming: Promise<void> = Promise.resolve()
  const confirmNow = () => {
    confirming = confirming.then(confirmAll)
    return confirming
  }
  const timer = setInterval(() => void confirmNow(), confirmEveryMs)
  timer.unref()

  return {
    async open(wanted) {
      const permission = await permissionOf(wanted, queries, now)
      if (permission === undefined) return { ok: false, code: 9 }
      const { sha256, use } = permission
      const row = (await queries.loadSessions([sha256])).get(sha256.toString('hex'))
      const caller = row === undefined ? undefined : toCaller(row, sha256)
      // A camera out of reach is not told apart from one that does not exist.
      if (caller === undefined) return { ok: false, code: 9 }
      if (!(await permitted(caller, { cameraId: wanted.cameraId, use }))) return { ok: false, code: 4 }
      const abort = new AbortController()
      const session: Open = {
        caller,
        accountId: caller.accountId,
        cameraId: wanted.cameraId,
        ...permission,
        signal: abort.signal,
        abort,
        rightsVersion: caller.rightsVersion,
        confirmedAt: now(),
        close: () => void open.delete(session),
      }
      open.add(session)
      return { ok: true, session }
    },
    confirmNow,
    get size() {
      return open.size
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await confirming
      for (const session of [...open]) end(session, 16)
    },
  }
}

interface Permission {
  readonly sha256: Buffer
  readonly use: StreamUse
  readonly from: number | undefined
}

/** The token behind a credential and what it opens; a ticket counts once, and only for its camera and use. */
async function permissionOf(
  { credential, cameraId, from }: StreamWanted,
  queries: SessionQueries,
  now: () => number,
): Promise<Permission | undefined> {
  if ('accessToken' in credential) {
    return { sha256: tokenSha256(credential.accessToken), use: from === undefined ? 'live' : 'playback', from }
  }
  const ticket = await queries.consumeTicket(tokenSha256(credential.ticket), now())
  if (ticket === undefined || ticket.cameraId !== cameraId) return undefined
  const sha256 = ticket.tokenSha256
  if (ticket.use === 'playback') return { sha256, use: 'playback', from: from ?? ticket.from ?? undefined }
  return ticket.use === 'live' && from === undefined ? { sha256, use: 'live', from } : undefined
}
