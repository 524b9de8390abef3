import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { startGallery } from '../kit-gallery.ts'

/** Whether an action changes how an element looks; pointer and focus are elsewhere unless `withFocus`. */
async function changes(one: Locator, change: () => Promise<unknown>, withFocus = false): Promise<boolean> {
  const page = one.page()
  const look = async () => {
    if (!withFocus) await page.evaluate('document.activeElement.blur()')
    await page.mouse.move(0, 0)
    return one.screenshot()
  }
  const before = await look()
  await change()
  return !before.equals(await look())
}

describe.skipIf(chromiumPath === undefined)('the kit in forced colors', () => {
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

  async function openForced(page: Page): Promise<void> {
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
    await page.goto(gallery.origin, { waitUntil: 'networkidle' })
    await page.getByRole('table', { name: 'Users', exact: true }).waitFor()
  }

  test('on, checked, pressed and current states are visible', async () => {
    await using tab = await browser.newPage({ width: 1280, height: 900 })
    const { page } = tab
    await openForced(page)
    for (const name of ['Monthly report', 'Move cameras', 'Export']) {
      const one = page.getByRole('switch', { name })
      expect(await changes(one, () => one.press('Space')), name).toBe(true)
    }
    for (const name of ['Select Ada Lovelace', /^Camera 1(?!\d)/, /^Camera 2(?!\d)/]) {
      const one = page.getByRole('checkbox', { name }).first()
      expect(await changes(one, () => one.press('Space')), String(name)).toBe(true)
    }
    const all = page.getByRole('checkbox', { name: 'Select all rows on this page' }).first()
    expect(await changes(all, () => all.press('Space')), 'some of all').toBe(true)
    const today = page.getByRole('button', { name: 'Today' })
    expect(await changes(today, () => today.press('Enter')), 'Today').toBe(true)
    const menu = page.getByRole('navigation', { name: 'Menu' })
    for (const name of ['Cameras', 'Audit log']) {
      const link = menu.getByRole('link', { name })
      expect(await changes(link, () => link.press('Enter')), name).toBe(true)
    }
    const why = page.getByRole('link', { name: 'Why' })
    expect(await changes(why, () => why.press('Enter'))).toBe(true)
  })

  test('the active entry of a menu or list and the selected option are visible', async () => {
    await using tab = await browser.newPage({ width: 1280, height: 900 })
    const { page } = tab
    await openForced(page)
    await page.getByRole('button', { name: 'More actions' }).press('Enter')
    const large = page.getByRole('menuitemradio', { name: 'Large' })
    expect(await changes(large, () => page.keyboard.press('ArrowDown'), true), 'menu').toBe(true)
    await page.keyboard.press('Escape')
    const language = page.getByRole('combobox', { name: 'Language' })
    await language.press('Enter')
    const nederlands = page.getByRole('option', { name: 'Nederlands' })
    expect(await changes(nederlands, () => page.keyboard.press('ArrowDown'), true), 'list').toBe(true)
    await page.keyboard.press('Enter')
    await language.press('Enter')
    await nederlands.waitFor()
    await page.keyboard.press('ArrowUp')
    const english = page.getByRole('option', { name: 'English' })
    expect(await nederlands.locator('svg').evaluate((tick) => getComputedStyle(tick).visibility)).toBe('visible')
    expect(await english.locator('svg').evaluate((tick) => getComputedStyle(tick).visibility)).toBe('hidden')
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Country' }).press('Enter')
    const germany = page.getByRole('option', { name: 'Germany' })
    await germany.waitFor()
    const search = page.getByRole('dialog').getByRole('combobox')
    expect(await changes(germany, () => search.pressSequentially('ger'), true), 'search').toBe(true)
  })

  test('every control shows its focus, and every button has a border', async () => {
    await using tab = await browser.newPage({ width: 1280, height: 900 })
    const { page } = tab
    await openForced(page)
    await page.keyboard.press('Tab')
    const unseen = await page.evaluate(`(() => {
      const isSeen = (one) => {
        const styles = [getComputedStyle(one), getComputedStyle(one, '::after')]
        return styles.some((style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1)
      }
      return [...document.querySelectorAll('a[href], button, input, [tabindex="0"]')]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.tabIndex >= 0)
        .filter((one) => { one.focus({ focusVisible: true }); return document.activeElement === one && !isSeen(one) })
        .map((one) => one.outerHTML.slice(0, 160))
    })()`)
    expect(unseen).toEqual([])
    const edgeless = await page.evaluate(`[...document.querySelectorAll('button, input, select')]
      .filter((one) => one.checkVisibility() && one.tabIndex >= 0)
      .filter((one) => parseFloat(getComputedStyle(one).borderTopWidth) === 0)
      .map((one) => one.outerHTML.slice(0, 160))`)
    expect(edgeless).toEqual([])
  })
})
