import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { longTest, looksToTry } from '../long-run.ts'
import { chooseOption, searchOption } from '../popups.ts'
import { overflow, violations } from '../screens.ts'
import { addDemoUser, addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

interface Zone {
  readonly zoneId: number
  readonly name: string
  readonly latitude: number | null
  readonly longitude: number | null
  readonly timeZone: string | null
  readonly cameraIds: readonly number[]
}

describe.skipIf(chromiumPath === undefined)('the zone pages in Chromium', () => {
  let app: RunningWebApp
  beforeAll(async () => {
    app = await startWebApp()
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const zoneOf = async (name: string): Promise<Zone | undefined> =>
    (await app.ask<Zone[]>('GET zones')).find((zone) => zone.name === name)
  const idOf = async (name: string) => (await zoneOf(name))?.zoneId ?? 0
  const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) })
  const pressInRow = async (page: Page, name: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  test('a zone is added with location and time zone, and a taken name is reported at the field', async () => {
    await using tab = await app.open('/zones')
    const { page } = tab
    await page.getByRole('button', { name: 'Add zone' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add zone' })
    await dialog.getByLabel('Name').fill('offices')
    await dialog.getByLabel('Latitude').fill('91')
    await dialog.getByLabel('Longitude').fill('4,89517')
    await dialog.getByText('Enter decimal degrees from -90 to 90').waitFor()
    expect(await dialog.getByRole('button', { name: 'Add zone' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Latitude').fill('52.37022')
    await searchOption(dialog.getByRole('combobox', { name: 'Time zone' }), 'lisb')
    await page.getByRole('option', { name: /Lisbon/ }).click()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add zone' }).click()
    await dialog.getByText('A zone with this name already exists.').waitFor()
    await dialog.getByLabel('Name').fill('Warehouse')
    await dialog.getByRole('button', { name: 'Add zone' }).click()
    await page.getByRole('heading', { name: 'Warehouse' }).waitFor()
    expect(await zoneOf('Warehouse')).toMatchObject({
      latitude: 52.370_22,
      longitude: 4.895_17,
      timeZone: 'Europe/Lisbon',
    })
  })

  longTest('name and location are changed and drawn, and leaving with changes asks first', async () => {
    await app.ask('POST zones', { name: 'Harbour', latitude: 51.95, longitude: 4.14 })
    await using tab = await app.open(`/zones/${await idOf('Harbour')}`)
    const { page } = tab
    await page.getByLabel('Name').fill('Old harbour')
    await page.getByRole('link', { name: 'All zones' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('button', { name: 'Remove location' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Zone saved').waitFor()
    expect(await zoneOf('Old harbour')).toMatchObject({ latitude: null, longitude: null })
    await tab.context.grantPermissions(['geolocation'])
    await tab.context.setGeolocation({ latitude: 51.9, longitude: 4.5 })
    await page.getByRole('button', { name: 'Use my location' }).click()
    await expect.poll(() => page.getByLabel('Latitude').inputValue()).toBe('51.9')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(async () => (await zoneOf('Old harbour'))?.longitude).toBe(4.5)
    expect(await page.getByRole('link', { name: 'Open in maps app' }).getAttribute('href')).toBe('geo:51.9,4.5')
    await page.getByRole('link', { name: 'All zones' }).click()
    const drawing = page.getByRole('img', { name: /^Drawing of zone locations: .*Old harbour/ })
    await drawing.waitFor()
    expect(await drawing.textContent()).toMatch(/\d+ k?m/)
    expect(await violations(page)).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  longTest('a camera is moved out of a zone and back in', async () => {
    await app.ask('POST zones', { name: 'Garden' })
    await using tab = await app.open(`/zones/${await idOf('Shop')}`)
    const { page } = tab
    await page.getByRole('button', { name: 'Move Shop floor to another zone' }).click()
    await page.getByRole('menuitem', { name: 'Garden' }).click()
    await page.getByText('Cameras moved to Garden: 1').waitFor()
    await page.getByText('No cameras in this zone').waitFor()
    expect((await zoneOf('Garden'))?.cameraIds).toHaveLength(1)
    await page.getByRole('button', { name: 'Move cameras here' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move cameras to Shop' })
    await dialog.getByRole('checkbox', { name: /Shop floor/ }).check()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('link', { name: 'Shop floor' }).waitFor()
    expect((await zoneOf('Garden'))?.cameraIds).toHaveLength(0)
  })

  longTest('deleting a zone moves its cameras first; an empty zone is deleted directly', async () => {
    await app.ask('POST zones', { name: 'Depot' })
    await using tab = await app.open('/zones')
    const { page } = tab
    await pressInRow(page, 'Offices', 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete zone Offices?' })
    await dialog.getByRole('listitem').getByText('Corridor').waitFor()
    await chooseOption(dialog.getByLabel('Move to'), 'Depot')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Move cameras and delete zone' }).click()
    await page.getByText('Zone deleted').waitFor()
    await expect.poll(() => row(page, 'Offices').count()).toBe(0)
    expect((await zoneOf('Depot'))?.cameraIds).toHaveLength(1)
    await app.ask('POST zones', { name: 'Attic' })
    await page.reload()
    await pressInRow(page, 'Attic', 'Delete')
    await page.getByText("Cameras and recordings aren't affected.").waitFor()
    await page.getByRole('button', { name: 'Delete zone' }).click()
    await expect.poll(() => zoneOf('Attic')).toBeUndefined()
    expect(tab.complaints).toEqual([])
  })

  longTest('actions follow the rights: none for a guard, adding a zone for a user with that right', async () => {
    {
      await using tab = await app.open(`/zones/${await idOf('Outside')}`, 'guard@demo.example')
      await tab.page.getByText('You can view this zone').waitFor()
      await tab.page.getByRole('link', { name: 'Car park' }).waitFor()
      expect(await tab.page.getByRole('button', { name: /Delete|Save|Move/ }).count()).toBe(0)
      await tab.page.getByRole('link', { name: 'All zones' }).click()
      await row(tab.page, 'Outside').waitFor()
      expect(await tab.page.getByRole('row').count()).toBe(2)
      expect(await tab.page.getByRole('button', { name: /Add zone|Actions for/ }).count()).toBe(0)
    }
    await addUser(app, 'builder@demo.example', { rights: { addZone: true } })
    await using tab = await app.open('/zones', 'builder@demo.example')
    await tab.page.getByText('No zones yet').waitFor()
    await tab.page.getByRole('button', { name: 'Add zone' }).first().click()
    await tab.page.getByRole('dialog').getByLabel('Name').fill('Building site')
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Add zone' }).click()
    await tab.page.getByRole('heading', { name: 'Building site' }).waitFor()
    await tab.page.getByText('You can view this zone').waitFor()
    expect(tab.complaints).toEqual([])
  })

  longTest('a user with one camera of a zone can view but not change it; other zones are not found', async () => {
    const zone = await zoneOf('Outside')
    const rights = { editZone: true, deleteZone: true }
    await addUser(app, 'onecamera@demo.example', { rights, cameraIds: zone?.cameraIds.slice(0, 1) })
    await using tab = await app.open(`/zones/${zone?.zoneId}`, 'onecamera@demo.example')
    await tab.page.getByText('You have access to a camera in this zone, but not to the whole zone').waitFor()
    expect(await tab.page.getByRole('button', { name: /Delete|Save/ }).count()).toBe(0)
    await tab.page.goto(`${app.product.origin}/app/zones/${await idOf('Shop')}`)
    await tab.page.getByText("Zone not found, or you don't have access to it").waitFor()
  })

  longTest('a demo user cannot change zones, and support can change them like the owner', async () => {
    await addDemoUser(app, 'visitor@demo.example')
    {
      await using tab = await app.open('/zones', 'visitor@demo.example')
      await tab.page.getByText('No zones yet').waitFor()
      expect(await tab.page.getByRole('button', { name: 'Add zone' }).count()).toBe(0)
    }
    await using tab = await app.newPage()
    await lendToken(tab.page, app.product.origin, await beginSupport(app, { video: 'hidden' }))
    await tab.page.goto(`${app.product.origin}/app/zones/${await idOf('Shop')}`)
    await tab.page.getByLabel('Name').fill('Shop and cellar')
    await tab.page.getByRole('button', { name: 'Save changes' }).click()
    await tab.page.getByText('Zone saved').waitFor()
    await expect.poll(() => zoneOf('Shop and cellar')).toBeDefined()
  })

  test.each(
    looksToTry([
      [360, false],
      [768, true],
      [1280, true],
    ]),
  )('at %i pixels nothing is wider than the window, dark: %s, and axe finds nothing', async (width, dark) => {
    await using tab = await app.open('/zones', 'owner@demo.example', { width, dark })
    const { page } = tab
    await page.getByRole('link', { name: 'Outside' }).first().waitFor()
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    await page.getByRole('link', { name: 'Outside' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Outside' }).waitFor()
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
  })
})
