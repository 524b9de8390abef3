import { randomBytes } from 'node:crypto'
import { type Auth, openAuth } from '@sightline/auth'
import { generateAuthSecrets } from '@sightline/auth/secrets'
import { allPermissions } from '@sightline/contract/rights'
import { type SignInPages, signInLanguages } from '@sightline/contract/sign-in-pages'
import { type Edge, openEdge } from '@sightline/edge'
import { type BrandSource, brandSource, createBrandLookup } from '@sightline/platform/brands'
import { systemClock } from '@sightline/platform/clock'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { createLogger } from '@sightline/platform/log'
import { mailOutbox } from '@sightline/platform/mail'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from '../../programs/clients/commands.ts'
import { readCommand } from '../../programs/clients/options.ts'
import { type FirstRun, prepareFirstRun } from './index.ts'

const fields = {
  company: 'Café Noord',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'Ada@Noord.example',
  password: 'Correct-horse7',
  confirmation: 'Correct-horse7',
}

/** Renders the content only; the tests of the pages cover the look. */
const pages: SignInPages = {
  signIn: () => 'sign in',
  secondFactor: () => '',
  chooseAccount: () => 'choose',
  error: ({ kind, language }) => `error ${kind} ${language}`,
  consent: () => 'consent',
  confirmLogout: () => '',
  setPassword: () => '',
  passwordSet: () => '',
  confirmEmail: () => '',
  emailAnswered: () => '',
  lockdown: () => '',
  lockedDown: () => '',
  forgotPassword: () => '',
  resetAsked: () => '',
  loggedOut: () => 'logged out',
  firstRun: ({ action, otherLanguages, typed, problems }) =>
    JSON.stringify({ action, otherLanguages, typed, problems }),
}

let database: TestDatabase
let brands: BrandSource
let auth: Auth
let edge: Edge
let firstRun: FirstRun | undefined
let origin = ''
let logged = ''

const prepare = (plane: Auth['plane'] = auth.plane) =>
  prepareFirstRun({
    connection: database.connection,
    authDb: database.db('auth'),
    auth: { plane },
    brands,
    pages,
    log,
  })
const log = createLogger(
  { level: 'info', format: 'json', name: 'test' },
  {
    write(line) {
      logged += line
    },
  },
)

