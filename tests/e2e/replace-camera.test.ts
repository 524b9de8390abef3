/** A camera's device is replaced by another one and put back, against simulated cameras, in the browser. */
import { setTimeout as sleep } from 'node:timers/promises'
import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { CameraReplacement } from '@sightline/contract/camera-replacements'
import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, violations } from '../screens.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

describe.skipIf(chromiumPath === undefined)('replacing a camera in Chromium', () => {
  let app: RunningWebApp
  let simulator: SimulatorProcess
  let cameraId = 0

  beforeAll(async () => {
    const [old, other] = [await sceneClips('car-park'), await sceneClips('entrance')]
    const who = { username: 'viewer', password: 'right one' }
    simulator = await launchSimulator({
      cameras: [
        { name: 'Old', mac: '02:00:00:00:00:31', ...who, clips: old, ptz: true },
        { name: 'New', mac: '02:00:00:00:00:32', ...who, clips: other },
      ],
    })
    app = await startWebApp()
    const zones = await app.ask<{ zoneId: number }[]>('GET zones')
    const camera = await app.ask<Camera>('POST cameras', {
      name: 'Yard',
      zoneId: zones[0]?.zoneId,
      address: '127.0.0.1',
      port: portOf(0),
      ...who,
    })
    cameraId = camera.cameraId
    await until(async () => (await status()).recordingOnCloud)
    // What the old device can do is known.
    await app.ask(`POST cameras/${cameraId}/capabilities`)
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await simulator.stop()
  })

  const portOf = (index: number) => simulator.cameras[index]?.onvifPort ?? 0
  const status = () => app.ask<CameraStatus>(`GET cameras/${cameraId}/status`)
  const until = async (holds: () => Promise<boolean>) => {
    let isSo = await holds()
    for (let tries = 0; tries < 120 && !isSo; tries++) {
      await sleep(250)
      isSo = await holds()
    }
    expect(isSo).toBe(true)
  }
  const fill = async (page: Page, password: string) => {
    await page.getByLabel('IP address or host name').fill('127.0.0.1')
    await page.getByLabel('Camera user name').fill('viewer')
    await page.getByLabel('Camera password', { exact: true }).fill(password)
    if (!(await page.getByRole('textbox', { name: /^Port/ }).isVisible())) await page.getByText('More options').click()
    await page.getByRole('textbox', { name: /^Port/ }).fill(String(portOf(1)))
  }
  const connected = async () => app.ask<{ localPort?: number }>(`GET cameras/${cameraId}/deviceInfo`)

  test('leaving the page with an entered device asks first', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/replacement`)
    const { page } = tab
    await fill(page, 'right one')
    await page.getByRole('link', { name: 'General', exact: true }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    expect(page.url()).toContain('/settings/replacement')
    expect(await page.getByLabel('IP address or host name').inputValue()).toBe('127.0.0.1')
    await page.getByRole('link', { name: 'General', exact: true }).click()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.waitForURL('**/settings/general')
    expect(tab.complaints).toEqual([])
  })

  test('a device that fails changes nothing; a trial says what it lacks; then it takes the place and can be put back', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/replacement`)
    const { page } = tab
    const before = await connected()

    await fill(page, 'wrong one')
    await page.getByRole('button', { name: 'Replace camera' }).click()
    await page.getByRole('alert').filter({ hasText: 'rejected the user name or password' }).waitFor()
    await page.getByText('Nothing was changed.').waitFor()
    expect(await status()).toMatchObject({ online: true, recordingOnCloud: true })

    await fill(page, 'right one')
    await page.getByRole('button', { name: 'Test new device' }).click()
    await page.getByText('This was only a test. Nothing was changed.').waitFor()
    const differences = page.getByRole('listitem').filter({ hasText: 'Pan, tilt and zoom' })
    await differences.filter({ hasText: 'Missing' }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await connected()).toEqual(before)

    // What was entered for the test is there.
    expect(await page.getByLabel('IP address or host name').inputValue()).toBe('127.0.0.1')
    expect(await page.getByLabel('Camera password', { exact: true }).inputValue()).toBe('right one')
    await page.getByRole('button', { name: 'Replace camera' }).click()
    await page.getByText('The camera is connected to the new device.').waitFor()
    expect(await page.getByLabel('IP address or host name').inputValue()).toBe('')
    expect(await page.getByRole('main').getByRole('listitem').filter({ hasText: 'Done' }).count()).toBe(6)
    const replaced = await app.ask<CameraReplacement>(`GET cameras/${cameraId}/replacement`)
    expect(replaced).toMatchObject({ status: 'replaced', former: { brand: 'Sightline' } })
    await page.getByText('Hours left: 23.').waitFor()
    expect(await app.ask<Camera>(`GET cameras/${cameraId}`)).toMatchObject({ name: 'Yard', cameraId })
    expect(await app.ask(`GET cameras/${cameraId}/capabilities`)).toMatchObject({ ptz: 'no' })
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: 'Undo replacement' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo replacement' }).click()
    await page.getByText('The old device is back').waitFor()
    await until(async () => (await status()).recordingOnCloud)
    expect(await app.ask(`GET cameras/${cameraId}/capabilities`)).toMatchObject({ ptz: 'yes' })
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test('the footage of both devices is the camera’s', async () => {
    const events = await app.ask<{ type: string }[]>(`GET events?cameraIds=${cameraId}`)
    expect(events.filter(({ type }) => type === 'cameraReplaced')).toHaveLength(2)
  })
})
