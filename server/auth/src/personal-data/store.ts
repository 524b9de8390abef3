import { toDateTime } from '@sightline/contract/wire'
import type { EpochMs } from '@sightline/platform/clock'
import type { Db, Tx } from '@sightline/platform/db'
import { listLinks } from '../account-mails/action-links/index.ts'

const at = (ms: EpochMs | null): string | null => (ms === null ? null : toDateTime(ms))

export async function loadPassword({ plain }: Db, userId: number) {
  const row = await plain
    .selectFrom('auth.credentials')
    .select('changed_at')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? null : { changedAt: at(row.changed_at) }
}

export async function loadSecondFactor({ plain }: Db, userId: number) {
  const row = await plain
    .selectFrom('auth.two_factor')
    .select(['created_at', 'enabled_at', 'passkeys_since'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) return null
  const { created_at, enabled_at, passkeys_since } = row
  return { madeAt: at(created_at), enabledAt: at(enabled_at), passkeysAskedSince: at(passkeys_since) }
}

export async function loadPasskeys({ plain }: Db, userId: number) {
  const rows = await plain
    .selectFrom('auth.passkeys')
    .select(['passkey_id', 'name', 'rp_id', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    passkeyId: row.passkey_id,
    name: row.name,
    host: row.rp_id,
    createdAt: at(row.created_at),
    lastUsedAt: at(row.last_used_at),
  }))
}

/** Support sessions belong to the staff member; the account's audit log lists them. */
export async function loadSessions({ plain }: Db, userId: number) {
  const rows = await plain
    .selectFrom('auth.access_sessions')
    .select(['token_id', 'client_id', 'app_id', 'scopes', 'address', 'created_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('support_staff_id', 'is', null)
    .where('visitor', '=', false)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => ({
    tokenId: row.token_id,
    clientId: row.client_id,
    appId: row.app_id,
    scopes: row.scopes,
    address: row.address,
    createdAt: at(row.created_at),
    expiresAt: at(row.expires_at),
  }))
}

export async function loadConsents({ plain }: Db, userId: number) {
  const rows = await plain
    .selectFrom('auth.consents as consent')
    .innerJoin('auth.clients as client', 'client.client_id', 'consent.client_id')
    .select(['consent.client_id', 'client.name', 'consent.scopes', 'consent.given_at'])
    .where('consent.user_id', '=', userId)
    .orderBy('consent.given_at')
    .execute()
  return rows.map((row) => ({ clientId: row.client_id, name: row.name, scopes: row.scopes, givenAt: at(row.given_at) }))
}

export async function loadApiKeys({ plain }: Db, userId: number) {
  const rows = await plain
    .selectFrom('auth.clients')
    .select(['api_key_id', 'name', 'scopes', 'allowed_addresses', 'created_at', 'expires_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('api_key_id', 'is not', null)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    apiKeyId: row.api_key_id,
    name: row.name,
    scopes: row.scopes,
    allowedAddresses: row.allowed_addresses,
    createdAt: at(row.created_at),
    expiresAt: at(row.expires_at),
    lastUsedAt: at(row.last_used_at),
  }))
}

export async function loadLinks({ plain }: Db, userId: number) {
  const links = await listLinks(plain, { userId, kinds: ['invitation', 'reset'] })
  return links.map(({ kind, expiresAt }) => ({ kind, expiresAt: at(expiresAt) }))
}

export async function loadEmailChanges({ plain }: Db, userId: number) {
  const rows = await plain
    .selectFrom('email_changes')
    .select(['email', 'asked_by_name', 'expires_at'])
    .where('user_id', '=', userId)
    .execute()
  return rows.map((row) => ({ newEmail: row.email, askedBy: row.asked_by_name, expiresAt: at(row.expires_at) }))
}

/** The record of sent emails, as long as it is kept; their content isn't stored. */
export async function loadMails({ plain }: Db, userId: number) {
  const rows = await plain
    .selectFrom('mail_outbox as m')
    .innerJoin('auth.people as p', 'p.account_id', 'm.account_id')
    .select(['m.kind', 'm.recipient', 'm.created_at', 'm.sent_at'])
    .where('p.user_id', '=', userId)
    .whereRef('m.recipient', '=', 'p.email')
    .orderBy('m.created_at')
    .execute()
  return rows.map((row) => ({
    kind: row.kind,
    to: row.recipient,
    writtenAt: at(row.created_at),
    sentAt: at(row.sent_at),
  }))
}

/** Browsers and clients that are signed in, of which {@link sessionsOf} has the tokens. */
export async function loadUserSessions({ plain }: Db, userId: number) {
  const rows = await plain
    .selectFrom('auth.user_sessions')
    .select(['session_id', 'client_id', 'browser', 'system', 'device', 'address', 'country', 'city'])
    .select(['begun_at', 'last_seen_at'])
    .where('user_id', '=', userId)
    .where('visitor', '=', false)
    .orderBy('begun_at')
    .execute()
  return rows.map(({ session_id, client_id, begun_at, last_seen_at, ...row }) => ({
    sessionId: session_id,
    clientId: client_id,
    ...row,
    begunAt: at(begun_at),
    lastSeenAt: at(last_seen_at),
  }))
}

export async function loadSignInHistory({ plain }: Db, userId: number) {
  const rows = await plain
    .selectFrom('auth.sign_in_history')
    .select(['outcome', 'method', 'client_id', 'browser', 'system', 'device', 'address', 'country', 'city', 'tries'])
    .select(['first_at', 'last_at'])
    .where('user_id', '=', userId)
    .orderBy('last_at')
    .execute()
  return rows.map(({ client_id, first_at, last_at, ...row }) => ({
    ...row,
    clientId: client_id,
    firstAt: at(first_at),
    lastAt: at(last_at),
  }))
}

/** Sign-ins that no longer trigger an email, identified by a hash. */
export async function loadKnownDevices({ plain }: Db, userId: number) {
  const rows = await plain
    .selectFrom('auth.known_devices')
    .select(['kind', 'last_at'])
    .where('user_id', '=', userId)
    .orderBy('last_at')
    .execute()
  return rows.map((row) => ({ kind: row.kind, lastAt: at(row.last_at) }))
}

export async function loadLockdown({ plain }: Db, userId: number) {
  const row = await plain.selectFrom('auth.lockdowns').select('at').where('user_id', '=', userId).executeTakeFirst()
  return row === undefined ? null : { at: at(row.at) }
}

/** Ends its link, too. */
export async function forgetEmailChange(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('email_changes').where('user_id', '=', userId).execute()
}

/** Stored apart from passwords and tokens, and not deleted with the user's row. */
export async function forgetRest(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('auth.consents').where('user_id', '=', userId).execute()
  await tx.deleteFrom('auth.mail_requests').where('user_id', '=', userId).execute()
  await tx.deleteFrom('auth.user_sessions').where('user_id', '=', userId).execute()
}
