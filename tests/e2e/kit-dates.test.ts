import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type PageOptions, type TestBrowser, type TestPage } from '../browser.ts'
import { clearField, fillDate, fillDateTime, fillTime } from '../dates.ts'
import { faults, hasFocus, startGallery } from '../kit-gallery.ts'

const field = (page: Page, name: string) => page.getByRole('group', { name: new RegExp(`^${name}\\b`) })
const calendarButton = (page: Page, name: string) => page.getByRole('button', { name: `Choose ${name}`, exact: true })
const calendar = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const day = (page: Page, name: RegExp) => page.getByRole('gridcell').getByRole('button', { name })

describe.skipIf(chromiumPath === undefined)('dates and times of the kit in Chromium', () => {
  let gallery: Awaited<ReturnType<typeof startGallery>>
  let browser: TestBrowser
  beforeAll(async () => {
    gallery = await startGallery()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await gallery[Symbol.asyncDispose]()
  })

  async function openGallery(query = '', options: PageOptions = {}): Promise<TestPage> {
    const tab = await browser.newPage({ width: 1280, height: 900, locale: 'en-US', ...options })
    tab.page.setDefaultTimeout(5000)
    await tab.page.goto(`${gallery.origin}/?dates${query}`, { waitUntil: 'networkidle' })
    await field(tab.page, 'Birthday').waitFor()
    return tab
  }

  const values = (page: Page) => page.getByRole('status', { name: 'Values' }).textContent()
  const order = (page: Page, name: string) =>
    field(page, name)
      .locator('[role=spinbutton]')
      .evaluateAll((parts) => parts.map((part) => part.getAttribute('data-type')))

  test('a date and a time are typed in the order and on the clock of the language; their values stay the same texts', async () => {
    const written = { 'en-US': 'month day year', 'en-GB': 'day month year', ja: 'year month day' }
    for (const [lang, parts] of Object.entries(written)) {
      await using tab = await openGallery(`&lang=${lang.slice(0, 2)}`, { locale: lang })
      const { page } = tab
      expect((await order(page, 'Birthday')).join(' '), lang).toBe(parts)
      expect(await field(page, 'Time of day').locator('[data-type=dayPeriod]').count(), lang).toBe(
        lang === 'en-US' ? 1 : 0,
      )
      await fillDate(field(page, 'Birthday'), '1984-02-29')
      await fillDateTime(field(page, 'Until'), '2031-12-01T00:05')
      await fillTime(field(page, 'Time of day'), '13:45')
      await fillDateTime(field(page, 'Exactly'), '2031-12-01T23:59:07')
      expect(await values(page), lang).toBe('1984-02-29 2026-11-21 2031-12-01T00:05 13:45 2031-12-01T23:59:07')
      await calendarButton(page, 'Birthday').click()
      const first = calendar(page, 'Birthday').getByRole('columnheader', { includeHidden: true }).first()
      expect(await first.textContent(), lang).toBe({ 'en-US': 'Sun', 'en-GB': 'Mon', ja: '日' }[lang])
      expect(tab.complaints).toEqual([])
    }
  })

  test('the keyboard alone: digits move on, arrows step, Backspace clears, a year of two digits is of this century', async () => {
    await using tab = await openGallery()
    const { page } = tab
    await page.getByText('Birthday').click()
    await page.keyboard.type('110526')
    await page.keyboard.press('Tab')
    await expect.poll(() => values(page)).toMatch(/^2026-11-05 /)
    await field(page, 'Birthday').locator('[data-type=day]').press('ArrowUp')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowDown')
    expect(await values(page)).toMatch(/^2026-10-06 /)
    await clearField(field(page, 'Birthday'))
    await expect.poll(() => values(page)).toMatch(/^ ?2026-11-21 /)
  })

  test('a part that is cleared leaves the value as it was, and no wrong year', async () => {
    await using tab = await openGallery()
    const { page } = tab
    const until = field(page, 'Until')
    for (let digits = 0; digits < 4; digits += 1) await until.locator('[data-type=year]').press('Backspace')
    await until.locator('[data-type=day]').focus()
    await page.getByRole('searchbox', { name: 'Search cameras' }).focus()
    await page.getByText('Complete this field or clear it').waitFor()
    expect(await values(page)).toContain(' 2026-11-21T17:30 ')
  })

  test('what is typed in part, or lies outside of the bounds, is said once the field is left', async () => {
    await using tab = await openGallery()
    const { page } = tab
    const incomplete = page.getByText('Complete this field or clear it')
    await field(page, 'Birthday').locator('[data-type=month]').press('5')
    expect(await incomplete.count()).toBe(0)
    await page.getByRole('searchbox', { name: 'Search cameras' }).focus()
    await incomplete.waitFor()
    await fillDate(field(page, 'Birthday'), '2020-05-05')
    await expect.poll(() => incomplete.count()).toBe(0)
    await fillDate(field(page, 'Valid through'), '2026-12-25')
    await page.getByRole('searchbox', { name: 'Search cameras' }).focus()
    await page.getByText('Choose Dec 24, 2026 or earlier').waitFor()
    await fillDate(field(page, 'Valid through'), '2026-11-09')
    await page.getByText('Choose Nov 10, 2026 or later').waitFor()
    expect(await faults(page)).toEqual([])
  })

  test('a form with half a date is not sent, and the focus goes there', async () => {
    await using tab = await openGallery()
    const { page } = tab
    await page.getByRole('button', { name: 'Add an API key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add an API key' })
    await dialog.getByLabel('Name', { exact: true }).fill('Backup')
    const month = dialog.locator('[data-type=month]')
    await month.press('1')
    await month.press('2')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.getByText('Complete this field or clear it').waitFor()
    expect(await hasFocus(month)).toBe(true)
    await fillDate(dialog.getByRole('group', { name: 'Expires' }), '2030-12-24')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  test('a calendar by keyboard: it opens at the day, arrows and Page keys move, bounds hold, Enter selects, the focus returns', async () => {
    await using tab = await openGallery()
    const { page } = tab
    const { keyboard } = page
    const button = calendarButton(page, 'Valid through')
    const at = (name: RegExp) => expect.poll(() => hasFocus(day(page, name)), { message: String(name) }).toBe(true)
    await button.press('Enter')
    await at(/November 21, 2026/)
    await keyboard.press('ArrowRight')
    await at(/November 22, 2026/)
    await keyboard.press('ArrowDown')
    await at(/November 29, 2026/)
    await keyboard.press('PageDown')
    // The last day that may be selected.
    await at(/December 24, 2026/)
    expect(await day(page, /December 25, 2026/).getAttribute('aria-disabled')).toBe('true')
    await keyboard.press('ArrowLeft')
    await at(/December 23, 2026/)
    await keyboard.press('Enter')
    await calendar(page, 'Valid through').waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(button)).toBe(true)
    expect(await values(page)).toContain(' 2026-12-23 ')
    await button.press('Enter')
    await at(/December 23, 2026/)
    await keyboard.press('Escape')
    await calendar(page, 'Valid through').waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(button)).toBe(true)
    await button.click()
    await calendar(page, 'Valid through').waitFor()
    await button.click()
    await calendar(page, 'Valid through').waitFor({ state: 'detached' })
    expect(await hasFocus(button)).toBe(true)
    expect(tab.complaints).toEqual([])
  })

  test('an empty field opens at today and is filled by a press; Clear empties it; a time stays with its new day', async () => {
    await using tab = await openGallery()
    const { page } = tab
    await calendarButton(page, 'Birthday').click()
    await calendar(page, 'Birthday').locator('[role=button][tabindex="0"]').click()
    await calendar(page, 'Birthday').waitFor({ state: 'detached' })
    const now = await page.evaluate(`new Date().toLocaleDateString('sv')`)
    expect(await values(page)).toBe(`${now} 2026-11-21 2026-11-21T17:30 06:00 2026-11-21T17:30:05`)
    await calendarButton(page, 'Birthday').click()
    await calendar(page, 'Birthday').getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => values(page)).toMatch(/^ ?2026-11-21 /)
    await expect.poll(() => hasFocus(calendarButton(page, 'Birthday'))).toBe(true)
    await calendarButton(page, 'Until').click()
    await day(page, /November 3, 2026/).click()
    await expect.poll(() => values(page)).toContain(' 2026-11-03T17:30 ')
    await calendarButton(page, 'Exactly').click()
    await day(page, /November 3, 2026/).click()
    await expect.poll(() => values(page)).toMatch(/ 2026-11-03T17:30:05$/)
  })

  test('two presses in a calendar select a range, seen between its ends', async () => {
    await using tab = await openGallery()
    const { page } = tab
    await page.getByText("The end date can't be before the start date").waitFor()
    await page.getByRole('button', { name: '7 days' }).click()
    await calendarButton(page, 'To').click()
    await expect.poll(() => calendar(page, 'To').locator('[data-selected]').count()).toBe(7)
    await day(page, /November 3, 2026/).click()
    await day(page, /November 12, 2026/).click()
    await calendar(page, 'To').waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(calendarButton(page, 'To'))).toBe(true)
    await calendarButton(page, 'From').click()
    await expect.poll(() => calendar(page, 'From').locator('[data-selected]').count()).toBe(10)
    await page.keyboard.press('Escape')
    await fillDate(field(page, 'To'), '2026-11-02')
    await page.getByText("The end date can't be before the start date").waitFor()
    expect(tab.complaints).toEqual([])
  })

  const looks = [
    { dir: 'ltr', lang: 'en', dark: false, width: 1280 },
    { dir: 'rtl', lang: 'he', dark: true, width: 360 },
  ] as const
  test.each(looks)(
    'axe finds nothing, nothing lies beside the window and no style is injected: $dir, dark $dark, $width wide',
    async ({ dir, lang, dark, width }) => {
      await using tab = await openGallery(`&dir=${dir}&lang=${lang}`, { width, height: 900, dark })
      const { page } = tab
      for (const name of ['Until', 'From']) {
        await calendarButton(page, name).click()
        await calendar(page, name).waitFor()
        expect(await faults(page), name).toEqual([])
        const box = await calendar(page, name).boundingBox()
        expect(Math.min(box?.x ?? -1, width - (box?.x ?? 0) - (box?.width ?? width)), name).toBeGreaterThanOrEqual(0)
        await page.keyboard.press('Escape')
        await calendar(page, name).waitFor({ state: 'detached' })
      }
      expect(tab.complaints).toEqual([])
    },
  )

  test('from the right: a date keeps its order, ArrowLeft goes to the next day', async () => {
    await using tab = await openGallery('&dir=rtl&lang=he')
    const { page } = tab
    const left = async (part: string) =>
      (await field(page, 'Valid through').locator(`[data-type=${part}]`).boundingBox())?.x ?? 0
    // 21.11.2026, as Hebrew writes it.
    expect(await left('day')).toBeLessThan(await left('month'))
    expect(await left('month')).toBeLessThan(await left('year'))
    await calendarButton(page, 'Valid through').press('Enter')
    await expect.poll(() => hasFocus(page.locator('[data-selected]'))).toBe(true)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect.poll(() => values(page)).toContain(' 2026-11-22 ')
  })

  test('in forced colours the part that is typed, the selected day and the option that is on are seen', async () => {
    await using tab = await openGallery()
    const { page } = tab
    await page.emulateMedia({ forcedColors: 'active' })
    const background = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => getComputedStyle(one).backgroundColor)
    const plain = await background('[role=spinbutton]')
    await field(page, 'Birthday').locator('[data-type=month]').focus()
    expect(await background('[role=spinbutton]:focus')).not.toBe(plain)
    await calendarButton(page, 'Valid through').click()
    await calendar(page, 'Valid through').waitFor()
    expect(await background('[role=gridcell] [data-selected]')).not.toBe(
      await background('[role=gridcell] [role=button]:not([data-selected])'),
    )
    expect(await background('[role=radio][data-checked]')).not.toBe(await background('[role=radio][data-unchecked]'))
  })

  test('one of a few options by arrow keys and by a press on its text', async () => {
    await using tab = await openGallery()
    const { page } = tab
    const group = page.getByRole('radiogroup', { name: 'Type' })
    const live = group.getByRole('radio', { name: 'Live only' })
    await group.getByRole('radio', { name: 'Cloud storage' }).press('ArrowDown')
    await expect.poll(() => live.isChecked()).toBe(true)
    await group.getByText('Cloud storage').click()
    await expect.poll(() => live.isChecked()).toBe(false)
    expect((await group.locator('label').first().boundingBox())?.height).toBeGreaterThanOrEqual(40)
    expect(tab.complaints).toEqual([])
  })
})
