import { randomBytes } from 'node:crypto'
import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { CameraStatus } from '@sightline/contract/cameras'
import { selfSignedPair } from '@sightline/platform/certificate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken, openUserPage } from '../signed-in.ts'

/** Simulators of other tests on this machine answer a search too. */
const run = randomBytes(3).toString('hex')
const macOf = (last: string): string => `0200${run}${last}`.replaceAll(/(..)(?=.)/g, '$1:')

describe.skipIf(chromiumPath === undefined)('adding several cameras in Chromium', () => {
  let product: RunningProduct
  let browser: TestBrowser
  let simulator: SimulatorProcess

  beforeAll(async () => {
    const clips = await sceneClips('car-park')
    const account = { username: 'viewer', password: 'right one', clips }
    const validity = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 3_600_000 }
    const onvifTls = selfSignedPair({ names: ['127.0.0.1'], ...validity })
    simulator = await launchSimulator({
      discovery: { interfaceAddress: '127.0.0.1' },
      cameras: [
        { ...account, name: `Token ${run}`, mac: macOf('01'), onvifAuthentication: 'token' },
        { ...account, name: `Digest ${run}`, mac: macOf('02'), onvifAuthentication: 'digest' },
        { ...account, name: `Secure ${run}`, mac: macOf('03'), onvifTls },
        { ...account, name: `Media2 ${run}`, mac: macOf('04') },
        { ...account, name: `Yesterday ${run}`, mac: macOf('05') },
      ],
    })
    await simulator.fault(macOf('04'), { kind: 'onvif-quirks', quirks: ['media2-only'] })
    await simulator.fault(macOf('05'), { kind: 'clock-jump', byMs: -24 * 3_600_000 })
    product = await startProduct({ cameras: false })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
    await simulator.stop()
  })

  test('cameras that differ in authentication, TLS, media service and clock are found, and each is recorded after one tap', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, `${product.origin}/app/cameras/add/several`, 'owner@demo.example')
    await page.getByLabel('Camera user name').fill('viewer')
    await page.getByRole('textbox', { name: 'Camera password' }).fill('right one')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    for (const { name } of simulator.cameras) {
      const found = page.getByRole('listitem').filter({ hasText: name })
      await found.getByRole('button', { name: /^Add/ }).click()
    }
    await expect.poll(() => page.getByText('Added', { exact: true }).count(), { timeout: 60_000 }).toBe(5)
    const owner = await fetchToken(product.origin, 'owner@demo.example')
    const statuses = await callApi<CameraStatus[]>(product.origin, owner, 'GET cameras/all/status')
    const added = statuses.body.filter(({ passwordKnown, online }) => passwordKnown && online)
    expect(added.filter(({ recordingOnCloud }) => recordingOnCloud)).toHaveLength(5)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect.poll(() => page.getByText('Already added here').count()).toBeGreaterThanOrEqual(5)
    expect(tab.complaints).toEqual([])
  })

  test('a file with a wrong line imports nothing and names the line; rows say what became of each', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, `${product.origin}/app/cameras/add/several`, 'owner@demo.example')
    const choose = (text: string) =>
      page
        .getByLabel('CSV file')
        .setInputFiles({ name: 'cameras.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose('name,address\nYard,rtsp://camera/main\n')
    await page.getByText('Line 2: Enter the IP address or host name only').waitFor()
    await choose('name,address,streamPath\nYard,10.1.2.3,/main\nYard again,10.1.2.3,/main\n')
    await page.getByRole('button', { name: 'Add 5 more' }).click()
    await page.getByRole('button', { name: 'Add all devices' }).click()
    await page.getByText('This camera has already been added to your account.').waitFor()
    await page.getByText('Cameras in this network are not allowed yet.').waitFor()
    expect(await page.getByRole('textbox', { name: /^Name of camera/ }).count()).toBe(7)
    expect(tab.complaints).toEqual([])
  })
})
