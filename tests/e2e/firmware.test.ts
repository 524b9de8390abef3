import { setTimeout as sleep } from 'node:timers/promises'
import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { CameraStatus } from '@sightline/contract/cameras'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulatedFirmware } from '../../camera-simulator/src/index.ts'
import { chromiumPath } from '../browser.ts'
import { overflow, violations } from '../screens.ts'
import { openUserPage } from '../signed-in.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

const MODEL = 'Dome 4'
/** Of which there are two. */
const PAIR = 'Dome 5'
const login = { username: 'admin', password: 'right one' }

describe.skipIf(chromiumPath === undefined)('firmware in Chromium', () => {
  let app: RunningWebApp
  let simulator: SimulatorProcess
  let cameraId = 0
  const cameraIds: number[] = []

  beforeAll(async () => {
    const clips = await sceneClips('car-park')
    const camera = { name: 'Dome', mac: '02:00:00:00:5f:01', ...login, clips, manufacturer: 'Acme', model: MODEL }
    const pair = ['Yard', 'Gate'].map((name, at) => ({ ...camera, name, mac: `02:00:00:00:5f:1${at}`, model: PAIR }))
    simulator = await launchSimulator({ cameras: [camera, ...pair] })
    app = await startWebApp()
    const [zone] = await app.ask<{ zoneId: number }[]>('GET zones')
    for (const [at, name] of ['Dome', 'Yard', 'Gate'].entries()) {
      const port = simulator.cameras[at]?.onvifPort
      const given = { name, zoneId: zone?.zoneId, address: '127.0.0.1', port, ...login }
      cameraIds.push((await app.ask<{ cameraId: number }>('POST cameras', given)).cameraId)
    }
    cameraId = cameraIds[0] ?? 0
    for (const each of cameraIds) while (!(await status(each)).online) await sleep(500)
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await simulator.stop()
  })

  const status = (of = cameraId) => app.ask<CameraStatus>(`GET cameras/${of}/status`)

  test('a dealer uploads firmware in parts, and it is offered with its checksum', async () => {
    await using tab = await app.newPage()
    const { page } = tab
    await openUserPage(page, `${app.product.origin}/dealer/`, 'dealer@demo.example')
    await page.getByRole('link', { name: 'Firmware', exact: true }).click()
    await page.getByRole('heading', { name: 'No firmware yet' }).waitFor()
    expect(await violations(page)).toEqual([])
    for (const [version, bytes, model] of [
      ['2.0.0', simulatedFirmware(MODEL, '2.0.0', 1_200_000), MODEL],
      ['3.0.0', Buffer.alloc(1000, 1), MODEL],
      ['1.5.0', simulatedFirmware(PAIR, '1.5.0', 20_000), PAIR],
    ] as const) {
      await page.getByRole('button', { name: 'Upload firmware' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Upload firmware' })
      await dialog.getByRole('textbox', { name: 'Brand' }).fill('acme')
      await dialog.getByRole('textbox', { name: 'Model' }).fill(model)
      await dialog.getByRole('textbox', { name: 'Version' }).fill(version)
      const file = { name: 'image.bin', mimeType: 'application/octet-stream', buffer: bytes }
      await dialog.getByLabel('Firmware file').setInputFiles(file)
      expect(await violations(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Upload firmware' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await expect.poll(() => page.getByText('Offered', { exact: true }).count()).toBe(3)
    expect(await page.getByText(/^[0-9a-f]{64}$/).count()).toBe(3)
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test('the owner upgrades both cameras of a model with one click', async () => {
    const [, yard = 0, gate = 0] = cameraIds
    await using tab = await app.open(`/cameras/${yard}/settings/firmware`)
    const { page } = tab
    await page.getByText('More cameras of this model').waitFor()
    const all = page.getByRole('group', { name: 'Cameras to upgrade' })
    await expect.poll(() => all.getByRole('checkbox').count()).toBe(2)
    const button = page.getByRole('button', { name: 'Upgrade selected cameras to 1.5.0' })
    expect(await button.isDisabled()).toBe(true)
    await all.getByRole('button', { name: 'All' }).click()
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBe(0)
    }
    expect(await violations(page)).toEqual([])
    await button.click()
    const dialog = page.getByRole('dialog', { name: 'Upgrade to 1.5.0?' })
    await dialog.getByRole('button', { name: 'Upgrade firmware' }).click()
    await page.getByText('Firmware upgrades started').waitFor()
    const states = async () => [(await status(yard)).firmwareStatus, (await status(gate)).firmwareStatus]
    await expect.poll(states, { timeout: 90_000 }).toEqual(['upToDate', 'upToDate'])
    await page.getByText('More cameras of this model').waitFor({ state: 'detached' })
    expect(tab.complaints).toEqual([])
  }, 150_000)

  test('the owner upgrades a camera, sees how it goes, and why a bad file failed', async () => {
    expect((await status()).firmwareStatus).toBe('upgradable')
    await using tab = await app.open(`/cameras/${cameraId}/settings/firmware`)
    const { page } = tab
    await page.getByText('Upgrade available').waitFor()
    await page.getByText('Your dealer').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('radio', { name: '2.0.0' }).check()
    await page.getByRole('button', { name: 'Upgrade to 2.0.0' }).click()
    const dialog = page.getByRole('dialog', { name: 'Upgrade to 2.0.0?' })
    await dialog.getByText('The camera sends no video for some minutes').waitFor()
    await dialog.getByRole('button', { name: 'Upgrade firmware' }).click()
    await page.getByRole('progressbar', { name: 'Firmware upgrade' }).waitFor()
    await page.getByRole('progressbar', { name: 'Firmware upgrade' }).waitFor({ state: 'detached', timeout: 60_000 })
    await expect.poll(() => page.getByText('2.0.0', { exact: true }).count()).toBe(1)
    await page.getByRole('button', { name: 'Upgrade to 3.0.0' }).click()
    await page.getByRole('button', { name: 'Upgrade firmware' }).click()
    await page.getByText('it rejected the file').waitFor({ timeout: 60_000 })
    await page.getByText('Upgrade failed', { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
    expect(await status()).toMatchObject({ online: true, firmwareStatus: 'failed' })
    expect(tab.complaints).toEqual([])
  })
})
