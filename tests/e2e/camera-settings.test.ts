import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
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
    await page.getByRole('link', { name: 'Recording' }).click()
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

  longTest('a camera without recording times is not scheduled, and the reason is shown', async () => {
    await app.ask(`PATCH cameras/${cameraId}/mode`, { mode: 'armed' })
    await using tab = await app.open(`/cameras/${cameraId}/settings/recording`)
    const { page } = tab
    await page.getByRole('radio', { name: 'Scheduled' }).check()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Add recording times to the schedule first').waitFor()
    expect(await modeOf()).toMatchObject({ mode: 'armed' })
  })

  test.each([['editCamera', ['Recording']]] as const)(
    'a user with only the right %s has the tabs %j',
    async (right, expected) => {
      const email = `${right.toLowerCase()}@demo.example`
      await addUser(app, email, { allCameras: true, rights: { [right]: true } })
      await using tab = await app.open(`/cameras/${cameraId}/settings`, email)
      await expect.poll(() => tabs(tab.page).allTextContents()).toEqual(expected)
      expect(tab.complaints).toEqual([])
    },
  )
})
