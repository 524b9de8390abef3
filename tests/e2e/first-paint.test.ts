import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, type PageOptions } from '../browser.ts'
import { longTest } from '../long-run.ts'
import { overflow, violations } from '../screens.ts'
import { openUserPage } from '../signed-in.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

describe.skipIf(chromiumPath === undefined)('what a page shows before its application has loaded', () => {
  let app: RunningWebApp
  beforeAll(async () => {
    app = await startWebApp()
  }, 120_000)
  afterAll(() => app[Symbol.asyncDispose]())

  const open = async (options: PageOptions = {}, email = 'owner@demo.example') => {
    const tab = await app.newPage(options)
    await openUserPage(tab.page, `${app.product.origin}/details`, email)
    await tab.page.getByText('First name', { exact: true }).waitFor()
    return tab
  }
  /** Reloads the page with all scripts held back. */
  const firstPaint = async (page: Page) => {
    const gate = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await gate.promise
      await route.continue().catch(() => undefined)
    })
    await page.reload({ waitUntil: 'commit' })
    await page.getByRole('main').getByRole('status').waitFor()
    return { letGo: gate.resolve }
  }

  test.each([
    ['telephone', { width: 360, height: 740 }],
    ['desktop, dark', { width: 1280, height: 800, dark: true }],
  ])('is the brand, a skeleton and the cookie banner, and axe finds nothing (%s)', async (_, options) => {
    await using tab = await open(options)
    const { page } = tab
    const { letGo } = await firstPaint(page)
    expect(await page.title()).toBe('Sightline')
    expect(await page.getByRole('status').textContent()).toBe('Loading')
    await page.getByText('We use cookies to keep you signed in.').waitFor()
    expect(await page.locator('header img').first().getAttribute('alt')).toBe('Sightline')
    expect(await overflow(page)).toBe(0)
    expect(await violations(page)).toEqual([])
    // No control works yet, so none takes the focus.
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    letGo()
    await page.getByText('First name', { exact: true }).waitFor()
    expect(tab.complaints).toEqual([])
  })

  test.each([
    ['telephone', { width: 412, height: 823 }],
    ['desktop', { width: 1280, height: 800 }],
  ])('stays where it is when the application takes over (%s)', async (_, options) => {
    await using tab = await open(options)
    const { page } = tab
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const { letGo } = await firstPaint(page)
    const logo = await page.locator('header img').first().boundingBox()
    const notice = await page.getByText('We use cookies to keep you signed in.').boundingBox()
    letGo()
    await page.getByText('First name', { exact: true }).waitFor()
    expect(await page.locator('header img').first().boundingBox()).toEqual(logo)
    expect(await page.getByText('We use cookies to keep you signed in.').boundingBox()).toEqual(notice)
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.02)
  })

  test('keeps the chosen language and color scheme, and a closed cookie banner stays closed', async () => {
    // From here on the server stores this user's language, so no other test uses them.
    await using tab = await open({}, 'guard@demo.example')
    const { page } = tab
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('menuitemradio', { name: 'Nederlands' }).click()
    await page.getByText('Voornaam', { exact: true }).waitFor()
    const { letGo } = await firstPaint(page)
    expect(await page.getByRole('status').textContent()).toBe('Laden')
    expect(await page.locator('html').getAttribute('lang')).toBe('nl')
    expect(await page.locator('html').getAttribute('data-scheme')).toBe('dark')
    expect(await page.getByText('cookies').count()).toBe(0)
    letGo()
    await page.getByText('Voornaam', { exact: true }).waitFor()
  })

  test('is replaced by the frame while the screen’s data is late', async () => {
    await using tab = await open()
    const { page } = tab
    const gate = Promise.withResolvers<void>()
    await page.route('**/rest/v2.4/users/self', async (route) => {
      await gate.promise
      await route.continue().catch(() => undefined)
    })
    await page.reload({ waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Account menu' }).waitFor()
    await page.getByRole('main').getByRole('status').waitFor()
    gate.resolve()
    await page.getByText('First name', { exact: true }).waitFor()
  })

  longTest('is replaced by the frame while the screen’s code is late', async () => {
    await using tab = await open()
    const { page } = tab
    const gate = Promise.withResolvers<void>()
    await page.route('**/assets/SessionsScreen-*.js', async (route) => {
      await gate.promise
      await route.continue().catch(() => undefined)
    })
    await page.goto(`${app.product.origin}/sessions`, { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Account menu' }).waitFor()
    gate.resolve()
    await page.getByRole('heading', { level: 1, name: 'Sign-ins' }).waitFor()
  })

  test('follows the Back button while it is shown', async () => {
    await using tab = await open()
    const { page } = tab
    await page.getByRole('link', { name: 'Sign-ins' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign-ins' }).waitFor()
    const gate = Promise.withResolvers<void>()
    await page.route('**/rest/v2.4/users/self', async (route) => {
      await gate.promise
      await route.continue().catch(() => undefined)
    })
    const asked = page.waitForRequest('**/rest/v2.4/users/self/rights')
    await page.reload({ waitUntil: 'commit' })
    await asked
    await page.evaluate(() => window.history.back())
    await page.waitForURL('**/details')
    gate.resolve()
    await page.getByRole('heading', { level: 1, name: 'Details' }).waitFor()
  })

  test('is replaced by an error where sign-in cannot start', async () => {
    await using tab = await app.newPage()
    const { page } = tab
    // As in an insecure context: plain HTTP on another machine.
    await page.addInitScript('Object.defineProperty(Crypto.prototype, "subtle", { get: () => undefined })')
    await page.goto(`${app.product.origin}/details`)
    await page.waitForURL('**/details?whole-app=*')
    await page.getByText("Couldn't load this page").waitFor({ timeout: 8000 })
  })

  test('is replaced by an error where the application cannot be loaded', async () => {
    await using tab = await open()
    const { page } = tab
    await page.route(/\/assets\/(?:screens|vendor|react)-[^/]+\.js$/, (route) => route.abort())
    await page.reload({ waitUntil: 'commit' })
    await page.getByRole('heading', { name: 'The application could not be started.' }).waitFor()
    await page.unrouteAll()
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByText('First name', { exact: true }).waitFor()
  })
})
