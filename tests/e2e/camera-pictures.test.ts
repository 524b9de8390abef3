import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { longTest } from '../long-run.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { FRAMES_PER_SECOND, getCounter, nextCounter, openCamera } from '../screen-picture.ts'
import { callApi, fetchToken, openUserPage } from '../signed-in.ts'

/** Lets `loudness` measure the page's sound output. Call it before the page opens. */
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

/** Root mean square of the most recent sound, 0 to 1. */
const loudness = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { ear } = window as unknown as { ear?: AnalyserNode }
    if (ear === undefined) return 0
    const heard = new Float32Array(ear.fftSize)
    ear.getFloatTimeDomainData(heard)
    return Math.sqrt(heard.reduce((sum, value) => sum + value * value, 0) / heard.length)
  })

/** Makes the browser refuse the first codec that it is asked about, like a browser without H.265 at such a camera. */
const refuseFirstCodec = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    let refused: string | undefined
    const codecOf = (text: string) => /avc1\.[0-9a-f]+/i.exec(text)?.[0]
    const isRefused = (text: string) => {
      refused ??= codecOf(text)
      return codecOf(text) === refused
    }
    const { isConfigSupported } = VideoDecoder
    VideoDecoder.isConfigSupported = async (config) =>
      isRefused(config.codec) ? { supported: false, config } : isConfigSupported.call(VideoDecoder, config)
    const { isTypeSupported } = MediaSource
    MediaSource.isTypeSupported = (type) => !isRefused(type) && isTypeSupported.call(MediaSource, type)
  })

/** Of the audit log. */
interface Entry {
  readonly action: string
  readonly after: { readonly watched?: readonly string[] } | null
}

const LEAST_HEARD = 0.002
/** How far back playback starts: later than any live picture can be. */
const PAST_MS = 25_000

