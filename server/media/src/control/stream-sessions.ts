import type { ExportOrder } from '@sightline/contract/footage-proof'
import { canAccessCamera, getDenyReason } from '@sightline/contract/rights'
import { type StreamName, streamRules } from '@sightline/contract/streams'
import type { AgreementVersion } from '@sightline/platform/legal-texts'
import {
  isAllowedAddress,
  type MemberCaller,
  owingAgreement,
  type SessionRow,
  toCaller,
  tokenSha256,
} from '@sightline/platform/sessions'
import { type BegunFiles, FileGrants } from './file-grants.ts'
import { joinedRuns } from './joined-runs.ts'
import type { watchLoop } from './loop-pressure.ts'
import { OpenStreams, type StreamLimits } from './open-streams.ts'
import type { StreamedCamera, Ticket } from './store.ts'

/** Why a stream was refused or ended; the codes of the error catalogue (api.md §12). */
export type EndCode = 4 | 9 | 14 | 16 | 18 | 19

export type StreamUse = keyof typeof streamRules

/** A viewer, bound to the token and the camera of the request. */
export interface StreamSession {
  readonly caller: MemberCaller
  readonly accountId: number
  readonly cameraId: number
  readonly use: StreamUse
  readonly stream: StreamName
  /** Playback, files and snapshots of footage: the start, in milliseconds since 1970; undefined by default. */
  readonly from: number | undefined
  /** Playback and files: the end. */
  readonly till: number | undefined
  /** Files that prove themselves: who exports them. */
  readonly proof: ExportOrder | undefined
  /** A file that was begun before with the same ticket: the download continues. */
  readonly isAgain: boolean
  /** Files: sending begins. The ticket opens the file up to `till` from now on, whatever is recorded meanwhile. */
  begin(till?: number): void
  /** Aborts with an {@link EndCode} as its reason once the permission is gone. */
  readonly signal: AbortSignal
  /** It was ended because the right to hear sound was lost; without sound it can be opened again. */
  readonly hasLostSound?: true
  close(): void
}

export interface SessionQueries {
  consumeTicket(sha256: Buffer, now: number): Promise<Ticket | undefined>
  loadSessions(sha256s: readonly Buffer[]): Promise<Map<string, SessionRow>>
  /** The scopes of cameras; nonexistent ones are missing from the result. */
  loadPlaces(cameraIds: readonly number[]): Promise<Map<number, StreamedCamera>>
}

/** A stream may be opened; given back when it has ended. */
export interface StreamPermit {
  release(): void
}

export interface StreamSessionSettings {
  readonly queries: SessionQueries
  readonly now: () => number
  /** Of this worker alone. */
  readonly limits: StreamLimits
  /** Asks whether all workers together are below the limits; resolves with undefined if they aren't. */
  readonly askPermit?: ((owner: StreamOwner) => Promise<StreamPermit | undefined>) | undefined
  /** Checked when a stream is opened; an open one continues when a new version takes effect. */
  readonly agreementVersion: AgreementVersion
  /** How often every open session is confirmed. */
  readonly confirmEveryMs?: number
  /** A session that could not be confirmed for so long is closed. */
  readonly unconfirmedLimitMs?: number
  /**
   * Tells whether the worker is late, and calls back when viewers have to go: recording goes first. Undefined: it never is.
   */
  readonly watchLoop?: typeof watchLoop
}

export interface StreamSessions extends AsyncDisposable {
  open(wanted: OpenStreamInput): Promise<{ ok: true; session: StreamSession } | { ok: false; code: EndCode }>
  /** A revocation was reported: confirm now instead of at the next second. */
  confirmNow(): Promise<void>
  readonly size: number
}

export interface OpenStreamInput {
  readonly cameraId: number
  /**
   * Where playback starts, in milliseconds since 1970. Without it a token opens live video, and a ticket what it was
   * created for.
   */
  readonly from: number | undefined
  /**
   * Opens a file instead of something to watch; with a token, `from` and `till` say of which time. `playback`: one that is watched.
   */
  readonly file?: { readonly till: number | undefined; readonly use?: 'playback' }
  /** Opens one picture instead; of footage if there is a time. */
  readonly snapshot?: true
  /** The ticket's by default, otherwise the main stream. */
  readonly stream?: StreamName | undefined
  readonly credential: { readonly ticket: string } | { readonly accessToken: string }
  /** Of the viewer, as the edge saw it. */
  readonly address: string
}

/** Whose limits a stream counts against. */
export interface StreamOwner {
  readonly person: string
  readonly accountId: number
}

interface Open extends StreamSession {
  readonly person: string
  readonly permit: StreamPermit
  readonly abort: AbortController
  readonly sha256: Buffer
  /** The same as hexadecimal digits. */
  readonly token: string
  readonly address: string
  confirmedAt: number
  hasLostSound?: true
}

