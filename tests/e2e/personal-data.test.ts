import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { computeCode, presentStep, wrongCode } from '../authenticator-app.ts'
import { chromiumPath, type PageOptions, type TestPage } from '../browser.ts'
import { faultsInEveryLook } from '../every-look.ts'
import { inLongRun, longTest } from '../long-run.ts'
import { DEMO_PASSWORD } from '../running-product.ts'
import { callApi, fetchToken, openUserPage } from '../signed-in.ts'
import { addDemoUser, addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

const OWNER = 'owner@demo.example'
const PERSON = 'petra@demo.example'
const GUARDED = 'gerda@demo.example'
const MS_PER_DAY = 86_400_000

interface Personal {
  readonly format: string
  readonly person: { readonly email: string; readonly isOwner: boolean }
  readonly cameras: readonly { readonly cameraId: number; readonly name: string }[]
  readonly footage?: readonly { readonly cameraId: number; readonly from: string; readonly till: string }[]
  readonly auditLog: readonly { readonly action: string }[]
}

describe.skipIf(chromiumPath === undefined)('personal data in Chromium', () => {
  let app: RunningWebApp
  let key = ''
  let timeZone = ''
  let recoveryCodes: readonly string[] = []
  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    timeZone = (await app.ask<{ timeZone: string }>('GET accounts/self/timeZone')).timeZone
    await addUser(app, PERSON, {})
    await addUser(app, GUARDED, { firstName: 'Gerda' })
    const token = await fetchToken(app.product.origin, GUARDED)
    const asks = <T>(request: string, body?: unknown) => callApi<T>(app.product.origin, token, request, body)
    key = (await asks<{ secret: string }>('GET users/self/mfa')).body.secret
    const given = { enabled: true, code: computeCode(key, presentStep()) }
    recoveryCodes = (await asks<{ recoveryCodes: string[] }>('PATCH users/self/mfa', given)).body.recoveryCodes
  })
  afterAll(() => app?.[Symbol.asyncDispose]())

  /** The date in fourteen days, in the account's time zone, as the page formats it. */
  const dayOfDeletion = () =>
    new Date(Date.now() + 14 * MS_PER_DAY).toLocaleDateString('en', { dateStyle: 'long', timeZone })
  const open = async (email: string, options: PageOptions = {}): Promise<TestPage> => {
    const tab = await app.newPage(options)
    await openUserPage(tab.page, `${app.product.origin}/personaldata`, email)
    return tab
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
  const notice = (page: Page) => page.getByText(/^(This account|Your access and data) will be deleted on /)
  const keep = (page: Page) => page.getByRole('button', { name: 'Cancel deletion' })
  const received = async (page: Page, press: () => Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), press()])
    expect(file.suggestedFilename()).toMatch(/^personal-data-\d{4}-\d\d-\d\d\.json$/)
    return JSON.parse(await readFile(await file.path(), 'utf8')) as Personal
  }

  test('the owner downloads all data and a list of the footage as one file after the correct password', async () => {
    const cameras = await app.ask<{ cameraId: number; name: string }[]>('GET cameras')
    const recorded = () => app.ask<{ footage: { bytes: number } }>('GET users/self/personalData')
    await expect.poll(async () => (await recorded()).footage.bytes, { timeout: 60_000 }).toBeGreaterThan(0)
    await using tab = await open(OWNER)
    const { page } = tab
    await press(page, 'Download')
    const dialog = dialogOf(page, 'Download my data')
    await dialog.getByText('The file contains personal data. Store it somewhere safe.').waitFor()
    const send = () => dialog.getByRole('button', { name: 'Download', exact: true }).click()
    expect(await dialog.getByRole('button', { name: 'Download', exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel('Current password').fill('not the password')
    await send()
    await dialog.getByText('Incorrect password').waitFor()
    await dialog.getByLabel('Current password').fill(DEMO_PASSWORD)
    const data = await received(page, send)
    await page.getByText('Your data was downloaded').waitFor()
    expect(await dialog.count()).toBe(0)
    expect(data).toMatchObject({ format: 'personal data', person: { email: OWNER, isOwner: true } })
    expect(new Set(data.cameras.map(({ name }) => name))).toEqual(new Set(cameras.map(({ name }) => name)))
    expect(data.footage?.length).toBeGreaterThan(0)
    for (const { cameraId, from, till } of data.footage ?? []) {
      expect(cameras.map((camera) => camera.cameraId)).toContain(cameraId)
      expect(Date.parse(till)).toBeGreaterThan(Date.parse(from))
    }
    expect(data.auditLog.map(({ action }) => action)).toContain('downloadPersonalData')
    expect(JSON.stringify(data)).not.toContain(DEMO_PASSWORD)
    expect(tab.complaints.filter((complaint) => !complaint.includes('status of 4'))).toEqual([])
  })

  longTest('a sub-user downloads only their own data; with two-factor on, the page also asks for a code', async () => {
    await using tab = await open(GUARDED)
    const { page } = tab
    await page.getByRole('link', { name: 'Use a recovery code instead' }).click()
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
    await press(page, 'Sign in')
    await press(page, 'Download')
    const dialog = dialogOf(page, 'Download my data')
    const code = dialog.getByLabel('Authentication or recovery code')
    const send = () => dialog.getByRole('button', { name: 'Download', exact: true }).click()
    await dialog.getByLabel('Current password').fill(DEMO_PASSWORD)
    await code.fill(wrongCode(key))
    await send()
    await dialog.getByText('This code is incorrect or was already used').waitFor()
    expect(await faultsInEveryLook(page)).toEqual([])
    await code.fill(computeCode(key, presentStep() + 1))
    const data = await received(page, send)
    expect(data).toMatchObject({ person: { email: GUARDED, isOwner: false }, cameras: [] })
    // The user has no right to view footage.
    expect(data).not.toHaveProperty('footage')
    expect(JSON.stringify(data)).not.toContain(OWNER)
  })

  test.each(inLongRun([360, 768, 1280]))(
    '%i px: the dialog that says what is deleted fits and axe finds nothing, in every look',
    async (width) => {
      await using tab = await open(OWNER, { width })
      const { page } = tab
      await press(page, 'Delete account')
      const dialog = dialogOf(page, 'Delete account')
      await dialog.getByText(/^\d+ cameras?$/).waitFor()
      expect(await faultsInEveryLook(page)).toEqual([])
      await press(page, 'Cancel')
      expect(await faultsInEveryLook(page)).toEqual([])
    },
  )

  test('the owner schedules the account’s deletion in 14 days after reading what is lost; every page offers to cancel it', async () => {
    const { cameras, subUsers } = await app.ask<{ cameras: number; subUsers: number }>('GET users/self/personalData')
    await using tab = await open(OWNER)
    const { page } = tab
    await press(page, 'Delete account')
    const dialog = dialogOf(page, 'Delete account')
    await dialog.getByText(`This will be deleted on ${dayOfDeletion()}:`).waitFor()
    await dialog.getByText(new RegExp(`^${cameras} cameras?$`)).waitFor()
    await dialog.getByText(/^All recordings: .+ since /).waitFor()
    await dialog.getByText(new RegExp(`^${subUsers} other users?$`)).waitFor()
    await dialog.getByText("After that day, it can't be restored.").waitFor()
    const send = dialog.getByRole('button', { name: 'Delete account' })
    expect(await send.isDisabled()).toBe(true)
    await dialog.getByLabel('Current password').fill('not the password')
    await send.click()
    await dialog.getByText('Incorrect password').waitFor()
    expect(await notice(page).count()).toBe(0)
    await dialog.getByLabel('Current password').fill(DEMO_PASSWORD)
    await send.click()
    await page.getByText(`This account will be deleted on ${dayOfDeletion()}.`).waitFor()
    for (const path of ['/details', '/support', '/tfa', '/sessions', '/personaldata', '/app/', '/app/zones']) {
      await page.goto(`${app.product.origin}${path}`)
      await notice(page).waitFor()
      await keep(page).first().waitFor()
    }
    expect(tab.complaints.filter((complaint) => !complaint.includes('status of 4'))).toEqual([])
  })

  longTest('every user of the account sees the scheduled deletion, and only the owner can cancel it', async () => {
    await using other = await open(PERSON, { width: 360 })
    await other.page.getByText(`This account will be deleted on ${dayOfDeletion()}.`).waitFor()
    await other.page.getByRole('heading', { name: 'Delete my access and data' }).waitFor()
    expect(await keep(other.page).count()).toBe(0)
    expect(await faultsInEveryLook(other.page)).toEqual([])
    await using tab = await open(OWNER, { width: 360 })
    const { page } = tab
    await page.getByText(`Scheduled for deletion on ${dayOfDeletion()}.`).waitFor()
    expect(await faultsInEveryLook(page)).toEqual([])
    await page.goto(`${app.product.origin}/details`)
    await keep(page).click()
    await page.getByText('Deletion canceled').waitFor()
    await expect.poll(() => notice(page).count()).toBe(0)
    expect(await app.ask('GET users/self/deletion')).toMatchObject({ deletesAt: null, accountDeletesAt: null })
    await other.page.reload()
    await other.page.getByRole('button', { name: 'Delete my access and data' }).waitFor()
    await expect.poll(() => notice(other.page).count()).toBe(0)
  })

  longTest('a sub-user deletes only their own access, and can cancel it on the same screen', async () => {
    await using tab = await open(PERSON)
    const { page } = tab
    await press(page, 'Delete my access and data')
    const dialog = dialogOf(page, 'Delete my access and data')
    await dialog.getByText("Your activity stays in the account's audit log").waitFor()
    expect(await dialog.getByText(/camera|recordings/).count()).toBe(0)
    expect(await faultsInEveryLook(page)).toEqual([])
    await dialog.getByLabel('Current password').fill(DEMO_PASSWORD)
    await dialog.getByRole('button', { name: 'Delete my access and data' }).click()
    await page.getByText(`Your access and data will be deleted on ${dayOfDeletion()}.`).waitFor()
    expect(await app.ask('GET users/self/deletion')).toMatchObject({ deletesAt: null, accountDeletesAt: null })
    await page.getByRole('main').getByRole('button', { name: 'Cancel deletion' }).click()
    await page.getByText('Deletion canceled').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Delete my access and data' }).waitFor()
    expect(tab.complaints).toEqual([])
  })

  longTest('a demo user sees the page but can neither download nor delete', async () => {
    const email = 'demo-user@demo.example'
    await addDemoUser(app, email)
    await using tab = await open(email)
    const { page } = tab
    await page.getByText("You're signed in as a demo user").waitFor()
    for (const name of ['Download', 'Delete my access and data']) {
      expect(await page.getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true)
    }
    expect(await faultsInEveryLook(page)).toEqual([])
    const token = await fetchToken(app.product.origin, email)
    for (const call of ['POST users/self/personalData', 'POST users/self/deletion']) {
      const refused = await callApi(app.product.origin, token, call, { password: DEMO_PASSWORD })
      expect(refused, call).toMatchObject({ status: 403, body: { code: 9 } })
    }
  })

  longTest('a support session can neither download nor delete, and the page says so, also when embedded', async () => {
    const token = await beginSupport(app, { video: 'shown' })
    for (const call of ['POST users/self/personalData', 'POST users/self/deletion', 'DELETE users/self/deletion']) {
      const body = call.startsWith('POST') ? { password: DEMO_PASSWORD } : undefined
      const refused = await callApi(app.product.origin, token, call, body)
      expect(refused, call).toMatchObject({ status: 403, body: { code: 9 } })
    }
    await using tab = await app.newPage()
    const { page } = tab
    await lendToken(page, app.product.origin, token)
    for (const path of ['/personaldata', '/settings/personaldata']) {
      await page.goto(`${app.product.origin}${path}`)
      await page.getByText("During a support session, you can't download or delete personal data.").waitFor()
      for (const name of ['Download', 'Delete account']) {
        expect(await page.getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true)
      }
    }
    expect(tab.complaints).toEqual([])
  })
})
