import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, type TestPage } from '../browser.ts'
import { fillDateTime } from '../dates.ts'
import { inLongRun, longTest } from '../long-run.ts'
import { chooseOption, chosenValue } from '../popups.ts'
import { overflow, violations } from '../screens.ts'
import { callApi, openUserPage } from '../signed-in.ts'
import { addDemoUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

interface Status {
  readonly allowsHelpdeskExpirationDate: string | null
  readonly allowsHelpdeskShowVideo: boolean
}

describe.skipIf(chromiumPath === undefined)('Support in Chromium (specification §2 "Support screen")', () => {
  let app: RunningWebApp
  beforeAll(async () => {
    app = await startWebApp()
    await addDemoUser(app, 'looker@demo.example')
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const HOUR_MS = 3_600_000
  const status = () => app.ask<Status>('GET users/self/status')
  const hoursLeft = async () => {
    const { allowsHelpdeskExpirationDate: until } = await status()
    return until === null ? 0 : Math.round((Date.parse(until) - Date.now()) / HOUR_MS)
  }
  const close = () =>
    app.ask('PATCH users/self/status', { allowsHelpdeskExpirationDate: null, allowsHelpdeskShowVideo: false })
  const open = async (email = 'owner@demo.example', width = 1280): Promise<TestPage> => {
    const tab = await app.newPage({ width })
    await openUserPage(tab.page, `${app.product.origin}/support`, email)
    await tab.page.getByRole('heading', { name: 'Support access', exact: true }).waitFor()
    return tab
  }
  const isAlive = async (token: string) => (await callApi(app.product.origin, token, 'GET users/self')).status === 200

  test('the owner disables support access or allows it for a chosen time or always, with or without video', async () => {
    await close()
    await using tab = await open()
    const { page } = tab
    const access = page.getByLabel('Allow support access')
    const save = page.getByRole('button', { name: 'Save changes', exact: true })
    expect(await chosenValue(access)).toBe('closed')
    expect(await save.isDisabled()).toBe(true)
    for (const [label, hours] of [
      ['For 1 hour', 1],
      ['For 4 hours', 4],
      ['For 1 day', 24],
      ['For 1 week', 168],
      ['For 30 days', 720],
    ] as const) {
      await chooseOption(access, label)
      await save.click()
      await expect.poll(hoursLeft).toBe(hours)
      await expect.poll(() => chosenValue(access)).toBe('until')
    }
    await page.getByText(/Support can access your account until [A-Z\d]/).waitFor()
    await chooseOption(access, 'Until a date and time')
    const until = page.getByRole('group', { name: 'Until' })
    await fillDateTime(until, '2020-01-01T10:00')
    await page.locator(':focus').blur()
    await page.getByText('Choose a time in the future').waitFor()
    expect(await save.isDisabled()).toBe(true)
    await fillDateTime(until, '2040-01-01T10:00')
    await chooseOption(page.getByLabel('Video', { exact: true }), 'Show video')
    await save.click()
    // The browser's time zone in these tests is Amsterdam.
    await expect.poll(status).toEqual({
      allowsHelpdeskExpirationDate: '2040-01-01T09:00:00.000+00:00',
      allowsHelpdeskShowVideo: true,
    })
    await page.getByText(/Support can access your account until .*2040/).waitFor()
    await chooseOption(access, 'Always')
    await chooseOption(page.getByLabel('Video', { exact: true }), 'Hide video')
    await save.click()
    await page.getByText('Support can access your account until you revoke access.').waitFor()
    expect(await status()).toEqual({
      allowsHelpdeskExpirationDate: '9999-12-31T23:59:59.000+00:00',
      allowsHelpdeskShowVideo: false,
    })
    await page.reload()
    await expect.poll(() => chosenValue(access)).toBe('always')
    await chooseOption(access, 'Disabled')
    await save.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click()
    await page.getByText("Support can't access your account.").waitFor()
    expect((await status()).allowsHelpdeskExpirationDate).toBeNull()
    expect(tab.complaints).toEqual([])
  })

  test('active sessions and activity are listed, one session can be ended, and revoking access says what ends and ends all', async () => {
    const [one, other] = [await beginSupport(app, { video: 'hidden' }), await beginSupport(app, { video: 'shown' })]
    await using tab = await open()
    const { page } = tab
    const inside = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Daan Dealer (' })
    await expect.poll(() => inside.count()).toBe(2)
    await page.getByText('Started a support session').first().waitFor()
    expect(await violations(page)).toEqual([])
    await inside.first().getByRole('button', { name: 'End session: Daan Dealer' }).click()
    await page.getByText('Daan Dealer will be signed out of your account immediately', { exact: false }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'End session', exact: true }).click()
    await page.getByText('Support session with Daan Dealer ended').waitFor()
    await expect.poll(() => inside.count()).toBe(1)
    expect([await isAlive(one), await isAlive(other)].filter(Boolean)).toHaveLength(1)
    await page.getByRole('button', { name: 'Revoke access' }).click()
    await page.getByText('Active support sessions will end immediately: Daan Dealer.').waitFor()
    await page.getByText("Any video they're watching will stop within 2 seconds.").waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click()
    await page.getByText('No support session is active.').waitFor()
    // The server caches a token's permissions for a second.
    await expect.poll(async () => [await isAlive(one), await isAlive(other)]).toEqual([false, false])
    expect(tab.complaints).toEqual([])
  })

  test('changes made by support are listed with the values before and after', async () => {
    const token = await beginSupport(app, { video: 'hidden' })
    const { timeZone } = await app.ask<{ timeZone: string }>('GET accounts/self/timeZone')
    const changed = await callApi(app.product.origin, token, 'PATCH accounts/self/timeZone', { timeZone: 'Asia/Tokyo' })
    expect(changed.status).toBe(200)
    await using tab = await open()
    const { page } = tab
    await page.getByText('Changed the time zone').first().waitFor()
    await page.getByText(`Time zone: ${timeZone} → Asia/Tokyo`, { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await app.ask('PATCH accounts/self/timeZone', { timeZone })
    await close()
  })

  longTest('a failed change says so and keeps the selection', async () => {
    await close()
    await using tab = await open()
    const { page } = tab
    await page.route('**/users/self/status', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 500, json: { code: 1, title: 'Internal error' } })
        : route.continue(),
    )
    await chooseOption(page.getByLabel('Allow support access'), 'Always')
    await page.getByRole('button', { name: 'Save changes', exact: true }).click()
    await page.getByText('There was an error updating support access. Please try again.').waitFor()
    expect(await chosenValue(page.getByLabel('Allow support access'))).toBe('always')
  })

  test.each(
    inLongRun([
      ['a sub-user', 'guard@demo.example', 'Only the account owner can change support access.'],
      [
        'a demo user',
        'looker@demo.example',
        "You're signed in as a demo user. You can see everything, but you can't change anything.",
      ],
    ]),
  )('%s sees the current state and why they cannot change it', async (_, email, why) => {
    await app.ask('PATCH users/self/status', { allowsHelpdeskExpirationDate: '9999-12-31T23:59:59Z' })
    await using tab = await open(email)
    const { page } = tab
    await page.getByText(why).waitFor()
    await page.getByText('Support can access your account until you revoke access.').waitFor()
    expect(await page.getByLabel('Allow support access').isDisabled()).toBe(true)
    for (const name of ['Save changes', 'Revoke access', 'End session']) {
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    }
    expect(tab.complaints).toEqual([])
  })

  longTest('a support session sees the page but cannot extend its own access', async () => {
    const token = await beginSupport(app, { video: 'hidden' })
    await using tab = await app.newPage({ width: 1280 })
    await lendToken(tab.page, app.product.origin, token)
    await tab.page.goto(`${app.product.origin}/support`)
    await tab.page.getByText("During a support session, you can't change support access.").waitFor()
    expect(await tab.page.getByLabel('Allow support access').isDisabled()).toBe(true)
    expect(await tab.page.getByRole('button', { name: 'Revoke access' }).count()).toBe(0)
    expect(await tab.page.getByRole('heading', { name: 'Active support sessions' }).count()).toBe(0)
    const longer = { allowsHelpdeskExpirationDate: '9999-12-31T23:59:59Z' }
    const answer = await callApi(app.product.origin, token, 'PATCH users/self/status', longer)
    expect(answer).toMatchObject({ status: 403, body: { code: 9 } })
    expect(tab.complaints).toEqual([])
  })

  test.each(inLongRun([360, 768, 1280]))(
    'at %i pixels nothing is cut off; axe finds nothing in the embedded page',
    async (width) => {
      await using tab = await open('owner@demo.example', width)
      const { page } = tab
      await page.getByRole('heading', { name: 'Support activity' }).waitFor()
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      await page.goto(`${app.product.origin}/settings/support`)
      await page.getByRole('heading', { name: 'How support access works' }).waitFor()
      expect(await page.getByRole('navigation').count()).toBe(0)
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      expect(await violations(page)).toEqual([])
      expect(tab.complaints).toEqual([])
    },
  )
})
