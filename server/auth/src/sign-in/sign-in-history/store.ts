import { createHash } from 'node:crypto'
import { type EpochMs, MS_PER_DAY, MS_PER_HOUR } from '@sightline/platform/clock'
import { type Db, type IdSource, instant, type KeysetQuestion, keysetPage, type Tx } from '@sightline/platform/db'
import { addressGroup } from '@sightline/platform/limits'
import { sql } from 'kysely'
import { type OriginRow, originColumns, type SessionOrigin } from '../../sessions/request-origin/index.ts'

export type SignInOutcome = 'signedIn' | 'wrongPassword' | 'wrongCode' | 'wrongPasskey' | 'locked'
export type SignInMethod = 'password' | 'passwordAndCode' | 'passkey' | 'visit'

export interface HistoryEntry {
  readonly userId: number
  readonly accountId: number
  readonly outcome: SignInOutcome
  readonly method: SignInMethod
  readonly clientId: string | undefined
  readonly origin: SessionOrigin
  readonly at: EpochMs
}

/**
 * Maximum entries per user and day; further origins share one more. Tries from thousands of addresses can't fill the
 * table or hide the user's own sign-ins.
 */
export const MAX_HISTORY_ENTRIES = { failed: 40, signedIn: 200, visit: 40 } as const

const kindOf = ({ outcome, method }: Pick<HistoryEntry, 'outcome' | 'method'>): keyof typeof MAX_HISTORY_ENTRIES => {
  if (method === 'visit') return 'visit'
  return outcome === 'signedIn' ? 'signedIn' : 'failed'
}

const NOWHERE: SessionOrigin = {
  address: null,
  device: { browser: null, system: null, kind: null },
  place: { isLocal: false, country: null, city: null },
}

/** Guests are many and don't concern the user. */
const shownOf = ({ method, origin }: HistoryEntry): SessionOrigin =>
  method === 'visit' ? { ...origin, address: null } : origin

/**
 * Records it; repeats from the same origin within an hour increase one entry's count. Returns whether the entry is new.
 */
export async function writeEntry(tx: Tx, ids: IdSource, line: HistoryEntry): Promise<boolean> {
  const { userId, accountId, outcome, method, clientId, at } = line
  const isCrowded = await hasTooMany(tx, line)
  const origin = isCrowded ? NOWHERE : shownOf(line)
  const latest = {
    method,
    client_id: isCrowded ? null : (clientId ?? null),
    ...originColumns(origin),
    last_at: instant(at),
  }
  const written = await tx
    .insertInto('auth.sign_in_history')
    .values({
      sign_in_id: await ids.next(),
      user_id: userId,
      account_id: accountId,
      outcome,
      ...latest,
      tries: 1,
      first_at: instant(at),
      same_as: isCrowded
        ? `${method === 'visit' ? 'visit' : outcome} elsewhere ${Math.floor(at / MS_PER_DAY)}`
        : sameAs(line),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'same_as'])
        .doUpdateSet({ ...latest, tries: sql<number>`auth.sign_in_history.tries + 1` }),
    )
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirst()
  return written?.isNew === true
}

function sameAs({ outcome, method, clientId, origin, at }: HistoryEntry): string {
  const { browser, system } = origin.device
  const from = addressGroup(origin.address ?? '')
  return JSON.stringify([outcome, method, clientId ?? '', browser, system, from, Math.floor(at / MS_PER_HOUR)])
}

async function hasTooMany(tx: Tx, line: HistoryEntry): Promise<boolean> {
  const kind = kindOf(line)
  const most = MAX_HISTORY_ENTRIES[kind]
  const { rows } = await sql<{ lines: number; isKnown: boolean | null }>`
    select count(*)::int as lines, bool_or(same_as = ${sameAs(line)}) as "isKnown" from (
      select same_as from auth.sign_in_history
       where user_id = ${line.userId} and last_at > ${instant(line.at - MS_PER_DAY)}
         and case when method = 'visit' then 'visit' when outcome = 'signedIn' then 'signedIn' else 'failed' end = ${kind}
       limit ${most + 10}) lines`.execute(tx)
  return (rows[0]?.lines ?? 0) >= most && rows[0]?.isKnown !== true
}

