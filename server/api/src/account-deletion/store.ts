import { type Db, instant, type Tx } from '@sightline/platform/db'
import { sql } from 'kysely'

/** A user of an account, with the data that a deletion needs. Times in milliseconds since 1970. */
export interface DeletableUser {
  readonly userId: number
  readonly accountId: number
  readonly resellerId: number
  readonly email: string
  readonly name: string
  readonly language: string
  readonly hasSecondFactor: boolean
  readonly accountName: string
  readonly timeZone: string
  /** One of the brand's hosts, if it has one. */
  readonly host: string | undefined
  readonly requestedAt: number | null
  readonly deletesAt: number | null
  readonly remindedAt: number | null
  /** For the owner: when the account will be deleted. */
  readonly accountDeletesAt: number | null
}

interface Key {
  readonly accountId: number
  readonly userId: number
}

const query = (tx: Tx, { accountId, userId }: Key) =>
  tx
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.account_id', 'u.account_id')
    .leftJoin('users as o', (on) =>
      on.onRef('o.account_id', '=', 'u.account_id').onRef('o.user_id', '=', 'u.account_id'),
    )
    .select(['u.user_id', 'u.account_id', 'u.reseller_id', 'u.email', 'u.first_name', 'u.last_name', 'u.language'])
    .select('u.mfa_enabled')
    .select(['u.deletion_requested_at', 'u.deletes_at', 'u.deletion_reminded_at', 'o.deletes_at as account_deletes_at'])
    .select(['a.name as account_name', 'a.time_zone'])
    .select(({ selectFrom }) =>
      selectFrom('brand_hosts as h')
        .whereRef('h.reseller_id', '=', 'a.reseller_id')
        .select('h.host')
        .orderBy('h.host')
        .limit(1)
        .as('host'),
    )
    .where('u.account_id', '=', accountId)
    .where('u.user_id', '=', userId)

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirst']>>>

const toDeletableUser = (row: Row): DeletableUser => ({
  userId: row.user_id,
  accountId: row.account_id,
  resellerId: row.reseller_id,
  email: row.email,
  name: `${row.first_name} ${row.last_name}`,
  language: row.language,
  hasSecondFactor: row.mfa_enabled,
  accountName: row.account_name,
  timeZone: row.time_zone,
  host: row.host ?? undefined,
  requestedAt: row.deletion_requested_at,
  deletesAt: row.deletes_at,
  remindedAt: row.deletion_reminded_at,
  accountDeletesAt: row.account_deletes_at,
})

export async function findDeletableUser(tx: Tx, key: Key): Promise<DeletableUser | undefined> {
  const row = await query(tx, key).executeTakeFirst()
  return row === undefined ? undefined : toDeletableUser(row)
}

/** The same, locked until the transaction ends. */
export async function lockDeletableUser(tx: Tx, key: Key): Promise<DeletableUser | undefined> {
  const row = await query(tx, key).forUpdate('u').executeTakeFirst()
  return row === undefined ? undefined : toDeletableUser(row)
}

/** Null: no deletion is requested. */
export async function saveDeletion(
  tx: Tx,
  { accountId, userId }: Key,
  given: { readonly requestedAt: number; readonly deletesAt: number } | null,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      deletion_requested_at: given === null ? null : instant(given.requestedAt),
      deletes_at: given === null ? null : instant(given.deletesAt),
      deletion_reminded_at: null,
    })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
}

export async function saveReminded(tx: Tx, { accountId, userId }: Key, at: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ deletion_reminded_at: instant(at) })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
}

/** Users whose deletion or reminder is due by that time, by id, after the given one. */
export async function deletionsAhead(
  db: Db,
  { remindTill, now, after }: { readonly remindTill: number; readonly now: number; readonly after: number },
): Promise<readonly (Key & { readonly resellerId: number })[]> {
  const { rows } = await sql<{ user_id: number; account_id: number; reseller_id: number }>`
    select user_id, account_id, reseller_id
      from deletions_ahead(${instant(remindTill)}, ${instant(now)}, ${after})`.execute(db.plain)
  return rows.map((row) => ({ userId: row.user_id, accountId: row.account_id, resellerId: row.reseller_id }))
}

/** The content of an account, for the entry about its deletion. */
export async function countAccountContents(
  tx: Tx,
  accountId: number,
): Promise<{ users: number; cameras: number; devices: number }> {
  const { rows } = await sql<{ users: number; cameras: number; devices: number }>`
    select (select count(*) from users where account_id = ${accountId})::int as users,
           (select count(*) from cameras where account_id = ${accountId})::int as cameras,
           (select count(*) from devices where account_id = ${accountId})::int as devices`.execute(tx)
  const [row] = rows
  return { users: row?.users ?? 0, cameras: row?.cameras ?? 0, devices: row?.devices ?? 0 }
}
