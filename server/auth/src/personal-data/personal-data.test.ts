import { type Db, instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetUser, loadPersonalData } from './index.ts'

let database: TestDatabase
let owner: Db
const [ADA, BEN] = [1001, 1002]
const PLANTED = Buffer.from('planted-secret-of-32-bytes-long!')
beforeAll(async () => {
  database = await testDatabase()
  owner = database.db('owner')
  for (const userId of [ADA, BEN]) await plant(userId)
})
afterAll(() => database[Symbol.asyncDispose]())

/** A row in each table of this plane except tokens; its secrets are {@link PLANTED}. */
async function plant(user_id: number): Promise<void> {
  const who = { user_id, account_id: ADA }
  const [then, sha] = [instant(1000), Buffer.concat([PLANTED.subarray(0, 28), Buffer.from(String(user_id))])]
  const { plain } = owner
  const secret = PLANTED.toString()
  await plain
    .insertInto('auth.credentials')
    .values({ ...who, password_hash: secret, changed_at: then })
    .execute()
  await plain
    .insertInto('auth.two_factor')
    .values({
      ...who,
      created_at: then,
      passkeys_since: then,
      recovery_salt: PLANTED.subarray(0, 16),
      seed_sealed: PLANTED,
    })
    .execute()
  const link = { ...who, email_folded: 'a@demo.example', created_at: then, expires_at: then }
  const lockdown = Buffer.concat([PLANTED.subarray(0, 27), Buffer.from(`z${user_id}`)])
  await plain
    .insertInto('auth.action_links')
    .values([
      { ...link, kind: 'reset', token_sha256: sha },
      { ...link, kind: 'lockdown', token_sha256: lockdown },
    ])
    .execute()
  await plain
    .insertInto('auth.lockdowns')
    .values({ ...who, email_folded: 'a@demo.example', at: then })
    .execute()
  await sql`insert into auth.passkeys (passkey_id, user_id, account_id, credential_id, rp_id, user_handle, public_key,
      sign_count, transports, aaguid, backup_eligible, backed_up, name, created_at)
    values (${user_id}, ${user_id}, ${ADA}, ${sha}, 'cams.example', ${PLANTED.subarray(0, 32)}, ${PLANTED}, 0, '{}',
      gen_random_uuid(), false, false, 'Key ring', now())`.execute(plain)
  await sql`insert into auth.known_devices values (${user_id}, 'cookie', ${sha}, now())`.execute(plain)
  await sql`insert into auth.user_sessions (session_id, account_id, user_id, session_uid, browser, begun_at, last_seen_at)
    values (${user_id}, ${ADA}, ${user_id}, ${secret + user_id}, 'Firefox', now(), now())`.execute(plain)
  await sql`insert into auth.sign_in_history
      (sign_in_id, account_id, user_id, outcome, method, tries, first_at, last_at, same_as)
    values (${user_id}, ${ADA}, ${user_id}, 'signedIn', 'password', 1, now(), now(), ${secret})`.execute(plain)
}

test("a user's data mentions that secrets exist but contains none of them", async () => {
  const told = await loadPersonalData(ADA, { db: database.db('auth') })
  expect(told).toMatchObject({
    password: { changedAt: '1970-01-01T00:00:01.000+00:00' },
    secondFactor: { enabledAt: null, passkeysAskedSince: '1970-01-01T00:00:01.000+00:00' },
    passwordLinks: [{ kind: 'reset' }],
    passkeys: [{ name: 'Key ring' }],
    signedIn: [{ browser: 'Firefox' }],
    signInHistory: [{ outcome: 'signedIn' }],
    knownDevices: [{ kind: 'cookie' }],
    lockdown: { at: '1970-01-01T00:00:01.000+00:00' },
  })
  const text = JSON.stringify(told)
  const part = PLANTED.subarray(0, 27)
  for (const form of [part.toString(), part.toString('hex'), part.toString('base64')]) expect(text).not.toContain(form)
})

test('forgetting a user removes them from every table of this plane, and no one else', async () => {
  await database.db('auth').transaction((tx) => forgetUser(tx, ADA))
  const { rows } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
     where c.table_schema = 'auth' and t.table_type = 'BASE TABLE' and c.column_name = 'user_id'`.execute(owner.plain)
  const left = async (userId: number) => {
    const found: string[] = []
    for (const { name } of rows) {
      const of = await sql`select 1 from ${sql.table(`auth.${name}`)} where user_id = ${userId} limit 1`.execute(
        owner.plain,
      )
      if (of.rows.length > 0) found.push(name)
    }
    return found.sort()
  }
  expect(await left(ADA)).toEqual([])
  expect(await left(BEN)).toEqual([
    'action_links',
    'credentials',
    'known_devices',
    'lockdowns',
    'passkeys',
    'sign_in_history',
    'two_factor',
    'user_sessions',
  ])
})
