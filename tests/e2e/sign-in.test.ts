import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Auth, addClient, openAuth } from '@sightline/auth'
import { generateAuthSecrets } from '@sightline/auth/secrets'
import type { SignInPages } from '@sightline/contract/sign-in-pages'
import { type Edge, openEdge } from '@sightline/edge'
import { brandSource, createBrandLookup } from '@sightline/platform/brands'
import { systemClock } from '@sightline/platform/clock'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { silentLogger } from '@sightline/platform/log'
import { mailOutbox } from '@sightline/platform/mail'
import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, type TestBrowser } from '../browser.ts'
import { looksToTry } from '../long-run.ts'

const PASSWORD = 'Correct-horse7'
const EMAIL = 'owner@demo.example'
let database: TestDatabase
let auth: Auth
let edge: Edge
let tested: TestBrowser
let webRoot: string
let origin = ''

beforeAll(async () => {
  database = await testDatabase()
  webRoot = await mkdtemp(join(tmpdir(), 'sightline-sign-in-'))
  const brands = brandSource(createBrandLookup(database.db('auth')), {
    scheme: 'http',
    ownHosts: () => [new URL(origin || 'http://127.0.0.1').host],
    clock: systemClock,
  })
  const built = join(import.meta.dirname, '../../dist/web/sign-in/sign-in.mjs')
  const { signInPages: pages } = (await import(built)) as { signInPages: SignInPages }
  const common = { brands, log: silentLogger, clock: systemClock }
  const db = database.db('auth')
  const seals = envelopeEncryption(randomBytes(32))
  const outbox = mailOutbox(seals, systemClock)
  const secrets = { secrets: generateAuthSecrets(), encryption: seals }
  auth = await openAuth({ ...common, ...secrets, db, outbox, pages, onRevoked: () => undefined })
  const opened = await openEdge({
    ...common,
    listen: { host: '127.0.0.1', port: 0, tls: { kind: 'off' } },
    upstreams: {
      api: (_, res) => res.end(),
      auth: auth.handleHttp,
      streams: (_, res) => res.end(),
      exports: (_, res) => res.end(),
      shares: (_, res) => res.end(),
      media: (_, socket) => socket.destroy(),
    },
    webRoot,
  })
  if (!opened.ok) throw new Error(opened.failure)
  edge = opened.value
  origin = `http://127.0.0.1:${edge.port}`
  await addPerson()
  tested = await openBrowser()
})
afterAll(async () => {
  await tested?.[Symbol.asyncDispose]()
  await edge?.[Symbol.asyncDispose]()
  await auth?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
  await rm(webRoot, { recursive: true, force: true })
})

async function addPerson(): Promise<void> {
  const owner = database.db('owner').plain
  await owner.insertInto('distributors').values({ distributor_id: 1, name: 'Distributor' }).execute()
  await owner.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'Reseller' }).execute()
  await owner.insertInto('accounts').values({ account_id: 1001, reseller_id: 255, name: 'Bakery' }).execute()
  const names = { first_name: 'Ada', last_name: 'Lovelace' }
  await owner
    .insertInto('users')
    .values({ account_id: 1001, user_id: 1001, reseller_id: 255, email: EMAIL, email_folded: EMAIL, ...names })
    .execute()
  await auth.plane.createCredentials({ userId: 1001, accountId: 1001, password: PASSWORD })
}

/** Opens the sign-in page with an authorization request. */
async function signInPage(
  options: BrowserContextOptions,
  given: Partial<Record<'client_id' | 'redirect_uri', string>> = {},
): Promise<Page> {
  const context = await tested.browser.newContext({ javaScriptEnabled: false, ...options })
  const page = await context.newPage()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'account.v2',
    redirect_uri: `${origin}/`,
    scope: 'read write',
    state: 'st4te',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...given,
  })
  await page.goto(`${origin}/oauth/authorize?${query}`)
  return page
}

/** Scripts on, because axe needs them; the page is the same. */
const WITH_SCRIPT = { javaScriptEnabled: true } as const
const violations = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source)
  // As text, because the test's types have no global `axe`.
  const found: { id: string }[] = await page.evaluate('axe.run().then((result) => result.violations)')
  return found.map(({ id }) => id)
}

const widths = [320, 768, 1280] as const
const schemes = ['light', 'dark'] as const