/** The token's holder, from an address that the token allows. */
function callerOf(
  row: SessionRow | undefined,
  from: Pick<Open, 'sha256' | 'address'>,
  now: number,
): MemberCaller | undefined {
  const caller = row === undefined ? undefined : toCaller(row, from.sha256, now)
  if (caller?.kind !== 'member') return undefined
  return isAllowedAddress(from.address, caller.allowedAddresses) ? caller : undefined
}

/** A supporter's streams use up nothing of the owner's. */
const personOf = ({ userId, support }: MemberCaller): string =>
  support === undefined ? `member ${userId}` : `staff ${support.staffId}`

/** One of so many streams ends at a time when the worker is late. */
const PRESSED_SHARE = 4

interface Confirming {
  readonly open: OpenStreams<Open>
  readonly queries: SessionQueries
  readonly now: () => number
  readonly unconfirmedLimitMs: number
}

/** Checks for all open streams together whether they may continue. */
function confirming({ open, queries, now, unconfirmedLimitMs }: Confirming) {
  const end = (session: Open, code: EndCode) => {
    session.close()
    session.abort.abort(code)
  }
  const confirm = (session: Open, caller: MemberCaller | undefined, place: StreamedCamera | undefined) => {
    if (caller === undefined || !mayDo(caller, session) || !canReach(caller, session, place)) return end(session, 9)
    // A stream that was opened with sound can continue without it only if it is opened again.
    if (session.caller.rights.has('microphone') && !caller.rights.has('microphone')) {
      session.hasLostSound = true
      return end(session, 16)
    }
    session.confirmedAt = now()
  }
  const ask = async (sessions: readonly Open[]) => {
    const tokens = new Map(sessions.map((session) => [session.token, session.sha256]))
    const [rows, places] = await Promise.all([
      queries.loadSessions([...tokens.values()]),
      queries.loadPlaces([...new Set(sessions.map((session) => session.cameraId))]),
    ])
    // A thousand streams of one token are one row to read, not a thousand.
    const callers = new Map<string, MemberCaller | undefined>()
    for (const session of sessions) {
      const from = `${session.token} ${session.address}`
      if (!callers.has(from)) callers.set(from, callerOf(rows.get(session.token), session, now()))
      confirm(session, callers.get(from), places.get(session.cameraId))
    }
  }
  const confirmAll = async () => {
    const sessions = open.all()
    if (sessions.length === 0) return
    // Without the database nothing is confirmed; those unconfirmed for long are ended below.
    await ask(sessions).catch(() => undefined)
  }

  return {
    end,
    /** Those that came last, because those before them were no burden. */
    endNewest(): void {
      for (const session of open.all().slice(-Math.ceil(open.size / PRESSED_SHARE))) end(session, 16)
    },
    confirmNow: joinedRuns(confirmAll).run,
    /** Ends what was not confirmed for too long: a database that hangs neither answers nor refuses. */
    endUnconfirmed(): void {
      for (const session of open.all()) if (now() - session.confirmedAt > unconfirmedLimitMs) end(session, 16)
    },
  }
}