describe.skipIf(chromiumPath === undefined)('pictures and sound of a camera in Chromium', () => {
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

  longTest('an invalid time in the URL shows live video; a future time says so and shows live video', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openCamera(page, product.origin)
    const isLive = (counter: number) => getCounter(Date.now()) - counter < 15 * FRAMES_PER_SECOND
    await page.getByRole('button', { name: 'Live', pressed: true }).waitFor()
    const camera = new URL(page.url()).pathname
    await page.goto(`${product.origin}${camera}?t=garbage`)
    await nextCounter(page, isLive)
    await page.goto(`${product.origin}${camera}?t=${new Date(Date.now() + 3_600_000).toISOString()}`)
    await page.getByText('That time is in the future').waitFor()
    await nextCounter(page, isLive)
    expect(new URL(page.url()).search).toBe('')
    expect(tab.complaints).toEqual([])
  })

  /** Waits until the recording reaches that far back. */
  const footageOf = (ms: number) =>
    expect.poll(() => Date.now() - recordingSince, { timeout: ms + 10_000 }).toBeGreaterThan(ms + 8000)

  test('the live picture moves and shows the present', async () => {
    await using tab = await browser.newPage()
    await openCamera(tab.page, product.origin)
    const first = await nextCounter(tab.page, () => true)
    const later = await nextCounter(tab.page, (counter) => counter > first + FRAMES_PER_SECOND)
    // Proves that it is not a recording, within 15 seconds; decoding speed does not matter here.
    expect(Math.abs(getCounter(Date.now()) - later)).toBeLessThan(15 * FRAMES_PER_SECOND)
    expect(tab.complaints).toEqual([])
  })

  test('a browser that can’t show the main stream shows the sub-stream, live and recorded, and says so', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await refuseFirstCodec(page)
    await openCamera(page, product.origin)
    await page.getByText('Smaller picture, because this browser can’t show H.264.').waitFor()
    const width = () =>
      page.locator('canvas[data-camera-picture]').evaluate((canvas) => (canvas as HTMLCanvasElement).width)
    await expect.poll(width).toBe(640)
    await page.goto(`${page.url()}?t=${new Date(recordingSince + 3000).toISOString()}`)
    await page.getByText('Smaller picture, because this browser can’t show H.264.').waitFor()
  })

  test('a browser that can show neither stream shows live pictures that the server makes, says so, and stops while private', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await page.addInitScript(() => {
      VideoDecoder.isConfigSupported = async (config) => ({ supported: false, config })
      MediaSource.isTypeSupported = () => false
    })
    const owner = await fetchToken(product.origin, 'owner@demo.example')
    await openCamera(page, product.origin)
    await page.getByText('Fewer pictures and no sound, because this browser can’t show H.264.').waitFor()
    // JPEG blurs the blocks that count the pictures.
    const drawn = () =>
      page.locator('canvas[data-camera-picture]').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())
    const moves = async () => {
      const before = await drawn()
      await expect.poll(drawn, { timeout: 20_000 }).not.toBe(before)
    }
    await moves()
    await moves()
    const path = `cameras/${new URL(page.url()).pathname.split('/').at(-1)}/mode`
    const setMode = (mode: string) => callApi(product.origin, owner, `PATCH ${path}`, { mode })
    await setMode('private')
    await page.getByText('This camera is private').waitFor()
    await setMode('armed')
    await page.getByText('This camera is private').waitFor({ state: 'detached' })
    await moves()
  })

  test('a camera that is set to private loses its picture and says why, and comes back afterwards', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    const owner = await fetchToken(product.origin, 'owner@demo.example')
    await openCamera(page, product.origin)
    await nextCounter(page, () => true)
    const path = `cameras/${new URL(page.url()).pathname.split('/').at(-1)}/mode`
    const setMode = (mode: string) => callApi(product.origin, owner, `PATCH ${path}`, { mode })
    expect((await setMode('private')).status).toBe(200)
    await page.getByText('This camera is private').waitFor()
    await page.goto(`${product.origin}/app/`)
    const tile = page.getByRole('link', { name: /Car park/ })
    await tile.getByText('Private', { exact: true }).waitFor()
    await tile.getByText('Nothing is shown or recorded in private mode').waitFor()
    await expect.poll(() => tile.getByRole('img').count()).toBe(0)
    await setMode('armed')
    await tile.getByText('Online').waitFor()
    await tile.getByRole('img').waitFor()
  })

  test('the time in the URL follows a step of one picture', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openCamera(page, product.origin)
    await nextCounter(page, () => true)
    const moment = () => Date.parse(new URL(page.url()).searchParams.get('t') ?? '')
    await page.keyboard.press('j')
    await nextCounter(page, (counter) => counter < getCounter(Date.now()) - 4 * FRAMES_PER_SECOND)
    const sought = moment()
    // Plays a few pictures, so that the pause falls on a different time than the seek.
    for (let pictures = 0; pictures < 3; pictures += 1) await nextCounter(page, () => true)
    await page.keyboard.press('k')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await expect.poll(moment).not.toBe(sought)
    const before = moment()
    await page.keyboard.press('.')
    await expect.poll(moment).toBeGreaterThan(before)
    expect(moment() - before).toBeLessThan(1000)
  })

  test('sound is off until it is turned on; then live and recorded video have it, and the choice is remembered', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await listenIn(page)
    await openCamera(page, product.origin)
    await nextCounter(page, () => true)
    await page.getByRole('button', { name: 'Sound on', exact: true }).waitFor()
    expect(await loudness(page)).toBe(0)
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Sound off', exact: true }).waitFor()
    await expect.poll(() => loudness(page), { timeout: 20_000 }).toBeGreaterThan(LEAST_HEARD)

    await page.keyboard.press('j')
    await nextCounter(page, (counter) => counter < getCounter(Date.now()) - 4 * FRAMES_PER_SECOND)
    await page.evaluate(() => Reflect.deleteProperty(window, 'ear'))
    await page.keyboard.press('m')
    await page.keyboard.press('m')
    await expect.poll(() => loudness(page), { timeout: 20_000 }).toBeGreaterThan(LEAST_HEARD)
    await page.getByRole('combobox', { name: 'Speed' }).click()
    await page.getByRole('option', { name: '2×', exact: true }).click()
    await page.getByRole('button', { name: 'Sound on: Sound plays only at normal speed.' }).waitFor()
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

  test('without the right to listen the page says so and plays no sound', async () => {
    const token = await fetchToken(product.origin, 'guard@demo.example')
    const { body } = await callApi<{ microphone: boolean }>(product.origin, token, 'GET users/self/rights')
    expect(body.microphone).toBe(false)
    await using tab = await browser.newPage()
    await listenIn(tab.page)
    await openUserPage(tab.page, `${product.origin}/app/`, 'guard@demo.example')
    await tab.page.getByRole('link', { name: /Car park/ }).click()
    await nextCounter(tab.page, () => true)
    await tab.page.getByRole('button', { name: /^Sound on: You don’t have permission to listen/ }).waitFor()
    await tab.page.keyboard.press('m')
    await tab.page.getByText('You don’t have permission to listen. Ask the account owner.').waitFor()
    expect(await loudness(tab.page)).toBe(0)
  })

  test('a click in the timeline plays from that time', async () => {
    await footageOf(PAST_MS)
    await using tab = await browser.newPage()
    await openCamera(tab.page, product.origin)
    await nextCounter(tab.page, () => true)
    const timeline = tab.page.getByRole('slider').first()
    // Zoomed in to 42 seconds, the middle of the timeline is recorded.
    for (let n = 0; n < 11; n += 1) await tab.page.getByRole('button', { name: 'More detail' }).click()
    const box = await timeline.boundingBox()
    if (box === null) throw new Error('the timeline is not on the screen')
    await tab.page.mouse.click(box.x + box.width * 0.25, box.y + box.height * 0.6)
    await expect.poll(() => new URL(tab.page.url()).searchParams.get('t')).not.toBeNull()
    const moment = Date.parse(new URL(tab.page.url()).searchParams.get('t') ?? '')
    const played = await nextCounter(tab.page, (counter) => counter < getCounter(Date.now()) - 8 * FRAMES_PER_SECOND)
    expect(Math.abs(played - getCounter(moment))).toBeLessThan(15 * FRAMES_PER_SECOND)
  })

  test('the audit log says which footage was watched, also after a jump', async () => {
    await footageOf(PAST_MS)
    await using tab = await browser.newPage()
    await openCamera(tab.page, product.origin)
    await nextCounter(tab.page, () => true)
    await tab.page.getByRole('button', { name: '10 seconds back' }).click()
    const first = await nextCounter(tab.page, (counter) => counter < getCounter(Date.now()) - 8 * FRAMES_PER_SECOND)
    await tab.page.getByRole('button', { name: '10 seconds back' }).click()
    const second = await nextCounter(tab.page, (counter) => counter < first - 5 * FRAMES_PER_SECOND)
    // The stream ends.
    await tab.page.goto('about:blank')
    const owner = await fetchToken(product.origin, 'owner@demo.example')
    const spans = async () => {
      const { body } = await callApi<Entry[]>(product.origin, owner, 'GET auditLogs')
      const watched = body.flatMap(({ action, after }) => (action === 'watched' ? (after?.watched ?? []) : []))
      return watched.map((span) => span.split('/').map((time) => getCounter(Date.parse(time))))
    }
    const isSaid = async (counter: number) =>
      (await spans()).some(([from = 0, till = 0]) => from <= counter + FRAMES_PER_SECOND && till >= counter)
    await expect.poll(() => isSaid(second)).toBe(true)
    expect(await isSaid(first)).toBe(true)
  })

  longTest('playback shows the picture recorded at the chosen time, and Live returns to live video', async () => {
    await footageOf(PAST_MS)
    await using tab = await browser.newPage()
    await openCamera(tab.page, product.origin)
    await nextCounter(tab.page, () => true)
    const moment = Math.floor((Date.now() - PAST_MS) / 1000) * 1000
    const address = new URL(tab.page.url())
    address.searchParams.set('t', new Date(moment).toISOString())
    await tab.page.goto(address.href)
    const played = await nextCounter(tab.page, (counter) => counter < getCounter(Date.now() - PAST_MS / 3))
    expect(played).toBeGreaterThanOrEqual(getCounter(moment) - 3 * FRAMES_PER_SECOND)
    expect(played).toBeLessThan(getCounter(moment) + 15 * FRAMES_PER_SECOND)
    const further = await nextCounter(tab.page, (counter) => counter > played)
    expect(further).toBeLessThan(getCounter(Date.now() - PAST_MS / 3))
    await tab.page.getByRole('button', { name: 'Live' }).click()
    await nextCounter(tab.page, (counter) => getCounter(Date.now()) - counter < 15 * FRAMES_PER_SECOND)
    expect(tab.complaints).toEqual([])
  })
})
