import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { providerTheme, themeCss } from '@sightline/contract/theme'
import axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { looksToTry } from '../long-run.ts'
import { repository } from '../running-product.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** The gallery of the kit in the colours of the provider; `/favicon.ico` and whatever else is not there is empty. */
function serveGallery(folder: string): Server {
  const colours = `<link rel="icon" href="data:,"><style>${themeCss(providerTheme)}</style></head>`
  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = pathname === '/' ? '/index.html' : pathname
    const text = await readFile(join(folder, file), 'utf8').catch(() => '')
    response.setHeader('content-type', types[extname(file)] ?? 'text/plain')
    response.end(text.replace('</head>', colours))
  })
}

/** Every rule that axe finds broken, with one element of each; what moves comes to rest first. */
async function faults(page: Page): Promise<readonly string[]> {
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
    .map((one) => one.finished))`)
  await page.evaluate(axe.source)
  // As text, because the test's types know no global `axe`.
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 160)))',
  )
}

const hasFocus = async (one: Locator) => (await one.and(one.page().locator(':focus')).count()) === 1

const users = (page: Page) => page.getByRole('table', { name: 'Users', exact: true })
/** Names in the order of the rows that are drawn, without the initials before. */
const names = async (page: Page) =>
  (await users(page).getByRole('rowheader').allInnerTexts()).map((text) => text.split('\n').at(-1))

describe.skipIf(chromiumPath === undefined)('the parts of screens in Chromium', () => {
  let folder: string
  let server: Server
  let browser: TestBrowser
  let origin: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sightline-kit-'))
    const root = join(repository, 'web/kit/gallery')
    // As it is shipped: the build of a test run would carry what React says to developers.
    const words = ['build', root, '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
    const environment = { ...process.env, NODE_ENV: 'production' }
    await promisify(execFile)(process.execPath, [join(repository, 'node_modules/vite/bin/vite.js'), ...words], {
      cwd: root,
      env: environment,
    })
    server = serveGallery(folder)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    origin = `http://127.0.0.1:${address.port}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    server.close()
    await rm(folder, { recursive: true })
  })

  const windows = [
    { width: 1280, height: 900, dark: false, dir: 'ltr' },
    { width: 1280, height: 900, dark: true, dir: 'rtl' },
    { width: 768, height: 1000, dark: true, dir: 'ltr' },
    { width: 360, height: 740, dark: false, dir: 'rtl' },
  ] as const
  test.each(looksToTry(windows))(
    '$width px, dark $dark, $dir: nothing overflows and axe finds nothing, at rest and with popups, selection and dialogs open',
    async ({ dir, ...size }) => {
      await using tab = await browser.newPage(size)
      const { page } = tab
      await page.goto(`${origin}/?dir=${dir}`)
      await users(page).waitFor()
      const room = 'document.documentElement.clientWidth - document.documentElement.scrollWidth'
      expect(await page.evaluate(room)).toBe(0)
      expect(await faults(page)).toEqual([])
      await page.getByRole('button', { name: 'Town' }).click()
      await page.getByRole('searchbox', { name: 'Search towns' }).waitFor()
      expect(await faults(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Actions for Grace Tanaka' }).click()
      await page.getByRole('menuitem', { name: 'Block' }).waitFor()
      expect(await faults(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByLabel('Select Ada Lovelace').check()
      expect(await faults(page)).toEqual([])
      await page.getByRole('button', { name: 'Add an API key' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Cash desk')
      expect(await faults(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Keep editing' }).waitFor()
      expect(await faults(page)).toEqual([])
      expect(tab.complaints).toEqual([])
    },
  )

  test('on a phone each row is a card and still a row with all its cells and their heads', async () => {
    await using tab = await browser.newPage({ width: 360, height: 740 })
    const { page } = tab
    await page.goto(`${origin}/?rows=30`)
    await users(page).waitFor()
    expect(await users(page).getByRole('columnheader').allInnerTexts()).toEqual([
      'Name',
      'Email address',
      'State',
      'Cameras',
      'Last signed in',
    ])
    const row = users(page).getByRole('row').nth(1)
    await expect.poll(() => row.getByRole('cell').count()).toBe(6)
    await page.getByRole('button', { name: 'Sort by' }).click()
    await page.getByRole('menuitemradio', { name: 'Cameras' }).click()
    await expect.poll(async () => (await names(page))[0]).toBe('Ada Lovelace')
    expect(await users(page).getByRole('columnheader', { name: 'Cameras' }).getAttribute('aria-sort')).toBe('ascending')
  })

  test('by keyboard alone somebody searches, sorts, selects and goes to the next page', async () => {
    await using tab = await browser.newPage({ width: 1280, height: 900 })
    const { page } = tab
    await page.goto(`${origin}/?rows=60`)
    await page.getByRole('searchbox', { name: 'Search users' }).focus()
    await page.keyboard.type('rossi')
    await expect
      .poll(async () => new Set((await names(page)).map((name) => name?.split(' ').at(-1))))
      .toEqual(new Set(['Rossi']))
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.getByRole('status').getByText('Rows 1–25 of 60').waitFor()
    await page.getByRole('button', { name: 'Name', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const head = users(page).getByRole('columnheader', { name: 'Name' })
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending')
    await expect.poll(async () => (await names(page))[0]).toMatch(/^Yuki/)
    await page.getByLabel('Select all rows on this page').focus()
    await page.keyboard.press('Space')
    await page.getByText('25 selected').waitFor()
    await page.getByRole('button', { name: 'Select all 60' }).press('Enter')
    await page.getByText('60 selected').waitFor()
    await page.getByRole('button', { name: 'Next page' }).press('Enter')
    await page.getByText('Rows 26–50 of 60').waitFor()
  })

  test('with Shift a selection extends from the row ticked before', async () => {
    await using tab = await browser.newPage({ width: 1280, height: 900 })
    const { page } = tab
    await page.goto(`${origin}/?rows=60`)
    const boxes = users(page).getByRole('cell').getByRole('checkbox')
    await boxes.nth(1).click()
    await boxes.nth(4).click({ modifiers: ['Shift'] })
    await page.getByText('4 selected').waitFor()
  })

  test('of 10,000 rows those near the window are drawn, all are counted, and paper gets every row and column', async () => {
    await using tab = await browser.newPage({ width: 700, height: 900 })
    const { page } = tab
    await page.addInitScript("localStorage.setItem('rowsPerPage.gallery', 'all')")
    await page.goto(`${origin}/?rows=10000`)
    await users(page).waitFor()
    expect(await users(page).getAttribute('aria-rowcount')).toBe('10001')
    const drawn = () => users(page).getByRole('rowheader').count()
    expect(await drawn()).toBeLessThan(200)
    await page.keyboard.press('End')
    await users(page).locator('[aria-rowindex="10001"]').waitFor()
    await expect.poll(drawn).toBeLessThan(200)
    expect(await users(page).getByRole('columnheader').count()).toBeLessThan(6)

    await page.goto(`${origin}/?rows=1000`)
    await users(page).waitFor()
    await page.emulateMedia({ media: 'print' })
    await expect.poll(drawn).toBe(1000)
    expect(await users(page).getByRole('columnheader').allInnerTexts()).toHaveLength(5)
    expect(await page.getByRole('button', { name: 'Name', exact: true }).count()).toBe(1)
    for (const control of ['Print', 'Next page', 'Town']) {
      expect(await page.getByRole('button', { name: control, exact: true }).isVisible()).toBe(false)
    }
  })

  test('a form in a window asks before it throws away what was typed, and Escape keeps it', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await page.goto(origin)
    await page.getByRole('button', { name: 'Add an API key' }).click()
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Cash desk')
    await page.keyboard.press('Escape')
    await page.getByText("Your changes haven't been saved.").waitFor()
    await page.keyboard.press('Escape')
    await page.getByText("Your changes haven't been saved.").waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('Cash desk')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  test('a fixed switch says why, can be reached and does nothing; the others switch, one by one and all at once', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await page.goto(origin)
    const fixed = page.getByRole('switch', { name: 'Live pictures' })
    await fixed.focus()
    await page.keyboard.press('Space')
    expect(await fixed.getAttribute('aria-checked')).toBe('true')
    expect(await fixed.getAttribute('aria-disabled')).toBe('true')
    const move = page.getByRole('switch', { name: 'Move cameras' })
    await move.press('Space')
    await expect.poll(() => move.getAttribute('aria-checked')).toBe('false')
    await page.getByText('1 of 4 on').waitFor()
    await page.getByRole('button', { name: 'Turn all on' }).click()
    await page.getByText('4 of 4 on').waitFor()
  })

  test('Escape closes whatever a control opened, and the focus is back on that control', async () => {
    const kindOf = (name: string) => name.replace(/^Actions for .*/, 'row')
    const OPENED = ':popover-open, dialog[open]'
    const isBack = async (opener: Locator) => {
      const { keyboard } = opener.page()
      await opener.press('Enter')
      await opener.page().locator(OPENED).waitFor()
      await opener.page().locator(`:is(${OPENED}):focus-within`).waitFor()
      await keyboard.press('Escape')
      await opener.page().locator(OPENED).waitFor({ state: 'detached' })
      return hasFocus(opener)
    }
    await using tab = await browser.newPage({ width: 1280, height: 900 })
    const { page } = tab
    // They are told apart by their place in the page, so all of them must have been drawn, also what is loaded later.
    await page.goto(`${origin}/`, { waitUntil: 'networkidle' })
    await users(page).waitFor()
    const openers = await page.locator('[aria-haspopup]:visible').all()
    // One row's menu stands for those of all rows.
    const named = await Promise.all(openers.map(async (one) => [kindOf((await one.textContent()) ?? ''), one] as const))
    const everyKind = [...new Map(named)].filter(([name]) => !name.startsWith('Actions for B'))
    expect(everyKind.map(([name]) => name)).toEqual(
      expect.arrayContaining(['Applications', 'StateState', 'Town', 'Show details', 'Delete key', 'MoreMore actions']),
    )
    for (const [name, opener] of everyKind) expect(await isBack(opener), name).toBe(true)
    // What a menu's entry opens gives the focus back to the menu's button.
    const more = page.getByRole('button', { name: 'More actions' })
    await more.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await page.getByRole('dialog', { name: 'Delete this key?' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => hasFocus(more)).toBe(true)
    // A list that is searched by typing never takes the focus from its field.
    const country = page.getByRole('combobox', { name: 'Country' })
    await country.press('ArrowDown')
    await page.getByRole('option', { name: 'Norway' }).waitFor()
    await country.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    expect(await hasFocus(country)).toBe(true)
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await isBack(page.getByRole('button', { name: 'Open menu' }))).toBe(true)
  })

  test('in forced colours it is seen which switch is on, where in a menu or list somebody is, and which page is open', async () => {
    await using tab = await browser.newPage({ width: 1280, height: 900 })
    const { page } = tab
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
    await page.goto(`${origin}/`)
    await users(page).waitFor()
    /** Whether an element looks different once something was done, with neither pointer nor focus on it. */
    const changes = async (what: Locator, change: () => Promise<unknown>, withFocus = false) => {
      const look = async () => {
        if (!withFocus) await page.evaluate('document.activeElement.blur()')
        await page.mouse.move(0, 0)
        return what.screenshot()
      }
      const before = await look()
      await change()
      return !before.equals(await look())
    }
    for (const name of ['Monthly report', 'Move cameras', 'Export']) {
      const one = page.getByRole('switch', { name })
      expect(await changes(one, () => one.press('Space')), name).toBe(true)
    }
    const menu = page.getByRole('navigation', { name: 'Menu' })
    for (const name of ['Cameras', 'Audit log']) {
      const link = menu.getByRole('link', { name })
      expect(await changes(link, () => link.press('Enter')), name).toBe(true)
    }
    const why = page.getByRole('link', { name: 'Why' })
    expect(await changes(why, () => why.press('Enter'))).toBe(true)
    await page.getByRole('button', { name: 'More actions' }).press('Enter')
    const large = page.getByRole('menuitemradio', { name: 'Large' })
    expect(await changes(large, () => page.keyboard.press('ArrowDown'), true)).toBe(true)
    await page.keyboard.press('Escape')
    const country = page.getByRole('combobox', { name: 'Country' })
    await country.press('ArrowDown')
    const germany = page.getByRole('option', { name: 'Germany' })
    await germany.waitFor()
    await country.press('Home')
    for (let up = 0; up < 4; up += 1) await country.press('ArrowUp')
    expect(await changes(germany, () => country.press('ArrowDown'), true)).toBe(true)
  })

  test('a choice that is optional can be cleared, by mouse and by keyboard; one that is not, cannot', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await page.goto(`${origin}/`)
    const country = page.getByRole('combobox', { name: 'Country' })
    expect(await country.inputValue()).toBe('Norway')
    await page.getByRole('button', { name: 'Clear Country' }).click()
    expect(await country.inputValue()).toBe('')
    expect(await hasFocus(country)).toBe(true)
    await country.pressSequentially('nether')
    await page.getByRole('option', { name: 'Netherlands', exact: true }).waitFor()
    await country.press('Enter')
    expect(await country.inputValue()).toBe('Netherlands')
    await country.press('Tab')
    await page.keyboard.press('Enter')
    expect(await country.inputValue()).toBe('')
    expect(await page.getByRole('button', { name: 'Clear Home' }).count()).toBe(0)
  })

  test('what has to be touched is 44 px high on a touch screen', async () => {
    const context = await browser.browser.newContext({
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    })
    const page = await context.newPage()
    await page.goto(origin)
    await users(page).waitFor()
    // A switch answers beyond what is drawn of it, a box to tick within its label.
    const small =
      await page.evaluate(`[...document.querySelectorAll('main a, main button:not([role=switch]), main select, main label:has(input[type=checkbox])')]
      .filter((one) => one.checkVisibility() && !one.closest('[popover]') && !one.closest('th[role=rowheader]'))
      .filter((one) => one.getBoundingClientRect().height < 43.5)
      .map((one) => one.outerHTML.slice(0, 120))`)
    expect(small).toEqual([])
    await context.close()
  })
})
