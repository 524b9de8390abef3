/** What arrives from a camera, written by its worker within minutes and drawn in Camera info. */
import type { CameraStatistics } from '@sightline/contract/camera-statistics'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { chooseOption } from '../popups.ts'
import { overflow, violations } from '../screens.ts'
import { addUser } from '../web-app.ts'
import { type WebAppWithCamera, webAppWithCamera } from '../web-app-with-camera.ts'

describe.skipIf(chromiumPath === undefined)('statistics of a camera in Chromium', () => {
  let own: WebAppWithCamera
  beforeAll(async () => {
    own = await webAppWithCamera()
  })
  afterAll(() => own?.[Symbol.asyncDispose]())
  const address = () => `/cameras/${own.cameraId}/settings/info`

  test('bandwidth and the other values of the last minutes are drawn, and listed in a table', async () => {
    const last = () => own.app.ask<CameraStatistics>(`GET cameras/${own.cameraId}/statistics`)
    await expect.poll(async () => (await last()).points.length, { timeout: 150_000, interval: 2000 }).toBeGreaterThan(0)
    const [point] = (await last()).points
    expect(point?.bandwidth).toBeGreaterThan(100)
    expect(point).toMatchObject({ droppedFrames: 0 })
    await using tab = await own.app.open(address())
    const { page } = tab
    await page.getByRole('heading', { name: 'Statistics' }).waitFor()
    const chart = page.getByRole('figure').filter({ hasText: 'Bandwidth' })
    await chart.getByText(/^Latest: [\d,]+ kbit\/s\. Highest:/).waitFor()
    expect(await page.getByRole('figure').count()).toBe(4)
    await page.getByText('Show as table').click()
    await page.getByRole('columnheader', { name: 'Bandwidth (kbit/s)' }).waitFor()
    expect(await page.getByRole('rowheader').count()).toBeGreaterThan(0)
    expect(await violations(page)).toEqual([])
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBe(0)
    }
    await chooseOption(page.getByRole('combobox', { name: 'Period' }), 'Last 7 days')
    await page.getByText('Nothing was measured in this time.').waitFor()
    expect(tab.complaints).toEqual([])
  }, 240_000)

  test('users who may change cameras and not read logs have no statistics', async () => {
    await addUser(own.app, 'no-logs@demo.example', { allCameras: true, rights: { editCamera: true } })
    await using tab = await own.app.open(address(), 'no-logs@demo.example')
    await tab.page.getByRole('heading', { name: 'Device', exact: true }).waitFor()
    expect(await tab.page.getByRole('heading', { name: 'Statistics' }).count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })
})
