import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { newDataFolder } from '../data-folders.ts'
import { detail, editDetails } from '../details-screen.ts'
import { casesToTry, longTest } from '../long-run.ts'
import { searchOption } from '../popups.ts'
import { DEMO_PASSWORD, type RunningProduct, startProduct } from '../running-product.ts'
import { fillSignIn, openSignedIn } from '../signed-in.ts'

describe.skipIf(chromiumPath === undefined)('My Account in Chromium', () => {
  let product: RunningProduct
  let browser: TestBrowser
  beforeAll(async () => {
    product = await startProduct({ dataFolder: await newDataFolder(), cameras: false })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
    await rm(product.dataFolder, { recursive: true, force: true })
  })

  test('§2 details: a changed name and time zone are kept after a restart of the product', async () => {
    {
      await using tab = await browser.newPage()
      await openSignedIn(tab.page, product.origin)
      await editDetails(tab.page)
      await tab.page.getByLabel('First name').fill('Grace')
      await tab.page.getByLabel('Last name').fill('Hopper')
      await searchOption(tab.page.getByRole('combobox', { name: 'Time zone' }), 'Tokyo')
      await tab.page.getByRole('option', { name: /Asia\/Tokyo/ }).click()
      await tab.page.getByRole('button', { name: 'Save changes', exact: true }).click()
      await tab.page.getByText('Your details are successfully changed').waitFor()
      expect(tab.complaints).toEqual([])
    }
    const { dataFolder, port } = product
    await product.stop()
    product = await startProduct({ dataFolder, port, cameras: false })
    await using tab = await browser.newPage()
    await openSignedIn(tab.page, product.origin)
    await expect.poll(() => detail(tab.page, 'First name').textContent()).toBe('Grace')
    expect(await detail(tab.page, 'Last name').textContent()).toBe('Hopper')
    expect(await detail(tab.page, 'Time zone').textContent()).toContain('Asia/Tokyo')
  })

  longTest(
    '§5 current password is checked before a change: a wrong one is reported and the user stays signed in',
    async () => {
      await using tab = await browser.newPage()
      await openSignedIn(tab.page, product.origin, 'other@demo.example')
      await tab.page.getByRole('button', { name: 'Change email address' }).click()
      await tab.page.getByLabel('New email address').fill('moved@demo.example')
      await tab.page.getByLabel('Current password').fill('not the password')
      await tab.page.getByRole('button', { name: 'Change email address' }).click()
      await tab.page.getByText('Incorrect password').first().waitFor()
      await tab.page.reload()
      await expect.poll(() => detail(tab.page, 'First name').textContent()).toBe('Oscar')
      expect(new URL(tab.page.url()).pathname).toBe('/details')
    },
  )

  longTest('a failed sign-in says neither which field is wrong nor whether the user exists', async () => {
    await using tab = await browser.newPage()
    await tab.page.goto(product.origin)
    for (const email of ['owner@demo.example', 'nobody@demo.example']) {
      await tab.page.getByLabel('Email address', { exact: true }).waitFor()
      await fillSignIn(tab.page, email, 'wrong password')
      await tab.page.getByText('Incorrect email address or password').waitFor()
    }
  })

  test('§4 password change success clears the session and reloads: only the new password signs in', async () => {
    await using tab = await browser.newPage()
    await openSignedIn(tab.page, product.origin, 'guard@demo.example')
    const changed = 'Another-one.2026'
    await tab.page.getByRole('button', { name: 'Change password' }).click()
    await tab.page.getByLabel('Current password').fill(DEMO_PASSWORD)
    await tab.page.getByLabel('New password', { exact: true }).fill(changed)
    await tab.page.getByLabel('Confirm new password').fill(changed)
    await tab.page.getByRole('button', { name: 'Change password' }).click()
    await tab.page.getByText('The password was successfully changed').waitFor()
    await tab.page.getByLabel('Email address', { exact: true }).waitFor({ timeout: 15_000 })
    await fillSignIn(tab.page, 'guard@demo.example', DEMO_PASSWORD)
    await tab.page.getByText('Incorrect email address or password').waitFor()
    await fillSignIn(tab.page, 'guard@demo.example', changed)
    await expect.poll(() => detail(tab.page, 'First name').textContent()).toBe('Gabriel')
  })

  longTest('a chosen language is kept at the next sign-in', async () => {
    await using tab = await browser.newPage()
    await openSignedIn(tab.page, product.origin)
    await tab.page.getByRole('button', { name: 'Language' }).click()
    await tab.page
      .getByRole('menuitem', { name: 'Nederlands' })
      .or(tab.page.getByRole('menuitemradio', { name: 'Nederlands' }))
      .click()
    await tab.page.getByText('Voornaam', { exact: true }).waitFor()
    expect(await tab.page.locator('html').getAttribute('lang')).toBe('nl')
    await using another = await browser.newPage()
    await openSignedIn(another.page, product.origin)
    await another.page.getByText('Voornaam', { exact: true }).waitFor()
  })

  test('§5 unsaved-changes warning: a link, the Back button and closing the tab ask before changes are lost', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openSignedIn(page, product.origin, 'other@demo.example')
    const name = page.getByLabel('First name')
    const toCookies = () => page.getByRole('contentinfo').getByRole('link', { name: 'Cookies' }).click()
    const question = page.getByText('Leave without saving?')
    await editDetails(page)
    await name.fill('Typed')
    await toCookies()
    await question.waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    expect(await name.inputValue()).toBe('Typed')
    await toCookies()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.waitForURL('**/cookies')
    await page.getByRole('banner').getByRole('link').first().click()
    await expect.poll(() => detail(page, 'First name').textContent()).toBe('Oscar')
    await editDetails(page)
    await name.fill('Typed again')
    await page.goBack()
    await question.waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    expect((await asked).type()).toBe('beforeunload')
    await (await asked).accept()
    expect(tab.complaints).toEqual([])
  })

  test.each(casesToTry(['/details/', '/Details', '/DETAILS/']))(
    '%s redirects to /details and keeps the query',
    async (path) => {
      await using tab = await browser.newPage()
      const { page } = tab
      const here = () => page.url().slice(product.origin.length)
      await openSignedIn(page, `${product.origin}${path}?from=mail`, 'other@demo.example')
      await page.getByText('First name', { exact: true }).waitFor()
      expect(here()).toBe('/details?from=mail')
      await page.goto(`${product.origin}${path}?from=mail#top`)
      await page.getByText('First name', { exact: true }).waitFor()
      expect(here()).toBe('/details?from=mail#top')
      await page.goto(`${product.origin}/Cookies/`)
      await page.getByRole('heading', { level: 1, name: 'Cookies' }).waitFor()
      expect(here()).toBe('/cookies')
    },
  )

  test('§4 logout deletes the current token, and §2 /logout shows where to go', async () => {
    await using tab = await browser.newPage()
    await openSignedIn(tab.page, product.origin, 'other@demo.example')
    await tab.page.getByText('First name', { exact: true }).waitFor()
    await tab.page.getByRole('button', { name: 'Account menu' }).click()
    await tab.page.getByRole('menuitem', { name: 'Sign out' }).click()
    await tab.page.getByText('You are now logged out').waitFor()
    await tab.page.goto(product.origin)
    await tab.page.getByLabel('Email address', { exact: true }).waitFor()
  })
})
