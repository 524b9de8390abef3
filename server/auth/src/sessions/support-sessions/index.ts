import { randomBytes } from 'node:crypto'
import type { ApiError } from '@sightline/contract/errors'
import { canAccessAccount } from '@sightline/contract/rights'
import {
  deleteSupportSession,
  deleteSupportSessions,
  getOwnSupportSession,
  getSupportSessions,
  MAX_SUPPORT_SESSIONS,
  type OwnSupportSession,
  postSupportToken,
  type SupportSession,
  type SupportToken,
} from '@sightline/contract/support-sessions'
import { toDateTime } from '@sightline/contract/wire'
import { appendAudit } from '@sightline/platform/audit'
import { type Clock, MS_PER_SECOND } from '@sightline/platform/clock'
import type { Db, IdSource, Tx } from '@sightline/platform/db'
import { type ServedRoute, serve } from '@sightline/platform/http'
import { fail, ok, type Result } from '@sightline/platform/result'
import { type Caller, type StaffCaller, tokenSha256 } from '@sightline/platform/sessions'
import type { Sessions } from '../index.ts'
import { getSessionEnd, limitScopes, type Wish } from './rules.ts'
import {
  type AddressedUser,
  deleteSupportSessionRows,
  type EndedSession,
  findUser,
  holdGrant,
  insertSession,
  makeRoom,
  type OpenSession,
  openSessions,
} from './store.ts'

export interface SupportSessionsDeps {
  readonly db: Db
  readonly ids: IdSource
  readonly clock: Clock
  readonly sessions: Sessions
}

const TOKEN_BYTES = 32
const tooMany: ApiError = {
  error: 'businessRule',
  detail: `this account already has ${MAX_SUPPORT_SESSIONS} open support sessions: end one first`,
}

/** Support sessions in a customer's account: starting one, and the owner's view of them and power to end them. */
export const supportSessions = (deps: SupportSessionsDeps): readonly ServedRoute[] => [
  serve(postSupportToken, (caller, { params, body, address }) =>
    begin({ caller, at: params, wish: body ?? {}, address }, deps),
  ),
  serve(getOwnSupportSession, async ({ accountId, tokenId, support }) => {
    const open = support === undefined ? [] : await openSessions(deps.db, accountId, deps.clock.now())
    const own = open.find((session) => session.tokenId === tokenId)
    return ok({ supportSession: own === undefined ? null : shown(own) })
  }),
  serve(getSupportSessions, async ({ accountId }) => ok(await listSupportSessions(accountId, deps))),
  serve(deleteSupportSessions, async (caller, { address }) => {
    await end({ caller, address, action: deleteSupportSessions.name }, deps)
    return ok(undefined)
  }),
  serve(deleteSupportSession, async (caller, { params, address }) => {
    const { tokenId } = params
    const ended = await end({ caller, address, action: deleteSupportSession.name, tokenId }, deps)
    return ended === 0 ? fail({ error: 'notFound' }) : ok(undefined)
  }),
]

/** The open support sessions in an account, for its owner. */
export async function listSupportSessions(
  accountId: number,
  { db, clock }: Pick<SupportSessionsDeps, 'db' | 'clock'>,
): Promise<SupportSession[]> {
  const open = await openSessions(db, accountId, clock.now())
  return open.map((session) => {
    const { tokenId, userId, address } = session
    return { ...shown(session), tokenId, userId, address }
  })
}

const shown = ({ staffId, staffName, organisation, since, until, video, scopes }: OpenSession): OwnSupportSession => ({
  staffId,
  staffName,
  organisation,
  since: toDateTime(since),
  until: toDateTime(until),
  video,
  readOnly: !scopes.includes('write'),
})

interface Beginning {
  readonly caller: StaffCaller
  readonly at: AddressedUser
  readonly wish: Wish
  readonly address: string
}

async function begin(
  { caller, at, wish, address }: Beginning,
  { db, ids, clock }: SupportSessionsDeps,
): Promise<Result<SupportToken, ApiError>> {
  const scopes = limitScopes(wish, caller.scopes)
  if (!scopes.ok) return scopes
  return db.transaction(async (tx): Promise<Result<SupportToken, ApiError>> => {
    const user = await findUser(tx, at)
    if (user === undefined || !canAccessAccount(caller, user)) return fail({ error: 'notFound' })
    const now = clock.now()
    const expiresAt = getSessionEnd({ ...user, grantEndsAt: await holdGrant(tx, at.accountId) }, now)
    if (!expiresAt.ok) return expiresAt
    const isRoom = await makeRoom(tx, { accountId: at.accountId, staffId: caller.userId, now })
    if (!isRoom) return fail(tooMany)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const tokenId = await ids.next()
    await insertSession(tx, {
      ...at,
      tokenSha256: tokenSha256(token),
      tokenId,
      staffId: caller.userId,
      clientId: caller.clientId,
      appId: caller.appId,
      scopes: scopes.value,
      address,
      createdAt: now,
      expiresAt: expiresAt.value,
    })
    const scope = scopes.value.join(' ')
    const until = toDateTime(expiresAt.value)
    const after = { scope, until, video: user.showsVideo ? 'shown' : 'hidden' }
    await writeBeginning(tx, { caller, at, address, ids, after })
    return ok({
      access_token: token,
      token_type: 'bearer',
      expires_in: Math.floor((expiresAt.value - now) / MS_PER_SECOND),
      scope,
    })
  })
}

/** Logged in the account for its owner, and at the reseller for those responsible for the staff. */
async function writeBeginning(
  tx: Tx,
  line: Omit<Beginning, 'wish'> & { readonly ids: IdSource; readonly after: Readonly<Record<string, string>> },
): Promise<void> {
  const { caller, at, address, ids, after } = line
  const action = postSupportToken.name
  const inAccount = { action, accountId: at.accountId, target: { kind: 'user', id: at.userId }, after }
  const inReseller = { action, accountId: at.resellerId, target: { kind: 'account', id: at.accountId }, after }
  await appendAudit(tx, { ids, caller, address, entry: inAccount })
  await appendAudit(tx, { ids, caller, address, entry: inReseller })
}

/** Returns how many ended; their open streams close immediately. */
function end(
  given: {
    readonly caller: Caller
    readonly address: string
    readonly action: string
    readonly tokenId?: number
  },
  { ids, sessions }: SupportSessionsDeps,
): Promise<number> {
  const { caller, address, action, tokenId } = given
  return sessions.endWith(async (tx) => {
    const ended: readonly EndedSession[] = await deleteSupportSessionRows(tx, caller.accountId, tokenId)
    for (const { staffId } of ended) {
      await appendAudit(tx, { ids, caller, address, entry: { action, target: { kind: 'staff', id: staffId } } })
    }
    return { value: ended.length, ended: ended.map((session) => session.tokenSha256) }
  })
}
