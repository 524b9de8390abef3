import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chromiumPath, type TestPage } from '../browser.ts'
import { casesToTry, inLongRun, longTest } from '../long-run.ts'
import { chooseOption, chosenValue, menuEntries } from '../popups.ts'
import { DEMO_PASSWORD } from '../running-product.ts'
import { overflow, violations } from '../screens.ts'
import { callApi, fetchToken, openUserPage, staffClient } from '../signed-in.ts'
import { addDemoUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

interface Subscription {
  readonly subscriptionId: number
  readonly nextSubscriptionId: number
  readonly name: string
  readonly startDate: string
  readonly endDate: string
}
interface Package {
  readonly subscriptionId: number
  readonly name: string
}

/** The values of the current subscription. */
const currentDetails = (page: Page) =>
  page.locator('section').filter({ hasText: 'Current subscription' }).first().getByRole('definition')

describe.skipIf(chromiumPath === undefined)('Subscriptions in Chromium (specification §4)', () => {
  let app: RunningWebApp
  let dealer: string
  let admin: string
  let account: string
  let packages: readonly Package[]

  beforeAll(async () => {
    app = await startWebApp()
    await addDemoUser(app, 'looker@demo.example')
    const { origin } = app.product
    dealer = await fetchToken(origin, 'dealer@demo.example', DEMO_PASSWORD, staffClient)
    admin = await fetchToken(origin, 'admin@demo.example', DEMO_PASSWORD, staffClient)
    const { accountId } = await app.ask<{ accountId: number }>('GET users/self')
    account = `resellers/255/accounts/${accountId}`
    await set({ featureFlags: { userSelfServiceManagement: true } })
    packages = await app.ask<Package[]>('GET accounts/self/subscriptions')
    await asDealer(`PATCH ${account}/subscriptions/current`, { subscriptionId: idOf('HD1 30 days 10 cameras') })
  })
  afterAll(() => app[Symbol.asyncDispose]())
  beforeEach(async () => {
    await set({ status: 'active', userType: 'regular', featureFlags: { userSelfServiceManagement: true } })
    const { subscriptionId } = await current()
    await asDealer(`PATCH ${account}/subscriptions/current`, { subscriptionId })
  })

  const asStaff = async <T>(token: string, request: string, body?: unknown): Promise<T> => {
    const reply = await callApi<T>(app.product.origin, token, request, body)
    if (reply.status >= 400) throw new Error(`${request} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const asDealer = <T>(request: string, body?: unknown) => asStaff<T>(dealer, request, body)
  const set = (changes: object) => asDealer(`PATCH ${account}`, changes)
  const current = () => app.ask<Subscription>('GET accounts/self/subscriptions/current')
  const idOf = (name: string): number => packages.find((one) => one.name === name)?.subscriptionId ?? 0
  const open = async (email = 'owner@demo.example', width = 1280): Promise<TestPage> => {
    const tab = await app.newPage({ width })
    // A separate sign-in: for up to a second the server answers a cached one with the account's previous state.
    await openUserPage(tab.page, `${app.product.origin}/subscriptions`, email, { isSeparate: true })
    // The placeholder before it also has a heading.
    await tab.page.getByRole('button', { name: 'Account menu' }).waitFor()
    await tab.page.getByRole('main').getByRole('heading').first().waitFor()
    return tab
  }
  const pick = async ({ page }: TestPage, action: string) => {
    await page.getByRole('button', { name: 'Change subscription' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  const actions = async ({ page }: TestPage) => {
    await page.getByRole('button', { name: 'Change subscription' }).click()
    const names = await menuEntries(page)
    await page.keyboard.press('Escape')
    return names
  }
  const confirm = ({ page }: TestPage, name: string) => page.getByRole('dialog').getByRole('button', { name }).click()

  test('a subscriptions visit without self-service or super user redirects to UserDetails, and the menu has no item', async () => {
    await set({ featureFlags: { userSelfServiceManagement: false } })
    for (const email of ['owner@demo.example', 'guard@demo.example']) {
      await using tab = await open(email)
      await tab.page.waitForURL('**/details')
      await tab.page.getByRole('link', { name: 'Support', exact: true }).waitFor()
      expect(await tab.page.getByRole('link', { name: 'Subscriptions' }).count()).toBe(0)
      await tab.page.goto(`${app.product.origin}/settings/subscriptions`)
      await tab.page.waitForURL('**/settings/details')
      expect(tab.complaints).toEqual([])
      await set({ featureFlags: { userSelfServiceManagement: true } })
    }
    await using tab = await open()
    await tab.page.getByRole('link', { name: 'Subscriptions' }).waitFor()
  })

  test('the current subscription shows days, quality, cameras, dates as yyyy-mm-dd and SKU', async () => {
    await using tab = await open()
    const { page } = tab
    const { startDate, endDate } = await current()
    await page.getByRole('heading', { name: 'Current subscription' }).waitFor()
    const shown = await currentDetails(page).allTextContents()
    expect(shown).toEqual(['30', '720p', '10', startDate, endDate, 'HD1-30-10'])
    expect(startDate).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(tab.complaints).toEqual([])
  })

  test('auto: do not prolong ends the subscription after a dialog says what ends; cancel: prolong undoes it', async () => {
    await using tab = await open()
    const { page } = tab
    const { endDate, subscriptionId } = await current()
    await page.getByText('Renews', { exact: true }).waitFor()
    expect(await actions(tab)).toEqual(['Choose a subscription', 'Turn off renewal'])
    await pick(tab, 'Turn off renewal')
    await page.getByText(`ends on ${endDate}. Your cameras will keep working`, { exact: false }).waitFor()
    await confirm(tab, 'Keep as is')
    expect((await current()).nextSubscriptionId).toBe(subscriptionId)
    await pick(tab, 'Turn off renewal')
    await confirm(tab, 'Turn off renewal')
    await page.getByText('Subscription was canceled successfully').waitFor()
    await page.getByText(`Your subscription ends on ${endDate} and won't renew.`).waitFor()
    expect((await current()).nextSubscriptionId).toBe(-1)
    expect(await actions(tab)).toEqual(['Choose a subscription', 'Renew subscription'])
    await pick(tab, 'Renew subscription')
    await confirm(tab, 'Renew subscription')
    await page.getByText('Subscription was prolonged successfully').waitFor()
    await page.getByText('Renews', { exact: true }).waitFor()
    expect((await current()).nextSubscriptionId).toBe(subscriptionId)
    expect(tab.complaints).toEqual([])
  })

  longTest(
    'downgrade: it takes effect at the end of the period, and canceling it keeps the current package',
    async () => {
      await using tab = await open()
      const { page } = tab
      const before = await current()
      await pick(tab, 'Choose a subscription')
      const save = page.getByRole('button', { name: 'Save changes', exact: true })
      expect(await save.isDisabled()).toBe(true)
      expect(await page.getByRole('button', { name: 'Change subscription' }).count()).toBe(0)
      await page.getByRole('radio', { name: 'Camera management / live only' }).click()
      expect(await page.getByLabel('Number of cameras').inputValue()).toBe('200')
      await page.getByText('Live only 200 cameras').waitFor()
      await page.getByRole('radio', { name: 'Cloud storage' }).click()
      expect(await chosenValue(page.getByLabel('Video quality'))).toBe('SD1')
      expect(await chosenValue(page.getByLabel('Days of recording'))).toBe('7')
      expect(await page.getByLabel('Number of cameras').inputValue()).toBe('10')
      await save.click()
      await page.getByText(`Downgrade: you keep ${before.name} until ${before.endDate}.`, { exact: false }).waitFor()
      expect(await violations(page)).toEqual([])
      await confirm(tab, 'Change subscription')
      await page.getByText('Subscription was prolonged successfully').waitFor()
      await page.getByText(/changes to SD1 7 days 10 cameras on /).waitFor()
      const next = idOf('SD1 7 days 10 cameras')
      expect(await current()).toEqual({ ...before, nextSubscriptionId: next, nextSubscriptionPackageId: next })
      expect(await actions(tab)).toEqual(['Choose a subscription', 'Cancel downgrade', 'Turn off renewal'])
      await pick(tab, 'Cancel downgrade')
      await confirm(tab, 'Cancel downgrade')
      await page.getByText('Your subscription renews on', { exact: false }).waitFor()
      expect((await current()).nextSubscriptionId).toBe(before.subscriptionId)
      expect(tab.complaints).toEqual([])
    },
  )

  longTest(
    'the camera count stays between 1 and the maximum for the chosen days, and the matching package is selected',
    async () => {
      await using tab = await open()
      const { page } = tab
      await pick(tab, 'Choose a subscription')
      const cameras = page.getByLabel('Number of cameras')
      for (const [days, most] of [
        ['7', 200],
        ['60', 120],
        ['90', 80],
        ['180', 40],
        ['365', 20],
        ['730', 10],
      ] as const) {
        await chooseOption(page.getByLabel('Days of recording'), days)
        await cameras.fill('5000')
        await cameras.blur()
        expect(await cameras.inputValue()).toBe(String(most))
        await page.getByText(`HD1 ${days} days ${most} cameras`, { exact: true }).waitFor()
      }
      await chooseOption(page.getByLabel('Days of recording'), '14')
      await cameras.fill('0')
      await cameras.blur()
      expect(await cameras.inputValue()).toBe('1')
      await page.getByText('HD1 14 days 10 cameras', { exact: true }).waitFor()
      await cameras.fill('11')
      await page.getByText('HD1 14 days 200 cameras', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Change subscription' }).waitFor()
      expect(tab.complaints).toEqual([])
    },
  )

  test('upgrade: it takes effect immediately, and a refused change says that it failed', async () => {
    await using tab = await open()
    const { page } = tab
    const before = await current()
    await pick(tab, 'Choose a subscription')
    await chooseOption(page.getByLabel('Video quality'), '1080p')
    await page.getByRole('button', { name: 'Save changes', exact: true }).click()
    await page.getByText('Upgrade: HD2 30 days 10 cameras replaces', { exact: false }).waitFor()
    await page.route('**/subscriptions/current', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 409, json: { code: 6, title: 'This is not possible in the current state' } })
        : route.continue(),
    )
    await confirm(tab, 'Change subscription')
    await page.getByText('Error while updating subscription').waitFor()
    await page.unroute('**/subscriptions/current')
    expect(await current()).toEqual(before)
    await page.getByRole('button', { name: 'Save changes', exact: true }).click()
    await confirm(tab, 'Change subscription')
    await page.getByText('Subscription was prolonged successfully').waitFor()
    await expect.poll(() => currentDetails(page).allTextContents()).toContain('HD2-30-10')
    expect(await current()).toMatchObject({ name: 'HD2 30 days 10 cameras', endDate: before.endDate })
  })

  longTest('custom packages are chosen by name and camera count; the page says when none is available', async () => {
    const put = (id: number, body: object) => asStaff(admin, `PUT resellers/255/subscriptionPackages/${id}`, body)
    const custom = { sku: null, quality: null, retention: null, sortOrder: 0 }
    await put(9010, { ...custom, name: 'Gallery_10', maxAmountOfCameras: 10 })
    await put(9025, { ...custom, name: 'Gallery_25', maxAmountOfCameras: 25 })
    const all = await asStaff<Record<string, unknown>[]>(admin, 'GET resellers/255/subscriptionPackages')
    const first = all.find(({ name }) => name === 'SD1 7 days 10 cameras') ?? {}
    const { subscriptionId, subscriptionPackageId, ...firstFields } = first
    await put(Number(subscriptionId), { ...firstFields, sortOrder: 500 })
    expect(subscriptionPackageId).toBe(subscriptionId)
    await using tab = await open()
    const { page } = tab
    await page.route('**/accounts/self/subscriptions', async (route) => {
      const response = await route.fetch()
      const rows = (await response.json()) as Package[]
      const mine = rows.filter(({ name }) => name.startsWith('Gallery'))
      await route.fulfill({ response, json: mine })
    })
    await page.reload()
    await pick(tab, 'Choose a subscription')
    await chooseOption(page.getByLabel('Subscription name'), 'Gallery')
    await chooseOption(page.getByLabel('Number of cameras'), '25')
    await page.getByText('Gallery_25', { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.unroute('**/accounts/self/subscriptions')
    await page.route('**/accounts/self/subscriptions', (route) => route.fulfill({ json: [] }))
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.reload()
    await pick(tab, 'Choose a subscription')
    await page.getByText('There are no available subscriptions to choose from.').waitFor()
    await page.getByText('Please contact support').waitFor()
    expect(await page.getByRole('button', { name: 'Save changes', exact: true }).isDisabled()).toBe(true)
    expect(tab.complaints).toEqual([])
    await put(Number(subscriptionId), firstFields)
    for (const [id, cameras] of [
      [9010, 10],
      [9025, 25],
    ] as const) {
      await put(id, { ...custom, name: `Gallery_${cameras}`, maxAmountOfCameras: cameras, available: false })
    }
  })

  const unchangeable = [
    ['trial', { userType: 'trial' }, 'To continue after your trial, contact your provider'],
    [
      'demo',
      { userType: 'demo' },
      "You're signed in as a demo user. You can see everything, but you can't change anything.",
    ],
    ['inactive', { status: 'inactive' }, 'You can change the subscription only while the account is active.'],
  ] as const
  test.each(casesToTry(unchangeable))(
    'the subscription of a %s account can be viewed but not changed',
    async (_, changes, why) => {
      await set(changes)
      await using tab = await open()
      const { page } = tab
      await page.getByText(why, { exact: false }).waitFor()
      await page.getByRole('heading', { name: 'Renewal' }).waitFor()
      expect(await page.getByRole('button', { name: 'Change subscription' }).count()).toBe(0)
      const owner = await fetchToken(app.product.origin, 'owner@demo.example')
      const request = 'PATCH resellers/255/accounts/self/subscriptions/current'
      const answer = await callApi(app.product.origin, owner, request, { nextSubscriptionPackageId: -1 })
      expect(answer.status).toBe(403)
      expect(await violations(page)).toEqual([])
    },
  )

  longTest('a demo user who is a sub-user is redirected to the details', async () => {
    await using tab = await open('looker@demo.example')
    await tab.page.waitForURL('**/details')
  })

  longTest('a support session sees the subscription but cannot change it', async () => {
    const token = await beginSupport(app, { video: 'hidden' })
    await using tab = await app.newPage({ width: 1280 })
    await lendToken(tab.page, app.product.origin, token)
    await tab.page.goto(`${app.product.origin}/subscriptions`)
    await tab.page.getByText("During a support session, you can't change the subscription.").waitFor()
    expect(await tab.page.getByRole('button', { name: 'Change subscription' }).count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test.each(inLongRun([360, 768, 1280]))(
    'at %i pixels nothing is cut off, also while choosing a subscription',
    async (width) => {
      await using tab = await open('owner@demo.example', width)
      const { page } = tab
      await page.getByRole('heading', { name: 'Renewal' }).waitFor()
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      await page.getByRole('button', { name: 'Change subscription' }).click()
      await page.getByRole('menuitem', { name: 'Choose a subscription' }).click()
      await page.getByLabel('Video quality').waitFor()
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      expect(tab.complaints).toEqual([])
    },
  )
})
