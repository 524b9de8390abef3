import { randomBytes } from 'node:crypto'
import type { Clock } from '@sightline/platform/clock'
import { type Db, type IdSource, instant, type Tx } from '@sightline/platform/db'
import { tokenSha256 as sha256 } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { keepSession, type SessionBasis, type Sessions } from '../../sessions/index.ts'
import { type GeoLocator, toOrigin } from '../../sessions/request-origin/index.ts'
import { holdDemonstration } from '../../sign-in/demonstrations/index.ts'
import { holdConsent } from '../consent/index.ts'

/** Facts about a record from the current request, beyond what the provider stores. */
export interface RequestFacts {
  readonly address: string | undefined
  readonly userAgent: string | undefined
  /** The application that asked to authorize. */
  readonly appId: string | undefined
  /** The code or refresh token that is exchanged for a token. */
  readonly source: string | undefined
  /** The client keeps its tokens when this browser is signed out, because it can refresh them. */
  readonly outlivesSignIn: boolean
  readonly signedIn: SignInBasis
  /** Of a guest of a public demo. */
  readonly isVisit: boolean
  /** The requesting client as it was registered at that time; undefined for our own. */
  readonly client: StoredRegistration | undefined
}

export interface StoredRegistration {
  readonly clientId: string
  readonly secretSha256: Buffer | undefined
  readonly scopes: readonly string[]
  /** The user consented on our page; a client that sends a password has no consent. */
  readonly needsConsent: boolean
}

/** The basis of a user's sign-in; undefined if a client acts on its own. */
export interface SignInBasis {
  /** Whose password was verified for this request, and in which generation of sign-ins. */
  readonly login: { readonly userId: number; readonly generation: number } | undefined
  /** Of the browser that was signed in before this request. */
  readonly sessionUid: string | undefined
}

export interface AdapterDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly sessions: Pick<Sessions, 'endGrant' | 'endToken'>
  readonly geoLocator: GeoLocator
  readonly issuer: string
  readonly requestFacts: () => RequestFacts
}

/** How long after its end a record can still be found: the provider itself allows 15 s of tolerance. */
const TOLERANCE_MS = 15_000

/** Issued as a token; valid only while its grant exists. */
const TOKENS = new Set(['AccessToken', 'RefreshToken'])
/** What a guest loses once the demo is no longer public. */
const GIVEN = new Set(['Grant', 'AccessToken'])
const SOURCES = ['AuthorizationCode', 'RefreshToken']

interface RecordColumns {
  readonly payload: string
  readonly grant_id: string | null
  readonly uid: string | null
  readonly expires_at: ReturnType<typeof instant> | null
}

interface Stored extends AdapterPayload {
  readonly cookie?: string
}

/**
 * The payload without anything that would let a reader of the table act as a user: ids are cookies, codes and tokens,
 * so a record is found by the SHA-256 of its id, and the id comes from the caller.
 */
function withoutIds(kind: string, payload: AdapterPayload): AdapterPayload {
  const { jti: _jti, ...rest } = payload as Stored
  if (kind !== 'Interaction') return rest
  const { returnTo: _returnTo, ...interaction } = rest
  if (interaction.session === undefined) return interaction
  const { cookie: _cookie, ...session } = interaction.session
  return { ...interaction, session: session as NonNullable<AdapterPayload['session']> }
}

/** One kind of record of the provider (Session, Grant, AuthorizationCode …) in table `auth.provider_records`. */
export class PostgresAdapter implements Adapter {
  readonly #kind: string
  readonly #deps: AdapterDeps

