import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Auth, openAuth } from '@sightline/auth'
import { generateAuthSecrets } from '@sightline/auth/secrets'
import type { SignInPages } from '@sightline/contract/sign-in-pages'
import { type Edge, openEdge } from '@sightline/edge'
import { brandSource, createBrandLookup } from '@sightline/platform/brands'
import { systemClock } from '@sightline/platform/clock'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { silentLogger } from '@sightline/platform/log'
import { mailFolder, mailOutbox } from '@sightline/platform/mail'
import { sendMails } from '@sightline/platform/mail/testing'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askForMail } from '../../server/auth/src/asked-mails-testing.ts'
import { capturedMailPages } from '../../server/run/compose/mail/captured-mail.ts'
import { mailKey } from '../../server/run/compose/mail/mail-key.ts'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { admitBrowser, followMail, type MailPages } from '../captured-mail.ts'
import { looksToTry } from '../long-run.ts'
import { repository } from '../running-product.ts'

const PASSWORD = 'Another-zebra9'
/** German first: it has the longest words. */
const languages = ['de', 'en', 'es', 'ja', 'nl', 'pl', 'pt', 'tr'] as const
const seals = envelopeEncryption(randomBytes(32))
let folder: string
let database: TestDatabase
let auth: Auth
let edge: Edge
let browser: TestBrowser
let origin = ''
const key = mailKey()
const mails = (): MailPages => ({ origin, output: key.link })
let userId = 1000

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-invitation-'))
  database = await testDatabase()
  const db = database.db('auth')
  const ownHosts = () => [new URL(origin || 'http://127.0.0.1').host]
  const brands = brandSource(createBrandLookup(db), { scheme: 'http', ownHosts, clock: systemClock })
  const built = join(import.meta.dirname, '../../dist/web/sign-in/sign-in.mjs')
  const { signInPages: pages } = (await import(built)) as { signInPages: SignInPages }
  const common = { brands, log: silentLogger, clock: systemClock }
  const outbox = mailOutbox(seals, systemClock)
  const secrets = { secrets: generateAuthSecrets(), encryption: seals }
  auth = await openAuth({ ...common, ...secrets, db, outbox, pages, onRevoked: () => undefined })
  const opened = await openEdge({
    ...common,
    listen: { host: '127.0.0.1', port: 0, tls: { kind: 'off' } },
    upstreams: {
      api: (_, res) => res.end(),
      auth: capturedMailPages({ folder: mailFolder(folder), key, log: silentLogger })(auth.handleHttp),
      streams: (_, res) => res.end(),
      exports: (_, res) => res.end(),
      shares: (_, res) => res.end(),
      media: (_, socket) => socket.destroy(),
    },
    // The font of its pages comes from My Account.
    webRoot: join(repository, 'dist/web'),
  })
  if (!opened.ok) throw new Error(opened.failure)
  edge = opened.value
  origin = `http://127.0.0.1:${edge.port}`
  const owner = database.db('owner').plain
  await owner.insertInto('distributors').values({ distributor_id: 1, name: 'Distributor' }).execute()
  await owner.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'Reseller' }).execute()
  await owner.insertInto('accounts').values({ account_id: 1001, reseller_id: 255, name: 'Bakery' }).execute()
  if (chromiumPath !== undefined) browser = await openBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await edge?.[Symbol.asyncDispose]()
  await auth?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Invites a new user, waits for the email and returns the address. */
async function invited(language: string): Promise<string> {
  userId += 1
  const email = `person${userId}@video.example`
  await database
    .db('owner')
    .plain.insertInto('users')
    .values({
      account_id: 1001,
      user_id: userId,
      reseller_id: 255,
      email,
      email_folded: email,
      first_name: 'Ada',
      last_name: 'Lovelace',
    })
    .execute()
  const host = new URL(origin).host
  const mail = { kind: 'invitation', accountId: 1001, userId, to: email, host, by: 'Olivia Owner' } as const
  await askForMail({ ...mail, language }, { database, auth, clock: systemClock })
  const { deliver } = mailFolder(folder)
  await sendMails(database, { encryption: seals, deliver })
  return email
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
async function violations(page: Page): Promise<string[]> {
  // The policy of these pages forbids scripts, so axe is injected past it; as text, because the types have no global `axe`.
  await page.evaluate(axe.source)
  const found: { id: string }[] = await page.evaluate('axe.run().then((result) => result.violations)')
  return found.map(({ id }) => id)
}

test.skipIf(chromiumPath === undefined)(
  'an invited user opens the link in the email and sets a password, once',
  async () => {
    const email = await invited('en')
    await using visit = await browser.newPage({ width: 768 })
    const page = await followMail(visit.page, mails(), { to: email })
    expect(await page.getByLabel('Email address').inputValue()).toBe(email)
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByLabel('Confirm password').fill('Another-zebra8')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByText('Password does not match').waitFor()
    expect(await page.getByLabel('New password').inputValue()).toBe('')
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByLabel('Confirm password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor()
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/app/')
    const link = page.url()
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('This link has expired or was already used.').waitFor()
    const question = { userId, password: PASSWORD, address: '127.0.0.1' }
    expect(await auth.plane.verifyPassword(question)).toBe('right')
    expect(visit.complaints).toEqual([])
  },
)

test.skipIf(chromiumPath === undefined).each(looksToTry(languages))(
  '%s: email, page and confirmation fit a phone, and axe finds nothing',
  async (language) => {
    const email = await invited(language)
    await using visit = await browser.newPage({ width: 360, dark: language === 'nl', locale: language })
    await admitBrowser(visit.page, mails())
    await visit.page.goto(`${origin}/mail/`)
    expect(await overflow(visit.page)).toBeLessThanOrEqual(0)
    expect(await violations(visit.page)).toEqual([])
    const page = await followMail(visit.page, mails(), { to: email })
    expect(await overflow(visit.page)).toBeLessThanOrEqual(0)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    await page.locator('#password').fill(PASSWORD)
    await page.locator('#confirmation').fill(PASSWORD)
    await page.locator('button').click()
    await page.getByRole('status').waitFor()
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    expect(visit.complaints).toEqual([])
  },
)
