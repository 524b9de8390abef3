import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, type TestPage } from '../browser.ts'
import { casesToTry } from '../long-run.ts'
import { violations } from '../screens.ts'
import { fetchToken, openSignedIn } from '../signed-in.ts'
import { lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

/** Account base data, rights, and the account's feature flags. */
const basis = ['users/self', 'users/self/rights', 'users/self/featureFlags'] as const
type Basis = (typeof basis)[number]

/** Requests allowed meanwhile: the rest of the account's data, and what the frame around each screen needs. */
const around = [
  ...basis,
  'users/self/details',
  'accounts/self/timeZone',
  'users/self/supportSession',
  'users/self/deletion',
]

/** Each screen with its code chunk and a call that only it makes. */
const screens = [
  { path: 'details', title: 'Details', code: 'UserDetailsScreen', call: undefined },
  { path: 'support', title: 'Support', code: 'SupportAccessScreen', call: 'users/self/status' },
  {
    path: 'subscriptions',
    title: 'Subscriptions',
    code: 'SubscriptionsScreen',
    call: 'accounts/self/subscriptions/current',
  },
  {
    path: 'statusnotification',
    title: 'Status notifications',
    code: 'NotificationSettingsScreen',
    call: 'users/self/notificationSettings',
  },
  { path: 'tfa', title: 'Two-factor', code: 'MfaScreen', call: 'users/self/mfa' },
  { path: 'sessions', title: 'Sign-ins', code: 'SessionsScreen', call: 'users/self/sessions' },
  { path: 'personaldata', title: 'Personal data', code: 'PersonalDataScreen', call: undefined },
] as const

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const place = (page: Page) => page.getByRole('main').getByRole('status').filter({ hasText: 'Loading' })

/** Holds the replies to a page's base data until each is released. */
async function holdBasis(page: Page) {
  const held = new Map<string, PromiseWithResolvers<void>>()
  const asked: string[] = []
  page.on('request', (request) => {
    const [, call] = request.url().split('/rest/v2.4/')
    if (call !== undefined) asked.push(call)
  })
  for (const call of basis) {
    const gate = Promise.withResolvers<void>()
    held.set(call, gate)
    await page.route(`**/rest/v2.4/${call}`, async (route) => {
      await gate.promise
      // The page may have closed by then.
      await route.continue().catch(() => undefined)
    })
  }
  return {
    asked: asked as readonly string[],
    letGo: (...calls: readonly Basis[]) => {
      for (const call of calls) held.get(call)?.resolve()
    },
  }
}

describe.skipIf(chromiumPath === undefined)(
  'specification §4: account base data and rights load before a screen',
  () => {
    let app: RunningWebApp
    let owner: string
    beforeAll(async () => {
      app = await startWebApp()
      owner = await fetchToken(app.product.origin, 'owner@demo.example')
    })
    afterAll(() => app?.[Symbol.asyncDispose]())

    const open = async (token = owner, width = 1280): Promise<TestPage> => {
      const tab = await app.newPage({ width })
      await lendToken(tab.page, app.product.origin, token)
      // The dealer sets the flag that lets an account manage its subscription.
      await tab.page.route('**/users/self/featureFlags', async (route) => {
        const reply = await route.fetch()
        await route.fulfill({ response: reply, json: { ...(await reply.json()), userSelfServiceManagement: true } })
      })
      return tab
    }
    const at = (path: string) => `${app.product.origin}${path}`

    const areas = ['/', '/settings/']
    const addresses = areas.flatMap((area) =>
      casesToTry(screens).map((screen) => ({ ...screen, address: `${area}${screen.path}` })),
    )
    test.each(addresses)(
      '$address shows one skeleton and makes no calls of its own until all base data has loaded',
      async (screen) => {
        await using tab = await open()
        const { page } = tab
        const { asked, letGo } = await holdBasis(page)
        const code = page.waitForEvent('requestfinished', (request) => request.url().includes(`/${screen.code}-`))
        await page.goto(at(screen.address))
        // The screen's code loads meanwhile, and the base data calls do not wait for each other.
        await code
        await expect.poll(() => basis.every((call) => asked.includes(call))).toBe(true)
        for (const call of basis.toReversed()) {
          await place(page).waitFor()
          await page.waitForTimeout(200)
          expect(await place(page).count()).toBe(1)
          // The first paint has the title already.
          const headings = await page.getByRole('main').getByRole('heading').allTextContents()
          expect([['Loading'], [screen.title]]).toContainEqual(headings)
          expect(asked.filter((one) => !around.includes(one))).toEqual([])
          letGo(call)
        }
        await heading(page, screen.title).waitFor()
        if (screen.call !== undefined) await expect.poll(() => asked).toContain(screen.call)
        expect(asked.filter((call) => call === 'users/self')).toHaveLength(1)
        expect(tab.complaints).toEqual([])
      },
    )

    test.each(basis)('after signing in, a screen that needs no right still waits for %s', async (missing) => {
      await using tab = await app.newPage({ width: 360 })
      const { page } = tab
      const { asked, letGo } = await holdBasis(page)
      letGo(...basis.filter((call) => call !== missing))
      await openSignedIn(page, at('/tfa'))
      await place(page).waitFor()
      await page.waitForTimeout(500)
      expect(await heading(page, 'Two-factor').count()).toBe(0)
      expect(asked).not.toContain('users/self/mfa')
      letGo(missing)
      await heading(page, 'Two-factor').waitFor()
    })

    test('a failed load shows an error inside the frame, and Try again loads the screen', async () => {
      await using tab = await open()
      const { page } = tab
      const unknown = { status: 500, json: { code: 1, title: 'Internal error', requestId: 'b2d1c8a4f0' } }
      await page.route('**/users/self/rights', (route) => route.fulfill(unknown))
      for (const path of ['/support', '/settings/support']) {
        await page.goto(at(path))
        await heading(page, "Couldn't load this page").waitFor()
        expect(await violations(page)).toEqual([])
      }
      await page.unroute('**/users/self/rights')
      await page.getByRole('button', { name: 'Try again' }).click()
      await heading(page, 'Support').waitFor()
    })

    const closed = [
      ['/statusnotification', '/details'],
      ['/settings/statusnotification', '/settings/details'],
      ['/subscriptions', '/details'],
    ] as const
    test.each(casesToTry(closed))(
      '%s is closed to a guard: the redirect draws and requests nothing of it before %s',
      async (path, shown) => {
        await using tab = await open(await fetchToken(app.product.origin, 'guard@demo.example'))
        const { page } = tab
        const { asked, letGo } = await holdBasis(page)
        await page.goto(at(path))
        await place(page).waitFor()
        letGo(...basis)
        await page.waitForURL(at(shown))
        await heading(page, 'Details').waitFor()
        expect(asked.filter((call) => /subscriptions|otification/.test(call))).toEqual([])
        await page.goBack()
        expect(page.url()).toBe('about:blank')
      },
    )

    test('a screen whose code failed to load opens after Try again', async () => {
      await using tab = await open()
      const { page } = tab
      await page.route('**/assets/SupportAccessScreen-*.js', (route) => route.abort())
      await page.goto(at('/support'))
      await heading(page, "Couldn't load this page").waitFor()
      await page.unroute('**/assets/SupportAccessScreen-*.js')
      await page.getByRole('button', { name: 'Try again' }).click()
      await heading(page, 'Support').waitFor()
    })

    test('a screen closes to a user whose right was revoked after the page loaded', async () => {
      await using tab = await open()
      const { page } = tab
      await page.goto(at('/statusnotification'))
      await heading(page, 'Status notifications').waitFor()
      await page.route('**/users/self/rights', async (route) => {
        const reply = await route.fetch()
        await route.fulfill({ response: reply, json: { ...(await reply.json()), editCamera: false } })
      })
      await page.waitForTimeout(5100)
      await page.getByRole('link', { name: 'Support', exact: true }).click()
      await expect.poll(() => page.getByRole('link', { name: 'Status notifications' }).count()).toBe(0)
      await page.goBack()
      await page.waitForURL(at('/details'))
    })

    const openPages = [
      ['/terms', 'General terms'],
      ['/cookies', 'Cookies'],
      ['/subscriptionagreement', 'Services subscription agreement'],
      ['/aditerms', 'Third-party terms and privacy'],
    ] as const
    test.each(casesToTry(openPages))('%s opens without base data, signed in or not', async (path, title) => {
      for (const token of [owner, undefined]) {
        await using tab = await app.newPage()
        const { page } = tab
        if (token !== undefined) await lendToken(page, app.product.origin, token)
        await holdBasis(page)
        await page.goto(at(path))
        await heading(page, title).waitFor()
      }
    })

    test('a brand’s agreement comes after the skeleton and before the screen', async () => {
      await using tab = await app.newPage({ width: 768 })
      const { page } = tab
      const { asked, letGo } = await holdBasis(page)
      await openSignedIn(page, `http://beacon-hill.localhost:${app.product.port}/support`, 'hotel@demo.example')
      await place(page).waitFor()
      letGo(...basis)
      await page.getByRole('dialog', { name: 'Before you continue' }).waitFor()
      expect(asked).not.toContain('users/self/status')
    })
  },
)
