import { readFrameCounter } from '@sightline/camera-simulator/frame-counter'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { DEMO_PASSWORD, type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fillSignIn, openAs, tokenOf } from '../signed-in.ts'

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

/** Lets `loudness` hear what the page gives to the loudspeaker. To be called before the page is opened. */
async function listenIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode) => AudioNode
    AudioNode.prototype.connect = function (this: AudioNode, to: AudioNode) {
      if (to instanceof AudioDestinationNode) {
        const ear = to.context.createAnalyser()
        connect.call(this, ear)
        Object.assign(window, { ear })
      }
      return connect.call(this, to)
    } as AudioNode['connect']
  })
}

/** Root mean square of what was heard in the last moment, 0 to 1. */
const loudness = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { ear } = window as unknown as { ear?: AnalyserNode }
    if (ear === undefined) return 0
    const heard = new Float32Array(ear.fftSize)
    ear.getFloatTimeDomainData(heard)
    return Math.sqrt(heard.reduce((sum, value) => sum + value * value, 0) / heard.length)
  })

const NO_SUCH_CAMERA = 'No such camera, or not among yours'
const LEAST_HEARD = 0.002
/** How long ago the moment is that is played back: no live picture is that late. */
const PAST_MS = 25_000

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
    await openAs(page, `${product.origin}/app/`)
    await page.getByRole('link', { name: new RegExp(name) }).click()
  }

  test('the owner sees four cameras with a state and a picture of each', async () => {
    await using tab = await browser.newPage()
    await openAs(tab.page, `${product.origin}/app/`)
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
    await openAs(tab.page, `${product.origin}/app/`, 'guard@demo.example')
    await tab.page.getByRole('link', { name: /Car park/ }).waitFor()
    expect(await tab.page.getByRole('link', { name: /Shop floor/ }).count()).toBe(0)
    await tab.page.goto(`${product.origin}/app/cameras/${shop?.cameraId}`)
    await tab.page.getByRole('heading', { name: NO_SUCH_CAMERA }).waitFor()
    expect(await shownCounter(tab.page)).toBeUndefined()
  })

  test.each(['999999', 'nowhere'])(
    'camera %s, which nobody has, is asked for at most once and leads back',
    async (id) => {
      await using tab = await browser.newPage()
      const { page } = tab
      await openAs(page, `${product.origin}/app/`)
      await page.getByRole('link', { name: /Car park/ }).waitFor()
      const missing: string[] = []
      page.on('response', (response) => {
        if (response.status() >= 400) missing.push(new URL(response.url()).pathname)
      })
      await page.goto(`${product.origin}/app/cameras/${id}`)
      await page.getByRole('heading', { name: NO_SUCH_CAMERA }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(missing).toEqual(id === 'nowhere' ? [] : [`/rest/v2.4/cameras/${id}`])
      await page.getByRole('link', { name: 'All cameras' }).click()
      await page.getByRole('link', { name: /Car park/ }).waitFor()
    },
  )

  test('an address whose moment is none shows live; one whose moment is still to come says so and shows live', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openCamera(page)
    const isLive = (counter: number) => counterAt(Date.now()) - counter < 15 * FRAMES_PER_SECOND
    await page.getByRole('button', { name: 'Live', pressed: true }).waitFor()
    const camera = new URL(page.url()).pathname
    await page.goto(`${product.origin}${camera}?t=garbage`)
    await nextCounter(page, isLive)
    await page.goto(`${product.origin}${camera}?t=${new Date(Date.now() + 3_600_000).toISOString()}`)
    await page.getByText('That moment is still to come').waitFor()
    await nextCounter(page, isLive)
    expect(new URL(page.url()).search).toBe('')
    expect(tab.complaints).toEqual([])
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

  test('playback of a moment that is over shows the counter of that moment, and Live leads back', async () => {
    await expect.poll(() => Date.now() - recordingSince, { timeout: PAST_MS + 10_000 }).toBeGreaterThan(PAST_MS + 8000)
    await using tab = await browser.newPage()
    await openCamera(tab.page)
    await nextCounter(tab.page, () => true)
    const moment = Math.floor((Date.now() - PAST_MS) / 1000) * 1000
    const address = new URL(tab.page.url())
    address.searchParams.set('t', new Date(moment).toISOString())
    await tab.page.goto(address.href)
    const played = await nextCounter(tab.page, (counter) => counter < counterAt(Date.now() - PAST_MS / 3))
    expect(played).toBeGreaterThanOrEqual(counterAt(moment) - 3 * FRAMES_PER_SECOND)
    expect(played).toBeLessThan(counterAt(moment) + 15 * FRAMES_PER_SECOND)
    const further = await nextCounter(tab.page, (counter) => counter > played)
    expect(further).toBeLessThan(counterAt(Date.now() - PAST_MS / 3))
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

  test('opened by keyboard, focus is on its heading; a day without footage and a day to come say so', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openAs(page, `${product.origin}/app/`)
    await page.getByRole('link', { name: /Car park/ }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Car park')
    const nothing = page.getByText('Nothing was recorded this day.')
    await nextCounter(page, () => true)
    await expect.poll(() => nothing.count()).toBe(0)
    await page.getByRole('button', { name: 'Day before' }).click()
    await nothing.waitFor()
    await page.getByLabel('Day', { exact: true }).fill('2999-01-01')
    await page.getByText('That day is still to come').waitFor()
    await page.getByRole('button', { name: 'Today' }).click()
    await expect.poll(() => page.getByText('That day is still to come').count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test('the moment in the address follows a step of one picture', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openCamera(page)
    await nextCounter(page, () => true)
    const moment = () => Date.parse(new URL(page.url()).searchParams.get('t') ?? '')
    await page.keyboard.press('j')
    await nextCounter(page, (counter) => counter < counterAt(Date.now()) - 4 * FRAMES_PER_SECOND)
    const sought = moment()
    // Some pictures on, so that the moment of the pause is another than the one that was gone to.
    for (let pictures = 0; pictures < 3; pictures += 1) await nextCounter(page, () => true)
    await page.keyboard.press('k')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await expect.poll(moment).not.toBe(sought)
    const before = moment()
    await page.keyboard.press('.')
    await expect.poll(moment).toBeGreaterThan(before)
    expect(moment() - before).toBeLessThan(1000)
  })

  test('an address that is no page says so and leads to the cameras', async () => {
    await using tab = await browser.newPage()
    await openAs(tab.page, `${product.origin}/app/nowhere`)
    await tab.page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await tab.page.getByRole('link', { name: 'All cameras' }).click()
    await tab.page.getByRole('link', { name: /Car park/ }).waitFor()
  })

  test('on a phone on its side most of the window is the picture', async () => {
    await using tab = await browser.newPage({ width: 844, height: 390 })
    await openCamera(tab.page)
    await nextCounter(tab.page, () => true)
    await tab.page.getByRole('region', { name: 'Cookies' }).getByRole('button', { name: 'Close' }).click()
    const picture = await tab.page.getByRole('region', { name: 'Picture' }).boundingBox()
    expect(picture?.height).toBeGreaterThan(290)
    expect((picture?.y ?? 0) + (picture?.height ?? 0)).toBeLessThanOrEqual(390)
  })

  test('is silent until somebody wants sound; then live and recorded pictures have it, and that is remembered', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await listenIn(page)
    await openCamera(page)
    await nextCounter(page, () => true)
    await page.getByRole('button', { name: 'Sound on', exact: true }).waitFor()
    expect(await loudness(page)).toBe(0)
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Sound off', exact: true }).waitFor()
    await expect.poll(() => loudness(page), { timeout: 20_000 }).toBeGreaterThan(LEAST_HEARD)

    await page.keyboard.press('j')
    await nextCounter(page, (counter) => counter < counterAt(Date.now()) - 4 * FRAMES_PER_SECOND)
    await page.evaluate(() => Reflect.deleteProperty(window, 'ear'))
    await page.keyboard.press('m')
    await page.keyboard.press('m')
    await expect.poll(() => loudness(page), { timeout: 20_000 }).toBeGreaterThan(LEAST_HEARD)
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('2')
    await page.getByRole('button', { name: 'Sound on: Sound is played at normal speed only.' }).waitFor()
    await expect.poll(() => loudness(page), { timeout: 20_000 }).toBe(0)

    await page.reload()
    await page.getByRole('slider', { name: 'Volume' }).waitFor()
    await page.getByRole('slider', { name: 'Volume' }).fill('0')
    await page.getByRole('button', { name: 'Sound on', exact: true }).waitFor()
    await page.reload()
    await nextCounter(page, () => true)
    expect(await page.getByRole('slider', { name: 'Volume' }).count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test('without the right to listen the page says so, and no sound comes', async () => {
    const token = await tokenOf(product.origin, 'guard@demo.example')
    const { body } = await callApi<{ microphone: boolean }>(product.origin, token, 'GET users/self/rights')
    expect(body.microphone).toBe(false)
    await using tab = await browser.newPage()
    await listenIn(tab.page)
    await openAs(tab.page, `${product.origin}/app/`, 'guard@demo.example')
    await tab.page.getByRole('link', { name: /Car park/ }).click()
    await nextCounter(tab.page, () => true)
    await tab.page.getByRole('button', { name: /^Sound on: Listening is not among your rights/ }).waitFor()
    await tab.page.keyboard.press('m')
    await tab.page.getByText('Listening is not among your rights. The account owner can change that.').waitFor()
    expect(await loudness(tab.page)).toBe(0)
  })

  test('a language chosen here is the one of My Account too, and a later choice elsewhere counts at the next sign-in', async () => {
    const email = 'other@demo.example'
    await using tab = await browser.newPage()
    const { page } = tab
    await openAs(page, `${product.origin}/app/`, email)
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('menuitemradio', { name: 'Nederlands' }).click()
    await page.getByRole('heading', { name: "Camera's", exact: true }).waitFor()
    const token = await tokenOf(product.origin, email)
    const kept = () => callApi<{ language: string }>(product.origin, token, 'GET users/self/details')
    await expect.poll(async () => (await kept()).body.language).toBe('nl')
    await using another = await browser.newPage()
    await openAs(another.page, product.origin, email)
    await another.page.getByLabel('Voornaam').waitFor()

    await callApi(product.origin, token, 'PATCH users/self/details', { language: 'de' })
    await page.reload()
    expect(await page.locator('html').getAttribute('lang')).toBe('nl')
    await page.getByRole('button', { name: 'Accountmenu' }).click()
    await page.getByRole('menuitem', { name: 'Uitloggen' }).click()
    await page.waitForURL(/\/app\/logout/)
    await page.goto(`${product.origin}/app/`)
    await page.locator('input[type=email]').fill(email)
    await page.locator('input[type=password]').fill(DEMO_PASSWORD)
    await page.locator('button[type=submit]').first().click()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
  })

  test.each(['/app/', '/'])('signing out in a tab of %s leads the page of a camera to signing in', async (path) => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openCamera(page)
    await nextCounter(page, () => true)
    const said: string[] = []
    await page.exposeFunction('heard', (text: string) => said.push(text))
    await page.evaluate(() => {
      const { heard } = window as unknown as { heard: (text: string) => void }
      new MutationObserver(() => heard(document.body.textContent)).observe(document.body, {
        childList: true,
        subtree: true,
      })
    })
    const other = await tab.context.newPage()
    await other.goto(`${product.origin}${path}`)
    await other.getByRole('button', { name: 'Account menu' }).click()
    await other.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL(/\/sign-in\//, { timeout: 20_000 })
    expect(said.filter((text) => /You may not watch this|Not allowed/.test(text))).toEqual([])
    await fillSignIn(page, 'owner@demo.example')
    await page.waitForURL(/\/app\/cameras\/\d+/)
  })

  test('without a network no camera is called online, and the page goes on by itself', async () => {
    await using tab = await browser.newPage()
    await openAs(tab.page, `${product.origin}/app/`)
    const lost = tab.page.getByText('The server cannot be reached.')
    await expect.poll(() => tab.page.getByText('Online').count(), { timeout: 20_000 }).toBe(4)
    await tab.context.setOffline(true)
    await lost.waitFor()
    expect(await tab.page.getByText('Online').count()).toBe(0)
    await tab.context.setOffline(false)
    await lost.waitFor({ state: 'hidden' })
    await expect.poll(() => tab.page.getByText('Online').count(), { timeout: 20_000 }).toBe(4)
  })
})
