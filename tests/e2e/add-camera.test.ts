import { randomBytes } from 'node:crypto'
import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { Camera, CameraStatus } from '@sightline/contract/cameras'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { DEMO_PASSWORD, type RunningProduct, startProduct } from '../running-product.ts'
import { readCounter } from '../screen-picture.ts'
import { callApi, fetchToken, openUserPage } from '../signed-in.ts'

/** Other simulators of this machine answer too. */
const LOOKED_FOR = `02${randomBytes(5).toString('hex')}`.replaceAll(/(..)(?=.)/g, '$1:')

describe.skipIf(chromiumPath === undefined)('adding a camera in Chromium', () => {
  let product: RunningProduct
  let browser: TestBrowser
  let simulator: SimulatorProcess
  let owner: string

  beforeAll(async () => {
    const clips = await sceneClips('car-park')
    simulator = await launchSimulator({
      discovery: { interfaceAddress: '127.0.0.1' },
      cameras: [
        { name: 'Gate', mac: '02:00:00:00:00:21', username: 'viewer', password: 'right one', clips },
        { name: 'Announced', mac: LOOKED_FOR, username: 'viewer', password: 'right one', clips },
      ],
    })
    product = await startProduct({ cameras: false })
    browser = await openBrowser()
    owner = await fetchToken(product.origin, 'owner@demo.example')
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
    await simulator.stop()
  })

  const ports = () => {
    const [camera] = simulator.cameras
    if (camera === undefined) throw new Error('the simulator has no camera')
    return { onvif: String(camera.onvifPort), rtsp: String(camera.rtspPort) }
  }

  /** Labels of optional fields end in a word for it. */
  const fill = async (page: Page, values: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(values))
      await page.getByRole('textbox', { name: new RegExp(`^${label}`) }).fill(value)
  }

  test('the step that a wrong password failed is named, and with the right one the same camera is recorded', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, `${product.origin}/app/`, 'owner@demo.example')
    await page.getByRole('link', { name: 'Add camera' }).click()
    await page.getByText('More options').click()
    await fill(page, {
      Name: 'Gate',
      'IP address, host name or MAC address': '127.0.0.1',
      'Camera user name': 'viewer',
      'Camera password': 'wrong one',
      Port: ports().onvif,
    })
    await page.getByRole('button', { name: 'Add camera' }).click()
    await page.getByRole('alert').filter({ hasText: 'The camera rejected the user name or password.' }).waitFor()
    expect(await page.getByRole('main').getByRole('listitem').allInnerTexts()).toEqual([
      'Reach the camera\nDone',
      'Identify the camera\nDone',
      'Sign in to the camera\nFailed',
      'Find its video streams\nWaiting',
      'Get a sample picture\nWaiting',
      'Start recording\nWaiting',
    ])
    expect(await page.getByLabel('Camera user name').inputValue()).toBe('viewer')
    await fill(page, { 'Camera password': 'right one' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Gate has been added and is being recorded.').waitFor()
    await page.getByRole('img', { name: 'Sample picture from Gate' }).waitFor()
    expect(await page.getByRole('main').getByRole('listitem').filter({ hasText: 'Done' }).count()).toBe(6)

    const cameras = await callApi<Camera[]>(product.origin, owner, 'GET cameras')
    const gate = cameras.body.filter(({ name }) => name === 'Gate')
    expect(gate).toMatchObject([{ brand: 'Sightline' }])
    const status = await callApi<CameraStatus>(product.origin, owner, `GET cameras/${gate[0]?.cameraId}/status`)
    expect(status.body).toMatchObject({ online: true, additionStatus: 'added', passwordKnown: true })
    await page.getByRole('link', { name: 'View camera' }).click()
    await page.getByRole('heading', { name: 'Gate' }).waitFor()
    await expect.poll(() => readCounter(page), { timeout: 15_000 }).toBeGreaterThan(0)
    expect(tab.complaints).toEqual([])
  })

  test('a pasted rtsp address fills the form, and the same stream is not added twice', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, `${product.origin}/app/cameras/add`, 'owner@demo.example')
    const paste = async () => {
      await page.getByLabel('Name', { exact: true }).fill('Gate by path')
      await page.getByLabel('IP address, host name or MAC address').evaluate((input, text) => {
        const data = new DataTransfer()
        data.setData('text', text)
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
      }, `rtsp://viewer:right%20one@127.0.0.1:${ports().rtsp}/main`)
      expect(await page.getByLabel(/^Stream path/).inputValue()).toBe('/main')
      await page.getByRole('button', { name: 'Add camera' }).click()
    }
    await paste()
    await page.getByText('Gate by path has been added and is being recorded.').waitFor()
    await page.getByRole('button', { name: 'Add another camera' }).click()
    await paste()
    await page.getByText('This camera has already been added to your account.').first().waitFor()
  })

  test('a camera is found by its MAC address, and isn’t added twice', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, `${product.origin}/app/cameras/add`, 'owner@demo.example')
    const add = async (name: string) => {
      await fill(page, {
        Name: name,
        'IP address, host name or MAC address': LOOKED_FOR.toUpperCase().replaceAll(':', '-'),
        'Camera user name': 'viewer',
        'Camera password': 'right one',
      })
      await page.getByRole('button', { name: 'Add camera' }).click()
    }
    await add('Found gate')
    await page.getByText('Found gate has been added and is being recorded.').waitFor()
    const cameras = await callApi<Camera[]>(product.origin, owner, 'GET cameras')
    expect(cameras.body.find(({ name }) => name === 'Found gate')).toMatchObject({ ethMacAddress: LOOKED_FOR })
    await page.getByRole('button', { name: 'Add another camera' }).click()
    await add('Found again')
    await page.getByText('This camera has already been added to your account.').first().waitFor()
    expect(tab.complaints.filter((text) => !text.includes('409'))).toEqual([])
  })

  test('a camera that does not respond stays in the list as not added, and can be removed there', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    const zones = await callApi<{ zoneId: number }[]>(product.origin, owner, 'GET zones')
    const added = await callApi<Camera>(product.origin, owner, 'POST cameras', {
      name: 'Basement',
      zoneId: zones.body[0]?.zoneId,
      address: '10.1.2.3',
      streamPath: '/main',
    })
    const poll = await callApi(product.origin, owner, `GET cameras/${added.body.cameraId}/additionStatus/poll`)
    expect(poll.body).toMatchObject({ status: 'failure', subStatus: 'addressNotAllowed' })
    await openUserPage(page, `${product.origin}/app/`, 'owner@demo.example')
    await page.getByRole('link', { name: /Basement.*Not added/ }).click()
    await page.getByText('Cameras in this network are not allowed yet.').waitFor()
    await page.getByRole('button', { name: 'Remove from list' }).click()
    await page.getByText('Camera removed').waitFor()
    expect(await page.getByRole('link', { name: /Basement/ }).count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test('a camera is removed with a password, after the owner reads what is lost', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    const cameras = await callApi<Camera[]>(product.origin, owner, 'GET cameras')
    const gate = cameras.body.find(({ name }) => name === 'Gate')
    await openUserPage(page, `${product.origin}/app/cameras/${gate?.cameraId}`, 'owner@demo.example')
    await page.getByRole('button', { name: 'Remove camera' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove Gate?' })
    await dialog.getByText('or its recordings anymore').waitFor()
    await dialog.getByLabel('Your password').fill('wrong')
    await dialog.getByRole('button', { name: 'Remove camera' }).click()
    await dialog.getByText('Incorrect password').waitFor()
    await dialog.getByLabel('Your password').fill(DEMO_PASSWORD)
    await dialog.getByRole('button', { name: 'Remove camera' }).click()
    await page.getByRole('heading', { name: 'Cameras' }).waitFor()
    await page.getByRole('link', { name: /Gate by path/ }).waitFor()
    const left = await callApi<Camera[]>(product.origin, owner, 'GET cameras')
    expect(left.body.map(({ name }) => name)).not.toContain('Gate')
  })
})
