import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser, type TestPage } from '../browser.ts'
import { dealerScreens, memberScreens, openScreen, settle } from '../every-screen.ts'
import { announced, faultsOfRegions, focusedElement, lateRegions, watchRegions } from '../live-regions.ts'
import { casesToTry, isLongRun, longTest } from '../long-run.ts'
import { unknownError } from '../portal-screens.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken, openUserPage } from '../signed-in.ts'

const OWNER = 'owner@demo.example'
const ADMINISTRATOR = 'admin@demo.example'

/** The most used screens; the long run tests all. */
const USED_MOST = /^(\/app\/users|\/dealer\/resellers\/…\/accounts)$/

/** The state of support access is on the screen from the start, and its live region announces changes. */
const STATE = /^(?:p|div): (Allowed|Not allowed)/

const hasFocus = (one: Locator) => one.evaluate((element) => element === document.activeElement)
const popups = (page: Page) =>
  page.locator('[data-base-ui-portal]').locator('[role=dialog], [role=menu], [role=listbox]')

describe.skipIf(chromiumPath === undefined)('focus and announcements for screen readers in Chromium', () => {
  let product: RunningProduct
  let browser: TestBrowser
  beforeAll(async () => {
    product = await startProduct({ cameras: false })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
  })

  async function open(path: string, email = OWNER, width = 1280): Promise<TestPage> {
    const tab = await browser.newPage({ width, height: 900 })
    await watchRegions(tab.page)
    await openUserPage(tab.page, `${product.origin}${path}`, email)
    await settle(tab.page)
    return tab
  }

  const links = [
    { path: '/details', email: OWNER, link: 'Sign-ins', title: 'Sign-ins' },
    { path: '/app/', email: OWNER, link: 'Zones', title: 'Zones' },
    { path: '/dealer/distributors', email: ADMINISTRATOR, link: 'Jobs', title: 'Jobs' },
  ]
  test.each(casesToTry(links))(
    'a menu link at $path moves the focus to the new screen’s content and announces its title',
    async ({ path, email, link, title }) => {
      await using tab = await open(path, email)
      const { page } = tab
      expect(await announced(page)).not.toContain(title)
      await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: link }).press('Enter')
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await expect.poll(() => announced(page)).toContain(title)
      await expect.poll(() => hasFocus(page.getByRole('main'))).toBe(true)
      // In a narrow window the menu is a drawer, which first returns the focus to its button.
      await page.setViewportSize({ width: 360, height: 740 })
      await page.getByRole('button', { name: 'Open menu' }).press('Enter')
      await page.getByRole('dialog').getByRole('link').first().press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(() => hasFocus(page.getByRole('main'))).toBe(true)
      expect(tab.complaints).toEqual([])
    },
  )

  test('the first Tab on a screen reaches the “Skip to content” link', async () => {
    const screens = [
      { path: '/app/users', email: OWNER },
      { path: '/details', email: OWNER },
      { path: '/dealer/jobs', email: ADMINISTRATOR },
    ]
    for (const { path, email } of casesToTry(screens)) {
      await using tab = await open(path, email)
      const { page } = tab
      await page.keyboard.press('Tab')
      const skip = page.getByRole('link', { name: 'Skip to content' })
      expect(await hasFocus(skip), path).toBe(true)
      expect((await skip.boundingBox())?.height, path).toBeGreaterThan(20)
      await page.keyboard.press('Enter')
      await expect.poll(() => hasFocus(page.getByRole('main')), { message: path }).toBe(true)
    }
  })

  test('after a row is deleted, the focus moves to the same button of the next row, or to the content after the last row', async () => {
    const token = await fetchToken(product.origin, OWNER)
    for (const name of ['Alpha', 'Beta'])
      expect((await callApi(product.origin, token, 'POST apiKeys', { name })).status).toBe(201)
    await using tab = await open('/app/api-keys')
    const { page } = tab
    const remove = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).press('Enter')
      await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
      await page.getByRole('button', { name: 'Delete key' }).press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('main').getByText(name).first().waitFor({ state: 'detached' })
    }
    await remove('Alpha')
    await expect.poll(() => focusedElement(page)).toMatch(/Beta/)
    await remove('Beta')
    await expect.poll(() => focusedElement(page)).not.toBe('nothing')
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
  })

  test('a slow list announces that it is loading, and then its number of rows', async () => {
    await using tab = await open('/app/zones')
    const { page } = tab
    let release = () => undefined as unknown
    const held = new Promise((done) => {
      release = () => done(undefined)
    })
    await page.route(/\/users(\?|$)/, async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Users' }).press('Enter')
    await expect.poll(() => announced(page)).toContain('Loading')
    release()
    // The count's live region exists while the list loads.
    await page
      .getByRole('status')
      .getByText(/^Rows 1–\d+ of \d+$/)
      .waitFor()
    await page.getByRole('searchbox').fill('no such person')
    await page.getByRole('status').getByText('No results match your search and filters').waitFor()
    expect(await lateRegions(page)).toEqual([])
  })

  test('a saved change and a failed one are announced in live regions that already exist', async () => {
    await using tab = await open('/details')
    const { page } = tab
    await page.getByRole('button', { name: 'Edit: Personal details' }).press('Enter')
    await page.getByLabel('Company').fill('Corner Shop & Sons')
    const messages = page.getByRole('region', { name: 'Notifications' })
    await messages.evaluate((one) => {
      Object.assign(window, { regionsBefore: [...one.children] })
    })
    await page.getByRole('button', { name: 'Save changes' }).press('Enter')
    const polite = messages.locator('[aria-live=polite]')
    await polite.getByText(/successfully changed/).waitFor()
    expect(await focusedElement(page)).toMatch(/Edit: Personal details/)
    await page.route('**/rest/**', (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill(unknownError),
    )
    await page.getByRole('button', { name: 'Edit: Personal details' }).press('Enter')
    await page.getByLabel('Company').fill('Another')
    await page.getByRole('button', { name: 'Save changes' }).press('Enter')
    await messages
      .locator('[aria-live=assertive]')
      .getByText(/unknown error/)
      .waitFor()
    const isSame = await messages.evaluate((one) => {
      const { regionsBefore } = window as unknown as { regionsBefore: Element[] }
      return [...one.children].every((child, index) => child === regionsBefore[index])
    })
    expect(isSame).toBe(true)
  })

  /** Opens and closes all of a screen's popups with the keyboard. */
  async function faultsOfPopups(page: Page): Promise<string[]> {
    const faults: string[] = []
    const openers = page.locator('[aria-haspopup]:visible:enabled')
    const count = Math.min(await openers.count(), isLongRun ? 12 : 5)
    for (let index = 0; index < count; index += 1) {
      const opener = openers.nth(index)
      const name = await opener.evaluate((one) => one.getAttribute('aria-label') ?? one.textContent ?? '')
      await opener.press('Enter')
      await popups(page).first().waitFor()
      const isInside = () => page.evaluate(() => document.activeElement?.closest('[data-base-ui-portal]') !== null)
      await expect.poll(isInside, { message: `${name} takes the focus` }).toBe(true)
      await page.keyboard.press('Escape')
      await popups(page).first().waitFor({ state: 'detached' })
      await page.waitForTimeout(50)
      if (!(await hasFocus(opener))) faults.push(`${name} leaves the focus on ${await focusedElement(page)}`)
    }
    return faults
  }

  const groups = [
    { who: 'an account owner', screens: memberScreens },
    { who: 'an administrator', screens: dealerScreens },
  ]
  test.each(casesToTry(groups))(
    'on the screens of $who no live region appears together with its message, and popups return the focus',
    async ({ screens }) => {
      const all = (await screens(product)).filter(({ name }) => isLongRun || USED_MOST.test(name))
      await using tab = await browser.newPage({ width: 1280, height: 900 })
      const { page } = tab
      await watchRegions(page)
      const faults: Record<string, readonly string[]> = {}
      for (const screen of all) {
        await openScreen(page, product.origin, screen)
        const found = [
          ...(await lateRegions(page)).filter((region) => !STATE.test(region)),
          ...(await faultsOfRegions(page)),
          ...(await faultsOfPopups(page)),
        ]
        if (found.length > 0) faults[screen.name] = found
      }
      expect(faults).toEqual({})
    },
    300_000,
  )

  longTest('a control that disappears passes its focus to the one that replaces it', async () => {
    const reseller = (await dealerScreens(product)).find(({ name }) => name.endsWith('/brand'))
    await using tab = await open(reseller?.path ?? '', ADMINISTRATOR)
    const { page } = tab
    await page.getByRole('button', { name: /^Remove ?: Logo$/ }).press('Enter')
    await expect.poll(() => focusedElement(page)).toMatch(/(Upload|Replace): Logo$/)
  })
})
