import type { Insights } from '@sightline/contract/insights'
import type { Account } from '@sightline/contract/reseller-accounts'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { inLongRun, longTest } from '../long-run.ts'
import { chooseOption } from '../popups.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { withoutFocusGuards } from '../screens.ts'
import { callApi, fetchToken, openSignedIn, openUserPage, staffClient } from '../signed-in.ts'

const OWN_ACCOUNTS = ['Corner Shop', 'Second Account']
const HOUR_MS = 3_600_000

/** The names in the table's rows. */
async function rowNames(page: Page, table: string): Promise<string[]> {
  const rows = page.getByRole('table', { name: table }).getByRole('row')
  await rows.nth(1).waitFor()
  const links = await page.getByRole('table', { name: table }).getByRole('link').allTextContents()
  return links.map((text) => text.trim()).filter((text) => text !== '')
}

const menuOf = async (page: Page) => {
  const menu = page.getByRole('navigation', { name: 'Menu' }).first()
  await menu.getByRole('link').first().waitFor()
  return (await menu.getByRole('link').allTextContents()).map((text) => text.trim())
}

/** The violations that axe finds. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found: { id: string }[] = await page.evaluate(
    `axe.run(${JSON.stringify(withoutFocusGuards)}).then((result) => result.violations)`,
  )
  return found.map(({ id }) => id)
}

describe.skipIf(chromiumPath === undefined)('the Dealer Dashboard in Chromium', () => {
  let product: RunningProduct
  let browser: TestBrowser
  let dealer: string
  let owner: string
  let shop: Account

  beforeAll(async () => {
    product = await startProduct({ cameras: false })
    browser = await openBrowser()
    dealer = await fetchToken(product.origin, 'dealer@demo.example', undefined, staffClient)
    owner = await fetchToken(product.origin, 'owner@demo.example')
    const accounts = await callApi<Account[]>(product.origin, dealer, 'GET resellers/self/accounts')
    const found = accounts.body.find(({ name }) => name === 'Corner Shop')
    if (found === undefined) throw new Error(`no Corner Shop among ${JSON.stringify(accounts.body)}`)
    shop = found
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
  })

  const dashboard = () => `${product.origin}/dealer/`
  const shopPage = () => `${dashboard()}resellers/${shop.resellerId}/accounts/${shop.accountId}`
  const grant = (body: { allowsHelpdeskExpirationDate: string | null; allowsHelpdeskShowVideo?: boolean }) =>
    callApi(product.origin, owner, 'PATCH users/self/status', body)
  const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString()

  test('a dealer sees the accounts of their own reseller and finds one by its owner’s email address', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, dashboard(), 'dealer@demo.example')
    expect(await rowNames(page, 'Accounts')).toEqual(OWN_ACCOUNTS)
    const menu = 'Accounts, Insights, Reports, Packages, Firmware, Brand, Staff, API keys, Audit log'
    expect((await menuOf(page)).join(', ')).toBe(menu)
    await page.getByRole('searchbox').fill('OTHER@demo')
    await page.getByRole('link', { name: 'Corner Shop' }).waitFor({ state: 'detached' })
    expect(await rowNames(page, 'Accounts')).toEqual(['Second Account'])
    expect(tab.complaints).toEqual([])
  })

  test('a dealer finds an account by its number; the address restores the list, the back button too', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, dashboard(), 'dealer@demo.example')
    expect(await rowNames(page, 'Accounts')).toEqual(OWN_ACCOUNTS)
    const search = page.getByRole('searchbox', { name: 'Search accounts' })
    await search.fill(String(shop.accountId))
    await page.getByRole('link', { name: 'Second Account' }).waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('q')).toContain(String(shop.accountId))
    await page.getByRole('link', { name: 'Corner Shop' }).click()
    await page.getByRole('heading', { level: 1, name: 'Corner Shop' }).waitFor()
    await page.goBack()
    expect(await rowNames(page, 'Accounts')).toEqual(['Corner Shop'])
    expect(await search.inputValue()).toBe(String(shop.accountId))
    await page.goto(`${dashboard()}resellers/${shop.resellerId}/accounts?q=o&status=suspended&sort=-createdAt`)
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    expect(new Set(await rowNames(page, 'Accounts'))).toEqual(new Set(OWN_ACCOUNTS))
    expect(new URL(page.url()).search).toBe('?sort=-createdAt')
    expect(tab.complaints).toEqual([])
  })

  test('above the accounts stand figures of the API; on a phone each account takes two lines', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, dashboard(), 'dealer@demo.example')
    const { body } = await callApi<Insights>(product.origin, dealer, 'GET resellers/self/insights?period=day')
    const tile = page.locator('dl > div').filter({ hasText: 'Including owners' })
    expect(await tile.getByRole('definition').textContent()).toContain(String(body.users))
    await page.setViewportSize({ width: 360, height: 720 })
    const row = page.getByRole('row', { name: /Corner Shop/ })
    await row.getByText(String(shop.accountId)).waitFor()
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(72)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('support sees accounts but no administration', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, dashboard(), 'support@demo.example')
    expect(await rowNames(page, 'Accounts')).toEqual(OWN_ACCOUNTS)
    expect(await menuOf(page)).toEqual(['Accounts'])
    expect(await page.getByRole('button', { name: 'Add account' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Corner Shop' }).click()
    await page.getByRole('heading', { level: 1, name: 'Corner Shop' }).waitFor()
    for (const name of ['Suspend', 'Save changes', 'Change subscription', 'Delete account']) {
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    }
    await page.goto(`${dashboard()}resellers/${shop.resellerId}/staff`)
    await page.getByText("You don't have access to this page").waitFor()
    expect(tab.complaints).toEqual([])
  })

  test('a distributor first chooses a reseller, an administrator first a distributor', async () => {
    for (const email of ['distributor@demo.example', 'admin@demo.example']) {
      await using tab = await browser.newPage()
      const { page } = tab
      await openUserPage(page, dashboard(), email)
      if (email.startsWith('admin')) {
        expect(await menuOf(page)).toEqual(['Distributors', 'Administrators', 'Jobs'])
        await page.getByRole('table', { name: 'Distributors' }).getByRole('link').first().click()
      }
      const resellers = await rowNames(page, 'Resellers')
      expect(resellers.length).toBeGreaterThanOrEqual(2)
      const seen: string[] = []
      for (const reseller of resellers) {
        await page.getByRole('link', { name: reseller, exact: true }).click()
        await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
        seen.push(...(await rowNames(page, 'Accounts')))
        await page.getByRole('link', { name: 'All resellers' }).click()
        await page.getByRole('heading', { level: 1, name: 'Resellers' }).waitFor()
      }
      expect(seen).toEqual(expect.arrayContaining(OWN_ACCOUNTS))
      expect(seen.length).toBeGreaterThan(OWN_ACCOUNTS.length)
      expect(tab.complaints).toEqual([])
    }
  })

  test('a dealer cannot open the accounts of another reseller by URL', async () => {
    const distributor = await fetchToken(product.origin, 'distributor@demo.example', undefined, staffClient)
    const resellers = await callApi<{ resellerId: number }[]>(
      product.origin,
      distributor,
      'GET distributors/self/resellers',
    )
    const foreign = resellers.body.find(({ resellerId }) => resellerId !== shop.resellerId)
    await using tab = await browser.newPage()
    await openUserPage(tab.page, `${dashboard()}resellers/${foreign?.resellerId}/accounts`, 'dealer@demo.example')
    await tab.page.getByRole('heading', { name: "Reseller not found, or you don't have access to it" }).waitFor()
    await tab.page.getByRole('link', { name: 'Go to home page' }).click()
    await tab.page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  })

  test('without the owner’s grant the page offers no support session and says what is missing; the server refuses too', async () => {
    await grant({ allowsHelpdeskExpirationDate: null })
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, shopPage(), 'support@demo.example')
    await page.getByText(/The owner allows support access.*not met/).waitFor()
    expect(await page.getByRole('button', { name: 'Start support session' }).count()).toBe(0)
    // Without a grant there is no video to hide or show.
    expect(await page.getByText(/^Video is/).count()).toBe(0)
    const path = `resellers/${shop.resellerId}/accounts/${shop.accountId}/users/${shop.accountId}/tokens`
    const refused = await callApi<{ code: number; detail: string }>(product.origin, dealer, `POST ${path}`, {})
    expect(refused).toMatchObject({ status: 403, body: { code: 9, detail: expect.stringContaining('owner') } })
  })

  test('once the owner grants it, support enters the Web App, without live video while video is hidden', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, shopPage(), 'support@demo.example')
    await page.getByText(/The owner allows support access.*not met/).waitFor()
    await grant({ allowsHelpdeskExpirationDate: inAnHour(), allowsHelpdeskShowVideo: false })
    // The page refreshes automatically.
    await page.getByText(/^Video is hidden/).waitFor({ timeout: 15_000 })
    await page.getByRole('button', { name: 'Start support session' }).click()
    await page.waitForURL(`${product.origin}/app/`)
    await page.getByRole('heading', { level: 1, name: 'Cameras' }).waitFor()
    const [cookie] = (await tab.context.cookies(`${product.origin}/app/`)).filter(
      ({ name }) => name === 'camera-app.v1.token',
    )
    const token = decodeURIComponent(cookie?.value ?? '').split('~')[0] ?? ''
    const cameras = await callApi<{ cameraId: number }[]>(product.origin, token, 'GET cameras')
    expect(cameras.body).toHaveLength(4)
    const live = await callApi(product.origin, token, `GET cameras/${cameras.body[0]?.cameraId}/streams`)
    expect(live).toMatchObject({ status: 403, body: { code: 9 } })
    await grant({ allowsHelpdeskExpirationDate: null })
  })

  test('a dealer suspends an account after reading what that means, and activates it again', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, shopPage(), 'dealer@demo.example')
    await page.getByRole('button', { name: 'Suspend' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suspend Corner Shop?' })
    await dialog.getByText("Users can't sign in").waitFor()
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('Account status updated').waitFor()
    // Every sign-in of the account has ended once the server's one-second cache has expired.
    await expect.poll(async () => (await callApi(product.origin, owner, 'GET cameras')).status).toBe(401)
    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Activate', exact: true }).click()
    await page.getByRole('button', { name: 'Suspend' }).waitFor()
    owner = await fetchToken(product.origin, 'owner@demo.example')
    expect((await callApi(product.origin, owner, 'GET cameras')).status).toBe(200)
    expect(tab.complaints).toEqual([])
  })

  test('a dealer adds an account, and a taken email address is reported under its field', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, dashboard(), 'dealer@demo.example')
    await page.getByRole('button', { name: 'Add account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add account' })
    await dialog.getByLabel('First name').fill('Nora')
    await dialog.getByLabel('Last name').fill('Newcomer')
    await chooseOption(dialog.getByLabel('Subscription'), { index: 1 })
    await dialog.getByLabel('Email address').fill('owner@demo.example')
    await dialog.getByRole('button', { name: 'Add account' }).click()
    await dialog.getByText('An account with this email address already exists.').waitFor()
    await dialog.getByLabel('Email address').fill('nora@demo.example')
    await dialog.getByRole('button', { name: 'Add account' }).click()
    await page.getByRole('heading', { level: 1, name: 'Nora Newcomer' }).waitFor()
    await page.getByRole('button', { name: 'Delete account' }).click()
    const asked = page.getByRole('dialog', { name: 'Delete Nora Newcomer?' })
    await asked.getByText('permanently deletes').waitFor()
    await asked.getByRole('button', { name: 'Delete account' }).click()
    await page.getByText('Account Nora Newcomer deleted').waitFor()
    expect(await rowNames(page, 'Accounts')).toEqual(OWN_ACCOUNTS)
  })

  longTest('a user’s new email address is pending until the user confirms it', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, shopPage(), 'dealer@demo.example')
    const edit = async () => {
      await page.getByRole('button', { name: 'Actions for Gabriel Guard' }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      return page.getByRole('dialog', { name: 'Edit user' })
    }
    const dialog = await edit()
    await dialog.getByLabel('Email address').fill('gabriel@demo.example')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Confirmation email sent to the user').waitFor()
    const again = await edit()
    await again.getByText('gabriel@demo.example is pending until the user confirms it').waitFor()
    expect(await again.getByLabel('Email address').inputValue()).toBe('guard@demo.example')
    expect(tab.complaints).toEqual([])
  })

  test('a dealer adds staff with a permission and an account, and cannot change their own permissions', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, `${dashboard()}resellers/${shop.resellerId}/staff`, 'dealer@demo.example')
    await page.getByRole('link', { name: 'Daan Dealer' }).click()
    await page.getByText("You can't change your own permissions. Ask someone else who manages staff.").waitFor()
    await page.getByRole('link', { name: 'All staff' }).click()
    await page.getByRole('button', { name: 'Add staff' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add staff' })
    await dialog.getByLabel('First name').fill('Hugo')
    await dialog.getByLabel('Last name').fill('Helper')
    await dialog.getByLabel('Email address').fill('hugo@demo.example')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('heading', { level: 1, name: 'Hugo Helper' }).waitFor()
    await page.getByRole('switch', { name: 'View accounts' }).click()
    await page.getByRole('switch', { name: 'All accounts' }).click()
    await page.getByRole('checkbox', { name: /Corner Shop/ }).check()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Account access updated').waitFor()
    const staff = await callApi<Record<string, unknown>[]>(product.origin, dealer, 'GET resellers/self/users')
    expect(staff.body.find(({ email }) => email === 'hugo@demo.example')).toMatchObject({
      allAccounts: false,
      accountIds: [shop.accountId],
      permissions: { viewAccounts: true, editAccount: false },
    })
    expect(tab.complaints).toEqual([])
  })

  test('a distributor switches a module off, and the account page says that it is missing', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, `${dashboard()}resellers/${shop.resellerId}/settings`, 'distributor@demo.example')
    const module = page.getByRole('switch', { name: 'Support sessions' })
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await module.click()
    await saved
    await page.getByRole('switch', { name: 'Support sessions', checked: false }).waitFor()
    await page.goto(shopPage())
    await page.getByText(/The reseller has the Support sessions module.*not met/).waitFor()
    await page.goto(`${dashboard()}resellers/${shop.resellerId}/settings`)
    await module.click()
    await page.getByRole('switch', { name: 'Support sessions', checked: true }).waitFor()
    expect(tab.complaints).toEqual([])
  })

  test('a distributor shortens a brand’s session length: the limits are shown and the change is saved', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    const brand = `${dashboard()}resellers/${shop.resellerId}/brand`
    await openUserPage(page, brand, 'distributor@demo.example')
    const minutes = page.getByLabel('Browsers (minutes)')
    const days = page.getByLabel('Connected apps (days)')
    const card = page.getByRole('region', { name: 'Session length' }).or(page.locator('form').filter({ has: minutes }))
    await minutes.fill('4')
    await minutes.blur()
    await page.getByText('Enter a whole number from 5 to 720, or leave this empty').waitFor()
    await minutes.fill('60')
    await days.fill('30')
    await card.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Session length saved').waitFor()
    const lifetimes = async () => {
      const { body } = await callApi<{ tokenLifetimes?: object }>(product.origin, dealer, 'GET resellers/self/theme')
      return body.tokenLifetimes
    }
    expect(await lifetimes()).toEqual({ accessMinutes: 60, refreshDays: 30 })
    await page.reload()
    await expect.poll(() => minutes.inputValue()).toBe('60')
    expect(await days.inputValue()).toBe('30')
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect({ width, overflow }).toEqual({ width, overflow: 0 })
    }
    expect(await accessibilityFaults(page)).toEqual([])
    await minutes.fill('')
    await days.fill('')
    await card.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(lifetimes).toBeUndefined()
    expect(tab.complaints).toEqual([])
  })

  test('a user of an account cannot sign in', async () => {
    await using tab = await browser.newPage()
    await openSignedIn(tab.page, dashboard(), 'owner@demo.example')
    await tab.page.getByText('Incorrect email address or password').waitFor()
  })

  const places = () => [
    `resellers/${shop.resellerId}/accounts`,
    `resellers/${shop.resellerId}/accounts/${shop.accountId}`,
    `resellers/${shop.resellerId}/staff`,
    `resellers/${shop.resellerId}/audit-log`,
  ]
  test.each(
    inLongRun([
      { width: 360, dark: true, rtl: false },
      { width: 768, dark: false, rtl: true },
      { width: 1280, dark: true, rtl: false },
      { width: 1280, dark: false, rtl: false },
    ]),
  )('%j: nothing overflows and axe finds nothing', async ({ width, dark, rtl }) => {
    await using tab = await browser.newPage({ width, dark })
    const { page } = tab
    await openUserPage(page, dashboard(), 'dealer@demo.example')
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const place of places()) {
      await page.goto(`${dashboard()}${place}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('table').first().waitFor()
      await page.waitForLoadState('networkidle')
      if (rtl) await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect({ place, overflow }).toEqual({ place, overflow: 0 })
      expect({ place, faults: await accessibilityFaults(page) }).toEqual({ place, faults: [] })
    }
    expect(tab.complaints).toEqual([])
  })
})
