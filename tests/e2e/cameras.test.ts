import { readFrameCounter } from '@sightline/camera-simulator/frame-counter'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, openSignedIn, tokenOf } from '../signed-in.ts'

/** Pictures a second of the simulator's main stream, and where its counter begins (camera-simulator/src/settings.ts). */
const FRAMES_PER_SECOND = 25
const EPOCH = Date.UTC(2026, 0, 1)
const counterAt = (moment: number) => Math.floor(((moment - EPOCH) * FRAMES_PER_SECOND) / 1000)

/** The burnt-in counter of the picture on the screen, or undefined while none can be read. */
async function shownCounter(page: Page): Promise<number | undefined> {
  const picture = await page.evaluate(() => {
    // The canvas lies above the video and is hidden while that one is used.
    const shown =
      document.querySelector<HTMLCanvasElement>('canvas[data-camera-picture]:not([hidden])') ??
      document.querySelector<HTMLVideoElement>('video[data-camera-picture]')
    if (shown === null) return undefined
    const width = shown instanceof HTMLVideoElement ? shown.videoWidth : shown.width
    const height = shown instanceof HTMLVideoElement ? shown.videoHeight : shown.height
    if (width === 0) return undefined
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const context = canvas.getContext('2d', { willReadFrequently: true })
    context?.drawImage(shown, 0, 0)
    // The strip with the counter is in the first rows; the rest need not travel.
    const rows = Math.ceil(height / 8)
    const rgba = context?.getImageData(0, 0, width, rows).data ?? new Uint8ClampedArray()
    const green: number[] = []
    for (let at = 1; at < rgba.length; at += 4) green.push(rgba[at] ?? 0)
    return { width, height, green }
  })
  if (picture === undefined) return undefined
  const luma = new Uint8Array(picture.width * picture.height)
  luma.set(picture.green)
  return readFrameCounter(luma, picture.width, picture.height)
}

async function nextCounter(page: Page, accept: (counter: number) => boolean): Promise<number> {
  let seen: number | undefined
  await expect
    .poll(
      async () => {
        seen = await shownCounter(page)
        return seen !== undefined && accept(seen)
      },
      { timeout: 30_000, interval: 100 },
    )
    .toBe(true)
  return seen ?? 0
}

describe.skipIf(chromiumPath === undefined)('the Web App in Chromium', () => {
  let product: RunningProduct
  let browser: TestBrowser
  let recordingSince = 0
  beforeAll(async () => {
    product = await startProduct()
    recordingSince = Date.now()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
  })

  const openCamera = async (page: Page, name = 'Car park') => {
    await openSignedIn(page, `${product.origin}/app/`)
    await page.getByRole('link', { name: new RegExp(name) }).click()
  }

  test('the owner sees four cameras with a state and a picture of each', async () => {
    await using tab = await browser.newPage()
    await openSignedIn(tab.page, `${product.origin}/app/`)
    for (const name of ['Car park', 'Entrance', 'Shop floor', 'Corridor']) {
      await tab.page.getByRole('link', { name: new RegExp(name) }).waitFor()
    }
    await expect.poll(() => tab.page.getByText('Online').count(), { timeout: 20_000 }).toBe(4)
    await expect.poll(() => tab.page.locator('canvas:visible').count(), { timeout: 20_000 }).toBe(4)
    expect(tab.complaints).toEqual([])
  })

  test('a guard sees the cameras of his zone only, and cannot open another by its address', async () => {
    const token = await tokenOf(product.origin, 'owner@demo.example')
    const { body } = await callApi<{ cameraId: number; name: string }[]>(product.origin, token, 'GET cameras')
    const shop = body.find((camera) => camera.name === 'Shop floor')
    await using tab = await browser.newPage()
    await openSignedIn(tab.page, `${product.origin}/app/`, 'guard@demo.example')
    await tab.page.getByRole('link', { name: /Car park/ }).waitFor()
    expect(await tab.page.getByRole('link', { name: /Shop floor/ }).count()).toBe(0)
    await tab.page.goto(`${product.origin}/app/cameras/${shop?.cameraId}`)
    await tab.page
      .getByText('Not found')
      .or(tab.page.getByText(/could not be loaded/))
      .first()
      .waitFor()
    expect(await shownCounter(tab.page)).toBeUndefined()
  })

  test('the live picture moves, and is of now', async () => {
    await using tab = await browser.newPage()
    await openCamera(tab.page)
    const first = await nextCounter(tab.page, () => true)
    const later = await nextCounter(tab.page, (counter) => counter > first + FRAMES_PER_SECOND)
    // Not how fast the machine decodes, but that it is no recording: within a quarter of a minute.
    expect(Math.abs(counterAt(Date.now()) - later)).toBeLessThan(15 * FRAMES_PER_SECOND)
    expect(tab.complaints).toEqual([])
  })

  test('playback of a moment one minute ago shows the counter of that minute, and Live leads back', async () => {
    const minute = 60_000
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, recordingSince + minute + 15_000 - Date.now())))
    await using tab = await browser.newPage()
    await openCamera(tab.page)
    await nextCounter(tab.page, () => true)
    const moment = Math.floor((Date.now() - minute) / 1000) * 1000
    const address = new URL(tab.page.url())
    address.searchParams.set('t', new Date(moment).toISOString())
    await tab.page.goto(address.href)
    const played = await nextCounter(tab.page, (counter) => counter < counterAt(Date.now() - minute / 2))
    expect(played).toBeGreaterThanOrEqual(counterAt(moment) - 3 * FRAMES_PER_SECOND)
    expect(played).toBeLessThan(counterAt(moment) + 15 * FRAMES_PER_SECOND)
    const further = await nextCounter(tab.page, (counter) => counter > played)
    expect(further).toBeLessThan(counterAt(Date.now() - minute / 2))
    await tab.page.getByRole('button', { name: 'Live' }).click()
    await nextCounter(tab.page, (counter) => counterAt(Date.now()) - counter < 15 * FRAMES_PER_SECOND)
    expect(tab.complaints).toEqual([])
  })

  test('a click in the timeline plays that moment', async () => {
    await using tab = await browser.newPage()
    await openCamera(tab.page)
    await nextCounter(tab.page, () => true)
    const timeline = tab.page.getByRole('slider').first()
    // Zoomed in as far as a minute, the middle of the line is a moment that is recorded.
    for (let n = 0; n < 12; n += 1) await tab.page.getByRole('button', { name: 'More detail' }).click()
    const box = await timeline.boundingBox()
    if (box === null) throw new Error('the timeline is not on the screen')
    await tab.page.mouse.click(box.x + box.width * 0.25, box.y + box.height * 0.6)
    await expect.poll(() => new URL(tab.page.url()).searchParams.get('t')).not.toBeNull()
    const moment = Date.parse(new URL(tab.page.url()).searchParams.get('t') ?? '')
    const played = await nextCounter(tab.page, (counter) => counter < counterAt(Date.now()) - 8 * FRAMES_PER_SECOND)
    expect(Math.abs(played - counterAt(moment))).toBeLessThan(15 * FRAMES_PER_SECOND)
  })
})
