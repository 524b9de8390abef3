import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { isLongRun } from '../long-run.ts'
import { FRAMES_PER_SECOND, getCounter, nextCounter, PRESENT_MS, readCounter, readCounters } from '../screen-picture.ts'
import { overflow, violations } from '../screens.ts'
import { countSockets, hidePage, inAddress, RECORDED, setSpeed, typeTime, untilStill } from '../stage.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

/** Steps in each direction: the first part of them is in front of the gap. */
const STEPS = isLongRun ? 250 : 50

interface Gaps {
  readonly gaps: readonly { readonly start: string; readonly end: string; readonly reason: string }[]
}

describe.skipIf(chromiumPath === undefined)('the stage in Chromium', () => {
  let app: RunningWebApp
  let ids: number[]
  /** The first camera was private: it has no footage in this time. */
  let gap: { from: number; till: number }

  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    const cameras = await app.ask<{ cameraId: number; name: string }[]>('GET cameras')
    ids = cameras.map(({ cameraId }) => cameraId)
    await sleep(14_000)
    const began = new Date().toISOString()
    await app.ask(`PATCH cameras/${ids[0]}/mode`, { mode: 'private' })
    await sleep(5000)
    await app.ask(`PATCH cameras/${ids[0]}/mode`, { mode: 'armed' })
    await sleep(14_000)
    const till = new Date().toISOString()
    const { gaps } = await app.ask<Gaps>(
      `GET cameras/${ids[0]}/recordingTimeline?from=${began}&till=${till}&resolution=1`,
    )
    const own = gaps.find(({ reason }) => reason === 'mode')
    gap = { from: Date.parse(own?.start ?? ''), till: Date.parse(own?.end ?? '') }
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const path = (time?: number) => `/cameras/${ids[0]}${time === undefined ? '' : `?t=${inAddress(time)}`}`
  const shownCounter = async (page: Page) => (await readCounters(page, RECORDED))[0]
  const debugged = async (page: Page, key: string) =>
    Number.parseFloat((await page.locator(`[data-debug=${key}]`).textContent()) ?? '')

  test('single pictures of one camera are exact, forward and back, over a gap too', async () => {
    await using tab = await app.open(path(gap.till + 1500))
    const { page } = tab
    await nextCounter(page, () => true)
    await page.keyboard.press('k')
    let time = await untilStill(page)
    // On a busy machine it plays too far from the gap before it is paused.
    const { timeZone } = await app.ask<{ timeZone: string }>('GET accounts/self/timeZone')
    await typeTime(page, gap.till + 1500, timeZone)
    time = await untilStill(page, time)
    const first = await shownCounter(page)
    const steps = async (key: string) => {
      const seen: (number | undefined)[] = []
      for (let n = 0; n < STEPS; n++) {
        await page.keyboard.press(key)
        time = await untilStill(page, time)
        seen.push(await shownCounter(page))
      }
      return seen
    }
    const forth = await steps('.')
    expect(forth).toEqual(forth.map((_, n) => (first ?? 0) + n + 1))
    const back = [...(await steps(',')), ...(await steps(','))]
    expect(back.slice(0, STEPS)).toEqual([...forth.slice(0, -1).toReversed(), first])
    const distances = back.slice(1).map((counter, n) => (back[n] ?? 0) - (counter ?? 0))
    const [jump, ...more] = distances.filter((distance) => distance !== 1)
    expect(more).toEqual([])
    expect(jump).toBeGreaterThan(3 * FRAMES_PER_SECOND)
    expect(await steps('.')).toEqual(back.slice(STEPS - 1, -1).toReversed())
    // The address follows what is seen.
    await expect.poll(() => Date.parse(new URL(page.url()).searchParams.get('t') ?? '')).toBe(time)
    expect(tab.complaints).toEqual([])
  }, 240_000)

  test('a jump shows the picture of that time, paused and while it plays', async () => {
    await using tab = await app.open(path(gap.till + 8000))
    const { page } = tab
    await nextCounter(page, () => true)
    await page.keyboard.press('k')
    const { timeZone } = await app.ask<{ timeZone: string }>('GET accounts/self/timeZone')
    let time = await untilStill(page)
    for (const target of [gap.till + 3000, gap.from - 5000, gap.till + 6000]) {
      await typeTime(page, target, timeZone)
      time = await untilStill(page, time)
      expect(time).toBe(Math.floor(target / 1000) * 1000)
      const counter = (await shownCounter(page)) ?? 0
      expect(Math.abs(counter - getCounter(time))).toBeLessThanOrEqual(1)
    }
    await page.keyboard.press('k')
    await typeTime(page, gap.from - 6000, timeZone)
    const played = await nextCounter(page, (counter) => counter < getCounter(gap.from))
    expect(played).toBeGreaterThanOrEqual(getCounter(gap.from - 7000))
  })

  test('a jump into a gap, and an address in it, play what follows the gap', async () => {
    const { timeZone } = await app.ask<{ timeZone: string }>('GET accounts/self/timeZone')
    const middle = (gap.from + gap.till) / 2
    await using tab = await app.open(path(gap.till + 6000))
    const { page } = tab
    await nextCounter(page, (counter) => counter >= getCounter(gap.till + 6000))
    await typeTime(page, middle, timeZone)
    const after = await nextCounter(page, (counter) => counter < getCounter(gap.till + 5000))
    expect(after).toBeGreaterThanOrEqual(getCounter(gap.till) - 1)
    await page.getByText(/Nothing was recorded .* it was skipped/).waitFor()
    // Shortly before its end too, where the break could be taken for a late picture.
    for (const time of [middle, gap.till - 1200, gap.till - 400]) {
      await page.goto(`${app.product.origin}/app${path(time)}`)
      expect(await nextCounter(page, () => true)).toBeGreaterThanOrEqual(getCounter(gap.till) - 1)
    }
    // The step goes over the whole gap, not only to where the jump led.
    await typeTime(page, middle, timeZone)
    // Paused before that, it stays in the gap.
    await page.getByText(/Nothing was recorded .* it was skipped/).waitFor()
    await page.keyboard.press('k')
    let time = await untilStill(page)
    for (let n = 0; n < 250 && time > gap.till - 1000; n += 1) {
      await page.keyboard.press(',')
      time = await untilStill(page, time)
    }
    expect(time - gap.from, 'from the start of the gap').toBeLessThan(1000)
    expect(time - gap.from, 'from the start of the gap').toBeGreaterThan(-1000)
    await nextCounter(page, (counter) => counter <= getCounter(gap.from) + 1)
    expect(tab.complaints).toEqual([])
  })

  test('it plays backward, over the gap, and at other rates', async () => {
    await using tab = await app.open(path(gap.till + 2500))
    const { page } = tab
    const start = await nextCounter(page, () => true)
    const play = (rate: string, until: (counter: number) => boolean) =>
      setSpeed(page, rate).then(() => nextCounter(page, until))
    await play('−1×', (counter) => counter < start)
    const further = await nextCounter(page, (counter) => counter < getCounter(gap.from))
    await page.getByText(/Nothing was recorded .* it was skipped/).waitFor()
    const slow = await play('0.5×', (counter) => counter > further)
    await play('2×', (counter) => counter > slow)
    await play('−4×', (counter) => counter < getCounter(gap.from))
    await play('1×', (counter) => counter > getCounter(gap.till))
    await play('−16×', (counter) => counter < getCounter(gap.from))
    await page.getByText('Start of the footage.').waitFor()
    await setSpeed(page, '1×')
    await page.getByText('Start of the footage.').waitFor({ state: 'detached' })
    await page.goto(`${app.product.origin}/app${path(gap.till + 500)}`)
    await play('16×', (counter) => counter > getCounter(gap.till + 5000))
    await page.keyboard.press('v')
    await nextCounter(page, (counter) => getCounter(Date.now()) - counter < (PRESENT_MS / 1000) * FRAMES_PER_SECOND)
    expect(tab.complaints).toEqual([])
  })

  test('the saved picture is the one that is shown, named by its camera and its local time', async () => {
    await using tab = await app.open(path(gap.till + 1500))
    const { page } = tab
    await nextCounter(page, () => true)
    await page.keyboard.press('k')
    await untilStill(page)
    const clock = (await page.locator('[data-footage-time]').textContent()) ?? ''
    const shown = /\d\d:\d\d:\d\d/.exec(clock)?.[0]
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save this picture' }).click()
    const saved = await coming
    const camera = await page.getByRole('heading', { level: 1 }).textContent()
    const name = new RegExp(`^${camera} \\d{4}-\\d\\d-\\d\\d ${shown?.replaceAll(':', '\\.')}\\.png$`)
    expect(saved.suggestedFilename()).toMatch(name)
    const file = await readFile(await saved.path())
    const canvas = page.locator(RECORDED).first()
    const size = [await canvas.getAttribute('width'), await canvas.getAttribute('height')].map(Number)
    // A PNG (RFC 2083) says its size in its first chunk.
    expect(file.subarray(1, 4).toString()).toBe('PNG')
    expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual(size)
  })

  test('recorded sound is at most 40 ms from its picture', async () => {
    await using tab = await app.open(path(gap.till + 1000))
    const { page } = tab
    await nextCounter(page, () => true)
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Sound off', exact: true }).waitFor()
    await page.keyboard.press('d')
    const behind: number[] = []
    await expect
      .poll(
        async () => {
          const value = await debugged(page, 'sound')
          if (!Number.isNaN(value)) behind.push(Math.abs(value))
          return behind.length
        },
        { timeout: 30_000, interval: 1000 },
      )
      .toBeGreaterThan(4)
    expect(Math.max(...behind)).toBeLessThanOrEqual(40)
  })

  test('the details of the selected camera are shown: buffer, bandwidth, delay, dropped frames', async () => {
    await using tab = await app.open(`/multiview?cameras=${ids.slice(0, 2).join()}`)
    const { page } = tab
    await page.locator('[data-tile]').first().waitFor()
    await page.keyboard.press('d')
    await expect.poll(() => debugged(page, 'bandwidth'), { timeout: 20_000 }).toBeGreaterThan(20)
    await expect.poll(() => debugged(page, 'latency')).toBeLessThan(15_000)
    expect(await debugged(page, 'dropped')).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('j')
    await expect.poll(() => debugged(page, 'buffer'), { timeout: 20_000 }).toBeGreaterThan(0)
    const moves = page.getByRole('button', { name: 'Move camera', exact: true })
    await page.keyboard.press('v')
    // The demonstration has one camera that moves.
    const nameOf = async () =>
      (await page.locator('[data-debug=transport]').locator('xpath=../../..').textContent()) ?? ''
    for (const place of ['1', '2']) {
      await page.keyboard.press(place)
      await expect
        .poll(nameOf)
        .toContain(await page.locator('[data-tile][aria-current]').locator('span.truncate').textContent())
      await expect.poll(async () => (await moves.count()) > 0).toBe((await nameOf()).startsWith('Car park'))
    }
  })

  test('Enter and a double click show a camera alone, and again all; the time stays', async () => {
    await using tab = await app.open(`/multiview?t=${inAddress(gap.till + 3000)}`)
    const { page } = tab
    const tiles = () => page.locator('[data-tile]').count()
    await expect.poll(tiles).toBe(ids.length)
    await expect.poll(() => shownCounter(page), { timeout: 20_000 }).toBeDefined()
    await page.keyboard.press('2')
    await page.keyboard.press('k')
    const time = await untilStill(page)
    await page.keyboard.press('Enter')
    await expect.poll(tiles).toBe(1)
    expect(await page.locator('[data-tile]').getAttribute('data-tile')).toBe(String(ids[1]))
    await expect
      .poll(async () => Math.abs(((await shownCounter(page)) ?? 0) - getCounter(time)), { timeout: 20_000 })
      .toBeLessThanOrEqual(1)
    await page.keyboard.press('Escape')
    await expect.poll(tiles).toBe(ids.length)
    await page.locator(`[data-tile="${ids[0]}"]`).dblclick({ position: { x: 60, y: 80 } })
    await expect.poll(tiles).toBe(1)
    await page.locator('[data-tile]').dblclick({ position: { x: 60, y: 80 } })
    await expect.poll(tiles).toBe(ids.length)
    expect(await page.locator('[data-footage-time]').getAttribute('data-footage-time')).toBe(String(time))
  })

  test('the list of keyboard shortcuts has the keys of the timeline and of the selection', async () => {
    for (const address of [path(gap.till + 2000), `/multiview?t=${inAddress(gap.till + 2000)}`]) {
      await using tab = await app.open(address)
      const { page } = tab
      await page.getByRole('slider', { name: 'Timeline' }).waitFor()
      await page.keyboard.press('?')
      const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await dialog.getByText('Start or end of the visible time').waitFor()
      expect(await dialog.getByText('Start or end the selection here').count()).toBe(1)
    }
  })

  test('a hidden page receives nothing after five seconds, and comes back to where it was', async () => {
    for (const time of [undefined, gap.till + 3000]) {
      await using watched = await app.open('/')
      const { page } = watched
      const sockets = await countSockets(page)
      await page.goto(`${app.product.origin}/app${path(time)}`)
      await nextCounter(page, () => true)
      expect(sockets.frames()).toBeGreaterThan(0)
      const age = getCounter(Date.now()) - ((await readCounter(page)) ?? 0)
      await hidePage(page, true)
      await sleep(6000)
      const received = sockets.frames()
      const frozen = (await readCounter(page)) ?? 0
      await sleep(3000)
      expect(sockets.frames()).toBe(received)
      expect(sockets.open()).toBe(0)
      await hidePage(page, false)
      const back = await nextCounter(page, (counter) => counter > frozen)
      // Not older than before, although nine seconds went by.
      if (time === undefined)
        await nextCounter(page, (counter) => getCounter(Date.now()) - counter < age + 3 * FRAMES_PER_SECOND)
      else expect(back).toBeLessThan(frozen + 2 * FRAMES_PER_SECOND)
    }
  })

  test('full screen can be entered and left fifty times while the picture plays', async () => {
    await using tab = await app.open(path())
    const { page } = tab
    const first = await nextCounter(page, () => true)
    const frame = page.locator('[data-full]')
    for (let n = 0; n < 50; n++) {
      for (const isFull of ['true', 'false']) {
        await page.keyboard.press('f')
        await page.waitForFunction(
          (wanted) => document.querySelector<HTMLElement>('[data-full]')?.dataset.full === wanted,
          isFull,
          { polling: 'raf' },
        )
      }
    }
    await nextCounter(page, (counter) => counter > first + FRAMES_PER_SECOND)
    expect(await page.locator('canvas[data-camera-picture]').count()).toBe(1)
    await page.keyboard.press('f')
    await expect.poll(() => frame.evaluate((node) => node.getBoundingClientRect().height - window.innerHeight)).toBe(0)
    const timeline = await page.getByRole('slider', { name: 'Timeline' }).boundingBox()
    expect((timeline?.y ?? 0) + (timeline?.height ?? 0)).toBeLessThanOrEqual(900)
    await page.keyboard.press('Escape')
    await expect.poll(() => frame.getAttribute('data-full')).toBe('false')
    expect(tab.complaints).toEqual([])
  })

  test('a camera that the browser can’t show says so, and nothing of it is received any longer', async () => {
    await using tab = await app.open('/')
    const { page } = tab
    await page.addInitScript(() => {
      VideoDecoder.isConfigSupported = async (config) => ({ supported: false, config })
      MediaSource.isTypeSupported = () => false
    })
    const sockets = await countSockets(page)
    await page.goto(
      `${app.product.origin}/app/multiview?cameras=${ids.slice(0, 2).join()}&t=${inAddress(gap.till + 2000)}`,
    )
    const said = page.getByText('This browser can’t show H.264, the video format of this camera.')
    await expect.poll(() => said.count(), { timeout: 20_000 }).toBe(2)
    await expect.poll(sockets.open).toBe(0)
    const received = sockets.frames()
    await sleep(2000)
    expect(sockets.frames()).toBe(received)
  })

  test('without WebCodecs a camera alone plays forward by MediaSource, and says what is missing', async () => {
    await using tab = await app.open('/')
    const { page } = tab
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'VideoDecoder'))
    await page.goto(`${app.product.origin}/app${path(gap.till + 2000)}`)
    await page.getByText(/This browser plays footage forward only/).waitFor()
    const first = await nextCounter(page, (counter) => counter >= getCounter(gap.till))
    await nextCounter(page, (counter) => counter > first)
    await page.getByRole('combobox', { name: 'Speed' }).click()
    await page.getByRole('option', { name: '1×', exact: true }).waitFor()
    expect(await page.getByRole('option', { name: /−/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    // An open list uses the keys itself.
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await page.keyboard.press('k')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    // A video element may show one more picture after it was paused.
    await sleep(500)
    const still = (await readCounter(page)) ?? 0
    for (const [key, counter] of [
      ['.', still + 1],
      ['.', still + 2],
      [',', still + 1],
      [',', still],
      [',', still - 1],
    ] as const) {
      await page.keyboard.press(key)
      await nextCounter(page, (seen) => seen === counter)
    }
    await page.goto(`${app.product.origin}/app/multiview?t=${inAddress(gap.till + 2000)}`)
    await page.getByText(/several recordings together only over a secure connection/).waitFor()
  })

  test.each([
    ['a phone held upright', 360, 760, 3],
    ['a phone held sideways', 740, 360, 1],
    ['a tablet', 768, 1024, 2],
  ])(
    'on %s everything fits, picture and timeline are seen together, and the controls take few rows',
    async (_, width, height, rows) => {
      await using tab = await app.open(path(gap.till + 2000), undefined, { width, height })
      const { page } = tab
      await nextCounter(page, () => true)
      await page.getByRole('region', { name: 'Cookies' }).getByRole('button', { name: 'Close' }).click()
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      for (const one of [
        page.getByRole('region', { name: 'Picture' }),
        page.getByRole('slider', { name: 'Timeline' }),
      ]) {
        const box = await one.boundingBox()
        expect(box?.y).toBeGreaterThanOrEqual(0)
        expect((box?.y ?? 0) + (box?.height ?? height)).toBeLessThanOrEqual(height)
      }
      const middles = await page
        .getByRole('region', { name: 'Footage' })
        .locator('button, input')
        .evaluateAll((controls) =>
          controls
            .map((control) => control.getBoundingClientRect())
            .filter((box) => box.height > 30)
            .map((box) => Math.round((box.top + box.height / 2) / 20)),
        )
      expect(new Set(middles).size).toBe(rows)
      expect(await violations(page)).toEqual([])
    },
  )
})
