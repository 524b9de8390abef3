import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { chooseOption } from '../popups.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { openUserPage } from '../signed-in.ts'

const HOST = '127.0.0.66'
/** It speaks RTSP only, as far as a search sees. */
const PLAIN_HOST = '127.0.0.67'
const NETWORK = '127.0.0.64/29'

describe.skipIf(chromiumPath === undefined)('finding cameras by their addresses in Chromium', () => {
  let product: RunningProduct
  let browser: TestBrowser
  let simulator: SimulatorProcess
  let plain: SimulatorProcess

  beforeAll(async () => {
    const clips = await sceneClips('car-park')
    // It doesn't announce itself, and its port is one of the usual ones.
    simulator = await launchSimulator({
      host: HOST,
      cameras: [
        { name: 'Quiet', mac: '02:00:00:00:66:01', username: 'viewer', password: 'right one', clips, onvifPort: 8000 },
      ],
    })
    plain = await launchSimulator({
      host: PLAIN_HOST,
      cameras: [
        { name: 'Plain', mac: '02:00:00:00:66:02', username: 'viewer', password: 'right one', clips, rtspPort: 8554 },
      ],
    })
    product = await startProduct({ cameras: false, environment: { SIGHTLINE_CAMERA_NETWORKS: NETWORK } })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await product?.[Symbol.asyncDispose]()
    await simulator?.stop()
    await plain?.stop()
  })

  test('a camera that doesn’t announce itself is found by connecting to each address, says so, and is added with one tap', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await page.setViewportSize({ width: 360, height: 800 })
    await openUserPage(page, `${product.origin}/app/cameras/add/several`, 'owner@demo.example')
    await page.getByLabel('Camera user name').fill('viewer')
    await page.getByRole('textbox', { name: 'Camera password' }).fill('right one')
    const found = page.getByRole('listitem').filter({ hasText: `${HOST}:8000` })
    await chooseOption(page.getByLabel('Search in'), `Each address of ${NETWORK}`)
    await page.getByRole('checkbox', { name: /Connect to each address too/ }).check()
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel search' }).waitFor()
    await found.getByText('Found by address').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await found.getByRole('button', { name: /^Add/ }).click()
    await expect.poll(() => page.getByText('Added', { exact: true }).count(), { timeout: 60_000 }).toBe(1)
  })

  test('a camera without ONVIF is added from the list with its address and port; only its stream path is asked', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await page.setViewportSize({ width: 360, height: 800 })
    await openUserPage(page, `${product.origin}/app/cameras/add/several`, 'owner@demo.example')
    await page.getByLabel('Camera user name').fill('viewer')
    await page.getByRole('textbox', { name: 'Camera password' }).fill('right one')
    // The search of the test before, or another one.
    const found = page.getByRole('listitem').filter({ hasText: `${PLAIN_HOST}:8554` })
    await found.getByText('Needs its stream path').waitFor()
    await found.getByRole('button', { name: /^Add/ }).click()
    const path = page.getByRole('textbox', { name: 'Stream path of camera 1' })
    await expect.poll(() => path.evaluate((field) => field === document.activeElement)).toBe(true)
    const addAll = page.getByRole('button', { name: 'Add all devices' })
    expect(await addAll.isDisabled()).toBe(true)
    await page.keyboard.type('main')
    await page.keyboard.press('Tab')
    await page.getByText('The stream path starts with a slash').waitFor()
    await path.fill('/main')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await addAll.click()
    await expect.poll(() => page.getByText('Added', { exact: true }).count(), { timeout: 60_000 }).toBe(1)
    expect(tab.complaints).toEqual([])
  })
})
