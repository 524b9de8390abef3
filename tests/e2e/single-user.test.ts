import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, quietNetwork } from '../browser.ts'
import { inLongRun, longTest } from '../long-run.ts'
import { chooseOption, menuEntries } from '../popups.ts'
import { DEMO_PASSWORD } from '../running-product.ts'
import { getRow, getSwitch, overflow, rowMenu, type Screens, soon, startScreens, violations } from '../screens.ts'
import { callApi, fetchToken, staffClient } from '../signed-in.ts'

type Rights = Readonly<Record<string, boolean>>

const DEMO_RESELLER = 255

describe.skipIf(chromiumPath === undefined)('the pages of one user in Chromium', () => {
  let screens: Screens
  beforeAll(async () => {
    screens = await startScreens()
    await screens.add('Viewer', { rights: { viewUserSettings: true } })
    await screens.add('Helper', { rights: { viewUserSettings: true, editUser: true, addUser: true } })
    await screens.add('Dora', { rights: { viewUserSettings: true, editUser: true, demoUser: true }, allCameras: true })
    await screens.add('Wanda', { rights: { playback: true, ptz: true } })
    await screens.add('Igor', { password: undefined })
  })
  afterAll(() => screens[Symbol.asyncDispose]())
  const rightsOf = (name: string) => screens.ask<Rights>(`GET users/${screens.of(name)}/rights`)

  test('details are saved, and leaving with changes asks first', async () => {
    await using tab = await screens.open(`/users/${screens.of('Wanda')}/details`)
    const { page } = tab
    await page.getByLabel('First name').fill('Wilma')
    await page.getByLabel('City').fill('Utrecht')
    await page.getByRole('link', { name: 'Rights', exact: true }).click()
    await page.getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Details for Wilma Person saved').waitFor()
    await page.getByRole('heading', { name: 'Wilma Person' }).waitFor()
    expect(await screens.ask(`GET users/${screens.of('Wanda')}/details`)).toMatchObject({ city: 'Utrecht' })
    await page.getByRole('button', { name: 'Send password reset link' }).click()
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('Link sent to wanda@demo.example').waitFor()
    expect(tab.complaints).toEqual([])
  })

  test('each right is a switch that saves immediately; rights that everyone has are fixed and say why', async () => {
    await using tab = await screens.open(`/users/${screens.of('Wanda')}/rights`)
    const { page } = tab
    await getSwitch(page, 'Playback').waitFor()
    expect(await page.getByRole('switch').count()).toBe(43)
    await getSwitch(page, 'Live video').click({ force: true })
    expect(await getSwitch(page, 'Live video').getAttribute('aria-checked')).toBe('true')
    expect(await getSwitch(page, 'Live video').getAttribute('aria-disabled')).toBe('true')
    expect(await page.getByText('Everyone has this right.').count()).toBe(3)
    await getSwitch(page, 'Playback').click()
    await getSwitch(page, 'Export').click()
    await expect.poll(async () => (await rightsOf('Wanda')).export, soon).toBe(true)
    expect((await rightsOf('Wanda')).playback).toBe(false)
    await page.getByText('5 of 43 rights are on').waitFor()
    expect(await violations(page)).toEqual([])
  })

  longTest('a right that someone else changed in the meantime is not overwritten unnoticed', async () => {
    await using tab = await screens.open(`/users/${screens.of('Wanda')}/rights`)
    const { page } = tab
    await getSwitch(page, 'Delete zones').waitFor()
    await screens.ask(`PATCH users/${screens.of('Wanda')}/rights`, { deleteZone: true })
    await getSwitch(page, 'Add zones').click()
    await page.getByText('Someone else changed this in the meantime.').waitFor()
    await expect.poll(() => getSwitch(page, 'Delete zones').getAttribute('aria-checked'), soon).toBe('true')
    expect((await rightsOf('Wanda')).addZone).toBe(false)
    await getSwitch(page, 'Add zones').click()
    await expect.poll(async () => (await rightsOf('Wanda')).addZone, soon).toBe(true)
  })

  longTest(
    'applying a profile first says which rights it turns off; granting all rights leaves out demoUser',
    async () => {
      await using tab = await screens.open(`/users/${screens.of('Wanda')}/rights`)
      const { page } = tab
      await chooseOption(page.getByLabel('Permission profile'), 'Viewer')
      const dialog = page.getByRole('dialog', { name: 'Apply profile Viewer?' })
      await dialog.getByText(/^Turns off: .*Export/).waitFor()
      await dialog.getByRole('button', { name: 'Change rights' }).click()
      await page.getByText('3 of 43 rights are on').waitFor()
      await page.getByRole('button', { name: 'Grant all rights to this user' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Change rights' }).click()
      await page.getByText('42 of 43 rights are on').waitFor()
      const rights = await rightsOf('Wanda')
      expect(Object.keys(rights).filter((name) => rights[name] === false)).toEqual(['demoUser'])
    },
  )

  longTest(
    'camera access is a switch per camera and zone; a zone includes its cameras, and all cameras need no list',
    async () => {
      await using tab = await screens.open(`/users/${screens.of('Wanda')}/cameras`)
      const { page } = tab
      await page.getByText('Includes Car park, Entrance, and any cameras added later.').waitFor()
      await page.getByRole('switch', { name: 'Whole zone Outside' }).click()
      await page.getByText('Included in zone Outside.').first().waitFor()
      await page.getByRole('switch', { name: 'Corridor', exact: true }).click()
      const access = () =>
        screens.ask<{ cameraIds: number[]; zoneIds: number[] }>(`GET users/${screens.of('Wanda')}/access`)
      await expect.poll(async () => (await access()).cameraIds.length, soon).toBe(1)
      expect((await access()).zoneIds).toHaveLength(1)
      expect(await violations(page)).toEqual([])
      await page.getByRole('searchbox', { name: 'Search zones and cameras' }).fill('corri')
      await expect.poll(() => page.getByRole('switch', { name: 'Entrance', exact: true }).count(), soon).toBe(0)
      await page.getByRole('switch', { name: 'All cameras' }).click()
      await expect.poll(access, soon).toMatchObject({ allCameras: true })
      expect(await page.getByRole('switch').count()).toBe(1)
    },
  )

  longTest('the access page explains why an action is allowed or not, in general and for one camera', async () => {
    const guard = screens.of('Gabriel')
    await using tab = await screens.open(`/users/${guard}/why`)
    const { page } = tab
    const users = page.getByRole('list', { name: 'Users' })
    await users.getByText('The “Add users” right is off.').waitFor()
    const answer = page.getByRole('status').filter({ hasText: /llowed because/ })
    await answer.getByText('Allowed because every check passed:').waitFor()
    await page.getByRole('combobox', { name: 'Camera' }).click()
    await page.getByRole('option', { name: /Shop floor/ }).click()
    await answer.getByText('Not allowed because a check failed:').waitFor()
    await answer.getByText("The user doesn't have access to the camera or its zone.").waitFor()
    await page.getByRole('combobox', { name: 'Camera' }).click()
    await page.getByRole('option', { name: /Car park/ }).click()
    await answer.getByText("The user has access to the camera's zone, “Outside”.").waitFor()
    await page.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('option', { name: 'Create API keys' }).click()
    await answer.getByText('Only the account owner can do this.').waitFor()
    await page.getByText(/^All API calls/).click()
    await page.getByText('patchPersonRights', { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  longTest('a user who can only view users sees fixed controls and the reason once', async () => {
    await using tab = await screens.open('/users', 'viewer@demo.example')
    const { page } = tab
    await rowMenu(page, 'Gabriel Guard')
    expect(await menuEntries(page)).toEqual(['Open'])
    expect(await page.getByRole('button', { name: 'Add user' }).count()).toBe(0)
    for (const path of ['details', 'rights', 'cameras']) {
      await page.goto(`${screens.product.origin}/app/users/${screens.of('Gabriel')}/${path}`)
      await page.getByText(/^You can view users but not change them/).waitFor()
      expect(await page.getByText(/^You can view users but not change them/).count()).toBe(1)
      expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
    }
    await page.goto(`${screens.product.origin}/app/users/${screens.of('Gabriel')}/rights`)
    await getSwitch(page, 'Export').click({ force: true })
    expect(await getSwitch(page, 'Export').getAttribute('aria-checked')).toBe('false')
    expect(await violations(page)).toEqual([])
    expect((await rightsOf('Gabriel')).export).toBe(false)
  })

  longTest('a user who can edit users cannot grant rights they lack, nor edit users with more rights', async () => {
    await using tab = await screens.open(`/users/${screens.of('Igor')}/rights`, 'helper@demo.example')
    const { page } = tab
    await page.getByText("You can't grant a right you don't have.").first().waitFor()
    expect(await getSwitch(page, 'Export').getAttribute('aria-disabled')).toBe('true')
    await getSwitch(page, 'Add users').click()
    await expect.poll(async () => (await rightsOf('Igor')).addUser, soon).toBe(true)
    await page.goto(`${screens.product.origin}/app/users/${screens.of('Wanda')}/rights`)
    await page.getByText(/^You can't change this user because/).waitFor()
    await page.goto(`${screens.product.origin}/app/users/${screens.of('Helper')}/rights`)
    await page.getByText(/^This is you/).waitFor()
  })

  longTest('a user who can edit users changes an email address only until its user first signs in', async () => {
    const { product } = screens
    await screens.add('Nelly')
    await using tab = await screens.open(`/users/${screens.of('Nelly')}/details`, 'helper@demo.example')
    const { page } = tab
    const email = page.getByLabel('Email address')
    await email.fill('nelly.new@demo.example')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Details for Nelly Person saved').waitFor()
    await fetchToken(product.origin, 'nelly.new@demo.example')
    await page.reload()
    await page.getByText(/^The user has already signed in with this address/).waitFor()
    expect(await email.isDisabled()).toBe(true)
    expect(await page.getByLabel('First name').isDisabled()).toBe(false)
    expect(tab.complaints).toEqual([])
  })

  longTest('a demo user sees everything, with one notice that nothing can be changed', async () => {
    await using tab = await screens.open(`/users/${screens.of('Igor')}/rights`, 'dora@demo.example')
    const { page } = tab
    await getSwitch(page, 'Export').click({ force: true })
    expect(await page.getByText(/^This is a demo\./).count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Grant all rights to this user' }).count()).toBe(0)
    await page.goto(`${screens.product.origin}/app/users`)
    await getRow(page, 'Gabriel Guard').waitFor()
    expect(await page.getByText(/^This is a demo\./).count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Add user' }).count()).toBe(0)
  })

  longTest('a support session sees users and their rights, and that it cannot change them', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString()
    await screens.ask('PATCH users/self/status', {
      allowsHelpdeskExpirationDate: until,
      allowsHelpdeskShowVideo: false,
    })
    const staff = await fetchToken(screens.product.origin, 'support@demo.example', DEMO_PASSWORD, staffClient)
    const account = screens.of('Olivia')
    const begin = `POST resellers/${DEMO_RESELLER}/accounts/${account}/users/${account}/tokens`
    const { body } = await callApi<{ access_token: string }>(screens.product.origin, staff, begin, {})
    await using tab = await screens.open('/users')
    const { page, context } = tab
    const kept = (await context.cookies()).find(({ value }) => value.includes('~') || value.includes('%7E'))
    if (kept === undefined) throw new Error('the Web App keeps no token')
    await context.addCookies([{ ...kept, value: `${body.access_token}~${Date.now() + 3_600_000}` }])
    await page.goto(`${screens.product.origin}/app/users/${screens.of('Gabriel')}/rights`)
    await page
      .getByText("You can view users and their rights during a support session, but you can't change them.")
      .waitFor()
    expect(await page.getByRole('button', { name: 'Grant all rights to this user' }).count()).toBe(0)
    await getSwitch(page, 'Export').click({ force: true })
    expect((await rightsOf('Gabriel')).export).toBe(false)
    await screens.ask('PATCH users/self/status', { allowsHelpdeskExpirationDate: null })
  })

  test.each(
    inLongRun([
      { width: 360, dark: true },
      { width: 768, dark: false },
      { width: 1280, dark: true },
    ]),
  )('nothing is cut off and axe finds nothing at %j, right to left too', async (options) => {
    await using tab = await screens.open('/users', 'owner@demo.example', options)
    const { page } = tab
    for (const path of [
      '/users',
      ...['details', 'rights', 'cameras', 'why'].map((part) => `/users/${screens.of('Igor')}/${part}`),
    ]) {
      await page.goto(`${screens.product.origin}/app${path}`)
      await page.getByText('Igor').first().waitFor()
      await quietNetwork(page)
      expect(await overflow(page)).toBe(0)
      await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
      expect(await overflow(page)).toBe(0)
      expect(await violations(page)).toEqual([])
    }
  })

  const translated = [
    ['de', 'Benutzer', 'Wiedergabe'],
    ['ja', 'ユーザー', '録画の再生'],
    ['pl', 'Użytkownicy', 'Odtwarzanie'],
    ['tr', 'Kullanıcılar', 'Kayıtları izleme'],
  ] as const
  test.each(inLongRun(translated))(
    'the user list and the rights are translated to %s',
    async (language, heading, playback) => {
      await screens.add(`Speaks${language}`, { language, rights: { viewUserSettings: true, editUser: true } })
      await using tab = await screens.open('/users', `speaks${language}@demo.example`, { width: 360 })
      await tab.page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor()
      await tab.page.goto(`${screens.product.origin}/app/users/${screens.of('Igor')}/rights`)
      await tab.page.getByRole('switch', { name: playback, exact: true }).waitFor()
      expect(await overflow(tab.page)).toBe(0)
    },
  )
})