describe('the sign-in page without script', () => {
  test.each(looksToTry(widths.flatMap((width) => schemes.map((colorScheme) => [width, colorScheme] as const))))(
    '%i px, %s: nothing overflows and axe finds nothing, before and after a failed attempt',
    async (width, colorScheme) => {
      const page = await signInPage({ ...WITH_SCRIPT, viewport: { width, height: 720 }, colorScheme })
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(await overflow()).toBeLessThanOrEqual(0)
      expect(await violations(page)).toEqual([])
      await page.getByLabel('Email address').fill(EMAIL)
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      expect(await overflow()).toBeLessThanOrEqual(0)
      expect(await violations(page)).toEqual([])
      await page.context().close()
    },
  )

  test('signing in with the keyboard returns to the application with code and state', async () => {
    const page = await signInPage({})
    // The browser sets the focus in its first frame, which may come after the load event.
    await page.locator('#email:focus').waitFor()
    await page.keyboard.type(EMAIL)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/?**`)
    const back = new URL(page.url())
    expect(back.searchParams.get('state')).toBe('st4te')
    expect(back.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
    await page.context().close()
  })

  test('a failed attempt says so, keeps the email address and focuses the password', async () => {
    const page = await signInPage({})
    await page.getByLabel('Email address').fill(EMAIL)
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('Incorrect email address or password')
    expect(await page.getByLabel('Email address').inputValue()).toBe(EMAIL)
    expect(await page.getByLabel('Password').inputValue()).toBe('')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('password')
    await page.context().close()
  })

  test('uses the browser’s language; its menu changes it and does not link the current one', async () => {
    const page = await signInPage({ locale: 'nl-NL' })
    expect(await page.getByRole('heading').textContent()).toBe('Inloggen bij Sightline')
    await page.locator('summary').click()
    expect(await page.getByRole('listitem').filter({ hasText: 'Nederlands' }).getByRole('link').count()).toBe(0)
    await page.getByRole('link', { name: 'English' }).click()
    expect(await page.getByRole('heading').textContent()).toBe('Sign in to Sightline')
    await page.getByLabel('Password').fill('wrong')
    await page.getByLabel('Email address').fill(EMAIL)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('Incorrect email address or password')
    await page.context().close()
  })

  test('is one file of at most 15 KiB plus the font, and violates no content security policy', async () => {
    const context = await tested.browser.newContext()
    const page = await context.newPage()
    const requests: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => complaints.push(message.text()))
    const response = await page.goto((await signInPage({})).url()).catch(() => null)
    expect(response?.status()).toBe(400) // another browser's page shows the error page, which is built the same way
    expect(complaints.filter((text) => /Content Security Policy|Refused/.test(text))).toEqual([])
    const files = requests.filter(
      (url) => url.startsWith('http') && !/\/theme\.css$|\/assets\/inter-latin-\w+\.woff2$/.test(url),
    )
    expect(files).toHaveLength(1)
    const signIn = await signInPage({})
    for (const html of [await signIn.content(), (await response?.text()) ?? '']) {
      expect(gzipSync(html, { level: 9 }).length).toBeLessThan(15 * 1024)
    }
    await context.close()
  })

  test('an unknown client or redirect address shows an error instead of a redirect', async () => {
    for (const given of [{ client_id: 'nobody' }, { redirect_uri: 'https://evil.example/' }]) {
      const page = await signInPage(WITH_SCRIPT, given)
      expect(page.url()).toContain('/oauth/authorize')
      expect(await page.getByRole('heading').textContent()).toBe("That didn't work")
      expect(await violations(page)).toEqual([])
      await page.context().close()
    }
  })

  test('a page confirms signing out', async () => {
    const page = await signInPage(WITH_SCRIPT)
    await page.goto(`${origin}/auth/logout`)
    expect(await page.getByRole('heading').textContent()).toBe('You are now logged out')
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })
})

describe('the consent page', () => {
  let application: Server
  let back = ''
  const arrived: { url: string; referer: string | undefined }[] = []

  beforeAll(async () => {
    application = createServer((req, res) => {
      arrived.push({ url: req.url ?? '', referer: req.headers.referer })
      res.end('<h1>Night Watch</h1>')
    })
    await new Promise<void>((done) => application.listen(0, '127.0.0.1', done))
    const address = application.address()
    back = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/back`
    const about = { kind: 'browser', name: 'Night Watch', redirectUris: [back], scopes: ['read', 'write'] } as const
    await addClient(database.db('owner'), {
      ...about,
      clientId: 'night-watch',
      secretSha256: undefined,
      loggedOutUris: [],
      passwordGrant: false,
      legacyTokenCallback: true,
      resellerId: undefined,
      userId: undefined,
    })
  })
  afterAll(() => new Promise((done) => application.close(done)))

  async function asked(options: BrowserContextOptions): Promise<Page> {
    const page = await signInPage(options, { client_id: 'night-watch', redirect_uri: back })
    await page.getByLabel('Email address').fill(EMAIL)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Allow access' }).waitFor()
    return page
  }

  test.each(looksToTry(widths.flatMap((width) => schemes.map((colorScheme) => [width, colorScheme] as const))))(
    '%i px, %s: nothing overflows and axe finds nothing',
    async (width, colorScheme) => {
      const page = await asked({ ...WITH_SCRIPT, viewport: { width, height: 720 }, colorScheme })
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
      expect(await violations(page)).toEqual([])
      await page.context().close()
    },
  )

  test('both answers return to the application, without script and despite the page’s policy', async () => {
    const refusing = await asked({})
    await refusing.getByRole('button', { name: "Don't allow" }).click()
    await refusing.waitForURL(`${back}?**`)
    expect(new URL(refusing.url()).searchParams.get('error')).toBe('access_denied')
    await refusing.context().close()
    const page = await asked({})
    expect(gzipSync(await page.content(), { level: 9 }).length).toBeLessThan(15 * 1024)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${back}?**`)
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy()
    await page.context().close()
  })

  test('after consent the token callback follows without asking, and sends no referrer', async () => {
    const page = await signInPage({}, { client_id: 'night-watch', redirect_uri: back })
    await page.getByLabel('Email address').fill(EMAIL)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${back}?**`)
    const query = new URLSearchParams({
      response_type: 'token',
      client_id: 'night-watch',
      redirect_uri: back,
      scope: 'read',
      state: 'st4te',
    })
    await page.goto(`${origin}/oauth/authorize?${query}`)
    const address = new URL(page.url())
    expect([...address.searchParams.keys()].sort()).toEqual(['access_token', 'expires_in', 'state'])
    // Later requests of the application's own page do send that page as referrer.
    const callback = arrived.find(({ url }) => url.startsWith('/back?') && url.includes('access_token='))
    expect(callback).toEqual({ url: address.pathname + address.search, referer: undefined })
    await page.context().close()
  })
})
