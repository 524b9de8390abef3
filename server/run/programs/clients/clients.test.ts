import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from './commands.ts'
import { readCommand } from './options.ts'

let database: TestDatabase
let owner: Db

beforeAll(async () => {
  database = await testDatabase()
  owner = database.db('owner')
  await owner.plain.insertInto('distributors').values({ distributor_id: 1, name: 'Distributor' }).execute()
  for (const reseller_id of [255, 300]) {
    const name = `Reseller ${reseller_id}`
    await owner.plain.insertInto('resellers').values({ reseller_id, distributor_id: 1, name }).execute()
    const account_id = 1000 + reseller_id
    await owner.plain.insertInto('accounts').values({ account_id, reseller_id, name: 'A' }).execute()
    const person = { email: 'Ada@demo.example', email_folded: 'ada@demo.example', first_name: 'A', last_name: 'L' }
    await owner.plain
      .insertInto('users')
      .values({ account_id, user_id: account_id, reseller_id, ...person })
      .execute()
  }
})
afterAll(() => database[Symbol.asyncDispose]())

async function run(...words: string[]): Promise<{ done: string } | { failed: string }> {
  const command = readCommand(words)
  if (!command.ok) return { failed: command.failure }
  const result = await runCommand(command.value, owner)
  return result.ok ? { done: result.value } : { failed: result.failure }
}
const add = (...words: string[]) => run('add', '--name', 'Night Watch', ...words)
const back = ['--redirect', 'https://nvr.example/back'] as const
const rowOf = (id: string) =>
  owner.plain.selectFrom('auth.clients').selectAll().where('client_id', '=', id).executeTakeFirst()
const secretOf = (text: string): string => /client_secret {2}(\S+)/.exec(text)?.[1] ?? ''

describe('registering a client', () => {
  test('shows a 256-bit secret once; the database has only its SHA-256', async () => {
    const shown = await add(...back, '--id', 'nvr')
    const secret = secretOf('done' in shown ? shown.done : '')
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const row = await rowOf('nvr')
    expect(row?.secret_sha256).toEqual(createHash('sha256').update(secret).digest())
    expect(row).toMatchObject({ kind: 'confidential', name: 'Night Watch', scopes: ['read', 'write'] })
    expect(JSON.stringify(await run('list'))).not.toContain(secret)
    expect(JSON.stringify(await run('list'))).toContain('https://nvr.example/back')
  })

  test("creates an id if none is given, and no secret for clients that can't keep one", async () => {
    const shown = await add('--kind', 'native', '--redirect', 'com.example.app:/back')
    expect(shown).toEqual({
      done: expect.stringMatching(/^client_id {6}client-[A-Za-z0-9_-]{12}\nThis client has no secret/),
    })
  })

  test('finds the user by email address if it is unique', async () => {
    const robot = ['--id', 'robot', '--user', 'ADA@demo.example'] as const
    expect(await add(...robot)).toEqual({
      failed: 'Several users have this email address. Use one of these ids: 1255, 1300.',
    })
    expect(await add(...robot, '--reseller', '300')).toHaveProperty('done')
    expect(await rowOf('robot')).toMatchObject({ user_id: 1300, reseller_id: 300, redirect_uris: [] })
    expect(await add('--user', '1255', '--reseller', '300')).toEqual({ failed: 'User not found.' })
    expect(await add('--user', 'nobody@demo.example')).toEqual({ failed: 'User not found.' })
  })

  test.each([
    ['an id in use', [...back, '--id', 'nvr'], /already/],
    ['an id of a built-in app', [...back, '--id', 'account.v2'], /built-in app/],
    ['no address', [], /redirect address is required/],
    ['http beyond loopback', ['--redirect', 'http://nvr.example/'], /https/],
    ['a pattern', ['--redirect', 'https://*.nvr.example/'], /not a complete URL/],
    ['a fragment', ['--redirect', 'https://nvr.example/#x'], /fragment/],
    ['a user in the address', ['--redirect', 'https://nvr@evil.example/'], /user name or password/],
    ['a script as an address', ['--redirect', 'javascript:alert(1)'], /expected https/],
    ['a scheme that anyone could claim', ['--kind', 'native', '--redirect', 'nvr:/back'], /com\.example/],
    ['an invalid sign-out address', [...back, '--logged-out', 'http://nvr.example/'], /https/],
    ['the password grant for a public client', [...back, '--kind', 'browser', '--password-grant'], /confidential/],
    ['a user for a public client', [...back, '--kind', 'browser', '--user', '1255'], /confidential/],
    ['a token in the address for a native client', [...back, '--kind', 'native', '--token-callback'], /code with PKCE/],
    ['a token callback without an address', ['--password-grant', '--token-callback'], /redirect address/],
    ['an unknown scope', [...back, '--scope', 'admin'], /--scope/],
    ['an unknown kind', [...back, '--kind', 'public'], /--kind/],
    ['an unknown option', [...back, '--secret', 'x'], /secret/],
    ['an unknown reseller', [...back, '--reseller', '9'], /Reseller 9 not found/],
    ['an id with a space', [...back, '--id', 'a b'], /client id/],
  ])('is refused for %s', async (_, words, reason) => {
    expect(await add(...words)).toEqual({ failed: expect.stringMatching(reason) })
  })

  test('is refused without a name', async () => {
    expect(await run('add', ...back)).toEqual({ failed: expect.stringContaining('name') })
  })
})

