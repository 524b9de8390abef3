import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { faults, startGallery } from '../kit-gallery.ts'
import { looksToTry } from '../long-run.ts'

const users = (page: Page) => page.getByRole('table', { name: 'Users', exact: true })
/** Names in row order, without their initials. */
const names = async (page: Page) =>
  (await users(page).getByRole('rowheader').allInnerTexts()).map((text) => text.split('\n').at(-1))

describe.skipIf(chromiumPath === undefined)('the components of the kit in Chromium', () => {
  let gallery: Awaited<ReturnType<typeof startGallery>>
  let browser: TestBrowser
  let origin: string
  beforeAll(async () => {
    gallery = await startGallery()
    origin = gallery.origin
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await gallery[Symbol.asyncDispose]()
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

  test('on a phone each row is a card and keeps the table semantics of rows, cells and headers', async () => {
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

  test('search, sort, selection and paging work with the keyboard alone', async () => {
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

  test('Shift extends the selection from the last selected row', async () => {
    await using tab = await browser.newPage({ width: 1280, height: 900 })
    const { page } = tab
    await page.goto(`${origin}/?rows=60`)
    const boxes = users(page).getByRole('cell').getByRole('checkbox')
    await boxes.nth(1).click()
    await boxes.nth(4).click({ modifiers: ['Shift'] })
    await page.getByText('4 selected').waitFor()
  })

  test('of 10,000 rows only those near the window are drawn; a printed page has every row and column', async () => {
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

  test('10,000 rows are numbered without gaps at any scroll position, and scrolling back shows the first rows again', async () => {
    await using tab = await browser.newPage({ width: 1280, height: 900 })
    const { page } = tab
    await page.addInitScript("localStorage.setItem('rowsPerPage.gallery', 'all')")
    await page.goto(`${origin}/?rows=10000`)
    await users(page).waitFor()
    const rows = users(page).locator('[aria-rowindex]:not(thead *)')
    const numbers = () => rows.evaluateAll((all) => all.map((row) => Number(row.getAttribute('aria-rowindex'))))
    /** The row in the middle of the window. */
    const middle = () =>
      page.evaluate(() =>
        document.elementFromPoint(600, 450)?.closest('[aria-rowindex]')?.getAttribute('aria-rowindex'),
      )
    await expect.poll(async () => (await numbers()).length).toBeLessThan(80)
    const top = await page.evaluate(() => window.scrollY)
    for (const share of [0.3, 0.9, 0.5]) {
      await page.evaluate((to) => window.scrollTo(0, to * document.body.scrollHeight), share)
      await expect.poll(middle).toBeDefined()
      const shown = await numbers()
      expect(shown).toEqual(shown.map((_, index) => (shown[0] ?? 0) + index))
      expect(Math.abs((Number(await middle()) / 10_000 - share) * 100)).toBeLessThan(2)
    }
    await page.evaluate((to) => window.scrollTo(0, to), top)
    await users(page).locator('[aria-rowindex="2"]').waitFor()
    expect(await names(page)).toContain('Ada Lovelace')
    expect(tab.complaints).toEqual([])
  })

  test.each([
    { width: 1280, height: 900 },
    { width: 360, height: 740 },
  ])(
    'at $width px a row keeps the focus however far the table is scrolled, and Tab continues from it',
    async (size) => {
      await using tab = await browser.newPage(size)
      const { page } = tab
      await page.addInitScript("localStorage.setItem('rowsPerPage.gallery', 'all')")
      await page.goto(`${origin}/?rows=1000`)
      const focused = () => page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-rowindex'))
      const menu = users(page).locator('[aria-rowindex="4"]').getByRole('button')
      await menu.focus()
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      await users(page).locator('[aria-rowindex="1001"]').waitFor()
      await users(page).locator('[aria-rowindex="40"]').waitFor({ state: 'detached' })
      expect(await focused()).toBe('4')
      await page.keyboard.press('Tab')
      await expect.poll(focused).toBe('5')
      await users(page).locator('[aria-rowindex="6"]').waitFor()
      expect(await users(page).locator('[aria-rowindex="5"]').isVisible()).toBe(true)
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      await users(page).locator('[aria-rowindex="1001"]').waitFor()
      await page.keyboard.press('Shift+Tab')
      await expect.poll(focused).toBe('4')
    },
  )

  test('a row keeps its open menu when it is scrolled away, and the focus returns to its button', async () => {
    await using tab = await browser.newPage({ width: 1280, height: 900 })
    const { page } = tab
    await page.addInitScript("localStorage.setItem('rowsPerPage.gallery', 'all')")
    await page.goto(`${origin}/?rows=1000`)
    const menu = users(page).locator('[aria-rowindex="4"]').getByRole('button')
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Block' }).waitFor()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await users(page).locator('[aria-rowindex="1001"]').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => menu.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  test('a form dialog asks before it discards changes, and Escape keeps them', async () => {
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

  test('a fixed switch can be focused but not changed; the others switch one by one or all together', async () => {
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

  test('of 10,000 options only those near the visible part are drawn; the keys, the search and All reach every one', async () => {
    await using tab = await browser.newPage({ width: 1280, height: 900 })
    const { page } = tab
    await page.goto(`${origin}/?options=10000`)
    const list = page.getByRole('group', { name: 'Cameras' })
    const boxes = list.getByRole('checkbox')
    const box = (number: number) => list.getByRole('checkbox', { name: `Camera ${number} `, exact: false }).first()
    const focused = () =>
      page.evaluate(() => {
        const row = document.activeElement?.closest('li')
        return [row?.getAttribute('aria-posinset'), row?.getAttribute('aria-setsize')]
      })
    await boxes.first().focus()
    await expect.poll(() => boxes.count()).toBeLessThan(60)
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toEqual(['2', '10000'])
    await page.keyboard.press('End')
    await expect.poll(focused).toEqual(['10000', '10000'])
    expect(await boxes.last().isVisible()).toBe(true)
    expect(await boxes.count()).toBeLessThan(60)
    await page.keyboard.press('Space')
    await list.getByText('3 of 10000 selected').waitFor()
    for (let times = 0; times < 30; times += 1) await page.keyboard.press('ArrowUp')
    await expect.poll(focused).toEqual(['9970', '10000'])
    await page.keyboard.press('Tab')
    await expect.poll(focused).toEqual(['9971', '10000'])
    await list.locator('ul').evaluate((one) => one.scrollTo(0, one.scrollHeight / 2))
    await list.locator('[aria-posinset="5000"]').waitFor()
    expect(await focused()).toEqual(['9971', '10000'])
    await page.keyboard.press('Shift+Tab')
    await expect.poll(focused).toEqual(['9970', '10000'])
    await page.keyboard.press('Home')
    await expect.poll(focused).toEqual(['1', '10000'])
    expect(await box(2).isChecked()).toBe(true)
    expect(await faults(page)).toEqual([])

    await list.locator('ul').evaluate((one) => one.scrollTo(0, one.scrollHeight))
    await list.getByRole('searchbox').fill('camera 99')
    await list.locator('[aria-setsize="280"][aria-posinset="1"]').waitFor()
    await list.getByRole('button', { name: 'All' }).click()
    await list.getByText('283 of 10000 selected').waitFor()
    await list.getByRole('searchbox').fill('')
    await list.locator('[aria-setsize="10000"][aria-posinset="1"]').waitFor()
    await list.getByRole('button', { name: 'None' }).click()
    await list.getByText('0 of 10000 selected').waitFor()
    expect(tab.complaints).toEqual([])
  })

  test('touch targets are at least 44 px high on a touch screen', async () => {
    const context = await browser.browser.newContext({
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    })
    const page = await context.newPage()
    await page.goto(origin)
    await users(page).waitFor()
    // A switch's touch area is larger than the switch; a checkbox's is its label.
    const small =
      await page.evaluate(`[...document.querySelectorAll('main a, main button:not([role=switch], [role=checkbox]), main label:has(input[type=checkbox])')]
      .filter((one) => one.checkVisibility() && !one.closest('th[role=rowheader]'))
      .filter((one) => one.getBoundingClientRect().height < 43.5)
      .map((one) => one.outerHTML.slice(0, 120))`)
    expect(small).toEqual([])
    await context.close()
  })
})
