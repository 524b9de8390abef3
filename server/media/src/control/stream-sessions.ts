import { denial, type PlacedCamera, reachesCamera } from '@sightline/contract/rights'
import { streamRules } from '@sightline/contract/streams'
import type { AgreementVersion } from '@sightline/platform/legal-texts'
import {
  isAllowedAddress,
  type MemberCaller,
  owingAgreement,
  type SessionRow,
  toCaller,
  tokenSha256,
} from '@sightline/platform/sessions'
import type { Ticket } from './store.ts'

/** Why a stream was refused or ended; the codes of the error catalogue (api.md §12). */
export type EndCode = 4 | 9 | 14 | 16 | 18 | 19

export type StreamUse = keyof typeof streamRules

/** Somebody watching: bound to the token and the camera it was opened with. */
export interface StreamSession {
  readonly caller: MemberCaller
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
  /** Where cameras are; one that there is not is not in the answer. */
  loadPlaces(cameraIds: readonly number[]): Promise<Map<number, PlacedCamera>>
}

export interface StreamSessionSettings {
  readonly queries: SessionQueries
  readonly now: () => number
  /** Asked where a stream is opened; one that is open goes on when another version holds. */
  readonly agreementVersion: AgreementVersion
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
  /** Of the viewer, as the edge saw it. */
  readonly address: string
}

interface Open extends StreamSession {
  readonly abort: AbortController
  readonly sha256: Buffer
  readonly address: string
  confirmedAt: number
}

/** Whoever has the token, from an address that it is good at. */
function callerOf(
  row: SessionRow | undefined,
  from: Pick<Open, 'sha256' | 'address'>,
  now: number,
): MemberCaller | undefined {
  const caller = row === undefined ? undefined : toCaller(row, from.sha256, now)
  if (caller?.kind !== 'member') return undefined
  return isAllowedAddress(from.address, caller.allowedAddresses) ? caller : undefined
}

/** Decides who may open a stream and keeps asking while it is open. */
export function streamSessions(settings: StreamSessionSettings): StreamSessions {
  const { queries, now, agreementVersion, confirmEveryMs = 1000, unconfirmedLimitMs = 10_000 } = settings
  const open = new Set<Open>()

  const end = (session: Open, code: EndCode) => {
    open.delete(session)
    session.abort.abort(code)
  }

  const confirm = (session: Open, rows: Map<string, SessionRow>, places: Map<number, PlacedCamera>) => {
    const caller = callerOf(rows.get(session.sha256.toString('hex')), session, now())
    if (caller === undefined || !permits(caller, session.use, places.get(session.cameraId))) return end(session, 9)
    // What was begun with sound goes on without it only when it is opened again.
    if (session.caller.rights.has('microphone') && !caller.rights.has('microphone')) return end(session, 16)
    session.confirmedAt = now()
  }

  const confirmAll = async () => {
    const sessions = [...open]
    if (sessions.length === 0) return
    try {
      const [rows, places] = await Promise.all([
        queries.loadSessions(sessions.map((session) => session.sha256)),
        queries.loadPlaces([...new Set(sessions.map((session) => session.cameraId))]),
      ])
      for (const session of sessions) confirm(session, rows, places)
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
      const [rows, places] = await Promise.all([queries.loadSessions([sha256]), queries.loadPlaces([wanted.cameraId])])
      const row = rows.get(sha256.toString('hex'))
      const caller = callerOf(row, { sha256, address: wanted.address }, now())
      if (caller === undefined) return { ok: false, code: 9 }
      const opener = await owingAgreement(caller, row?.accepted_agreements ?? null, agreementVersion)
      // A camera out of reach is not told apart from one that does not exist.
      if (!permits(opener, use, places.get(wanted.cameraId))) return { ok: false, code: 4 }
      const abort = new AbortController()
      const session: Open = {
        caller,
        accountId: caller.accountId,
        cameraId: wanted.cameraId,
        address: wanted.address,
        ...permission,
        signal: abort.signal,
        abort,
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

const permits = (caller: MemberCaller, use: StreamUse, camera: PlacedCamera | undefined): boolean =>
  camera !== undefined && denial(streamRules[use], caller) === undefined && reachesCamera(caller, camera)

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
