import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type PageOptions, type TestBrowser, type TestPage } from '../browser.ts'
import { faults, hasFocus, startGallery } from '../kit-gallery.ts'
import { pressOption } from '../popups.ts'

interface PopupControl {
  readonly name: string
  readonly trigger: (page: Page) => Locator
  readonly role: 'menu' | 'listbox' | 'dialog'
  /** The option whose choice closes it. */
  readonly choice?: (page: Page) => Locator
  /** The page behind it is inert. */
  readonly isModal?: boolean
}

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true })
const combobox = (name: string) => (page: Page) => page.getByRole('combobox', { name, exact: true })

/** Every control of the kit that opens a popup. */
const controls: readonly PopupControl[] = [
  {
    name: 'a menu',
    trigger: (page) => page.getByRole('button', { name: 'More actions' }),
    role: 'menu',
    choice: (page) => page.getByRole('menuitemradio', { name: 'Large' }),
  },
  {
    name: 'the menu of a row',
    trigger: button('Actions for Grace Tanaka'),
    role: 'menu',
    choice: (page) => page.getByRole('menuitem', { name: 'Block' }),
  },
  { name: 'the switcher of applications', trigger: button('Applications'), role: 'menu' },
  {
    name: 'a filter of a few kinds',
    trigger: (page) => page.locator('[aria-haspopup=menu]').filter({ hasText: 'State' }),
    role: 'menu',
    choice: (page) => page.getByRole('menuitemradio', { name: 'Active' }),
  },
  { name: 'a filter of many', trigger: button('Town'), role: 'dialog' },
  {
    name: 'a short list',
    trigger: combobox('Language'),
    role: 'listbox',
    choice: (page) => page.getByRole('option', { name: 'Nederlands' }),
  },
  {
    name: 'rows per page',
    trigger: (page) => combobox('Rows per page')(page).first(),
    role: 'listbox',
    choice: (page) => page.getByRole('option', { name: '50' }),
  },
  {
    name: 'a long list',
    trigger: (page) => page.getByRole('combobox', { name: 'Country' }),
    role: 'dialog',
    choice: (page) => page.getByRole('option', { name: 'Germany' }),
  },
  {
    name: 'a dialog',
    trigger: button('Show details'),
    role: 'dialog',
    choice: button('Close'),
    isModal: true,
  },
  {
    name: 'a question',
    trigger: button('Delete key'),
    role: 'dialog',
    choice: button('Delete'),
    isModal: true,
  },
  {
    name: 'a form',
    trigger: button('Add an API key'),
    role: 'dialog',
    choice: button('Cancel'),
    isModal: true,
  },
]

const popupOf = (page: Page, { role }: PopupControl) => page.locator(`[data-base-ui-portal] [role=${role}]`).first()

async function openPopup(page: Page, control: PopupControl): Promise<Locator> {
  const popup = popupOf(page, control)
  await control.trigger(page).click()
  await popup.waitFor()
  await page.locator('[data-base-ui-portal] :focus, [data-base-ui-portal]:focus').first().waitFor()
  return popup
}

async function closeByEscape(page: Page, control: PopupControl): Promise<void> {
  await page.keyboard.press('Escape')
  await popupOf(page, control).waitFor({ state: 'detached' })
}

const isOption = (one: Locator) => one.evaluate((element) => /^(option|menuitem)/.test(element.role ?? ''))

/** How many CSS pixels a popup extends beyond the window; 0 if it fits. */
async function beyondWindow(popup: Locator): Promise<number> {
  const box = await popup.boundingBox()
  const size = popup.page().viewportSize()
  if (box === null || size === null) throw new Error('the popup is not on the screen')
  return Math.max(0, -box.x, -box.y, box.x + box.width - size.width, box.y + box.height - size.height)
}

