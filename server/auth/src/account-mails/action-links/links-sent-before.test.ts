import { migrate, openDatabase, readMigrations, withDatabase } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { tokenSha256 } from '@sightline/platform/sessions'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveEmail } from '../email-changes/store.ts'
import { actionLinkKinds } from './rules.ts'
import { findLink } from './store.ts'

const UPDATE = '202611230120-action-links'
const log = silentLogger
const NOW = Date.parse('2026-11-23T12:00:00Z')
const IN_AN_HOUR = '2026-11-23T13:00:00Z'
const EARLIER = '2026-11-23T11:00:00Z'
const ADA = 'ada@video.example'

let server: TestDatabase
beforeAll(async () => {
  server = await testDatabase()
})
afterAll(() => server[Symbol.asyncDispose]())

/** A database as the previous version left it. `fill` inserts its rows; `update` runs the migrations. */
async function earlierDatabase(name: string) {
  await sql`create database ${sql.id(name)}`.execute(server.db('owner').plain)
  const connection = withDatabase(server.connection, name)
  const migrations = await readMigrations()
  const to = (steps: typeof migrations) => migrate({ connection, log, migrations: steps })
  await to(migrations.filter((step) => step.name < UPDATE))
  const open = (role: 'owner' | 'auth') =>
    openDatabase({ connection, role, maxConnections: 2, applicationName: 'test-links', log })
  return { owner: open('owner'), auth: open('auth'), update: () => to(migrations) }
}
const token = (name: string) => tokenSha256(`token of ${name}`)

test('links sent before the update still work, and expired ones stay expired', async () => {
  const { owner, auth, update } = await earlierDatabase('links_before')
  await using _owner = owner
  await using _auth = auth
  for (const insert of [
    sql`insert into distributors (distributor_id, name) values (1, 'Trade')`,
    sql`insert into resellers (reseller_id, distributor_id, name) values (300, 1, 'Blue Eye')`,
    sql`insert into accounts (account_id, reseller_id, name) values (7, 300, 'Ada')`,
    sql`insert into users (account_id, user_id, reseller_id, email, email_folded, first_name, last_name)
      values (7, 7, 300, ${ADA}, ${ADA}, 'Ada', 'Lovelace')`,
    sql`insert into auth.credentials (user_id, account_id, password_hash, sign_in_generation) values (7, 7, 'hash', 4)`,
  ]) {
    await insert.execute(owner.plain)
  }
  await sql`insert into auth.password_links
      (user_id, kind, account_id, token_sha256, email_folded, sign_in_generation, expires_at)
    values (7, 'invitation', 7, ${token('invitation')}, ${ADA}, 3, ${IN_AN_HOUR}),
           (7, 'reset', 7, ${token('reset')}, ${ADA}, 4, ${IN_AN_HOUR})`.execute(owner.plain)
  await sql`insert into auth.lockdown_links (token_sha256, user_id, account_id, email_folded, created_at, expires_at)
    values (${token('first sign-in')}, 7, 7, 'ada@old.example', ${EARLIER}, ${IN_AN_HOUR}),
           (${token('second sign-in')}, 7, 7, ${ADA}, ${EARLIER}, ${IN_AN_HOUR}),
           (${token('last year')}, 7, 7, ${ADA}, '2025-01-01', '2025-01-04')`.execute(owner.plain)
  await sql`insert into email_changes
      (account_id, user_id, token_sha256, old_email_folded, email, email_folded, asked_by, asked_by_name, expires_at)
    values (7, 7, ${token('email')}, ${ADA}, 'New@video.example', 'new@video.example', 1, 'Dee', ${IN_AN_HOUR}),
           (8, 8, null, 'ben@video.example', 'b@video.example', 'b@video.example', 1, 'Dee', ${IN_AN_HOUR})`.execute(
    owner.plain,
  )
  await update()

  const found = async (name: string) => {
    const link = await findLink(auth.plain, { tokenSha256: token(name), kinds: actionLinkKinds }, NOW)
    return link && [link.kind, link.userId, link.accountId, link.emailFolded, new Date(link.createdAt).toISOString()]
  }
  // Of another generation of sign-ins.
  expect(await found('invitation')).toBeUndefined()
  expect(await found('reset')).toEqual(['reset', 7, 7, ADA, '2026-11-23T12:30:00.000Z'])
  const since = new Date(EARLIER).toISOString()
  expect(await found('first sign-in')).toEqual(['lockdown', 7, 7, 'ada@old.example', since])
  expect(await found('second sign-in')).toEqual(['lockdown', 7, 7, ADA, since])
  expect(await found('last year')).toBeUndefined()
  expect(await found('email')).toEqual(['emailChange', 7, 7, ADA, '2026-11-16T13:00:00.000Z'])

  expect(await auth.transaction((tx) => moveEmail(tx, token('reset'), NOW))).toBe(false)
  expect(await auth.transaction((tx) => moveEmail(tx, token('email'), NOW))).toBe(true)
  const { rows } = await sql`select email from users`.execute(owner.plain)
  expect(rows).toEqual([{ email: 'New@video.example' }])
  expect(await found('email')).toBeUndefined()
  expect(await auth.plain.selectFrom('email_changes').select('user_id').execute()).toEqual([{ user_id: 8 }])
})
