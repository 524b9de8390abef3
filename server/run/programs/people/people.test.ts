import { brandSource, createBrandLookup } from '@sightline/platform/brands'
import { systemClock } from '@sightline/platform/clock'
import { type Db, idSource, instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { type Mail, mailOutbox } from '@sightline/platform/mail'
import { sendMails } from '@sightline/platform/mail/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from './commands.ts'
import { readCommand } from './options.ts'

const HOST = 'watch.example'
const [ADA, SHARED_A, SHARED_B, PLAIN, DEE] = [1255, 1256, 1300, 1257, 77] as const

let database: TestDatabase
let owner: Db
const seals = envelopeEncryption(Buffer.alloc(32, 3))

beforeAll(async () => {
  database = await testDatabase()
  owner = database.db('owner')
  const { plain } = owner
  await plain.insertInto('distributors').values({ distributor_id: 1, name: 'Distributor' }).execute()
  for (const reseller_id of [255, 300])
    await plain
      .insertInto('resellers')
      .values({ reseller_id, distributor_id: 1, name: `Brand ${reseller_id}`, theme: theme(reseller_id) })
      .execute()
  await plain.insertInto('brand_hosts').values({ host: HOST, reseller_id: 255 }).execute()
  await addUser(ADA, 255, 'Ada@demo.example')
  await addUser(SHARED_A, 255, 'shared@demo.example')
  await addUser(SHARED_B, 300, 'shared@demo.example')
  await addUser(PLAIN, 255, 'plain@demo.example')
  const name = { email: 'dee@demo.example', email_folded: 'dee@demo.example', first_name: 'Dee', last_name: 'Dealer' }
  await plain
    .insertInto('staff')
    .values({ user_id: DEE, level: 'reseller', organisation_id: 255, distributor_id: 1, reseller_id: 255, ...name })
    .execute()
})
afterAll(() => database[Symbol.asyncDispose]())

beforeEach(async () => {
  const { plain } = owner
  for (const table of ['auth.two_factor', 'auth.access_sessions', 'audit_log'] as const)
    await plain.deleteFrom(table).execute()
  await sent()
  for (const user_id of [ADA, SHARED_A, SHARED_B, DEE]) await giveFactor(user_id)
})

const theme = (resellerId: number) => JSON.stringify({ companyName: `Brand ${resellerId}` })

async function addUser(user_id: number, reseller_id: number, email: string): Promise<void> {
  const of = { account_id: user_id, reseller_id }
  await owner.plain
    .insertInto('accounts')
    .values({ ...of, name: `Shop ${user_id}` })
    .execute()
  const person = { email, email_folded: email.toLowerCase(), first_name: 'Ada', last_name: 'Lovelace' }
  await owner.plain
    .insertInto('users')
    .values({ ...of, user_id, ...person })
    .execute()
}

/** The state after switching it on, with a recovery code and a signed-in user's token. */
async function giveFactor(user_id: number): Promise<void> {
  const { plain } = owner
  const account_id = user_id === DEE ? 255 : user_id
  const on = { enabled_at: instant(Date.now()), last_step: 1, recovery_salt: Buffer.alloc(16) }
  await plain
    .insertInto('auth.two_factor')
    .values({ user_id, account_id, seed_sealed: Buffer.alloc(40), created_at: instant(Date.now()), ...on })
    .execute()
  await plain
    .insertInto('auth.recovery_codes')
    .values({ user_id, code_hash: Buffer.alloc(32, 1) })
    .execute()
  const token = { token_sha256: Buffer.alloc(32, user_id), token_id: user_id, expires_at: instant(Date.now() + 60_000) }
  await plain
    .insertInto('auth.access_sessions')
    .values({ ...token, user_id, account_id, client_id: 'x', app_id: 'x', scopes: ['read'] })
    .execute()
}

async function sent(): Promise<readonly Mail[]> {
  const mails: Mail[] = []
  const deliver = async (mail: Mail) => {
    mails.push(mail)
    return { ok: true, value: undefined } as const
  }
  await sendMails(database, { encryption: seals, deliver })
  return mails
}

async function run(words: readonly string[], answer = true): Promise<{ done: string } | { failed: string }> {
  const command = readCommand(words)
  if (!command.ok || command.value.kind === 'help') return { failed: command.ok ? 'help' : command.failure }
  const brands = brandSource(createBrandLookup(owner), {
    scheme: 'https',
    ownHosts: () => ['own.example'],
    clock: systemClock,
  })
  const outbox = mailOutbox(seals, systemClock)
  const confirm = async () => answer
  const done = await runCommand(command.value, { db: owner, ids: idSource(owner), brands, outbox, confirm })
  return done.ok ? { done: done.value } : { failed: done.failure }
}
const reset = (...words: string[]) => run(['reset-second-factor', ...words])

async function left(user_id: number) {
  const count = async (table: 'auth.two_factor' | 'auth.recovery_codes' | 'auth.access_sessions') =>
    (await owner.plain.selectFrom(table).select('user_id').where('user_id', '=', user_id).execute()).length
  return [await count('auth.two_factor'), await count('auth.recovery_codes'), await count('auth.access_sessions')]
}
const linesOf = (user_id: number) =>
  owner.plain
    .selectFrom('audit_log')
    .select(['account_id', 'action', 'user_id', 'client_id'])
    .where('target_id', '=', user_id)
    .execute()

describe('resetting a second factor', () => {
  test('removes the app, recovery codes and sign-ins, is logged, and sends an email in the user’s brand', async () => {
    expect(await reset('ADA@demo.example')).toHaveProperty('done')
    expect(await left(ADA)).toEqual([0, 0, 0])
    expect(await left(SHARED_A)).toEqual([1, 1, 1])
    expect(await linesOf(ADA)).toEqual([{ account_id: ADA, action: 'mfaReset', user_id: null, client_id: 'operator' }])
    const user = owner.plain.selectFrom('users').select('mfa_enabled').where('user_id', '=', ADA)
    expect(await user.executeTakeFirst()).toEqual({ mfa_enabled: false })
    const mails = await sent()
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['Ada@demo.example', 'Two-factor authentication reset for Brand 255'],
    ])
  })

  test('also works for staff', async () => {
    expect(await reset(String(DEE))).toHaveProperty('done')
    expect(await left(DEE)).toEqual([0, 0, 0])
    expect(await linesOf(DEE)).toMatchObject([{ account_id: 255 }])
  })

  test('asks first, and changes nothing without a yes; --yes is a yes', async () => {
    expect(await run(['reset-second-factor', String(ADA)], false)).toEqual({ failed: 'Canceled. Nothing was changed.' })
    expect(await left(ADA)).toEqual([1, 1, 1])
    expect(await run(['reset-second-factor', String(ADA), '--yes'], false)).toHaveProperty('done')
  })

  test('asks which of several users with one address is meant', async () => {
    const said = await reset('shared@demo.example')
    expect(said).toEqual({ failed: expect.stringContaining(String(SHARED_B)) })
    expect(said).toEqual({ failed: expect.stringContaining('Brand 300') })
    expect(await left(SHARED_A)).toEqual([1, 1, 1])
  })

  test('does nothing if there is no second factor', async () => {
    for (const _ of [1, 2])
      expect(await reset(String(PLAIN))).toEqual({
        failed: expect.stringContaining('Two-factor authentication is off'),
      })
    expect(await linesOf(PLAIN)).toEqual([])
    expect(await sent()).toEqual([])
  })

  test.each([
    [['nobody@demo.example'], /User not found/],
    [['4711'], /User not found/],
    [[], /needs the id/],
    [['ada'], /needs the id/],
    [['1', '2'], /needs the id/],
  ])('is refused for %j', async (words, reason) => {
    expect(await reset(...words)).toEqual({ failed: expect.stringMatching(reason) })
  })

  test('is the only command', async () => {
    expect(await run(['remove', '1'])).toEqual({ failed: 'Unknown command remove.' })
  })
})