describe.skipIf(chromiumPath === undefined)('popups of the kit in Chromium', () => {
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

  async function openGallery(query = '', options: PageOptions = { width: 1280, height: 900 }): Promise<TestPage> {
    const tab = await browser.newPage(options)
    await tab.page.goto(`${gallery.origin}/${query}`, { waitUntil: 'networkidle' })
    await tab.page.getByRole('table', { name: 'Users', exact: true }).waitFor()
    return tab
  }

  test.each(controls)('$name returns the focus when Escape, a click outside or a choice closes it', async (control) => {
    await using tab = await openGallery()
    const { page } = tab
    const trigger = control.trigger(page)
    const isBack = async (how: string) => {
      await popupOf(page, control).waitFor({ state: 'detached' })
      await expect.poll(() => hasFocus(trigger), { message: how }).toBe(true)
    }
    await openPopup(page, control)
    await page.keyboard.press('Escape')
    await isBack('Escape')
    await trigger.press('Enter')
    await popupOf(page, control).waitFor()
    await page.keyboard.press('Escape')
    await isBack('Escape after Enter')
    await openPopup(page, control)
    await page.mouse.click(1277, 450)
    await isBack('a press beside')
    if (control.choice !== undefined) {
      await openPopup(page, control)
      const choice = control.choice(page)
      if (await isOption(choice)) await pressOption(choice)
      else await choice.click()
      await isBack('a choice')
    }
    expect(tab.complaints).toEqual([])
  })

  test('a second click on the button closes the popup', async () => {
    await using tab = await openGallery()
    const { page } = tab
    for (const control of controls.filter(({ isModal }) => isModal !== true)) {
      await openPopup(page, control)
      await control.trigger(page).click()
      await popupOf(page, control).waitFor({ state: 'detached' })
      expect(await hasFocus(control.trigger(page)), control.name).toBe(true)
    }
  })

  test('Escape while a list still loads cancels it, and keeps the focus on its button', async () => {
    await using tab = await browser.newPage({ width: 1280, height: 900 })
    const { page } = tab
    const held = Promise.withResolvers<void>()
    await page.route(/SelectPopup/, (route) => held.promise.then(() => route.continue()))
    await page.goto(gallery.origin)
    const language = combobox('Language')(page)
    const loaded = page.waitForResponse(/SelectPopup/)
    await language.click()
    await page.keyboard.press('Escape')
    held.resolve()
    await (await loaded).finished()
    // Long enough for a list that was not cancelled to open.
    await page.waitForTimeout(500)
    expect(await page.getByRole('listbox').count()).toBe(0)
    expect(await hasFocus(language)).toBe(true)
  })

  test('a click on another field closes the list and moves the focus to that field', async () => {
    await using tab = await openGallery()
    const { page } = tab
    const language = controls.find(({ name }) => name === 'a short list')
    if (language === undefined) throw new Error('no short list')
    await openPopup(page, language)
    const company = page.getByLabel('Company')
    await company.click()
    await popupOf(page, language).waitFor({ state: 'detached' })
    expect(await hasFocus(company)).toBe(true)
  })

  test('a dialog opened from a menu returns the focus to the menu’s button', async () => {
    await using tab = await openGallery()
    const { page } = tab
    const more = page.getByRole('button', { name: 'More actions' })
    await more.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await page.getByRole('dialog', { name: 'Delete this key?' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => hasFocus(more)).toBe(true)
    await page.setViewportSize({ width: 360, height: 740 })
    const menu = page.getByRole('button', { name: 'Open menu' })
    await menu.press('Enter')
    await page.getByRole('dialog', { name: 'Menu' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => hasFocus(menu)).toBe(true)
  })

  test('arrow keys, Home, End and letters move within a menu, and Tab leaves it', async () => {
    await using tab = await openGallery()
    const { page } = tab
    const { keyboard } = page
    const at = (name: string) =>
      expect.poll(() => hasFocus(page.getByRole('menuitem', { name }).or(page.getByRole('menuitemradio', { name }))))
    const more = page.getByRole('button', { name: 'More actions' })
    await more.press('ArrowDown')
    await at('Small').toBe(true)
    await keyboard.press('ArrowDown')
    await at('Large').toBe(true)
    await keyboard.press('d')
    await at('Delete').toBe(true)
    await keyboard.press('ArrowDown')
    await at('Small').toBe(true)
    await keyboard.press('End')
    await at('Delete').toBe(true)
    await keyboard.press('Home')
    await at('Small').toBe(true)
    await keyboard.press('Tab')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })

  test('a list works with the keyboard alone: letters find an option, Enter selects it, typing searches', async () => {
    await using tab = await openGallery()
    const { page } = tab
    const language = page.getByRole('combobox', { name: 'Language' })
    await language.press('Enter')
    await expect.poll(() => hasFocus(page.getByRole('option', { name: 'English' }))).toBe(true)
    await page.keyboard.press('n')
    await expect.poll(() => hasFocus(page.getByRole('option', { name: 'Nederlands' }))).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => language.textContent()).toBe('Nederlands')
    const country = page.getByRole('combobox', { name: 'Country' })
    await country.press('n')
    const search = page.getByRole('dialog').getByRole('combobox')
    await expect.poll(() => search.inputValue()).toBe('n')
    await search.pressSequentially('ether')
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual(['Netherlands', 'Caribbean Netherlands'])
    await search.press('Enter')
    await expect.poll(() => country.textContent()).toBe('Netherlands')
    await page.getByRole('button', { name: 'Clear Country' }).press('Enter')
    expect(await country.getAttribute('value')).toBe('')
    await expect.poll(() => country.textContent()).toBe('Select a country')
    await expect.poll(() => hasFocus(country)).toBe(true)
    expect(await page.getByRole('button', { name: 'Clear Home' }).count()).toBe(0)
  })

  test('of 10,000 results only those near the visible part are drawn; the selected, the first and the last are reached', async () => {
    await using tab = await openGallery('?options=10000')
    const { page } = tab
    const street = page.getByRole('combobox', { name: 'Street' })
    await street.press('Enter')
    const search = page.getByRole('dialog').getByRole('combobox')
    const options = page.getByRole('option')
    /** Name, position and number of results of the highlighted option, and whether it is in the visible part. */
    const highlighted = async () => {
      const id = await search.getAttribute('aria-activedescendant')
      return page.evaluate((active) => {
        const option = active === null ? null : document.getElementById(active)
        const [box, part] = [option, option?.closest('[role=listbox]')].map((one) => one?.getBoundingClientRect())
        const isVisible = box && part && box.top >= part.top - 1 && box.bottom <= part.bottom + 1
        return [
          option?.textContent,
          ...['posinset', 'setsize'].map((name) => option?.getAttribute(`aria-${name}`)),
          isVisible,
        ]
      }, id)
    }
    const selected = page.getByRole('option', { selected: true })
    await expect.poll(() => selected.getAttribute('aria-posinset')).toBe('300')
    const middle = () =>
      page.getByRole('listbox').evaluate((list) => {
        const { x, y, height } = list.getBoundingClientRect()
        return document.elementFromPoint(x + 20, y + height / 2)?.closest('[role=option]')?.textContent
      })
    await expect.poll(middle).toBe('Street 300')
    expect(await options.count()).toBeLessThan(60)
    await search.pressSequentially('street')
    await expect.poll(highlighted).toEqual(['Street 1', '1', '10000', true])
    await search.press('ArrowDown')
    await expect.poll(highlighted).toEqual(['Street 2', '2', '10000', true])
    await search.press('ArrowUp')
    await search.press('ArrowUp')
    await expect.poll(highlighted).toEqual(['Street 10000', '10000', '10000', true])
    expect(await options.count()).toBeLessThan(60)
    for (let times = 0; times < 30; times += 1) await search.press('ArrowUp')
    await expect.poll(highlighted).toEqual(['Street 9970', '9970', '10000', true])
    expect(await faults(page)).toEqual([])
    await search.pressSequentially(' 99')
    await expect.poll(highlighted).toEqual(['Street 99', '1', '280', true])
    await search.press('ArrowUp')
    await expect.poll(highlighted).toEqual(['Street 9899', '280', '280', true])
    await search.press('Enter')
    await expect.poll(() => street.textContent()).toBe('Street 9899')
    expect(tab.complaints).toEqual([])
  })

  test('Tab stays inside a dialog, and Escape in a list of its form closes only the list', async () => {
    await using tab = await openGallery()
    const { page } = tab
    await page.getByRole('button', { name: 'Add an API key' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add an API key' })
    await expect.poll(() => hasFocus(dialog.getByLabel('Name', { exact: true }))).toBe(true)
    const seen = new Set<string>()
    for (let times = 0; times < 8; times += 1) {
      await page.keyboard.press(times < 6 ? 'Tab' : 'Shift+Tab')
      // From last to first the focus passes a guard, which hands it on in the next frame.
      await expect.poll(() => dialog.locator(':focus').count()).toBe(1)
      seen.add((await dialog.locator(':focus').textContent()) ?? '')
    }
    expect(seen.size).toBeGreaterThan(2)
    await dialog.getByRole('combobox', { name: 'Permission' }).press('Enter')
    await page.getByRole('option', { name: 'Read only' }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    expect(await dialog.count()).toBe(1)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  const looks = [
    { dir: 'ltr', dark: false },
    { dir: 'rtl', dark: true },
  ] as const
  test.each(looks)(
    'axe finds nothing with any popup open, and no style is injected: $dir, dark $dark',
    async ({ dir, dark }) => {
      await using tab = await openGallery(`?dir=${dir}`, { width: 1280, height: 900, dark })
      const { page } = tab
      for (const control of controls) {
        await openPopup(page, control)
        expect(await faults(page), control.name).toEqual([])
        await closeByEscape(page, control)
      }
      expect(tab.complaints).toEqual([])
    },
  )

  test('a modal dialog makes the page behind it inert, and no other popup does', async () => {
    await using tab = await openGallery()
    const { page } = tab
    for (const control of controls) {
      await openPopup(page, control)
      const inert = await page.locator('#root[inert], #root [inert]').count()
      expect(inert > 0, control.name).toBe(control.isModal === true)
      await closeByEscape(page, control)
      expect(await page.locator('[inert]').count(), control.name).toBe(0)
    }
  })

  const zoomed = [
    { zoom: 200, width: 640, height: 450 },
    { zoom: 400, width: 320, height: 640 },
  ] as const
  test.each(zoomed.flatMap((window) => ['ltr', 'rtl'].map((dir) => ({ ...window, dir }))))(
    'at $zoom % every popup fits inside the window, $dir',
    async ({ dir, width, height }) => {
      await using tab = await openGallery(`?dir=${dir}`, { width, height })
      const { page } = tab
      for (const control of controls) {
        const popup = await openPopup(page, control)
        await expect.poll(() => beyondWindow(popup), { message: control.name }).toBeLessThanOrEqual(1)
        const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
        expect(await page.evaluate(beyond), control.name).toBeLessThanOrEqual(0)
        await closeByEscape(page, control)
      }
    },
  )

  test('popups have no motion where the user prefers reduced motion', async () => {
    await using tab = await openGallery()
    const { page } = tab
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const control of controls) {
      const popup = await openPopup(page, control)
      const seconds = await popup.evaluate((one) => {
        const style = getComputedStyle(one)
        return Math.max(Number.parseFloat(style.animationDuration), Number.parseFloat(style.transitionDuration))
      })
      expect(seconds, control.name).toBeLessThan(0.001)
      await closeByEscape(page, control)
    }
  })
})
