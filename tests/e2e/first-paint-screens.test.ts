import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screens } from '../../web/first-paint/src/screens.ts'
import { chromiumPath, type PageOptions } from '../browser.ts'
import { repository } from '../running-product.ts'
import { overflow, violations } from '../screens.ts'
import { openUserPage } from '../signed-in.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

const roots = { accountPortal: '', cameraApp: '/app', dealerDashboard: '/dealer' } as const
type App = keyof typeof roots

/** Who may open most screens of each application. */
const people: Readonly<Record<App, string>> = {
  accountPortal: 'owner@demo.example',
  cameraApp: 'owner@demo.example',
  dealerDashboard: 'dealer@demo.example',
}

/** All Dutch texts of an application. */
const dutchOf = (folder: string, ...more: string[]): ReadonlySet<string> =>
  new Set(
    ['src', ...more].flatMap((place) =>
      Object.values(
        JSON.parse(readFileSync(join(repository, 'web', folder, place, 'locales/nl.json'), 'utf8')) as Record<
          string,
          string
        >,
      ),
    ),
  )
const texts: Readonly<Record<App, ReadonlySet<string>>> = {
  accountPortal: dutchOf('account-portal', 'src/sessions'),
  cameraApp: dutchOf('camera-app'),
  dealerDashboard: dutchOf('dealer-dashboard', 'src/reseller-accounts'),
}

const NOTICE = 'We use cookies to keep you signed in.'

/** The application has taken over: no first paint has buttons. */
const loaded = (page: Page): Promise<void> => page.locator('#root header button').last().waitFor()

/** Reloads the page, or opens an address, with all scripts held back. */
async function paint(page: Page, address = page.url()) {
  const gate = Promise.withResolvers<void>()
  const scripts = '**/assets/*.js'
  await page.route(scripts, async (route) => {
    await gate.promise
    await route.continue().catch(() => undefined)
  })
  await page.goto(address, { waitUntil: 'commit' })
  await page.getByRole('main').getByRole('status').waitFor()
  return { letGo: () => page.unroute(scripts).then(gate.resolve) }
}

/** Title and description of the screen, and the address they are at. */
const headOf = async (page: Page) => ({
  title: await page.getByRole('main').getByRole('heading', { level: 1 }).textContent(),
  description: await page.locator('main h1 + p').allTextContents(),
})

