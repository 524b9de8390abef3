/** The settings tabs whose values are in the camera or about its connection, against the demonstration's cameras. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CameraStatus } from '@sightline/contract/cameras'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { watchLive } from '../chaos/viewer.ts'
import { chooseOption, listOptions } from '../popups.ts'
import { overflow, violations } from '../screens.ts'
import { fetchToken } from '../signed-in.ts'
import { addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

describe.skipIf(chromiumPath === undefined)('the settings tabs of a camera in Chromium', () => {
  let app: RunningWebApp
  let cameraId = 0
  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    const cameras = await app.ask<{ cameraId: number; name: string }[]>('GET cameras')
    cameraId = cameras.find(({ name }) => name === 'Car park')?.cameraId ?? 0
    const isOnline = async () => (await app.ask<CameraStatus>(`GET cameras/${cameraId}/status`)).online
    for (let tries = 0; tries < 60 && !(await isOnline()); tries++) await sleep(500)
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const openTab = (name: string, email?: string) => app.open(`/cameras/${cameraId}/settings/${name}`, email)
  const save = (page: Page | Locator) => page.getByRole('button', { name: 'Save changes' })
  const isAccessible = async (page: Page) => {
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
  }

  test('name, retention and location are changed, and a shorter retention asks before footage is deleted', async () => {
    await using tab = await openTab('general')
    const { page } = tab
    await page.getByLabel('Name').fill('Parking lot')
    await page.getByLabel('Latitude').fill('91')
    await page.getByLabel('Longitude').fill('4,3571')
    await page.getByText('Enter decimal degrees from -90 to 90').waitFor()
    expect(await save(page).isDisabled()).toBe(true)
    await page.getByLabel('Latitude').fill('52.0116')
    await page.getByRole('img', { name: 'Map with the location of Car park' }).waitFor()
    await chooseOption(page.getByRole('combobox', { name: 'Keep recordings for' }), '1 day')
    await page.getByText('Older recordings will be deleted.').waitFor()
    await isAccessible(page)
    await save(page).click()
    await page.getByText('Recordings of this camera that are older than 1 day will be deleted.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await app.ask(`GET cameras/${cameraId}`)).toMatchObject({ name: 'Car park' })
    await save(page).click()
    await page.getByRole('button', { name: 'Save and delete' }).click()
    await page.getByText('Camera saved').waitFor()
    const saved = { name: 'Parking lot', retention: 24, latitude: 52.0116, longitude: 4.3571 }
    expect(await app.ask(`GET cameras/${cameraId}`)).toMatchObject(saved)
    await page.getByRole('heading', { name: 'Parking lot' }).waitFor()
    await app.ask(`PATCH cameras/${cameraId}`, { name: 'Car park', location: null })
    expect(tab.complaints).toEqual([])
  })

  test('maintenance is begun for a while and ended', async () => {
    await using tab = await openTab('general')
    const { page } = tab
    const state = () => app.ask<{ enabled: boolean; until: string | null }>(`GET devices/${cameraId}/maintenance`)
    await page.getByRole('switch', { name: 'This camera is in maintenance' }).click()
    await page.getByText('Maintenance started').waitFor()
    const { enabled, until } = await state()
    expect([enabled, until !== null]).toEqual([true, true])
    await page.getByText(/^On until .*\.$/).waitFor()
    await page.getByRole('switch', { name: 'This camera is in maintenance' }).click()
    await page.getByText('Maintenance ended').waitFor()
    expect(await state()).toEqual({ enabled: false, until: null })
    expect(tab.complaints).toEqual([])
  })

  test('who may only edit a camera can keep its footage longer and not shorter', async () => {
    const email = 'tabs-editcamera@demo.example'
    await addUser(app, email, { allCameras: true, rights: { editCamera: true } })
    await using tab = await openTab('general', email)
    const { page } = tab
    const offered = await listOptions(page.getByRole('combobox', { name: 'Keep recordings for' }))
    expect(offered).toContain('30 days')
    const { retention } = await app.ask<{ retention: number }>(`GET cameras/${cameraId}`)
    expect(offered[0]).toBe(retention === 24 ? '1 day' : `${retention / 24} days`)
    // Its local address takes a right of its own.
    await page.goto(`${app.product.origin}/app/cameras/${cameraId}/settings/network`)
    await page.getByText('To see the address, ask the account owner for the “Local addresses” right.').waitFor()
    await page.getByLabel('Camera user name').waitFor()
    expect(await page.getByLabel('IP address or host name').count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test('a demo user reads the general settings; support changes the name and does not move the camera', async () => {
    const email = 'tabs-demo@demo.example'
    await addUser(app, email, { allCameras: true, rights: { demoUser: true, editCamera: true, localExceptions: true } })
    await using demo = await openTab('general', email)
    await demo.page
      .getByText(/^This is a demo/)
      .first()
      .waitFor()
    expect(await demo.page.getByLabel('Name').isDisabled()).toBe(true)
    expect(await save(demo.page).count()).toBe(0)
    await demo.page.goto(`${app.product.origin}/app/cameras/${cameraId}/settings/sound`)
    expect(await demo.page.getByRole('switch', { name: 'Microphone' }).isDisabled()).toBe(true)
    await demo.page.goto(`${app.product.origin}/app/cameras/${cameraId}/settings/network`)
    expect(await demo.page.getByLabel('IP address or host name').isDisabled()).toBe(true)
    const token = await beginSupport(app, { video: 'shown' })
    await using tab = await app.newPage()
    const { origin } = app.product
    await lendToken(tab.page, origin, token)
    await tab.page.goto(`${origin}/app/cameras/${cameraId}/settings/general`)
    expect(await tab.page.getByRole('combobox', { name: 'Zone', exact: true }).isDisabled()).toBe(true)
    await tab.page.getByLabel('Name').fill('Car park 2')
    await save(tab.page).click()
    await tab.page.getByText('Camera saved').waitFor()
    expect(await app.ask(`GET cameras/${cameraId}`)).toMatchObject({ name: 'Car park 2' })
    await app.ask(`PATCH cameras/${cameraId}`, { name: 'Car park' })
  })

  test('a wrong password is refused by the camera and nothing changes; a user name and password are asked for', async () => {
    await using tab = await openTab('network')
    const { page } = tab
    const before = await app.ask(`GET cameras/${cameraId}/connection/credentials`)
    await page.getByText('Leave empty to keep the saved password.').waitFor()
    await page.getByLabel('New password', { exact: true }).fill('mistyped')
    await isAccessible(page)
    const credentials = page.locator('form').filter({ has: page.getByLabel('New password', { exact: true }) })
    await save(credentials).click()
    await page.getByText('The camera rejected this user name and password. Nothing was changed.').first().waitFor()
    expect(await app.ask(`GET cameras/${cameraId}/connection/credentials`)).toEqual(before)
    await page.getByLabel('New password', { exact: true }).fill('')
    await page.getByLabel('Port', { exact: true }).fill('70000')
    await page.getByLabel('Port', { exact: true }).blur()
    await page.getByText('Enter a port from 1 to 65535, or leave it empty.').waitFor()
    await page.getByLabel('Port', { exact: true }).fill('9')
    await save(page.locator('form').filter({ has: page.getByLabel('Port', { exact: true }) })).click()
    await page.getByText('No camera responds at this address. Nothing was changed.').first().waitFor()
    expect(await app.ask(`GET cameras/${cameraId}/status`)).toMatchObject({ online: true })
  })

  test('the microphone is turned off, and turning it on says what the law asks for', async () => {
    await using tab = await openTab('sound')
    const { page } = tab
    const microphone = page.getByRole('switch', { name: 'Microphone' })
    const { origin } = app.product
    await using viewer = await watchLive(origin, await fetchToken(origin, 'owner@demo.example'), cameraId)
    const shown = () => viewer.messages.flatMap((message) => (message.type === 'init' ? [message.audio] : []))
    await expect.poll(() => shown().at(-1), { timeout: 15_000 }).toBe(true)
    await microphone.click()
    await expect.poll(() => microphone.getAttribute('aria-checked')).toBe('false')
    await save(page).click()
    await page.getByText('Sound settings saved').waitFor()
    expect(await app.ask(`GET cameras/${cameraId}/settings/audio`)).toMatchObject({ microphone: false, speaker: true })
    await expect.poll(() => shown().at(-1), { timeout: 15_000 }).toBe(false)
    await microphone.click()
    await page.getByText(/^In many countries, you may record sound only if/).waitFor()
    await isAccessible(page)
    await save(page).click()
    const saved = () => app.ask(`GET cameras/${cameraId}/settings/audio`)
    await expect.poll(saved).toMatchObject({ microphone: true })
    expect(tab.complaints).toEqual([])
  })

  test('video settings come from the camera, are changed in it, and what it lacks has a reason', async () => {
    await using tab = await openTab('video')
    const { page } = tab
    const rate = page.getByLabel('Frames per second')
    await rate.waitFor()
    await page.getByText('Anti-flicker: There is no standard way to set it on a camera.').waitFor()
    await rate.fill('')
    await rate.blur()
    await page.getByText('Enter a frame rate.').waitFor()
    await rate.fill('500')
    await page.getByText('Enter a number from 1 to 30.').waitFor()
    expect(await save(page).isDisabled()).toBe(true)
    await rate.fill('12')
    await page.getByRole('combobox', { name: 'Backlight compensation' }).click()
    await page.getByRole('option', { name: 'Wide dynamic range (WDR)' }).click()
    await page.getByRole('link', { name: 'Live video' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await save(page).click()
    await page.getByText('Video settings saved').waitFor()
    expect(await app.ask(`GET cameras/${cameraId}/settings/video`)).toMatchObject({
      framesPerSecond: 12,
      backlight: 'WDR',
    })
    await isAccessible(page)
    expect(tab.complaints).toEqual([])
  })

  test('a camera says what it is and can do, and is asked again', async () => {
    await using tab = await openTab('info')
    const { page } = tab
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('The camera answered').waitFor()
    await page.getByText('GetDot11Capabilities: not supported').waitFor()
    await page.getByText('Simulated Camera').waitFor()
    await isAccessible(page)
    expect(tab.complaints).toEqual([])
  })

  test.each([
    ['cameraExposureControl', 'Backlight compensation', 'Illumination'],
    ['cameraIllumination', 'Illumination', 'Backlight compensation'],
  ] as const)('a user with only the right %s changes %s and not %s', async (right, mine, other) => {
    const email = `tabs-${right.toLowerCase()}@demo.example`
    await addUser(app, email, { allCameras: true, rights: { [right]: true } })
    const cameras = await app.ask<{ cameraId: number; name: string }[]>('GET cameras')
    const online = cameras.find(({ name }) => name === 'Entrance') ?? cameras.find((one) => one.cameraId !== cameraId)
    await using tab = await app.open(`/cameras/${online?.cameraId}/settings/video`, email)
    const { page } = tab
    await page.getByText('Your rights let you change some of these settings.').waitFor()
    expect(await page.getByRole('combobox', { name: mine }).isEnabled()).toBe(true)
    expect(await page.getByRole('combobox', { name: other }).isDisabled()).toBe(true)
    expect(await page.getByLabel('Frames per second').isDisabled()).toBe(true)
    expect(tab.complaints).toEqual([])
  })
})
