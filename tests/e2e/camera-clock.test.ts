import type { CameraLogEntry } from '@sightline/contract/camera-logs'
import { toDateTime } from '@sightline/contract/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { getRow, soon } from '../screens.ts'
import { addUser, type RunningWebApp, startWebApp } from '../web-app.ts'

describe.skipIf(chromiumPath === undefined)('setting a camera’s clock in Chromium', () => {
  let app: RunningWebApp
  let address: string
  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    const [camera] = await app.ask<{ cameraId: number }[]>('GET cameras')
    address = `/cameras/${camera?.cameraId}/logs`
    await addUser(app, 'keeper@demo.example', { allCameras: true, rights: { logFiles: true } })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  /** The demonstration's cameras have the right time. */
  async function openLog(person?: string) {
    const tab = await app.open('/', person)
    const { page } = tab
    const events: CameraLogEntry['event'][] = ['clockWrong', 'clockWrong']
    await page.route(/\/rest\/v2\.\d\/cameras\/\d+\/logs/, async (route) => {
      const response = await route.fetch()
      const lines = events.map((event, index) => ({
        cameraLogId: 9000 - index,
        time: toDateTime(Date.now() - index * 60_000),
        level: 'warning',
        event,
        detail: `the camera's clock is ${180 + index} s behind`,
      }))
      await route.fulfill({ response, json: [...lines, ...(await response.json())] })
    })
    await page.goto(`${app.product.origin}/app${address}`)
    await page.getByText("the camera's clock is 180 s behind").waitFor(soon)
    return { ...tab, page, events, [Symbol.asyncDispose]: () => tab[Symbol.asyncDispose]() }
  }

  test('the newest warning has a button, which sets the clock of the camera', async () => {
    await using tab = await openLog()
    const button = tab.page.getByRole('button', { name: 'Set clock' })
    await expect.poll(() => button.count()).toBe(1)
    expect(await getRow(tab.page, '180 s behind').getByRole('button', { name: 'Set clock' }).count()).toBe(1)
    await button.click()
    await tab.page.getByText('Camera clock set').first().waitFor(soon)
  })

  test('the reason is shown if the clock is not set', async () => {
    await using tab = await openLog()
    const refused = { code: 11, title: 'Capability not supported' }
    await tab.page.route(/\/cameras\/\d+\/clock$/, (route) => route.fulfill({ status: 422, json: refused }))
    await tab.page.getByRole('button', { name: 'Set clock' }).click()
    await tab.page.getByText('Only the clocks of cameras that are connected by ONVIF can be set.').first().waitFor(soon)
  })

  test('the button works until the camera has answered, and is gone once the clock is set', async () => {
    await using tab = await openLog()
    const { page, events } = tab
    const answered = Promise.withResolvers<void>()
    await page.route(/\/cameras\/\d+\/clock$/, async (route) => {
      await answered.promise
      events.unshift('clockSet')
      await route.fulfill({ json: { secondsAheadBefore: -180, secondsAhead: 0 } })
    })
    const button = page.getByRole('button', { name: 'Set clock' })
    await button.click()
    await expect.poll(() => button.getAttribute('aria-busy')).toBe('true')
    answered.resolve()
    await page.getByText('Camera clock set').first().waitFor(soon)
    await expect.poll(() => button.count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test('users who may not edit cameras get no button', async () => {
    await using tab = await openLog('keeper@demo.example')
    expect(await tab.page.getByRole('button', { name: 'Set clock' }).count()).toBe(0)
  })
})
