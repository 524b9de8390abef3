import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, quietNetwork } from '../browser.ts'
import { inLongRun, longTest } from '../long-run.ts'
import { menuEntries } from '../popups.ts'
import { getRow, getSwitch, overflow, rowMenu, type Screens, soon, startScreens, violations } from '../screens.ts'

interface Profile {
  readonly permissionProfileId: number
  readonly name: string
  readonly rights: Readonly<Record<string, boolean>>
}

describe.skipIf(chromiumPath === undefined)('the permission profile pages in Chromium', () => {
  let screens: Screens
  beforeAll(async () => {
    screens = await startScreens()
    await screens.add('Viewer', { rights: { viewUserSettings: true } })
  })
  afterAll(() => screens[Symbol.asyncDispose]())

  const profileOf = async (name: string) => {
    const profiles = await screens.ask<Profile[]>('GET permissionProfiles')
    const found = profiles.find((profile) => profile.name === name)
    if (found === undefined) throw new Error(`there is no profile ${name}`)
    return found
  }

  test('a copy of a built-in profile gets a name, and its rights are switches', async () => {
    await using tab = await screens.open('/profiles')
    const { page } = tab
    await getRow(page, 'Guard').getByText('Built-in').waitFor()
    await rowMenu(page, 'Guard')
    expect(await menuEntries(page)).toEqual(['Open', 'Copy'])
    await page.getByRole('menuitem', { name: 'Copy' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add profile' })
    await dialog.getByLabel('Name').fill('Night shift')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add profile' }).click()
    await page.getByText('Profile Night shift added').waitFor()
    await page.getByText('8 of 43 rights are on').waitFor()
    await getSwitch(page, 'Export').click()
    await expect.poll(async () => (await profileOf('Night shift')).rights.export, soon).toBe(false)
    await page.getByText('7 of 43 rights are on').waitFor()
    expect(await page.getByText('Everyone has this right.').count()).toBe(3)
    expect(await violations(page)).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  longTest('a taken name is reported at the field', async () => {
    await screens.ask('POST permissionProfiles', { name: 'Day shift', rights: {} })
    await using tab = await screens.open('/profiles')
    const { page } = tab
    await page.getByRole('button', { name: 'Add profile' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add profile' })
    await dialog.getByLabel('Name').fill('Day shift')
    await dialog.getByRole('button', { name: 'Add profile' }).click()
    await expect.poll(() => dialog.getByLabel('Name').getAttribute('aria-invalid'), soon).toBe('true')
  })

  longTest('a built-in profile can be viewed and says why it cannot be changed', async () => {
    const { permissionProfileId } = await profileOf('Guard')
    await using tab = await screens.open(`/profiles/${permissionProfileId}`)
    const { page } = tab
    await page.getByText(/^You can't change a built-in profile/).waitFor()
    await getSwitch(page, 'Export').click({ force: true })
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    expect((await profileOf('Guard')).rights.export).toBe(true)
  })

  longTest('a profile lists its users and cannot be deleted while it has any', async () => {
    const { permissionProfileId } = await screens.ask<Profile>('POST permissionProfiles', {
      name: 'Cleaners',
      rights: {},
    })
    const person = { email: 'cleo@demo.example', firstName: 'Cleo', lastName: 'Cleaner', permissionProfileId }
    const { userId } = await screens.ask<{ userId: number }>('POST users', person)
    await using tab = await screens.open(`/profiles/${permissionProfileId}`)
    const { page } = tab
    await page.getByRole('link', { name: 'Cleo Cleaner' }).waitFor()
    await getSwitch(page, 'Pan, tilt and zoom').click()
    await expect.poll(() => screens.ask(`GET users/${userId}/rights`), soon).toMatchObject({ ptz: true })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Profile Cleaners is in use').waitFor()
    await page.getByText(/^Users with this profile: 1\./).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await screens.ask(`PATCH users/${userId}/rights`, { permissionProfileId: null })
    await page.reload()
    await page.getByText('No users have this profile.').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText(/^No users have this profile, so no one loses any rights/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Profile Cleaners deleted').waitFor()
    await getRow(page, 'Guard').waitFor()
    expect(await getRow(page, 'Cleaners').count()).toBe(0)
  })

  longTest('a profile is renamed, and leaving with an unsaved name asks first', async () => {
    const { permissionProfileId } = await screens.ask<Profile>('POST permissionProfiles', {
      name: 'Old name',
      rights: {},
    })
    await using tab = await screens.open(`/profiles/${permissionProfileId}`)
    const { page } = tab
    await page.getByLabel('Name').fill('New name')
    await page.getByRole('link', { name: 'Permission profiles' }).first().click()
    await page.getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Profile renamed to New name').waitFor()
    await page.getByRole('heading', { name: 'New name', level: 1 }).waitFor()
  })

  longTest('a user who can view users can view profiles, but only the owner can change them', async () => {
    await using tab = await screens.open('/profiles', 'viewer@demo.example')
    const { page } = tab
    await page.getByText('Only the account owner can change profiles.').waitFor()
    expect(await page.getByRole('button', { name: 'Add profile' }).count()).toBe(0)
    await rowMenu(page, 'Guard')
    expect(await menuEntries(page)).toEqual(['Open'])
  })

  longTest('a user without the right sees a page that says so', async () => {
    await using tab = await screens.open('/profiles', 'guard@demo.example')
    await tab.page.getByRole('heading', { name: "You can't view users" }).waitFor()
    expect(await tab.page.getByRole('link', { name: 'Permission profiles' }).count()).toBe(0)
  })

  test.each(
    inLongRun([
      { width: 360, dark: false },
      { width: 768, dark: true },
      { width: 1280, dark: false },
    ]),
  )('nothing is cut off and axe finds nothing at %j', async (options) => {
    const { permissionProfileId } = await profileOf('Guard')
    await using tab = await screens.open('/profiles', 'owner@demo.example', options)
    const { page } = tab
    for (const path of ['/profiles', `/profiles/${permissionProfileId}`]) {
      await page.goto(`${screens.product.origin}/app${path}`)
      await page.getByText('Guard').first().waitFor()
      await quietNetwork(page)
      expect(await overflow(page)).toBe(0)
      expect(await violations(page)).toEqual([])
    }
  })
})
