import { rm } from 'node:fs/promises'
import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { newDataFolder } from '../data-folders.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken, fillSignIn } from '../signed-in.ts'

const EMAIL = 'ada@noord.example'
const PASSWORD = 'Nobody-knows.2026'
const LINK = /http:\/\/\S+\/sign-in\/first-run\?code=[\w-]{43}(?!\S)/
/** From an empty installation to the first recorded camera. */
const WHOLE_WALK_MS = 180_000

/** Nothing of a page lies beyond the edge of a phone. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe.skipIf(chromiumPath === undefined)('an empty installation and a phone', () => {
  let dataFolder: string
  let product: RunningProduct
  let browser: TestBrowser
  let simulator: SimulatorProcess
  beforeAll(async () => {
    dataFolder = await newDataFolder()
    const clips = await sceneClips('car-park')
    simulator = await launchSimulator({
      cameras: [{ name: 'Door', mac: '02:00:00:00:00:71', username: 'viewer', password: 'right one', clips }],
    })
    // An empty variable counts as unset: without the demonstration there is no demo password.
    const environment = {
      SIGHTLINE_DEMO: 'off',
      SIGHTLINE_DEMO_PASSWORD: '',
      SIGHTLINE_CAMERA_NETWORKS: '127.0.0.0/8',
    }
    product = await startProduct({ dataFolder, environment })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
    await simulator.stop()
    await rm(dataFolder, { recursive: true, force: true })
  })

  /** Whether footage of the only camera is on the disk. */
  const isRecorded = async (): Promise<boolean> => {
    const token = await fetchToken(product.origin, EMAIL, PASSWORD)
    const { body } = await callApi<{ recordingOnCloud: boolean }[]>(product.origin, token, 'GET cameras/all/status')
    return body[0]?.recordingOnCloud === true
  }

  test('the first person mistypes a password and still has a recorded camera within three minutes', async () => {
    const startedAt = performance.now()
    await expect.poll(product.output, { timeout: 30_000 }).toMatch(LINK)
    const [link = ''] = LINK.exec(product.output()) ?? []
    await using tab = await browser.newPage({ width: 360, height: 760, locale: 'en-US' })
    const { page } = tab
    await page.goto(link)
    await page.getByLabel('Company or service').fill('Camera North')
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Last name').fill('Lovelace')
    await page.getByLabel('Email address').fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm password').fill(PASSWORD)
    expect(await overflow(page)).toBe(0)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByLabel('Email address', { exact: true }).waitFor()
    await fillSignIn(page, EMAIL, PASSWORD)

    await page.getByText('Add your first camera').waitFor()
    // Nothing to search in, and nothing to arm.
    expect(await page.getByRole('searchbox').count()).toBe(0)
    expect(await overflow(page)).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'Add camera' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Front door')
    await page.getByLabel('IP address, host name or MAC address').fill('127.0.0.1')
    await page.getByLabel('Camera user name').fill('viewer')
    await page.getByLabel('Camera password', { exact: true }).fill('wrong one')
    await page.getByRole('link', { name: 'Find cameras on your network' }).waitFor()
    await page.getByText('More options').click()
    await page.getByRole('textbox', { name: /^Port/ }).fill(String(simulator.cameras[0]?.onvifPort))
    expect(await overflow(page)).toBe(0)
    await page.getByRole('button', { name: 'Add camera' }).click()
    await page.getByText('The camera rejected the user name or password.').waitFor()
    expect(await overflow(page)).toBe(0)
    await page.getByLabel('Camera password', { exact: true }).fill('right one')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Front door has been added and is being recorded.').waitFor()
    const tookMs = performance.now() - startedAt
    expect(await overflow(page)).toBe(0)
    await page.getByRole('link', { name: 'View camera' }).click()
    await page.getByRole('heading', { name: 'Front door' }).waitFor()
    await expect.poll(isRecorded, { timeout: 60_000 }).toBe(true)
    expect(tab.complaints).toEqual([])
    expect(tookMs).toBeLessThan(WHOLE_WALK_MS)
  }, 240_000)
})
