import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, quietNetwork, type TestBrowser } from '../browser.ts'
import { newDataFolder } from '../data-folders.ts'
import { longTest } from '../long-run.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { openUserPage } from '../signed-in.ts'

/** Longer than the URL takes to follow a step (use-player.ts). */
const STEP_MS = 700

describe.skipIf(chromiumPath === undefined)('many cameras and gaps in the Web App in Chromium', () => {
  let product: RunningProduct
  let browser: TestBrowser
  beforeAll(async () => {
    product = await startProduct({ dataFolder: await newDataFolder() })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
    await rm(product.dataFolder, { recursive: true, force: true })
  })

  test('a list of 120 cameras requests only visible pictures, decodes few at a time and keeps them small', async () => {
    await using tab = await browser.newPage({ width: 1280, height: 900 })
    const { page } = tab
    await page.addInitScript(() => {
      const counts = { most: 0 }
      Object.assign(window, { decoders: counts })
      // A decoder closes itself on an error, and can be configured more than once.
      const decoders = new Set<VideoDecoder>()
      const { configure } = VideoDecoder.prototype
      VideoDecoder.prototype.configure = function (this: VideoDecoder, config) {
        configure.call(this, config)
        decoders.add(this)
        counts.most = Math.max(counts.most, [...decoders].filter(({ state }) => state === 'configured').length)
      }
    })
    // Lists each demo camera thirty times; every copy shows the picture of the real one.
    const COPIES = 30
    const realOf = new Map<string, number>()
    const idOf = (cameraId: number, copy: number) => {
      realOf.set(String(cameraId + copy), cameraId)
      return cameraId + copy
    }
    type Entry = { cameraId: number; name?: string }
    const multiply = (path: RegExp) =>
      page.route(path, async (route) => {
        const response = await route.fetch()
        const entries = (await response.json()) as Entry[]
        const copies = Array.from({ length: COPIES }, (_, copy) =>
          entries.map((one) => ({
            ...one,
            cameraId: idOf(one.cameraId, copy),
            ...(one.name === undefined ? {} : { name: `${one.name} ${copy + 1}` }),
          })),
        )
        await route.fulfill({ response, json: copies.flat() })
      })
    await multiply(/\/rest\/v2\.\d\/cameras$/)
    await multiply(/\/cameras\/all\/status$/)
    // It tells states of the real cameras only; without it, the page asks for those of all.
    await page.route(/\/events\/stream/, (route) => route.abort())
    const asked = new Set<string>()
    await page.route(/\/cameras\/\d+\/snapshot/, (route) => {
      const url = route.request().url()
      asked.add(url)
      return route.continue({ url: url.replace(/cameras\/(\d+)/, (_, id) => `cameras/${realOf.get(id)}`) })
    })
    await openUserPage(page, `${product.origin}/app/`)
    await page.getByRole('link', { name: /Car park 1 / }).waitFor()
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(4 * COPIES)
    await expect.poll(() => page.locator('canvas:visible').count()).toBeGreaterThan(11)
    expect(asked.size).toBeLessThan(40)
    await page.keyboard.press('End')
    const last = page.getByRole('main').getByRole('listitem').last()
    await last.locator('canvas').waitFor()
    expect(asked.size).toBeLessThan(80)
    const seen = await page.evaluate(() => ({
      most: (window as unknown as { decoders: { most: number } }).decoders.most,
      pixels: [...document.querySelectorAll('canvas')].map(({ width, height }) => width * height),
      tile: document.querySelector('main li a > span')?.getBoundingClientRect().width ?? 0,
    }))
    expect(seen.most).toBeLessThanOrEqual(4)
    const ofTile = seen.tile * seen.tile * (9 / 16)
    for (const pixels of seen.pixels) expect(pixels).toBeLessThan(ofTile * 1.5)
  })

  longTest(
    'a step back from the first picture after a gap shows the last one before it; moving the pointer does not redraw the gap list',
    async () => {
      const { dataFolder, port } = product
      await product.stop()
      product = await startProduct({ dataFolder, port })
      await using tab = await browser.newPage()
      const { page } = tab
      await page.addInitScript(() => {
        const { DateTimeFormat } = Intl
        const counts = { made: 0 }
        Object.assign(window, { formats: counts })
        Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
          construct(target, given) {
            counts.made += 1
            return Reflect.construct(target, given)
          },
        })
      })
      await openUserPage(page, `${product.origin}/app/`)
      await page.getByRole('link', { name: /Car park/ }).click()
      const gap = page.locator('[data-gap]').last()
      await gap.waitFor({ state: 'attached', timeout: 30_000 })
      const [from = 0, till = 0] = [await gap.getAttribute('data-from'), await gap.getAttribute('data-till')].map(
        Number,
      )
      expect(till - from).toBeGreaterThan(1000)

      const made = () => page.evaluate(() => (window as unknown as { formats: { made: number } }).formats.made)
      const slider = page.getByRole('slider', { name: 'Timeline' })
      const box = await slider.boundingBox()
      await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 20)
      // The controls that load after the page make formats of their own.
      await quietNetwork(page)
      const before = await made()
      for (let x = 6; x < 36; x += 1) await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + 20)
      expect(await made()).toBe(before)

      await page.goto(`${page.url().split('?')[0]}?t=${new Date(till).toISOString()}`)
      await expect.poll(() => Date.parse(new URL(page.url()).searchParams.get('t') ?? '')).toBeGreaterThan(till - 1000)
      await page.getByRole('button', { name: 'Pause', exact: true }).click()
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
      const shown = () => Date.parse(new URL(page.url()).searchParams.get('t') ?? '')
      // The URL follows shortly after the last step. Steps back through what has played, to the first picture after the
      // gap and one further.
      await expect
        .poll(
          async () => {
            await page.keyboard.press(',')
            return shown()
          },
          { timeout: 60_000, interval: STEP_MS },
        )
        .toBeLessThanOrEqual(from + 500)
    },
  )
})
