/** A camera with faults is checked in the browser: each is named, has its button, and is gone after it. */
import { readFile } from 'node:fs/promises'
import type { CameraCheckUp } from '@sightline/contract/camera-check-ups'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, violations } from '../screens.ts'
import { addUser } from '../web-app.ts'
import { type WebAppWithCamera, webAppWithCamera } from '../web-app-with-camera.ts'

const MEASURED_WITHIN = { timeout: 45_000 }

describe.skipIf(chromiumPath === undefined)('the check-up of a camera in Chromium', () => {
  let own: WebAppWithCamera
  beforeAll(async () => {
    own = await webAppWithCamera({ card: {} })
  })
  afterAll(() => own?.[Symbol.asyncDispose]())
  const address = () => `/cameras/${own.cameraId}/settings/check-up`
  const last = () => own.app.ask<CameraCheckUp>(`GET cameras/${own.cameraId}/checkUp`)
  const finding = (page: Page, topic: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: topic, exact: true }) })

  test('a new camera was checked already, and the screen says so', async () => {
    await expect.poll(async () => (await last()).checkedAt, { timeout: 60_000 }).not.toBeNull()
    await using tab = await own.app.open(address())
    const { page } = tab
    await page.getByText(/^Last checked:/).waitFor()
    await finding(page, 'Clock').getByText('OK', { exact: true }).waitFor()
    await finding(page, 'Storage card').getByText('The storage card works.').waitFor()
    expect(await violations(page)).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('a wrong clock and rare keyframes are found and mended by their buttons; motion is measured', async () => {
    const { camera } = own
    await camera.fault({ kind: 'clock-jump', byMs: 86_400_000 })
    await camera.fault({ kind: 'rare-keyframes', everySeconds: 10 })
    await using tab = await own.app.open(address())
    const { page } = tab
    await page.getByRole('button', { name: 'Check camera' }).click()
    await page.getByRole('progressbar', { name: 'Camera check' }).waitFor()
    await page.getByText('Waiting for motion…').waitFor(MEASURED_WITHIN)
    expect(await violations(page)).toEqual([])
    camera.events.move(true)
    await finding(page, 'Motion delay')
      .getByText(/^Motion was reported after/)
      .waitFor({ timeout: 15_000 })
    camera.events.move(false)
    const clock = finding(page, 'Clock')
    await clock.getByText(/is off by 1 day\./).waitFor()
    await finding(page, 'Keyframes')
      .getByText(/comes only every 10 seconds or more/)
      .waitFor()
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBe(0)
    }
    expect(await violations(page)).toEqual([])

    await clock.getByRole('button', { name: 'Set clock' }).click()
    await clock.getByText('Done. Check the camera again to confirm.').waitFor()
    await finding(page, 'Keyframes').getByRole('button', { name: 'Send keyframes more often' }).click()
    await page.getByText('Keyframe interval set to about 2 seconds').waitFor()
    // This camera has no TLS: it is tried, and nothing changes.
    await finding(page, 'Connection').getByRole('button', { name: 'Try encrypted connection' }).click()
    await page.getByText(/Nothing was changed\.$/).waitFor({ timeout: 20_000 })

    await page.getByRole('button', { name: 'Check camera' }).click()
    await page.getByRole('button', { name: 'Skip this step' }).click(MEASURED_WITHIN)
    await finding(page, 'Motion delay').getByText('The wait for motion was skipped.').waitFor()
    await clock.getByText('The camera’s clock is right.').waitFor()
    await finding(page, 'Keyframes').getByText('OK', { exact: true }).waitFor()
    expect(camera.settings.encoders.get('main')?.groupLength).toBeGreaterThan(10)
    await camera.heal()
  }, 180_000)

  test('a clock that a time server keeps wrong is set without it, and lost packets are met with less bandwidth', async () => {
    const { camera } = own
    await camera.fault({ kind: 'clock-jump', byMs: 86_400_000 })
    camera.network.isTimeByNtp = true
    await camera.fault({ kind: 'drop-packets', every: 50 })
    await using tab = await own.app.open(address())
    const { page } = tab
    await page.getByRole('button', { name: 'Check camera' }).click()
    await page.getByRole('button', { name: 'Skip this step' }).click(MEASURED_WITHIN)
    const clock = finding(page, 'Clock')
    await clock.getByRole('button', { name: 'Set clock without time server' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/the clock can drift/).waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Set clock without time server' }).click()
    await clock.getByText('Done. Check the camera again to confirm.').waitFor()
    expect(camera.network.isTimeByNtp).toBe(false)
    expect(Math.abs(camera.describe().now - Date.now())).toBeLessThan(5000)

    const kilobits = () => camera.settings.encoders.get('main')?.kilobitsPerSecond
    const loss = finding(page, 'Packet loss')
    await loss.getByRole('button', { name: 'Lower bandwidth' }).click()
    const said = await dialog.getByText(/^The camera will send at most/).textContent()
    const [to, from] = (said?.replaceAll(/[,.]/g, '').match(/\d+/g) ?? []).map(Number)
    expect(to).toBeLessThan(from ?? 0)
    await dialog.getByRole('button', { name: 'Lower bandwidth' }).click()
    await loss.getByText('Done. Check the camera again to confirm.').waitFor()
    expect(kilobits()).toBe(to)
    await camera.heal()
    expect(tab.complaints).toEqual([])
  }, 120_000)

  test('a link to a field of another tab brings it into view', async () => {
    for (const [tabAddress, label] of [
      ['network#camera-password', 'New camera password'],
      ['network#sign-in', 'Camera user name'],
      ['recording#pre-roll', 'Recorded before a detection'],
    ] as const) {
      await using tab = await own.app.open(`/cameras/${own.cameraId}/settings/${tabAddress}`)
      const field = tab.page.getByLabel(label)
      await field.waitFor()
      await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
    }
  })

  test('the report is a text file without anything that opens the camera', async () => {
    await using tab = await own.app.open(address())
    const { page } = tab
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download report' }).click(),
    ])
    const text = await readFile(await file.path(), 'utf8')
    expect(text).toContain('Camera: Gate')
    expect(text).toContain('Clock: The camera’s clock')
    for (const secret of ['right one', 'viewer', '127.0.0.1', '/main']) expect(text).not.toContain(secret)
    expect(tab.complaints).toEqual([])
  })

  test('users without the right have no tab', async () => {
    const rights = { motionDetection: true }
    await addUser(own.app, 'no-check@demo.example', { allCameras: true, rights })
    await using tab = await own.app.open(address(), 'no-check@demo.example')
    const { page } = tab
    await page.getByRole('link', { name: 'Detections' }).waitFor()
    expect(await page.getByRole('link', { name: 'Check-up' }).count()).toBe(0)
  })
})
