/** The Wi-Fi of a camera in the Network tab: searched, joined with a wrong and the right password, and forgotten. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, violations } from '../screens.ts'
import { type WebAppWithCamera, webAppWithCamera } from '../web-app-with-camera.ts'

describe.skipIf(chromiumPath === undefined)('the Wi-Fi of a camera in Chromium', () => {
  let own: WebAppWithCamera
  beforeAll(async () => {
    const networks = [{ ssid: 'Office', password: 'correct horse' }, { ssid: 'Guests' }]
    own = await webAppWithCamera({ wifi: { networks, joinMs: 500 } })
    await own.app.ask(`POST cameras/${own.cameraId}/capabilities`)
  })
  afterAll(() => own?.[Symbol.asyncDispose]())

  test('a network is found and joined after a warning; a wrong password is said, the current network stays', async () => {
    await using tab = await own.app.open(`/cameras/${own.cameraId}/settings/network`)
    const { page } = tab
    await page.getByText('Not connected to a network').waitFor()
    await page.getByRole('button', { name: 'Search for networks' }).click()
    await page.getByRole('button', { name: 'Connect to Office' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect to Office?' })
    await dialog.getByText(/may get another address/).waitFor()
    await dialog.getByLabel('Wi-Fi password').fill('wrong horse')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('Connecting…').waitFor()
    await page.getByText(/couldn’t connect to Office/).waitFor({ timeout: 45_000 })
    await page.getByRole('button', { name: 'Connect to Office' }).click()
    await dialog.getByLabel('Wi-Fi password').fill('correct horse')
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('Connected to Office').waitFor({ timeout: 15_000 })
    await page.getByRole('listitem').filter({ hasText: 'Office' }).getByText('Connected', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Forget Office' }).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBe(0)
    }
    await page.getByRole('switch', { name: 'Wi-Fi' }).click()
    await page
      .getByRole('dialog')
      .getByText(/Without a network cable, the camera goes offline/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('Wi-Fi is off').waitFor({ timeout: 15_000 })
    expect(own.camera.wifi?.current).toBeUndefined()
    expect(tab.complaints).toEqual([])
  }, 120_000)
})
