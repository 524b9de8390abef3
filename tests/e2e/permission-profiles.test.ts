import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type PageOptions, type TestBrowser } from '../browser.ts'
import { DEMO_PASSWORD, type RunningProduct, startProduct } from '../running-product.ts'
import { overflow, violations } from '../screens.ts'
import { callApi, openSignedIn, tokenOf } from '../signed-in.ts'

interface Profile {
  readonly permissionProfileId: number
  readonly name: string
  readonly rights: Readonly<Record<string, boolean>>
}

describe.skipIf(chromiumPath === undefined)('the screens of permission profiles in Chromium', () => {
  let product: RunningProduct
  let browser: TestBrowser
  let owner = ''

  const ask = async <T>(request: string, body?: unknown): Promise<T> => {
    const reply = await callApi<T>(product.origin, owner, request, body)
    if (reply.status >= 400) throw new Error(`${request} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const profileOf = async (name: string) => {
    const profiles = await ask<Profile[]>('GET permissionProfiles')
    const found = profiles.find((profile) => profile.name === name)
    if (found === undefined) throw new Error(`there is no profile ${name}`)
    return found
  }

  beforeAll(async () => {
    product = await startProduct()
    browser = await openBrowser()
    owner = await tokenOf(product.origin, 'owner@demo.example')
    const viewer = { email: 'viewer@demo.example', firstName: 'Vera', lastName: 'Viewer', password: DEMO_PASSWORD }
    await ask('POST users', { ...viewer, rights: { viewUserSettings: true } })
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
  })

  const open = async (path: string, email = 'owner@demo.example', options: PageOptions = {}) => {
    const tab = await browser.newPage(options)
    await openSignedIn(tab.page, `${product.origin}/app${path}`, email)
    await tab.page.getByRole('main').waitFor()
    return tab
  }
  const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
  const right = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })

  test('a profile is copied from a built-in one, named once, and its rights are switches', async () => {
    await using tab = await open('/profiles')
    const { page } = tab
    await rowOf(page, 'Guard').getByText('Built in').waitFor()
    await rowOf(page, 'Guard')
      .getByRole('button', { name: /^What can be done/ })
      .click()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Open', 'Copy'])
    await page.getByRole('menuitem', { name: 'Copy' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add profile' })
    await dialog.getByLabel('Name').fill('Night shift')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add profile' }).click()
    await page.getByText('The profile Night shift was added').waitFor()
    await page.getByText('8 of 43 rights are on').waitFor()
    await right(page, 'Export').click()
    await expect.poll(async () => (await profileOf('Night shift')).rights.export).toBe(false)
    await page.getByText('7 of 43 rights are on').waitFor()
    expect(await page.getByText('Everybody has this right.').count()).toBe(3)
    expect(await violations(page)).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('a name that is taken is told at the field', async () => {
    await ask('POST permissionProfiles', { name: 'Day shift', rights: {} })
    await using tab = await open('/profiles')
    const { page } = tab
    await page.getByRole('button', { name: 'Add profile' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add profile' })
    await dialog.getByLabel('Name').fill('Day shift')
    await dialog.getByRole('button', { name: 'Add profile' }).click()
    await expect.poll(() => dialog.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
  })

  test('a built-in profile is shown as it is, and why it cannot be changed', async () => {
    const { permissionProfileId } = await profileOf('Guard')
    await using tab = await open(`/profiles/${permissionProfileId}`)
    const { page } = tab
    await page.getByText(/^This profile is built in and cannot be changed/).waitFor()
    await right(page, 'Export').click({ force: true })
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    expect((await profileOf('Guard')).rights.export).toBe(true)
  })

  test('who has it is named, and as long as somebody has it it is not deleted', async () => {
    const { permissionProfileId } = await ask<Profile>('POST permissionProfiles', { name: 'Cleaners', rights: {} })
    const person = { email: 'cleo@demo.example', firstName: 'Cleo', lastName: 'Cleaner', permissionProfileId }
    const { userId } = await ask<{ userId: number }>('POST users', person)
    await using tab = await open(`/profiles/${permissionProfileId}`)
    const { page } = tab
    await page.getByRole('link', { name: 'Cleo Cleaner' }).waitFor()
    await right(page, 'Move cameras').click()
    await expect.poll(() => ask(`GET users/${userId}/rights`)).toMatchObject({ ptz: true })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The profile Cleaners is in use').waitFor()
    await page.getByText(/^Users with this profile: 1\./).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await ask(`PATCH users/${userId}/rights`, { permissionProfileId: null })
    await page.reload()
    await page.getByText('Nobody has this profile.').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText(/^Nobody has it, so nobody loses a right/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The profile Cleaners was deleted').waitFor()
    await rowOf(page, 'Guard').waitFor()
    expect(await rowOf(page, 'Cleaners').count()).toBe(0)
  })

  test('it is renamed, and leaving before that is saved asks first', async () => {
    const { permissionProfileId } = await ask<Profile>('POST permissionProfiles', { name: 'Old name', rights: {} })
    await using tab = await open(`/profiles/${permissionProfileId}`)
    const { page } = tab
    await page.getByLabel('Name').fill('New name')
    await page.getByRole('link', { name: 'Permission profiles' }).first().click()
    await page.getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The profile is now called New name').waitFor()
    await page.getByRole('heading', { name: 'New name', level: 1 }).waitFor()
  })

  test('who sees users sees the profiles too, and that only the owner changes them', async () => {
    await using tab = await open('/profiles', 'viewer@demo.example')
    const { page } = tab
    await page.getByText('Only the owner of the account changes profiles.').waitFor()
    expect(await page.getByRole('button', { name: 'Add profile' }).count()).toBe(0)
    await rowOf(page, 'Guard')
      .getByRole('button', { name: /^What can be done/ })
      .click()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Open'])
  })

  test('somebody without the right gets a page that says so', async () => {
    await using tab = await open('/profiles', 'guard@demo.example')
    await tab.page.getByRole('heading', { name: 'You may not see users' }).waitFor()
    expect(await tab.page.getByRole('link', { name: 'Permission profiles' }).count()).toBe(0)
  })

  test.each([
    { width: 360, dark: false },
    { width: 768, dark: true },
    { width: 1280, dark: false },
  ])('nothing is cut off and axe finds nothing at %j', async (options) => {
    const { permissionProfileId } = await profileOf('Guard')
    await using tab = await open('/profiles', 'owner@demo.example', options)
    const { page } = tab
    for (const path of ['/profiles', `/profiles/${permissionProfileId}`]) {
      await page.goto(`${product.origin}/app${path}`)
      await page.getByText('Guard').first().waitFor()
      await page.waitForLoadState('networkidle')
      expect(await overflow(page)).toBe(0)
      expect(await violations(page)).toEqual([])
    }
  })
})