/** Decides who may open a stream, and keeps checking while it is open. */
export function streamSessions(settings: StreamSessionSettings): StreamSessions {
  const {
    queries,
    now,
    limits,
    askPermit = NO_OTHERS,
    agreementVersion,
    confirmEveryMs = 1000,
    unconfirmedLimitMs = 10_000,
    watchLoop,
  } = settings
  const open = new OpenStreams<Open>(limits)
  const files = new FileGrants(now)

  const { end, endNewest, confirmNow, endUnconfirmed } = confirming({ open, queries, now, unconfirmedLimitMs })
  const timer = setInterval(() => {
    endUnconfirmed()
    void confirmNow()
  }, confirmEveryMs)
  timer.unref()
  const loop = watchLoop?.(endNewest)
  const isLate = () => loop?.isLate() === true
  const isFull = ({ person, accountId }: StreamOwner) => isLate() || open.isFull(person, accountId)

  return {
    async open(wanted) {
      // Before a ticket is used up.
      if (isLate()) return { ok: false, code: 16 }
      const permission = await permissionOf(wanted, queries, { now, files })
      if (permission === undefined) return { ok: false, code: 9 }
      const { sha256 } = permission
      const [rows, places] = await Promise.all([queries.loadSessions([sha256]), queries.loadPlaces([wanted.cameraId])])
      const token = sha256.toString('hex')
      const row = rows.get(token)
      const caller = callerOf(row, { sha256, address: wanted.address }, now())
      if (caller === undefined) return { ok: false, code: 9 }
      const opener = await owingAgreement(caller, row?.accepted_agreements ?? null, agreementVersion)
      if (!mayDo(opener, permission)) return { ok: false, code: 9 }
      // A camera out of scope looks like a nonexistent one.
      if (!canReach(opener, permission, places.get(wanted.cameraId))) return { ok: false, code: 4 }
      const owner = { person: personOf(caller), accountId: caller.accountId }
      const permit = isFull(owner) ? undefined : await askPermit(owner)
      if (permit === undefined) return { ok: false, code: 16 }
      const abort = new AbortController()
      const session: Open = {
        caller,
        ...owner,
        permit,
        cameraId: wanted.cameraId,
        address: wanted.address,
        ...permission,
        token,
        signal: abort.signal,
        abort,
        confirmedAt: now(),
        close() {
          open.delete(session)
          permit.release()
        },
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
      loop?.[Symbol.dispose]()
      for (const session of open.all()) end(session, 16)
    },
  }
}

type Wish = Pick<Permission, 'use' | 'from'>

/** Who may save footage, or one picture of it, must also be allowed to watch it. */
const rulesOf = ({ use, from }: Wish) =>
  use === 'mp4' || (use === 'snapshot' && from !== undefined)
    ? [streamRules[use], streamRules.playback]
    : [streamRules[use]]

/** For a worker that is the only one. */
const NO_OTHERS = async (): Promise<StreamPermit> => ({ release: () => undefined })

const mayDo = (caller: MemberCaller, wish: Wish): boolean =>
  rulesOf(wish).every((rule) => getDenyReason(rule, caller) === undefined)

/** Of a camera that belongs to another account now, only the footage remains. */
const canReach = (caller: MemberCaller, { use, from }: Wish, camera: StreamedCamera | undefined): boolean =>
  camera !== undefined &&
  !(camera.isTransferred === true && (use === 'live' || (use === 'snapshot' && from === undefined))) &&
  canAccessCamera(caller, camera)

interface Permission {
  readonly sha256: Buffer
  readonly proof: ExportOrder | undefined
  readonly use: StreamUse
  readonly stream: StreamName
  readonly from: number | undefined
  readonly till: number | undefined
  readonly isAgain: boolean
  begin(till?: number): void
}

interface Granting {
  readonly now: () => number
  readonly files: FileGrants
}

/** The token behind a credential and what it opens; a ticket counts only for its camera, stream and use. */
async function permissionOf(
  wanted: OpenStreamInput,
  queries: SessionQueries,
  { now, files }: Granting,
): Promise<Permission | undefined> {
  const { credential, file } = wanted
  if ('accessToken' in credential) return tokenPermission(tokenSha256(credential.accessToken), wanted, files.begun)
  const sha256 = tokenSha256(credential.ticket)
  const again = file && files.find(sha256)
  const ticket = again?.ticket ?? (await queries.consumeTicket(sha256, now()))
  if (ticket === undefined || !fits(ticket, wanted)) return undefined
  if (file !== undefined && again === undefined) files.add(sha256, ticket)
  const isAgain = again?.isBegun === true
  return { ...ticketPermission(ticket, wanted, isAgain), begin: (till) => files.begin(sha256, till) }
}

function tokenPermission(sha256: Buffer, wanted: OpenStreamInput, begun: BegunFiles): Permission {
  const { file, from, stream = 'main', cameraId, address } = wanted
  const use = toUse(wanted)
  const till = file?.till
  const opened = { sha256, use, stream, from, till, proof: undefined }
  if (file === undefined) return { ...opened, isAgain: false, begin: () => undefined }
  const key = [sha256.toString('hex'), address, use, cameraId, stream, from, till].join(' ')
  return { ...opened, isAgain: begun.has(key), begin: () => begun.add(key) }
}

function toUse({ file, snapshot, from }: OpenStreamInput): StreamUse {
  if (file !== undefined) return file.use ?? 'mp4'
  if (snapshot === true) return 'snapshot'
  return from === undefined ? 'live' : 'playback'
}

function fits(ticket: Ticket, { cameraId, stream, file, snapshot, from }: OpenStreamInput): boolean {
  if (ticket.cameraId !== cameraId) return false
  if (ticket.stream !== null && stream !== undefined && ticket.stream !== stream) return false
  if (file !== undefined) return ticket.use === (file.use ?? 'mp4')
  if (snapshot === true) return ticket.use === 'snapshot'
  return ticket.use === 'playback' || (ticket.use === 'live' && from === undefined)
}

function ticketPermission(
  ticket: Ticket,
  { from, stream }: OpenStreamInput,
  isAgain: boolean,
): Omit<Permission, 'begin'> {
  const { use, tokenSha256: sha256 } = ticket
  const proof = ticket.proof ?? undefined
  const opened = { sha256, stream: stream ?? ticket.stream ?? 'main', till: undefined, proof, isAgain }
  const own = ticket.from ?? undefined
  const till = ticket.till ?? undefined
  if (use === 'mp4' || use === 'snapshot') return { ...opened, use, from: own, till }
  return use === 'playback' ? { ...opened, use, from: from ?? own, till } : { ...opened, use: 'live', from }
}