describe.skipIf(chromiumPath === undefined)('the first paint of each application', () => {
  let app: RunningWebApp
  beforeAll(async () => {
    app = await startWebApp()
  }, 120_000)
  afterAll(() => app[Symbol.asyncDispose]())

  const open = async (name: App, path: string, options: PageOptions = {}) => {
    const tab = await app.newPage(options)
    await openUserPage(tab.page, `${app.product.origin}${roots[name]}${path}`, people[name])
    await loaded(tab.page)
    return tab
  }

  test.each(['accountPortal', 'cameraApp', 'dealerDashboard'] as const)(
    'has the title and description of each screen (%s)',
    async (name) => {
      // Without objects; the demonstration's reseller is 255.
      const paths = screens[name]
        .filter(({ title }) => title !== undefined)
        .map(({ path }) => path.replace('/resellers/*', '/resellers/255'))
        .filter((path) => !path.includes('*') && !['/distributors', '/administrators', '/jobs'].includes(path))
      await using tab = await open(name, paths[0] ?? '/')
      const { page } = tab
      for (const path of paths) {
        const { letGo } = await paint(page, `${app.product.origin}${roots[name]}${path}`)
        const painted = await headOf(page)
        await letGo()
        await loaded(page)
        await page
          .getByRole('main')
          .getByRole('heading', { level: 1, name: painted.title ?? '' })
          .waitFor()
        const { title, description } = await headOf(page)
        // A description that depends on the user's rights is not painted.
        expect([path, title, painted.description.length === 0 ? [] : description]).toEqual([
          path,
          painted.title,
          painted.description,
        ])
      }
      expect(tab.complaints).toEqual([])
    },
    120_000,
  )

  test.each([
    ['accountPortal', '/sessions'],
    ['cameraApp', '/'],
    ['dealerDashboard', '/resellers/255/accounts'],
  ] as const)('has the texts of the language chosen in this browser (%s)', async (name, path) => {
    await using tab = await open(name, path)
    const { page, context } = tab
    const english = await headOf(page)
    const address = page.url()
    // The application stores the language of its user.
    await page.goto('about:blank')
    await context.addCookies([{ name: 'sightline.language', value: 'nl', url: app.product.origin }])
    const { letGo } = await paint(page, address)
    expect(await page.locator('html').getAttribute('lang')).toBe('nl')
    const { title, description } = await headOf(page)
    const isDutch = (text: string | null | undefined) => texts[name].has(text ?? '')
    expect([title, ...description].filter((text) => !isDutch(text))).toEqual([])
    expect({ title, description }).not.toEqual(english)
    await letGo()
    await loaded(page)
  })

  test.each([
    ['cameraApp', { width: 360, height: 740 }, '/'],
    ['cameraApp', { width: 1280, height: 800, dark: true }, '/users'],
    ['dealerDashboard', { width: 360, height: 740, dark: true }, '/resellers/255/accounts'],
    ['dealerDashboard', { width: 1280, height: 800 }, '/'],
  ] as const)('has nothing that works only later, and axe finds nothing (%s, %o)', async (name, options, path) => {
    await using tab = await open(name, path, options)
    const { page } = tab
    const { letGo } = await paint(page)
    expect(await page.title()).toBe('Sightline')
    await page.getByText(NOTICE).waitFor()
    expect(await page.locator('header img').first().getAttribute('alt')).toBe('Sightline')
    expect(await overflow(page)).toBe(0)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await letGo()
    await loaded(page)
    expect(tab.complaints).toEqual([])
  })

  test.each([
    ['cameraApp', '/', 412],
    ['cameraApp', '/users', 1280],
    ['dealerDashboard', '/resellers/255/accounts', 412],
    ['dealerDashboard', '/resellers/255/accounts', 1280],
  ] as const)('has everything where the application has it (%s%s, %i pixels)', async (name, path, width) => {
    await using tab = await open(name, path, { width, height: 823 })
    const { page } = tab
    const { letGo } = await paint(page)
    const parts = [page.locator('header img').first(), page.locator('main h1'), page.getByText(NOTICE)]
    const placesOf = async () => {
      const boxes = await Promise.all(parts.map((part) => part.boundingBox()))
      return boxes.map((box) => box && [box.x, box.y, box.height])
    }
    const before = await placesOf()
    await letGo()
    await loaded(page)
    expect(await placesOf()).toEqual(before)
  })

  test('is as wide as the side menu that the user collapsed', async () => {
    await using tab = await open('cameraApp', '/users', { width: 1280, height: 800 })
    const { page } = tab
    await page.getByRole('button', { name: 'Collapse menu' }).click()
    await page.getByRole('button', { name: 'Expand menu' }).waitFor()
    const collapsed = await page.locator('main').boundingBox()
    const { letGo } = await paint(page)
    const painted = await page.locator('main').boundingBox()
    expect([painted?.x, painted?.width]).toEqual([collapsed?.x, collapsed?.width])
    await letGo()
    await page.getByRole('button', { name: 'Expand menu' }).waitFor()
  })

  test('continues the same cookie notice, so that nothing appears late', async () => {
    await using tab = await open('cameraApp', '/')
    const { page } = tab
    const { letGo } = await paint(page)
    await page.evaluate(() => {
      Object.assign(window, { notice: document.querySelector('#cookie-notice section') })
    })
    await letGo()
    const close = page.getByRole('button', { name: 'Close' })
    await close.waitFor()
    expect(
      await page.evaluate(
        () => (window as unknown as { notice: Element }).notice === document.querySelector('#cookie-notice section'),
      ),
    ).toBe(true)
    expect(await page.getByText(NOTICE).count()).toBe(1)
    await close.click()
    await page.getByText(NOTICE).waitFor({ state: 'detached' })
    // A busy browser may reload before it keeps the cookie.
    const namesOfCookies = async () => (await page.context().cookies()).map((cookie) => cookie.name)
    await expect.poll(namesOfCookies).toContain('cookie-banner')
    await page.reload()
    await loaded(page)
    expect(await page.getByText(NOTICE).count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })
})