export interface HistoryRow extends OriginRow {
  readonly sign_in_id: number
  readonly outcome: SignInOutcome
  readonly method: SignInMethod
  readonly client_id: string | null
  readonly client_name: string | null
  readonly tries: number
  readonly first_at: EpochMs
  readonly last_at: EpochMs
}

const linesOf = (db: Db, userId: number, since: EpochMs) =>
  db.plain
    .selectFrom('auth.sign_in_history as h')
    .leftJoin('auth.clients as c', 'c.client_id', 'h.client_id')
    .select(['h.sign_in_id', 'h.outcome', 'h.method', 'h.client_id', 'h.tries', 'h.first_at', 'h.last_at'])
    .select(['h.browser', 'h.system', 'h.device', 'h.address', 'h.country', 'h.city', 'c.name as client_name'])
    .where('h.user_id', '=', userId)
    .where('h.last_at', '>', instant(since))

export const loadHistoryPage = (db: Db, of: { userId: number; since: EpochMs }, question: KeysetQuestion) =>
  keysetPage<HistoryRow>(
    linesOf(db, of.userId, of.since),
    {
      by: sql<number>`h.last_at`,
      key: sql<number>`h.sign_in_id`,
      toSql: (value) => sql<number>`${instant(Number(value))}`,
    },
    question,
  )

export async function countHistory(db: Db, of: { userId: number; since: EpochMs }): Promise<number> {
  const { rows } = await sql<{ lines: number }>`
    select count(*)::int as lines from auth.sign_in_history
     where user_id = ${of.userId} and last_at > ${instant(of.since)}`.execute(db.plain)
  return rows[0]?.lines ?? 0
}

/** What identifies a user's device. */
export interface DeviceKeys {
  /** The browser's cookie; undefined for programs, which keep none. */
  readonly cookie: string | undefined
  readonly origin: SessionOrigin
}

const MAX_KEYS = 100

const keysOf = ({ cookie, origin }: DeviceKeys) => {
  const { device, place, address } = origin
  const network = JSON.stringify([device.browser, device.system, addressGroup(address ?? '')])
  return [
    ...(cookie === undefined ? [] : [{ kind: 'cookie' as const, text: cookie }]),
    ...(place.country === null ? [] : [{ kind: 'country' as const, text: place.country }]),
    { kind: 'network' as const, text: network },
  ]
}

/**
 * Remembers the device, and returns whether the device or its country is new to the user. The very first isn't
 * reported. A browser without the cookie is recognized by its kind within a network that it used before.
 */
export async function meetDevice(tx: Tx, userId: number, device: DeviceKeys, now: EpochMs): Promise<boolean> {
  const before = await tx
    .selectFrom('auth.known_devices')
    .select('kind')
    .distinct()
    .where('user_id', '=', userId)
    .execute()
  const met = new Map<string, boolean>()
  for (const { kind, text } of keysOf(device)) {
    const keySha256 = createHash('sha256').update(text).digest()
    const { rows } = await sql<{ isNew: boolean }>`
      insert into auth.known_devices (user_id, kind, key_sha256, last_at)
      values (${userId}, ${kind}, ${keySha256}, ${instant(now)})
      on conflict (user_id, kind, key_sha256) do update set last_at = excluded.last_at
      returning xmax = 0 as "isNew"`.execute(tx)
    met.set(kind, rows[0]?.isNew === true)
  }
  await forgetOldest(tx, userId)
  if (before.length === 0) return false
  const isNewDevice = met.get('network') === true && met.get('cookie') !== false
  const hadCountry = before.some(({ kind }) => kind === 'country')
  return isNewDevice || (hadCountry && met.get('country') === true)
}

async function forgetOldest(tx: Tx, userId: number): Promise<void> {
  await sql`
    delete from auth.known_devices k using (
      select kind, key_sha256 from auth.known_devices where user_id = ${userId}
       order by last_at desc, key_sha256 offset ${MAX_KEYS}) old
     where k.user_id = ${userId} and k.kind = old.kind and k.key_sha256 = old.key_sha256`.execute(tx)
}