test('a new secret ends the old one; clients without a secret get none', async () => {
  const before = (await rowOf('nvr'))?.secret_sha256
  const shown = await run('secret', 'nvr')
  const after = (await rowOf('nvr'))?.secret_sha256
  expect(after).not.toEqual(before)
  expect(after).toEqual(
    createHash('sha256')
      .update(secretOf('done' in shown ? shown.done : ''))
      .digest(),
  )
  await add('--kind', 'browser', ...back, '--id', 'page')
  expect(await run('secret', 'page')).toEqual({ failed: expect.stringContaining('Confidential client page not found') })
})

async function giveToken(client_id: string): Promise<void> {
  const token_sha256 = Buffer.alloc(32, 7)
  const of = { user_id: 1255, account_id: 1255, client_id, app_id: client_id, scopes: ['read'] }
  await owner.plain
    .insertInto('auth.access_sessions')
    .values({ token_sha256, token_id: 7, ...of, expires_at: instant(Date.now() + 60_000) })
    .execute()
  const record = { id_sha256: token_sha256, payload: JSON.stringify({ clientId: client_id }) }
  await owner.plain
    .insertInto('auth.provider_records')
    .values({ kind: 'RefreshToken', ...record })
    .execute()
}
const tokensLeft = async (): Promise<number> => {
  const rows = ['auth.access_sessions', 'auth.provider_records'] as const
  const left = await Promise.all(rows.map((table) => owner.plain.selectFrom(table).selectAll().execute()))
  return left.flat().length
}

test('a new secret keeps tokens, or ends them on request, and says which', async () => {
  await giveToken('nvr')
  expect(await run('secret', 'nvr')).toEqual({ done: expect.stringContaining('still work') })
  expect(await tokensLeft()).toBe(2)
  expect(await run('secret', 'nvr', '--end-tokens')).toEqual({ done: expect.stringContaining('are revoked') })
  expect(await tokensLeft()).toBe(0)
  expect(await run('secret', '--end-tokens')).toEqual({ failed: expect.stringContaining('id of one client') })
  expect(await run('remove', '--end-tokens')).toEqual({ failed: expect.stringContaining('id of one client') })
})

test('removing a client ends its tokens and deletes its consents', async () => {
  await giveToken('nvr')
  await owner.plain
    .insertInto('auth.consents')
    .values({ user_id: 1255, client_id: 'nvr', scopes: ['read'] })
    .execute()
  expect(await run('remove', 'nvr')).toHaveProperty('done')
  for (const table of ['auth.access_sessions', 'auth.provider_records', 'auth.consents'] as const) {
    expect(await owner.plain.selectFrom(table).selectAll().execute()).toEqual([])
  }
  expect(await run('remove', 'nvr')).toEqual({ failed: 'Client nvr not found.' })
})

test('without a running Sightline the command says so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-client-'))
  const said = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    const entry = join(import.meta.dirname, '../client.ts')
    const env = { PATH: process.env.PATH, SIGHTLINE_DATA_DIR: folder }
    execFile(process.execPath, [entry, 'list'], { env }, (error, _out, stderr) =>
      resolve({ code: error?.code, stderr }),
    )
  })
  await rm(folder, { recursive: true })
  expect(said).toEqual({ code: 1, stderr: expect.stringContaining('Start it first') })
})