  constructor(kind: string, deps: AdapterDeps) {
    this.#kind = kind
    this.#deps = deps
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const { db, clock, requestFacts } = this.#deps
    const expiresAt = expiresIn === undefined ? undefined : clock.now() + expiresIn * 1000
    const facts = requestFacts()
    const kept = withoutIds(this.#kind, payload)
    const isToken = TOKENS.has(this.#kind)
    const sessionUid = isToken && facts.outlivesSignIn ? undefined : payload.sessionUid
    await db.transaction(async (tx) => {
      await this.#hold(tx, payload, facts)
      const appId = await this.#appId(tx, facts)
      const row = {
        payload: JSON.stringify(appId === undefined ? kept : { ...kept, appId }),
        grant_id: payload.grantId ?? null,
        uid: payload.uid ?? sessionUid ?? null,
        expires_at: expiresAt === undefined ? null : instant(expiresAt),
      }
      if (!(await this.#write(tx, { id, payload, row, facts }))) return
      if (this.#kind === 'AccessToken' && expiresAt !== undefined) {
        await this.#keepToken(tx, { id, payload, expiresAt, facts, appId })
      }
    })
  }

  /** False if its sign-in has ended. */
  async #write(
    tx: Tx,
    record: { id: string; payload: AdapterPayload; row: RecordColumns; facts: RequestFacts },
  ): Promise<boolean> {
    const { id, payload, row, facts } = record
    const becomes = this.#kind === 'Session' ? await sessionBecomes(tx, record) : 'new'
    if (becomes === 'over') return false
    if (becomes === 'new') {
      await tx
        .insertInto('auth.provider_records')
        .values({ kind: this.#kind, id_sha256: sha256(id), ...row })
        .onConflict((conflict) => conflict.columns(['kind', 'id_sha256']).doUpdateSet(row))
        .execute()
    }
    if (this.#kind === 'Session' && payload.accountId !== undefined && payload.uid !== undefined) {
      await this.#keepSession(tx, { payload, facts, basis: { kind: 'browser', sessionUid: payload.uid } })
    }
    return true
  }

  /** Rows that must not end before this record is stored. */
  async #hold(tx: Tx, payload: AdapterPayload, facts: RequestFacts): Promise<void> {
    const { grantId, sessionUid } = payload
    const { signedIn, client, outlivesSignIn } = facts
    if (GIVEN.has(this.#kind) && !(await holdGuestSession(tx, payload, facts))) throw signInEnded()
    if (this.#kind === 'Grant') {
      if (client !== undefined) await holdClient(tx, client)
      if (client?.needsConsent === true) await requireConsent(tx, { ...client, userId: Number(payload.accountId) })
      await holdSignedIn(tx, facts)
    }
    if (!TOKENS.has(this.#kind)) return
    // A session that begins with this request isn't stored yet and can't have been ended.
    const isBeginning = signedIn.login !== undefined && signedIn.sessionUid === undefined
    const needsSession = sessionUid !== undefined && !outlivesSignIn && !isBeginning
    if (needsSession && !(await holdSession(tx, sessionUid))) throw new errors.InvalidGrant('the sign-in has ended')
    if (grantId !== undefined) await holdGrant(tx, grantId)
  }

  /** The application that requested authorization, passed on from the code to each token issued for it. */
  async #appId(tx: Tx, facts: RequestFacts): Promise<string | undefined> {
    if (this.#kind === 'AuthorizationCode') return facts.appId
    if (!TOKENS.has(this.#kind)) return undefined
    return (await appIdOf(tx, facts.source)) ?? facts.appId
  }

  /** Updates the session that the user sees in the list of sign-ins. */
  #keepSession(
    tx: Tx,
    of: { payload: AdapterPayload; facts: RequestFacts; basis: SessionBasis },
  ): Promise<number | undefined> {
    const { payload, facts, basis } = of
    const { ids, clock, geoLocator } = this.#deps
    const userId = Number(payload.accountId)
    const origin = toOrigin(facts, geoLocator)
    const { clientId = null } = payload
    return keepSession(tx, ids, { userId, basis, clientId, origin, now: clock.now(), visitor: facts.isVisit })
  }

  /** The row by which the API and media planes recognize a token. */
  async #keepToken(
    tx: Tx,
    token: { id: string; payload: AdapterPayload; expiresAt: number; facts: RequestFacts; appId: string | undefined },
  ): Promise<void> {
    const { payload, facts } = token
    const userId = Number(payload.accountId)
    const person = await tx
      .selectFrom('auth.people')
      .select('account_id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    const clientId = payload.clientId ?? ''
    const basis = groundOf(payload, facts)
    const sessionId = basis === undefined ? undefined : await this.#keepSession(tx, { payload, facts, basis })
    await tx
      .insertInto('auth.access_sessions')
      .values({
        token_sha256: sha256(token.id),
        token_id: await this.#deps.ids.next(),
        user_id: userId,
        account_id: person.account_id,
        client_id: clientId,
        app_id: token.appId ?? clientId,
        scopes: (payload.scope ?? '').split(' ').filter((scope) => scope !== ''),
        grant_id: payload.grantId ?? null,
        address: facts.address ?? null,
        session_id: sessionId ?? null,
        visitor: facts.isVisit,
        created_at: instant(this.#deps.clock.now()),
        expires_at: instant(token.expiresAt),
      })
      .execute()
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.#findBy((records) => records.where('id_sha256', '=', sha256(id)))
    if (found === undefined) return undefined
    const returnTo = this.#kind === 'Interaction' ? { returnTo: `${this.#deps.issuer}/oauth/authorize/${id}` } : {}
    return { ...found, jti: id, ...returnTo }
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#findBy((records) => records.where('uid', '=', uid))
  }

  async findByUserCode(): Promise<undefined> {
    return undefined
  }

  async #findBy(
    narrowed: (records: ReturnType<typeof recordsOf>) => ReturnType<typeof recordsOf>,
  ): Promise<AdapterPayload | undefined> {
    const { db, clock } = this.#deps
    const row = await narrowed(recordsOf(db, this.#kind))
      .where((row) =>
        row.or([row('expires_at', 'is', null), row('expires_at', '>', instant(clock.now() - TOLERANCE_MS))]),
      )
      .executeTakeFirst()
    if (row === undefined) return undefined
    const payload = row.payload as AdapterPayload
    return row.consumed_at === null ? payload : { ...payload, consumed: Math.floor(row.consumed_at / 1000) }
  }

  /** The first wins; of two concurrent exchanges of one code the other is rejected. */
  async consume(id: string): Promise<void> {
    const { db, clock, sessions } = this.#deps
    const row = await db.plain
      .updateTable('auth.provider_records')
      .set({ consumed_at: instant(clock.now()) })
      .where('kind', '=', this.#kind)
      .where('id_sha256', '=', sha256(id))
      .where('consumed_at', 'is', null)
      .returning('grant_id')
      .executeTakeFirst()
    if (row !== undefined) return
    const used = await recordsOf(db, this.#kind).where('id_sha256', '=', sha256(id)).executeTakeFirst()
    if (used !== undefined && used.grant_id !== null) await sessions.endGrant(used.grant_id)
    throw new errors.InvalidGrant('already used')
  }

  async destroy(id: string): Promise<void> {
    if (this.#kind === 'Session') return this.#forgetCookie(id)
    await this.#deps.db.plain
      .deleteFrom('auth.provider_records')
      .where('kind', '=', this.#kind)
      .where('id_sha256', '=', sha256(id))
      .execute()
    if (this.#kind === 'AccessToken') await this.#deps.sessions.endToken(sha256(id))
  }

  /**
   * The browser gets a new cookie here, and its session is saved under it. The row must exist in between so that the
   * session can still be ended; otherwise the save would restore it.
   */
  async #forgetCookie(id: string): Promise<void> {
    await this.#deps.db.plain
      .updateTable('auth.provider_records')
      .set({ id_sha256: randomBytes(32) })
      .where('kind', '=', 'Session')
      .where('id_sha256', '=', sha256(id))
      .execute()
  }

  /** Asked once per kind of token; the first ends them all. */
  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#deps.sessions.endGrant(grantId)
  }
}

const recordsOf = (db: Db, kind: string) =>
  db.plain.selectFrom('auth.provider_records').select(['payload', 'consumed_at', 'grant_id']).where('kind', '=', kind)

/**
 * A client that is removed or gets a new secret concurrently is issued nothing; its row is locked before all others.
 */
async function holdClient(tx: Tx, { clientId, secretSha256, scopes }: StoredRegistration): Promise<void> {
  const { rows } = await sql<{ held: boolean | null }>`
    select auth.hold_client(${clientId}, ${secretSha256 ?? null}, ${[...scopes]}) as held`.execute(tx)
  if (rows[0]?.held === true) return
  const ended = new errors.InvalidClient('the registration of the client has changed')
  // Neither is its address.
  ended.allow_redirect = false
  throw ended
}

/** A concurrent withdrawal of consent wins. */
async function requireConsent(tx: Tx, key: { readonly userId: number; readonly clientId: string }): Promise<void> {
  if (!(await holdConsent(tx, key))) throw signInEnded()
}

/**
 * A sign-in that ends concurrently, by a new password or by sign-out, admits no one; one in use ends afterwards. Lock
 * order: the user's row, the browser's, the grant's.
 */
async function holdSignedIn(tx: Tx, { signedIn: { login, sessionUid }, isVisit }: RequestFacts): Promise<void> {
  if (login !== undefined && !(await holdLogin(tx, login, isVisit))) throw signInEnded()
  if (sessionUid !== undefined && !(await holdSession(tx, sessionUid))) throw signInEnded()
}

/** Locked before anything else, because ending guest sessions locks the account's row first. */
const holdGuestSession = async (tx: Tx, { accountId }: AdapterPayload, { isVisit }: RequestFacts): Promise<boolean> =>
  !isVisit || holdDemonstration(tx, Number(accountId))

/** Answered with our own page, where the user can start again, and not with a return to the client. */
function signInEnded(): errors.SessionNotFound {
  const ended = new errors.SessionNotFound('the sign-in has ended')
  ended.allow_redirect = false
  return ended
}

async function holdLogin(tx: Tx, login: NonNullable<SignInBasis['login']>, isVisit: boolean): Promise<boolean> {
  const row = await tx
    .selectFrom('auth.credentials')
    .select('sign_in_generation')
    .where('user_id', '=', login.userId)
    .forShare()
    .executeTakeFirst()
  // The owner of a demonstration doesn't need a password.
  return row === undefined ? isVisit : row.sign_in_generation === login.generation
}

async function holdSession(tx: Tx, uid: string): Promise<boolean> {
  const row = await tx
    .selectFrom('auth.provider_records')
    .select('kind')
    .where('kind', '=', 'Session')
    .where('uid', '=', uid)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** What ends a token's session; undefined if a client acts on its own. */
function groundOf(payload: AdapterPayload, facts: RequestFacts): SessionBasis | undefined {
  const { gty, sessionUid, grantId } = payload
  if (gty === 'client_credentials') return undefined
  if (sessionUid !== undefined && !facts.outlivesSignIn) return { kind: 'browser', sessionUid }
  return grantId === undefined ? undefined : { kind: 'grant', grantId }
}

/**
 * Whether the session is new and must be inserted. An existing one is updated whatever cookie it had. If its user has
 * been signed out since it was read, neither happens and the browser's cookie is useless.
 */
async function sessionBecomes(
  tx: Tx,
  session: { id: string; payload: AdapterPayload; row: RecordColumns; facts: RequestFacts },
): Promise<'new' | 'changed' | 'over'> {
  const { payload, row, facts } = session
  const { login, sessionUid } = facts.signedIn
  const isNew = payload.accountId === undefined || (login !== undefined && sessionUid !== payload.uid)
  if (!(await holdGuestSession(tx, payload, facts))) return 'over'
  if (login !== undefined && !(await holdLogin(tx, login, facts.isVisit))) return 'over'
  const changed = await tx
    .updateTable('auth.provider_records')
    .set({ ...row, id_sha256: sha256(session.id) })
    .where('kind', '=', 'Session')
    .where('uid', '=', row.uid)
    .executeTakeFirst()
  if (changed.numUpdatedRows > 0n) return 'changed'
  return isNew ? 'new' : 'over'
}

/** A grant that ends concurrently issues nothing more; one in use ends afterwards. */
async function holdGrant(tx: Tx, grantId: string): Promise<void> {
  const grant = await tx
    .selectFrom('auth.provider_records')
    .select('kind')
    .where('kind', '=', 'Grant')
    .where('id_sha256', '=', sha256(grantId))
    .forShare()
    .executeTakeFirst()
  if (grant === undefined) throw new errors.InvalidGrant('the grant has ended')
}

async function appIdOf(tx: Tx, source: string | undefined): Promise<string | undefined> {
  if (source === undefined) return undefined
  const row = await tx
    .selectFrom('auth.provider_records')
    .select('payload')
    .where('kind', 'in', SOURCES)
    .where('id_sha256', '=', sha256(source))
    .executeTakeFirst()
  const appId = row?.payload.appId
  return typeof appId === 'string' ? appId : undefined
}
