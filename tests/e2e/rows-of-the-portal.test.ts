import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chromiumPath, quietNetwork, type TestPage } from '../browser.ts'
import { editDetails } from '../details-screen.ts'
import { casesToTry } from '../long-run.ts'
import { menuEntries, searchOption } from '../popups.ts'
import { DEMO_PASSWORD } from '../running-product.ts'
import { violations } from '../screens.ts'
import { callApi, fetchToken, fillSignIn, openUserPage, staffClient } from '../signed-in.ts'
import { addDemoUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

const skip = chromiumPath === undefined
let app: RunningWebApp
let dealer: string
let account: string
beforeAll(async () => {
  if (skip) return
  app = await startWebApp()
  dealer = await fetchToken(app.product.origin, 'dealer@demo.example', DEMO_PASSWORD, staffClient)
  const { accountId } = await app.ask<{ accountId: number }>('GET users/self')
  account = `resellers/255/accounts/${accountId}`
  await setFlags({ userSelfServiceManagement: true })
})
afterAll(() => app?.[Symbol.asyncDispose]())

const setFlags = (featureFlags: object) => callApi(app.product.origin, dealer, `PATCH ${account}`, { featureFlags })
const at = (path: string) => `${app.product.origin}${path}`
const open = async (path = '/details', email = 'owner@demo.example', width = 1280): Promise<TestPage> => {
  const tab = await app.newPage({ width })
  await openUserPage(tab.page, at(path), email)
  await tab.page.getByRole('main').waitFor()
  return tab
}
const firstName = (page: Page) => page.getByText('First name', { exact: true })
const banner = (page: Page) => page.getByRole('region', { name: 'Cookies' })

describe.skipIf(skip)('specification §2', () => {
  test.each([
    ['/', '/details'],
    ['/nowhere/at/all', '/details'],
    ['/settings', '/details'],
    ['/settings/nowhere', '/details'],
  ])('any other path redirects to /, which redirects to UserDetails: %s', async (path, shown) => {
    await using tab = await open(path)
    await tab.page.waitForURL(at(shown))
    await firstName(tab.page).waitFor()
  })

  test('scroll resets to top on navigation', async () => {
    await using tab = await open('/details', 'owner@demo.example', 360)
    const { page } = tab
    await firstName(page).waitFor()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click()
    await page.getByRole('heading', { level: 1, name: 'General terms' }).waitFor()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  })

  // Sign-ins and personal data are additions to the specification (product.md, account self-service).
  test.each([
    ['owner@demo.example', ['Details', 'Support', 'Subscriptions', 'Status notifications', 'Two-factor']],
    ['guard@demo.example', ['Details', 'Support', 'Two-factor']],
  ])('settings area, menu items of %s', async (email, items) => {
    await using tab = await open('/details', email)
    const menu = tab.page.getByRole('navigation', { name: 'Menu' }).getByRole('link')
    await firstName(tab.page).waitFor()
    await expect.poll(() => menu.allTextContents()).toEqual([...items, 'Sign-ins', 'Personal data'])
  })

  test('cookie banner: says that cookies are used, learn more, close', async () => {
    await using tab = await open()
    const { page } = tab
    await banner(page).getByText('We use cookies').waitFor()
    await banner(page).getByRole('link', { name: 'Learn more' }).click()
    await page.waitForURL(at('/cookies'))
    await banner(page).waitFor()
    await banner(page).getByRole('button', { name: 'Close' }).click()
    await banner(page).waitFor({ state: 'hidden' })
  })

  test('header: the Web App is in the app switcher and the account menu, but not for support', async () => {
    await using tab = await open()
    const entries = async (page: Page, menu: string) => {
      await page.getByRole('button', { name: menu }).click()
      const names = await menuEntries(page)
      await page.keyboard.press('Escape')
      return names
    }
    await firstName(tab.page).waitFor()
    expect(await entries(tab.page, 'Applications')).toContain('Web App')
    await expect.poll(() => entries(tab.page, 'Account menu')).toContain('Web App')
    await using support = await app.newPage()
    const { page } = support
    await lendToken(page, app.product.origin, await beginSupport(app, { video: 'hidden' }))
    await page.goto(at('/details'))
    await page.getByText("You're in Olivia Owner's account").waitFor()
    expect(await entries(page, 'Account menu')).toContain('Sign out')
    expect(await entries(page, 'Account menu')).not.toContain('Web App')
    // With only one app left there may be no switcher.
    if ((await page.getByRole('button', { name: 'Applications' }).count()) === 0) return
    expect(await entries(page, 'Applications')).not.toContain('Web App')
  })

  test('header: an application that cannot be launched says so, and the user stays where they are', async () => {
    await using tab = await open()
    const { page } = tab
    await firstName(page).waitFor()
    const launch = async (menu: string) => {
      await page.getByRole('button', { name: menu }).click()
      await page.getByRole('menu').getByText('Web App').click()
    }
    await page.route('**/app/', (route) => route.fulfill({ status: 502, body: '' }))
    for (const menu of ['Applications', 'Account menu']) {
      await launch(menu)
      const message = page.getByText('The app could not be launched. If the problem persists, contact support.')
      await message.waitFor()
      expect(page.url()).toBe(at('/details'))
      // Not that of the cookie notice, which is outside the application.
      await page.locator('#root').getByRole('button', { name: 'Close' }).click()
      await message.waitFor({ state: 'detached' })
    }
    await page.unroute('**/app/')
    await launch('Applications')
    await page.waitForURL(at('/app/'))
  })

  test.each(casesToTry(['/details', '/app/']))(
    'header: a demo user sees the notice on every page, at %s',
    async (path) => {
      const email = `demo${path.length}@demo.example`
      await addDemoUser(app, email)
      await using tab = await open(path, email)
      await tab.page.getByText("You're signed in as a demo user. View only.").waitFor()
    },
  )

  test('header: without the settings no third-party content is loaded or offered, even with earlier consent', async () => {
    await using tab = await app.newPage()
    const { page, context } = tab
    await context.addCookies([{ name: 'statistics', value: 'allowed', url: app.product.origin }])
    const origins = new Set<string>()
    page.on('request', (request) => origins.add(new URL(request.url()).origin))
    await openUserPage(page, at('/details'))
    await firstName(page).waitFor()
    await banner(page).waitFor()
    expect(await page.getByRole('button', { name: 'Allow statistics' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('menu').waitFor()
    expect(await page.getByRole('menuitem').or(page.getByRole('menuitemradio')).count()).toBe(8)
    await quietNetwork(page)
    expect([...origins].filter((origin) => origin.startsWith('http'))).toEqual([app.product.origin])
  })

  test('details: Save only when something changed and is valid; time zones with their offset', async () => {
    await using tab = await open()
    const { page } = tab
    const save = page.getByRole('button', { name: 'Save changes', exact: true })
    await editDetails(page)
    const field = page.getByLabel('First name')
    const name = await field.inputValue()
    for (const [typed, enabled] of [
      [name, false],
      ['Another', true],
      ['', false],
      [name, false],
    ] as const) {
      await field.fill(typed)
      expect(await save.isEnabled(), `"${typed}"`).toBe(enabled)
    }
    await searchOption(page.getByRole('combobox', { name: 'Time zone' }), 'Tokyo')
    const zone = page.getByRole('option', { name: /Tokyo/ }).first()
    expect(await zone.textContent()).toMatch(/UTC\+09:00/)
  })

  test('details with preventEditUserDetails: values only, with no way to edit them or to change email or password', async () => {
    await setFlags({ userSelfServiceManagement: true, preventEditUserDetails: true })
    // The tests that follow edit.
    onTestFinished(async () => {
      await setFlags({ userSelfServiceManagement: true, preventEditUserDetails: false })
    })
    await using tab = await app.newPage()
    const { page } = tab
    // A sign-in of its own: what is known of a shared one may be a second old.
    await openUserPage(page, at('/details'), 'owner@demo.example', { isSeparate: true })
    await firstName(page).waitFor()
    const main = page.getByRole('main')
    expect(await main.getByRole('definition').count()).toBeGreaterThanOrEqual(6)
    expect(await main.getByRole('textbox').or(main.getByRole('combobox')).count()).toBe(0)
    expect(await main.getByRole('button').allInnerTexts()).toEqual([])
  })
})

describe.skipIf(skip)('specification §4, authentication', () => {
  test('unauthorized leads to the authorize page, with scopes read and write and the app id', async () => {
    await using tab = await app.newPage()
    const asked = tab.page.waitForRequest((request) => new URL(request.url()).pathname === '/oauth/authorize')
    await tab.page.goto(at('/support'))
    const query = new URL((await asked).url()).searchParams
    expect([query.get('client_id'), query.get('scope'), query.get('appId')]).toEqual([
      'account.v2',
      expect.stringMatching(/read.*write/),
      'account.v2',
    ])
    await fillSignIn(tab.page, 'owner@demo.example')
    await tab.page.waitForURL(at('/support'))
    expect(tab.complaints).toEqual([])
  })

  test('the token is stored in a cookie for expires_in seconds, after which the user is logged out automatically', async () => {
    await using tab = await app.newPage()
    const { page, context } = tab
    await page.clock.install()
    await openUserPage(page, at('/details'))
    await firstName(page).waitFor()
    const token = (await context.cookies()).find(({ name }) => name === 'account.v2.token')
    const seconds = (token?.expires ?? 0) - Date.now() / 1000
    expect(seconds).toBeGreaterThan(60)
    expect(seconds).toBeLessThanOrEqual(24 * 3600)
    const signIn = page.waitForRequest((request) => new URL(request.url()).pathname === '/oauth/authorize')
    await page.clock.fastForward(seconds * 1000)
    await signIn
  })

  test('navigating away cancels pending requests', async () => {
    await using tab = await open()
    const { page } = tab
    await firstName(page).waitFor()
    await page.route('**/users/self/status', () => undefined)
    const given = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/users/self/status'))
    const asked = page.waitForRequest('**/users/self/status')
    await page.getByRole('link', { name: 'Support', exact: true }).click()
    await asked
    await page.getByRole('link', { name: 'Two-factor' }).click()
    expect((await given).failure()?.errorText).toBe('net::ERR_ABORTED')
    await page.getByRole('heading', { level: 1, name: 'Two-factor' }).waitFor()
    expect(tab.complaints).toEqual([])
  })

  test.each(casesToTry(['users/self', 'users/self/rights']))(
    'after login, %s loads before the screen appears',
    async (path) => {
      await using tab = await app.newPage()
      const { page } = tab
      const held = Promise.withResolvers<void>()
      await page.route(`**/rest/v2.4/${path}`, async (route) => {
        await held.promise
        await route.continue()
      })
      const asked = page.waitForRequest(`**/rest/v2.4/${path}`)
      await openUserPage(page, at('/details'))
      await asked
      await page.getByRole('main').waitFor()
      await page.waitForTimeout(300)
      expect(await firstName(page).count()).toBe(0)
      held.resolve()
      await firstName(page).waitFor()
    },
  )

  test('cookie banner: shown until closed, then remembered for one year', async () => {
    await using tab = await app.newPage()
    const { page, context } = tab
    await page.clock.install()
    await page.goto(at('/cookies'))
    await banner(page).waitFor()
    await page.clock.fastForward(24 * 3600 * 1000)
    expect(await banner(page).count()).toBe(1)
    await page.reload()
    await banner(page).getByRole('button', { name: 'Close' }).click()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Cookies' }).waitFor()
    expect(await banner(page).count()).toBe(0)
    const kept = (await context.cookies()).find(({ name }) => name === 'cookie-banner')
    expect(Math.round(((kept?.expires ?? 0) - Date.now() / 1000) / 3600 / 24)).toBeLessThanOrEqual(366)
    expect(Math.round(((kept?.expires ?? 0) - Date.now() / 1000) / 3600 / 24)).toBeGreaterThanOrEqual(364)
  })
})

const VALID = 'is valid'

/** Field, a description of the input, the expected message, and the input. */
const rows: readonly (readonly [field: string, what: string, message: string, typed: string])[] = [
  ['First name', 'empty', 'First name is required', ''],
  ['First name', '1 character', 'Please enter a valid name', 'A'],
  ['First name', '3 characters', VALID, 'Ann'],
  ['First name', '32 characters', VALID, 'A'.repeat(32)],
  ['First name', '33 characters', 'Please enter a valid name', 'A'.repeat(33)],
  ['First name', 'all allowed characters', VALID, 'A_b-c d.&+:,;/9'],
  ['First name', 'with another character', 'Please enter a valid name', 'Ann <b>'],
  ['Last name', 'empty', 'Last name is required', ''],
  ['Last name', '1 character', 'Please enter a valid name', 'O'],
  ['Phone number', 'empty', VALID, ''],
  ['Phone number', '1 character', 'Telephone should be 2-64 characters', '1'],
  ['Phone number', '65 characters', 'Telephone should be 2-64 characters', '1'.repeat(65)],
  ['Phone number', 'with an invalid pattern', 'This is not a valid phone number', 'call me'],
  ['Phone number', 'with spaces and punctuation', VALID, '+31 (0)20 123-45-67'],
  ['Company', 'empty', VALID, ''],
  ['Company', '1 character', 'Please enter a valid Company name', 'X'],
  ['Company', '255 characters', VALID, 'X'.repeat(255)],
  ['Company', '256 characters', 'Please enter a valid Company name', 'X'.repeat(256)],
  ['Company', 'with another character', 'Please enter a valid Company name', 'Corner * Shop'],
  ['New email address', 'empty', 'Please enter your email address', ''],
  ['New email address', '6 characters', 'Please enter a valid email address', 'a@b.nl'],
  ['New email address', 'with an invalid format', 'Please enter a valid email address', 'nobody.example'],
  [
    'New email address',
    '129 characters',
    'Please enter a valid email address',
    `${'a'.repeat(63)}@${'b'.repeat(62)}.nl`,
  ],
  ['New email address', '15 characters', VALID, 'someone@demo.nl'],
  ['Current password', 'empty', 'Please enter your current password', ''],
  ['New password', '7 characters', 'Password should be 8-32 characters', 'Short.1'],
  ['New password', '33 characters', 'Password should be 8-32 characters', 'L'.repeat(33)],
  ['New password', 'with another character', 'Password contains invalid characters', 'with a space'],
  ['New password', 'all allowed characters', VALID, 'Aa1-.,!?@$&*^=%:/\\~+#"'],
  ['Confirm new password', 'different', 'Password does not match', 'something-else'],
  ['Confirm new password', 'the same', VALID, 'Aa1-.,!?@$&*^=%:/\\~+#"'],
]

test.skipIf(skip)('a sub-user who is blocked from the Web App can still use My Account', async () => {
  expect((await callApi(app.product.origin, dealer, `PATCH ${account}`, { subUsersBarred: true })).status).toBe(200)
  await using tab = await app.open('/', 'guard@demo.example')
  const { page } = tab
  await page.getByRole('heading', { name: 'Contact the account owner' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Go to My Account' }).click()
  await page.getByText('First name', { exact: true }).waitFor()
  expect(await page.getByLabel('Time zone').count()).toBe(0)
  expect((await callApi(app.product.origin, dealer, `PATCH ${account}`, { subUsersBarred: false })).status).toBe(200)
})

/** The button that opens the fields with the first of these names. */
const sections: readonly (readonly [button: string, fields: readonly string[]])[] = [
  ['Edit: Personal details', ['First name', 'Last name', 'Phone number', 'Company']],
  ['Change email address', ['New email address']],
  ['Change password', ['Current password', 'New password', 'Confirm new password']],
]

/** Opens the field's section; only one section is open at a time. */
async function openSection(page: Page, label: string): Promise<void> {
  if ((await page.getByLabel(new RegExp(`^${label}`)).count()) > 0) return
  const cancel = page.getByRole('button', { name: 'Cancel' })
  if ((await cancel.count()) > 0) await cancel.click()
  const [button = ''] = sections.find(([, fields]) => fields.includes(label)) ?? []
  await page.getByRole('button', { name: button }).click()
}

describe.skipIf(skip)('specification §5', () => {
  let tab: TestPage
  beforeAll(async () => {
    tab = await open()
  })
  afterAll(() => tab?.[Symbol.asyncDispose]())

  test.each(rows)('%s, %s: %s', async (label, _, message, typed) => {
    // Some labels end in `optional`.
    const field = tab.page.getByLabel(new RegExp(`^${label}`)).first()
    await openSection(tab.page, label)
    await field.waitFor()
    // Untouched fields show no errors.
    await field.fill('x')
    await field.fill(typed)
    await field.blur()
    const said = () =>
      field.evaluate((input: HTMLInputElement) =>
        input.getAttribute('aria-invalid') === 'true'
          ? (input.getAttribute('aria-describedby') ?? '')
              .split(' ')
              .map((id) => document.getElementById(id)?.textContent ?? '')
              .join(' ')
          : 'is valid',
      )
    await expect.poll(said).toContain(message)
  })
})