beforeAll(async () => {
  database = await testDatabase()
  const db = database.db('auth')
  const ownHosts = () => [new URL(origin || 'http://127.0.0.1').host]
  brands = brandSource(createBrandLookup(db), { scheme: 'http', ownHosts, clock: systemClock })
  const common = { brands, log, clock: systemClock }
  const seals = envelopeEncryption(randomBytes(32))
  const outbox = mailOutbox(seals, systemClock)
  const secrets = { secrets: generateAuthSecrets(), encryption: seals }
  auth = await openAuth({ ...common, ...secrets, db, outbox, pages, onRevoked: () => undefined })
  const opened = await openEdge({
    ...common,
    listen: { host: '127.0.0.1', port: 0, tls: { kind: 'off' } },
    upstreams: {
      api: (_, res) => res.end(),
      auth: (req, res) => (firstRun?.before(auth.handleHttp) ?? auth.handleHttp)(req, res),
      streams: (_, res) => res.end(),
      exports: (_, res) => res.end(),
      shares: (_, res) => res.end(),
      media: (_, socket) => socket.destroy(),
    },
    webRoot: import.meta.dirname,
  })
  if (!opened.ok) throw new Error(opened.failure)
  edge = opened.value
  origin = `http://127.0.0.1:${edge.port}`
})
beforeEach(async () => {
  const owner = database.db('owner').plain
  const people = ['audit_log', 'zones', 'staff', 'users', 'subscriptions', 'accounts'] as const
  const tables = [...people, 'subscription_packages', 'resellers', 'distributors'] as const
  for (const table of [...tables, 'auth.credentials', 'auth.failures'] as const) await owner.deleteFrom(table).execute()
  logged = ''
  firstRun = await prepare()
})
afterAll(async () => {
  await edge[Symbol.asyncDispose]()
  await auth[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const link = (): string => firstRun?.link ?? ''
const post = (given: Record<string, string> = {}, to = link(), site = 'same-origin') =>
  fetch(origin + to, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': site },
    body: new URLSearchParams({ ...fields, ...given }),
  })
const count = async (
  table: 'users' | 'staff' | 'accounts' | 'resellers' | 'distributors' | 'zones' | 'auth.credentials',
) => (await database.db('owner').plain.selectFrom(table).selectAll().execute()).length

describe('the link for an empty installation', () => {
  test('creates distributor, reseller 255, account, owner, zone and password, and redirects to the Web App', async () => {
    const answer = await post({}, `${link()}&lang=nl`)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/app/'])
    const owner = database.db('owner').plain
    const user = await owner.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    const account = await owner.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
    expect(user).toMatchObject({
      user_id: account.account_id,
      account_id: account.account_id,
      reseller_id: 255,
      email: 'Ada@Noord.example',
      email_folded: 'ada@noord.example',
      first_name: 'Ada',
      last_name: 'Lovelace',
      language: 'nl',
      rights: [],
    })
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    expect(account).toMatchObject({ reseller_id: 255, name: 'Café Noord', time_zone: timeZone })
    expect(await owner.selectFrom('zones').select(['account_id', 'name']).execute()).toEqual([
      { account_id: account.account_id, name: 'Thuis' },
    ])
    expect(await owner.selectFrom('resellers').select(['reseller_id', 'name']).execute()).toEqual([
      { reseller_id: 255, name: 'Café Noord' },
    ])
    expect(await owner.selectFrom('distributors').select('name').execute()).toEqual([{ name: 'Café Noord' }])
    expect(await owner.selectFrom('audit_log').select(['account_id', 'action', 'address']).execute()).toEqual([
      { account_id: account.account_id, action: 'firstPersonCreated', address: '127.0.0.1' },
    ])
    const question = { userId: user.user_id, password: fields.password, address: '127.0.0.1' }
    expect(await auth.plane.verifyPassword(question)).toBe('right')
    const stored = await owner.selectFrom('auth.credentials').select('password_hash').execute()
    // As the product hashes: 19 MiB, two passes, one lane.
    for (const { password_hash } of stored) expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    // The same person as a staff member, with the same password.
    const administrator = await owner.selectFrom('staff').selectAll().executeTakeFirstOrThrow()
    expect(administrator).toMatchObject({
      level: 'admin',
      organisation_id: 2,
      email_folded: 'ada@noord.example',
      language: 'nl',
      permissions: allPermissions,
    })
    expect(await auth.plane.verifyPassword({ ...question, userId: administrator.user_id })).toBe('right')
  })

  test('gives the account a subscription for the largest package, which renews after a year', async () => {
    await post()
    const subscription = await database
      .db('owner')
      .plain.selectFrom('subscriptions')
      .innerJoin('accounts', 'accounts.account_id', 'subscriptions.account_id')
      .innerJoin('subscription_packages as package', (join) =>
        join
          .onRef('package.reseller_id', '=', 'subscriptions.reseller_id')
          .onRef('package.subscription_package_id', '=', 'subscriptions.subscription_package_id'),
      )
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(subscription).toMatchObject({ name: 'HD2 30 days 200 cameras', max_cameras: 200, retention_hours: 720 })
    expect(subscription.next_subscription_package_id).toBe(subscription.subscription_package_id)
  })

  test('gives the first user a token by password, as the account’s owner and not as administrator', async () => {
    await post()
    const owner = database.db('owner')
    const words = ['add', '--name', 'Recorder', '--id', 'nvr', '--password-grant', '--scope', 'read']
    const command = readCommand(words)
    const registered = command.ok ? await runCommand(command.value, owner) : command
    const secret = /client_secret {2}(\S+)/.exec(registered.ok ? registered.value : '')?.[1]
    const { email: username, password } = fields
    const answer = await fetch(`${origin}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`nvr:${secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'password', username, password }),
    })
    expect([answer.status, await answer.json()]).toMatchObject([200, { token_type: 'bearer', scope: 'read' }])
    const { account_id } = await owner.plain.selectFrom('accounts').select('account_id').executeTakeFirstOrThrow()
    const login = await owner.plain.selectFrom('audit_log').select('user_id').where('action', '=', 'login').execute()
    expect(login).toEqual([{ user_id: account_id }])
  })

  test('shows its form on every visit, with the code in the link and in the other languages', async () => {
    for (let i = 0; i < 3; i++) {
      const answer = await fetch(origin + link())
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(await answer.json()).toEqual({
        action: `${link()}&lang=en`,
        otherLanguages: signInLanguages
          .filter((language) => language !== 'en')
          .map((language) => ({ language, href: `${link()}&lang=${language}` })),
        typed: {},
        problems: {},
      })
    }
  })

  test('shows the entered values except passwords after a mistake, and still works', async () => {
    const answer = await post({ firstName: '' })
    expect(answer.status).toBe(422)
    const text = await answer.text()
    expect(text).not.toContain(fields.password)
    expect(JSON.parse(text)).toMatchObject({
      typed: { company: fields.company, firstName: '', lastName: fields.lastName, email: fields.email },
      problems: { firstName: 'First name is required' },
    })
    expect(await count('users')).toBe(0)
    expect((await post()).status).toBe(303)
  })

  test('returns the same for a wrong, used or missing code as for an unknown address', async () => {
    const seen = async (answer: Response) => ({
      status: answer.status,
      text: await answer.text(),
      headers: [...answer.headers]
        .filter(([name]) => !['x-request-id', 'date'].includes(name))
        .map((header) => header.join(': ').replace(/nonce-[^']+/, 'nonce')),
    })
    expect((await post()).status).toBe(303)
    const path = link().split('?', 1)[0] ?? ''
    const answers = [
      await seen(await fetch(origin + link())),
      await seen(await post()),
      await seen(await fetch(`${origin}${path}?code=${'A'.repeat(43)}`)),
      await seen(await post({}, path)),
      await seen(await fetch(origin + path)),
      await seen(await fetch(`${origin}/sign-in/nowhere`)),
    ]
    expect(answers[0]).toMatchObject({ status: 404, text: 'error expired en' })
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  test('creates one user if many forms arrive at once', async () => {
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await post()).status))
    expect(statuses.toSorted()).toEqual([303, 404, 404, 404, 404, 404])
    expect([await count('users'), await count('accounts'), await count('staff')]).toEqual([1, 1, 1])
    expect(await count('auth.credentials')).toBe(2)
  })

  test('refuses forms from other sites or from clients that aren’t browsers', async () => {
    expect((await post({}, link(), 'cross-site')).status).toBe(403)
    const bare = await fetch(origin + link(), { method: 'POST', body: new URLSearchParams(fields) })
    expect(bare.status).toBe(403)
    expect(await count('users')).toBe(0)
  })

  test('counts tried codes for the address, but not right ones', async () => {
    for (let i = 0; i < 20; i++) await fetch(origin + link())
    for (let i = 0; i < 100; i++) expect((await fetch(`${origin}/sign-in/first-run?code=${i}`)).status).toBe(404)
    const locked = await fetch(origin + link())
    expect([locked.status, await locked.text()]).toEqual([429, 'error locked en'])
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('is never logged', async () => {
    await fetch(origin + link())
    await post({ firstName: '' })
    await post()
    const code = link().split('code=')[1] ?? ''
    expect(logged).toContain('/sign-in/first-run')
    expect(code).toHaveLength(43)
    expect(logged).not.toContain(code)
    expect(logged).not.toContain(fields.password)
  })
})

describe('between two starts', () => {
  test('without users the next start has another link, and the old one stops working', async () => {
    const former = link()
    firstRun = await prepare()
    expect(link()).not.toBe(former)
    expect((await fetch(origin + former)).status).toBe(404)
    expect((await fetch(origin + link())).status).toBe(200)
  })

  test('with a user no start has a link', async () => {
    expect((await post()).status).toBe(303)
    expect(await prepare()).toBeUndefined()
    expect(
      await database.db('owner').plain.selectFrom('installation').selectAll().where('key', '=', 'first-run').execute(),
    ).toEqual([])
  })

  test('with only a staff member no start has a link', async () => {
    expect((await post()).status).toBe(303)
    const owner = database.db('owner').plain
    for (const table of ['zones', 'users', 'accounts'] as const) await owner.deleteFrom(table).execute()
    expect(await prepare()).toBeUndefined()
  })

  test('a failure before or after the password leaves no user, and the same link still works', async () => {
    const failing = (createCredentials: Auth['plane']['createCredentials']): Auth['plane'] => ({
      ...auth.plane,
      createCredentials,
    })
    const broken = new Error('the power went')
    firstRun = await prepare(failing(() => Promise.reject(broken)))
    expect((await post()).status).toBe(500)
    expect(await count('distributors')).toBe(0)
    let isWorking = false
    firstRun = await prepare(
      failing(async (given) => {
        await auth.plane.createCredentials(given)
        if (!isWorking) throw broken
      }),
    )
    expect((await post()).status).toBe(500)
    expect([await count('users'), await count('auth.credentials')]).toEqual([0, 1])
    isWorking = true
    expect((await post()).status).toBe(303)
    expect(await count('users')).toBe(1)
  })

  test('a password without a user is deleted by the next start', async () => {
    await auth.plane.createCredentials({ userId: 7, accountId: 7, password: fields.password })
    await prepare()
    expect(await count('auth.credentials')).toBe(0)
  })
})
