import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { CameraUser } from '@sightline/contract/camera-users'
import type { Camera } from '@sightline/contract/cameras'
import { encodePasswordHeader, PASSWORD_HEADER } from '@sightline/contract/credentials'
import type { RecorderDevice } from '@sightline/contract/devices'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { DEMO_PASSWORD } from '../running-product.ts'
import { overflow, violations } from '../screens.ts'
import { fetchToken } from '../signed-in.ts'
import { addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

const MAC = '02:00:00:00:5e:01'

describe.skipIf(chromiumPath === undefined)('recorders in Chromium', () => {
  let app: RunningWebApp
  let simulator: SimulatorProcess
  let port = 0

  beforeAll(async () => {
    const clips = await sceneClips('car-park')
    simulator = await launchSimulator({
      cameras: [
        {
          name: 'NVR',
          mac: MAC,
          username: 'admin',
          password: 'right one',
          clips,
          model: 'NVR 4',
          inputs: 4,
          emptyInputs: [4],
          disks: [{ capacity: 4_000_000, free: 1_000_000 }],
        },
      ],
    })
    port = simulator.cameras[0]?.onvifPort ?? 0
    app = await startWebApp()
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await simulator.stop()
  })

  async function removeCamera(cameraId: number): Promise<void> {
    const token = await fetchToken(app.product.origin, 'owner@demo.example')
    const headers = { authorization: `Bearer ${token}`, [PASSWORD_HEADER]: encodePasswordHeader(DEMO_PASSWORD) }
    const reply = await fetch(`${app.product.origin}/rest/v2.4/cameras/${cameraId}`, { method: 'DELETE', headers })
    expect(reply.status).toBe(204)
  }
  const recorders = () => app.ask<RecorderDevice[]>('GET devices')

  test('a recorder is added by its address, step by step, with the failed one named', async () => {
    await using tab = await app.open('/recorders')
    const { page } = tab
    await page.getByRole('heading', { name: 'No recorders yet' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('main').getByRole('link', { name: 'Add recorder' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Cellar')
    await page.getByLabel('IP address, host name or MAC address').fill('127.0.0.1')
    await page.getByLabel('ONVIF port').fill(String(port))
    await page.getByLabel('Recorder user name').fill('admin')
    await page.getByRole('textbox', { name: 'Recorder password' }).fill('wrong one')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Add recorder' }).click()
    await page.getByText('The recorder rejected the user name or password.').waitFor({ timeout: 30_000 })
    await page.getByRole('listitem').filter({ hasText: 'Sign in to the recorder' }).getByText('Failed').waitFor()
    await page.getByRole('button', { name: 'Edit details' }).click()
    await expect.poll(recorders).toEqual([])
    await page.getByRole('textbox', { name: 'Recorder password' }).fill('right one')
    await page.getByRole('button', { name: 'Add recorder' }).click()
    await page.getByText('Cellar has been added. It has 4 inputs.').waitFor({ timeout: 30_000 })
    await page.getByRole('link', { name: 'Choose inputs' }).click()
    await page.waitForURL(/\/recorders\/\d+\/inputs$/)
    expect(tab.complaints).toEqual([])
  })

  test('its inputs show pictures, and become cameras: one, then all others', async () => {
    const [device] = await recorders()
    await using tab = await app.open(`/recorders/${device?.deviceId}`)
    const { page } = tab
    await page.getByText('3.1 TB of 4.2 TB').waitFor()
    await expect.poll(() => page.getByRole('img', { name: /^Picture of input/ }).count(), { timeout: 20_000 }).toBe(3)
    expect(await page.getByText('No video', { exact: true }).count()).toBe(1)
    expect(await violations(page)).toEqual([])
    await page.getByRole('checkbox', { name: 'Select input 2' }).check()
    await page.getByRole('button', { name: 'Add 1 selected' }).click()
    await page.getByLabel('Name of input 2').fill('Till')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Add camera', exact: true }).click()
    await page.getByRole('link', { name: 'Till' }).waitFor()
    await page.getByRole('button', { name: 'Add all 2 inputs' }).click()
    await page.getByRole('button', { name: 'Add 2 cameras' }).click()
    await page.getByText('2 cameras added').waitFor()
    await page.getByRole('link', { name: 'Cellar 1' }).waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
    const cameras = await app.ask<Camera[]>('GET cameras')
    expect(cameras.map(({ name }) => name)).toEqual(expect.arrayContaining(['Cellar 1', 'Cellar 3', 'Till']))
    expect(tab.complaints).toEqual([])
  })

  test('it refuses a mistyped password, which isn’t saved', async () => {
    const [device] = await recorders()
    await using tab = await app.open(`/recorders/${device?.deviceId}/settings`)
    const { page } = tab
    await page.getByRole('textbox', { name: 'New password' }).fill('mistyped')
    await page.getByRole('button', { name: 'Save changes' }).last().click()
    await page.getByText('The recorder rejected this user name and password. Nothing was changed.').first().waitFor()
    expect(await violations(page)).toEqual([])
    expect(await app.ask(`GET devices/${device?.deviceId}/status`)).toMatchObject({ online: true })
  })

  test('it is renamed, its sign-in changed, put into maintenance, restarted, and its log tells', async () => {
    const [device] = await recorders()
    await using tab = await app.open(`/recorders/${device?.deviceId}/settings`)
    const { page } = tab
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Basement')
    await page.getByRole('button', { name: 'Save changes' }).first().click()
    await page.getByText('Recorder saved').waitFor()
    await page.getByRole('heading', { name: 'Basement', level: 1 }).waitFor()
    await page.getByText('NVR 4', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'New password' }).fill('right one')
    await page.getByRole('button', { name: 'Save changes' }).last().click()
    await page.getByText('Sign-in details saved').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Maintenance', exact: true }).click()
    await page.getByRole('button', { name: 'Start maintenance' }).click()
    await page.getByText(/^In maintenance until/).waitFor()
    await page.getByRole('button', { name: 'End maintenance' }).click()
    await page.getByRole('button', { name: 'Start maintenance' }).waitFor()
    await page.getByRole('button', { name: 'Restart recorder' }).click()
    const asked = page.getByRole('dialog', { name: 'Restart Basement?' })
    await asked.getByRole('button', { name: 'Restart recorder' }).click()
    await page.getByRole('progressbar', { name: 'Restart' }).waitFor()
    await page.getByText('Done', { exact: true }).waitFor({ timeout: 60_000 })
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Log', exact: true }).click()
    await page.getByText('Restart finished').waitFor()
    expect(await violations(page)).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('a user is added to the recorder itself and removed; the one of the server is marked and stays', async () => {
    const [device] = await recorders()
    await using tab = await app.open(`/recorders/${device?.deviceId}/settings`)
    const { page } = tab
    const users = () => app.ask<CameraUser[]>(`GET devices/${device?.deviceId}/connection/users`)
    const item = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await item('admin').getByText('Used by this server').waitFor()
    await page.getByRole('button', { name: 'Add user' }).click()
    const added = page.getByRole('dialog', { name: 'Add a user to the recorder' })
    await added.getByLabel('Name in the recorder').fill('guard')
    await added.getByLabel('Password in the recorder').fill('Correct-horse-2')
    await added.getByRole('switch', { name: 'Send the password unencrypted' }).click()
    expect(await violations(page)).toEqual([])
    await added.getByRole('button', { name: 'Add user' }).click()
    await item('guard').getByText('Viewer').waitFor()
    expect(await users()).toContainEqual({ username: 'guard', level: 'user', usedByServer: false })
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBe(0)
    }
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove guard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove user' }).click()
    await item('guard').waitFor({ state: 'detached' })
    expect(await users()).toHaveLength(1)
    expect(tab.complaints).toEqual([])
  })

  test.each([
    { right: 'editCamera', tabs: ['Inputs', 'Settings', 'Maintenance', 'Firmware'], add: 0, save: 1, remove: 0 },
    { right: 'addCameraManually', tabs: ['Inputs', 'Settings'], add: 1, save: 0, remove: 0 },
    { right: 'deleteCamera', tabs: ['Inputs', 'Settings'], add: 0, save: 0, remove: 1 },
    { right: 'logFiles', tabs: ['Inputs', 'Settings', 'Log'], add: 0, save: 0, remove: 0 },
  ])('the right $right alone offers exactly what it names', async ({ right, tabs, add, save, remove }) => {
    const [device] = await recorders()
    const email = `recorder-${right.toLowerCase()}@demo.example`
    await addUser(app, email, { allCameras: true, rights: { [right]: true } })
    await using tab = await app.open('/recorders', email)
    const { page } = tab
    await page.getByRole('link', { name: 'Basement' }).waitFor()
    expect(await page.getByRole('link', { name: 'Add recorder' }).count()).toBe(add)
    await page.getByRole('link', { name: 'Basement' }).click()
    const pages = page.getByRole('navigation', { name: 'Basement' }).getByRole('link')
    await expect.poll(() => pages.allTextContents()).toEqual(tabs)
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByText('Serial number').waitFor()
    expect(await page.getByRole('heading', { name: 'Name and zone' }).count()).toBe(save)
    expect(await page.getByRole('button', { name: 'Remove recorder' }).count()).toBe(remove)
    expect(device).toBeDefined()
    expect(tab.complaints).toEqual([])
  })

  test('a demo user changes nothing, and support without video sees no pictures of inputs', async () => {
    const [device] = await recorders()
    await addUser(app, 'recorder-visitor@demo.example', {
      allCameras: true,
      rights: { demoUser: true, editCamera: true },
    })
    await using visit = await app.open(`/recorders/${device?.deviceId}/settings`, 'recorder-visitor@demo.example')
    await visit.page.getByText('Serial number').waitFor()
    expect(await visit.page.getByRole('button', { name: /Save changes|Remove recorder/ }).count()).toBe(0)
    await using tab = await app.newPage()
    const { page } = tab
    const asked: string[] = []
    page.on('request', (request) => {
      if (/channels\/\d+\/snapshot/.test(request.url())) asked.push(request.url())
    })
    await lendToken(page, app.product.origin, await beginSupport(app, { video: 'hidden' }))
    await page.goto(`${app.product.origin}/app/recorders/${device?.deviceId}/inputs`)
    await page.getByText('Input 4').waitFor()
    expect(asked).toEqual([])
    expect(await page.getByRole('img', { name: /^Picture of input/ }).count()).toBe(0)
  })

  test('it is not removed while its inputs are cameras, which are named; afterwards it is, with the password', async () => {
    const [device] = await recorders()
    await using tab = await app.open(`/recorders/${device?.deviceId}/settings`)
    const { page } = tab
    await page.getByRole('button', { name: 'Remove recorder' }).click()
    const dialog = page.getByRole('dialog', { name: "Basement can't be removed yet" })
    await dialog.getByRole('link', { name: 'Till' }).waitFor()
    expect(await dialog.getByRole('listitem').count()).toBe(3)
    expect(await violations(page)).toEqual([])
    for (const { cameraId } of device?.channels ?? []) if (cameraId !== null) await removeCamera(cameraId)
    await page.reload()
    await page.getByRole('button', { name: 'Remove recorder' }).click()
    const asked = page.getByRole('dialog', { name: 'Remove Basement?' })
    await asked.getByRole('textbox', { name: 'Your password' }).fill('not this one')
    await asked.getByRole('button', { name: 'Remove recorder' }).click()
    await asked.getByText('Incorrect password').waitFor()
    await asked.getByRole('textbox', { name: 'Your password' }).fill(DEMO_PASSWORD)
    await asked.getByRole('button', { name: 'Remove recorder' }).click()
    await page.getByRole('heading', { name: 'No recorders yet' }).waitFor()
    expect(tab.complaints.filter((one) => !one.includes('400'))).toEqual([])
  })
})
