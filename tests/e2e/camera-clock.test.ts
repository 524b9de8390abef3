import { setTimeout as sleep } from 'node:timers/promises'
import type { CameraLogEntry } from '@sightline/contract/camera-logs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { getRow, soon } from '../screens.ts'
import { addUser } from '../web-app.ts'
import { type WebAppWithCamera, webAppWithCamera } from '../web-app-with-camera.ts'

const BEHIND_MS = 180_000
/** The message has whole seconds, and a busy camera carries it out later. */
const PRECISE_MS = 5000

describe.skipIf(chromiumPath === undefined)('setting a camera’s clock in Chromium', () => {
  let own: WebAppWithCamera
  beforeAll(async () => {
    own = await webAppWithCamera({}, [{ kind: 'clock-jump', byMs: -BEHIND_MS }])
    await addUser(own.app, 'keeper@demo.example', { allCameras: true, rights: { logFiles: true } })
    while ((await linesOf('clockWrong')).length === 0) await sleep(200)
  })
  afterAll(() => own?.[Symbol.asyncDispose]())

  const linesOf = async (event: CameraLogEntry['event']) => {
    const lines = await own.app.ask<CameraLogEntry[]>(`GET cameras/${own.cameraId}/logs`)
    return lines.filter((line) => line.event === event)
  }
  const aheadMs = () => own.camera.describe().now - Date.now()
  const openLog = async (person?: string) => {
    const tab = await own.app.open(`/cameras/${own.cameraId}/logs`, person)
    await tab.page
      .getByText(/the camera's clock is 1[78]\d s behind/)
      .first()
      .waitFor(soon)
    return tab
  }

  test('users who may not edit cameras get no button', async () => {
    await using tab = await openLog('keeper@demo.example')
    expect(await tab.page.getByRole('button', { name: 'Set clock' }).count()).toBe(0)
  })

  test('the reason is shown if the camera can’t be set', async () => {
    await own.camera.fault({ kind: 'onvif-quirks', quirks: ['no-set-clock'] })
    await using tab = await openLog()
    await tab.page.getByRole('button', { name: 'Set clock' }).click()
    await tab.page.getByText('Only the clocks of cameras that are connected by ONVIF can be set.').first().waitFor(soon)
    await own.camera.fault({ kind: 'onvif-quirks', quirks: [] })
    expect(aheadMs()).toBeLessThan(-BEHIND_MS / 2)
  })

  test('the button works until the camera has answered, and is gone once its clock is set', async () => {
    await using tab = await openLog()
    const { page } = tab
    const released = Promise.withResolvers<void>()
    await page.route(/\/cameras\/\d+\/clock$/, async (route) => {
      await released.promise
      await route.continue()
    })
    const button = getRow(page, 's behind').getByRole('button', { name: 'Set clock' })
    await button.click()
    await expect.poll(() => button.getAttribute('aria-busy')).toBe('true')
    released.resolve()
    await page.getByText('Camera clock set').first().waitFor(soon)
    await expect.poll(() => page.getByRole('button', { name: 'Set clock' }).count()).toBe(0)
    expect(Math.abs(aheadMs())).toBeLessThan(PRECISE_MS)
    await expect.poll(() => linesOf('clockSet')).toHaveLength(1)
    expect(tab.complaints).toEqual([])
  })

  test('once the clock is wrong again, only the newest warning has the button', async () => {
    await own.camera.fault({ kind: 'clock-jump', byMs: -BEHIND_MS })
    // It is connected anew, and its clock is read then.
    const login = { username: 'viewer', password: 'right one' }
    await own.app.ask(`PATCH cameras/${own.cameraId}/connection/credentials`, login)
    await expect.poll(async () => (await linesOf('clockWrong')).length, { timeout: 60_000 }).toBe(2)
    await using tab = await openLog()
    expect(await tab.page.getByText(/the camera's clock is \d+ s behind/).count()).toBe(2)
    const buttons = tab.page.getByRole('button', { name: 'Set clock' })
    await buttons.first().waitFor(soon)
    expect(await buttons.count()).toBe(1)
  })
})
