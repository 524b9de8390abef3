/** The settings tabs whose values are in the camera or about its connection, against the demonstration's cameras. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CameraStatus } from '@sightline/contract/cameras'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, violations } from '../screens.ts'
import { addUser, type RunningWebApp, startWebApp } from '../web-app.ts'

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
  const save = (page: Page) => page.getByRole('button', { name: 'Save changes' })
  const isAccessible = async (page: Page) => {
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
  }

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
    await page.getByRole('button', { name: 'Ask again' }).click()
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
