import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, quietNetwork } from '../browser.ts'
import { longTest } from '../long-run.ts'
import { overflow, violations } from '../screens.ts'
import { addUser, type RunningWebApp, startWebApp } from '../web-app.ts'

describe.skipIf(chromiumPath === undefined)('the settings of a camera in Chromium', () => {
  let app: RunningWebApp
  let cameraId = 0
  beforeAll(async () => {
    app = await startWebApp()
    const cameras = await app.ask<{ cameraId: number; name: string }[]>('GET cameras')
    cameraId = cameras.find(({ name }) => name === 'Car park')?.cameraId ?? 0
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const modeOf = () => app.ask<{ mode: string; recordingMode: string }>(`GET cameras/${cameraId}/mode`)
  const tabs = (page: Page) => page.getByRole('navigation', { name: 'Camera settings' }).getByRole('link')

  test('the mode and recording type are chosen and saved, and leaving with changes asks first', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings`)
    const { page } = tab
    await page.waitForURL(/\/settings\/[a-z-]+$/)
    await page.getByRole('link', { name: 'Recording', exact: true }).click()
    await page.getByRole('radio', { name: 'Silent' }).check()
    await page.getByRole('radio', { name: 'Event based' }).check()
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Live video' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Recording settings saved').waitFor()
    expect(await modeOf()).toMatchObject({ mode: 'silent', recordingMode: 'event' })
    await page.getByText('This camera is offline. You can change these settings now.').waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test('leaving at once after the first change asks too', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/recording`)
    const { page } = tab
    await page.getByRole('radio', { name: 'Private' }).waitFor()
    await quietNetwork(page)
    // In one step, because a click of the test takes as long as the question was late.
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('[role="radio"][aria-checked="false"]')?.click()
      setTimeout(() => document.querySelector<HTMLElement>('nav a[href$="/settings/general"]')?.click())
    })
    await page.getByRole('button', { name: 'Keep editing' }).click()
    expect(page.url()).toContain('/settings/recording')
    expect(tab.complaints).toEqual([])
  })

  test('how much is recorded before a detection is chosen and saved', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/recording`)
    const { page } = tab
    await page.getByText(/from 5 seconds before until 10 seconds after/).waitFor()
    await page.getByRole('combobox', { name: 'Recorded before a detection' }).click()
    await page.getByRole('option', { name: '20 seconds' }).click()
    await page.getByText(/from 20 seconds before until 10 seconds after/).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Recording settings saved').waitFor()
    expect(await modeOf()).toMatchObject({ preRollSeconds: 20 })
    await app.ask(`PATCH cameras/${cameraId}/mode`, { preRollSeconds: 5 })
    expect(tab.complaints).toEqual([])
  })

  longTest('a camera without recording times is not scheduled, and the reason is shown', async () => {
    await app.ask(`PATCH cameras/${cameraId}/mode`, { mode: 'armed' })
    await using tab = await app.open(`/cameras/${cameraId}/settings/recording`)
    const { page } = tab
    await page.getByRole('radio', { name: 'Scheduled' }).check()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Add recording times to the schedule first').waitFor()
    expect(await modeOf()).toMatchObject({ mode: 'armed' })
  })

  test('a mode is changed on the page of the camera, and the privacy button leads back to it', async () => {
    await app.ask(`PATCH cameras/${cameraId}/mode`, { mode: 'armed' })
    await using tab = await app.open(`/cameras/${cameraId}`)
    const { page } = tab
    await page.getByRole('button', { name: 'Mode of Car park' }).click()
    await page.getByRole('menuitemradio', { name: 'Silent' }).click()
    await page.getByText('Car park: Silent').waitFor()
    expect(await modeOf()).toMatchObject({ mode: 'silent' })
    await page.getByRole('button', { name: 'Turn on private mode: Car park' }).click()
    await page.getByText('Car park: Private').waitFor()
    await page.getByRole('button', { name: 'Turn off private mode: Car park' }).click()
    await expect.poll(modeOf).toMatchObject({ mode: 'silent', modeBeforePrivate: null })
    expect(tab.complaints).toEqual([])
  })

  test('a zone is disarmed from the list of cameras, with all its cameras', async () => {
    await using tab = await app.open('/')
    const { page } = tab
    await page.getByRole('button', { name: 'Arm or disarm' }).click()
    const dialog = page.getByRole('dialog', { name: 'Arm or disarm zones' })
    await dialog.getByRole('button', { name: 'Mode of Outside' }).click()
    expect(await violations(page)).toEqual([])
    await page.getByRole('menuitemradio', { name: 'Disarmed' }).click()
    await page.getByText('Outside: Disarmed').waitFor()
    expect(await modeOf()).toMatchObject({ mode: 'disarmed' })
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('link', { name: /Car park.*Disarmed/ }).waitFor()
    expect(tab.complaints).toEqual([])
  })

  test.each([
    { right: 'cameraPrivacyButton', privacy: 1, modes: 0, zones: 0 },
    { right: 'editCamera', privacy: 0, modes: 1, zones: 0 },
    { right: 'editZone', privacy: 0, modes: 0, zones: 1 },
    { right: 'ptz', privacy: 0, modes: 0, zones: 0 },
  ])('the right $right alone offers exactly what it names', async ({ right, privacy, modes, zones }) => {
    const email = `only-${right.toLowerCase()}@demo.example`
    await addUser(app, email, { allCameras: true, rights: { [right]: true } })
    await using tab = await app.open('/', email)
    const { page } = tab
    const offered = async () => ({
      right,
      privacy: await page.getByRole('button', { name: /private mode: Car park/ }).count(),
      modes: await page.getByRole('button', { name: 'Mode of Car park' }).count(),
      zones: await page.getByRole('button', { name: 'Arm or disarm' }).count(),
    })
    await page.getByRole('link', { name: /Car park/ }).waitFor()
    await expect.poll(offered).toEqual({ right, privacy, modes: 0, zones })
    await page.getByRole('link', { name: /Car park/ }).click()
    await page.getByRole('heading', { name: 'Car park' }).waitFor()
    await expect.poll(offered).toEqual({ right, privacy, modes, zones: 0 })
    expect(tab.complaints).toEqual([])
  })

  test.each([
    ['editCamera', 'Recording'],
    ['editSchedule', 'Schedule and notifications'],
  ] as const)('a user with only the right %s has the tab %s', async (right, expected) => {
    const email = `${right.toLowerCase()}@demo.example`
    await addUser(app, email, { allCameras: true, rights: { [right]: true } })
    await using tab = await app.open(`/cameras/${cameraId}/settings`, email)
    await expect.poll(() => tabs(tab.page).allTextContents()).toContain(expected)
    expect(tab.complaints).toEqual([])
  })
})
