/** A warning about a camera is dismissed by a user, stays so, and can be shown again. */
import type { CameraStatus } from '@sightline/contract/cameras'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, soon, violations } from '../screens.ts'
import { addUser } from '../web-app.ts'
import { type WebAppWithCamera, webAppWithCamera } from '../web-app-with-camera.ts'

const DAY_MS = 86_400_000

describe.skipIf(chromiumPath === undefined)('warnings about cameras in Chromium', () => {
  let own: WebAppWithCamera
  beforeAll(async () => {
    own = await webAppWithCamera({}, [{ kind: 'clock-jump', byMs: -DAY_MS }])
  })
  afterAll(() => own[Symbol.asyncDispose]())

  test('one is dismissed in the list, stays dismissed, and is shown again on the page of its camera', async () => {
    const status = () => own.app.ask<CameraStatus>(`GET cameras/${own.cameraId}/status`)
    await expect.poll(async () => (await status()).warnings, { timeout: 30_000 }).toEqual(['clockWrong'])
    await using tab = await own.app.open('/', undefined, { width: 360, height: 740 })
    const { page } = tab
    const warning = page.getByText("The camera's clock is wrong.")
    await warning.waitFor(soon)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Dismiss this warning about Gate' }).click()
    await page.getByText('Warning dismissed').waitFor(soon)
    await expect.poll(() => warning.count()).toBe(0)
    await page.reload()
    await page.getByRole('link', { name: /^Gate/ }).first().waitFor(soon)
    expect(await warning.count()).toBe(0)

    await page.goto(`${own.app.product.origin}/app/cameras/${own.cameraId}`)
    await page.getByRole('button', { name: 'Show dismissed warnings (1)' }).click()
    await page.getByRole('button', { name: 'Show this warning about Gate again' }).click()
    await page.getByRole('button', { name: 'Dismiss this warning about Gate' }).waitFor(soon)
    expect(await overflow(page)).toBe(0)
    await page.goto(`${own.app.product.origin}/app/`)
    await warning.waitFor(soon)
    expect(tab.complaints).toEqual([])
  })

  test('a demo user sees it and can’t dismiss it', async () => {
    await addUser(own.app, 'looker@demo.example', { allCameras: true, rights: { demoUser: true } })
    await using tab = await own.app.open('/', 'looker@demo.example')
    await tab.page.getByText("The camera's clock is wrong.").waitFor(soon)
    expect(await tab.page.getByRole('button', { name: /^Dismiss this warning/ }).count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })
})
