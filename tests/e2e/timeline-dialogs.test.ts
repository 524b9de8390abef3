/** What is opened beside the timeline: the dialogs that begin with the selected range, and the legend. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, soon, violations } from '../screens.ts'
import { inAddress } from '../stage.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

describe.skipIf(chromiumPath === undefined)('dialogs of the timeline in Chromium', () => {
  let app: RunningWebApp
  let cameraId: number
  let ids: number[]
  let timeZone: string
  /** In the middle of footage. */
  let watched: number

  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    ids = (await app.ask<{ cameraId: number }[]>('GET cameras')).map((camera) => camera.cameraId)
    cameraId = ids[0] ?? 0
    timeZone = (await app.ask<{ timeZone: string }>('GET accounts/self/timeZone')).timeZone
    await sleep(25_000)
    const span = `from=${new Date(Date.now() - 60_000).toISOString()}&till=${new Date().toISOString()}`
    const { segments } = await app.ask<{ segments: { start: string; end: string }[] }>(
      `GET cameras/${cameraId}/recordingTimeline?${span}&resolution=1`,
    )
    watched = Date.parse(segments.at(-1)?.start ?? '') + 4000
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const line = (page: Page) => page.getByRole('slider', { name: 'Timeline' })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const shownSpan = async (page: Page) => {
    const [from = 0, till = 0] = ((await line(page).getAttribute('data-span')) ?? '').split('/').map(Number)
    return { from, till, length: till - from }
  }
  const boxOf = async (page: Page) => {
    const box = await line(page).boundingBox()
    if (box === null) throw new Error('the timeline is not on the screen')
    return box
  }
  /** Where a time is on the screen. */
  const pointOf = async (page: Page, time: number) => {
    const box = await boxOf(page)
    const { from, length } = await shownSpan(page)
    return { x: box.x + ((time - from) / length) * box.width, y: box.y + box.height * 0.7 }
  }
  const openCamera = () => openTimeline(`/cameras/${cameraId}?t=${inAddress(watched)}`)
  const openTimeline = async (address: string) => {
    const tab = await app.open(address)
    await expect.poll(async () => (await shownSpan(tab.page)).length, { timeout: 30_000 }).toBeGreaterThan(0)
    return tab
  }
  const level = async (page: Page, name: string) => {
    await button(page, name).click(soon)
    await expect.poll(() => button(page, name).getAttribute('aria-pressed')).toBe('true')
  }

  const marked = async (page: Page) => ((await line(page).getAttribute('data-marks')) ?? '').split('/').map(Number)
  /** Selects ten steps from the watched time by the keyboard and a button; milliseconds since 1970. */
  const select = async (page: Page) => {
    await level(page, 'Minute')
    await button(page, 'Pause').click(soon)
    await button(page, 'Play').waitFor(soon)
    await line(page).focus()
    const at = async () => Number(await line(page).getAttribute('aria-valuenow')) * 1000
    const start = await at()
    await page.keyboard.press('i')
    await expect.poll(() => button(page, 'Selection starts here').getAttribute('aria-pressed')).toBe('true')
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(at).toBeGreaterThan(start + 5000)
    const end = await at()
    await button(page, 'Selection ends here').click(soon)
    await expect.poll(async () => (await marked(page))[1]).toBeGreaterThan(0)
    const [from = 0, till = 0] = await marked(page)
    // The slider tells whole seconds, rounded down.
    expect(Math.abs(from - start)).toBeLessThanOrEqual(1000)
    expect(Math.abs(till - end)).toBeLessThanOrEqual(1000)
    expect([from % 1000, till % 1000]).toEqual([0, 0])
    return { from, till }
  }
  /** The hour of a clock with twelve hours, the minute and the second. */
  const said = (time: number) => {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    const [hour = 0, minute, second] = format.format(time).split(':').map(Number)
    return [hour % 12, minute, second]
  }
  /** What the fields of the open dialog say. */
  const typed = async (page: Page, name: string) => {
    const group = page.getByRole('dialog').getByRole('group', { name: new RegExp(`^${name}\\b`) })
    const read = async (type: string) => Number(await group.locator(`[data-type=${type}]`).textContent(soon))
    return [(await read('hour')) % 12, await read('minute'), await read('second')]
  }

  test('the selected range is what the dialogs to download, share, lock and delete begin with, to the second, and what they send', async () => {
    await using tab = await openCamera()
    const { page } = tab
    const { from, till } = await select(page)
    const expected = { From: said(from), To: said(till) }
    const check = async (name: string) => {
      await page.getByRole('dialog', { name }).waitFor(soon)
      expect({ From: await typed(page, 'From'), To: await typed(page, 'To') }, name).toEqual(expected)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name }).waitFor({ ...soon, state: 'detached' })
    }
    for (const name of ['Download footage', 'Share footage']) {
      await button(page, name).click(soon)
      await check(name)
    }
    for (const name of ['Lock footage', 'Delete footage']) {
      await button(page, 'More actions for footage').click(soon)
      await page.getByRole('menuitem', { name }).click(soon)
      await check(name)
    }
    await button(page, 'More actions for footage').click(soon)
    await page.getByRole('menuitem', { name: 'Lock footage' }).click(soon)
    const lock = page.getByRole('dialog', { name: 'Lock footage' })
    await lock.getByText(new RegExp(`^Duration: ${(till - from) / 1000} secs?$`)).waitFor(soon)
    await lock.getByRole('button', { name: 'Lock', exact: true }).click()
    await page.getByText('Footage locked').first().waitFor(soon)
    const locks = await app.ask<{ lockId: number; from: string; till: string }[]>(
      `GET cameras/${cameraId}/recordings/locks`,
    )
    expect(locks.map((one) => [Date.parse(one.from), Date.parse(one.till)])).toEqual([[from, till]])
    for (const { lockId } of locks) await app.ask(`DELETE cameras/${cameraId}/recordings/locks/${lockId}`)
    // An end of the selection is dragged, and the timeline stays where it is.
    const { length } = await shownSpan(page)
    const box = await boxOf(page)
    const handle = await pointOf(page, till)
    await page.mouse.move(handle.x, handle.y)
    await page.mouse.down()
    await page.mouse.move(handle.x - 30, handle.y, { steps: 4 })
    await page.mouse.move(handle.x - 60, handle.y, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => (await marked(page))[1]).toBeLessThan(till)
    const [sameFrom, earlier = 0] = await marked(page)
    expect(sameFrom).toBe(from)
    expect(Math.abs(till - earlier - (60 / box.width) * length)).toBeLessThan(1500)
    expect((await shownSpan(page)).length).toBe(length)
    await button(page, 'Clear selection').click(soon)
    await expect.poll(() => button(page, 'Selection starts here').getAttribute('aria-pressed')).toBe('false')
  })

  test('in Multiview a range is selected as on the page of a camera; the export begins with it, of the cameras that are shown', async () => {
    await using tab = await openTimeline(`/multiview?cameras=${ids.slice(0, 2).join()}&t=${inAddress(watched)}`)
    const { page } = tab
    const { from, till } = await select(page)
    const cameras = await app.ask<{ cameraId: number; name: string }[]>('GET cameras')
    const [one = '', two = ''] = cameras.map(({ name }) => name)
    const told = page.locator('[data-selected-range]')
    await expect.poll(() => told.textContent()).toMatch(/^Selected: .+:\d\d to .+:\d\d$/)
    const dialog = page.getByRole('dialog', { name: 'Download footage' })
    const isBegun = async () =>
      expect({ From: await typed(page, 'From'), To: await typed(page, 'To') }).toEqual({
        From: said(from),
        To: said(till),
      })
    await button(page, 'Download footage').click(soon)
    await dialog.getByText(`${one}, ${two}`, { exact: true }).waitFor(soon)
    await isBegun()
    await dialog.getByRole('button', { name: 'Prepare file' }).click(soon)
    await dialog.waitFor({ ...soon, state: 'detached' })
    const exports = await app.ask<{ cameraIds: number[]; from: string; till: string }[]>('GET exports')
    expect(exports.map((file) => [file.cameraIds, Date.parse(file.from), Date.parse(file.till)])).toEqual([
      [ids.slice(0, 2), from, till],
    ])
    // A camera that is shown alone is exported alone, and the range stays.
    await line(page).focus()
    await page.keyboard.press('Escape')
    await page.locator(`[data-tile="${ids[1]}"]`).dblclick({ position: { x: 60, y: 80 } })
    await expect.poll(() => page.locator('[data-tile]').count()).toBe(1)
    await button(page, 'Download footage').click(soon)
    await dialog.getByRole('radio', { name: /^Prepare a file/ }).waitFor(soon)
    expect(await dialog.getByText(`${one}, ${two}`, { exact: true }).count()).toBe(0)
    await isBegun()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ ...soon, state: 'detached' })
    // Live video keeps the range too.
    await page.locator('[data-live]').click(soon)
    await expect.poll(() => page.locator('[data-live]').getAttribute('data-live')).toBe('true')
    expect(await marked(page)).toEqual([from, till])
    await button(page, 'Clear selection').click(soon)
    await expect.poll(() => told.textContent()).toBe('')
    expect(tab.complaints).toEqual([])
  })

  test('a finger drags an end of the selection, although it isn’t on it exactly, and the page fits', async () => {
    await using tab = await openTimeline(`/multiview?cameras=${ids.slice(0, 2).join()}&t=${inAddress(watched)}`)
    const { page } = tab
    const { from, till } = await select(page)
    const { length } = await shownSpan(page)
    const { x, y } = await pointOf(page, till)
    const box = await boxOf(page)
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: at === undefined ? [] : [{ x: Math.round(at), y: Math.round(y) }],
      })
    await touch('touchStart', x + 12)
    for (const by of [0, 20, 40, 60]) await touch('touchMove', x - by)
    await touch('touchEnd')
    await expect.poll(async () => (await marked(page))[1]).toBeLessThan(till)
    const [sameFrom, earlier = 0] = await marked(page)
    expect(sameFrom).toBe(from)
    expect(Math.abs(till - earlier - (60 / box.width) * length)).toBeLessThan(1500)
    expect((await shownSpan(page)).length).toBe(length)
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await overflow(page), String(width)).toBeLessThanOrEqual(0)
      expect(await violations(page), String(width)).toEqual([])
    }
  })

  test('the legend is opened by the keyboard, has a sample of its own for everything, and the timeline’s colors', async () => {
    await using tab = await openCamera()
    const { page } = tab
    const opener = button(page, 'Timeline legend')
    /** The colors at the bottom of the row. */
    const coloursOf = (canvas: Locator) =>
      canvas.evaluate((one) => {
        const { width, height } = one as HTMLCanvasElement
        const pixels = (one as HTMLCanvasElement)
          .getContext('2d')
          ?.getImageData(0, height - Math.ceil(8 * devicePixelRatio), width, 1).data
        return Array.from({ length: width }, (_, x) => [...(pixels ?? []).slice(4 * x, 4 * x + 4)].join())
      })
    await level(page, 'Minute')
    await opener.press('Enter')
    const legend = page.getByRole('dialog', { name: 'Timeline legend' })
    const samples = legend.locator('canvas')
    await samples.last().waitFor(soon)
    const pictures = await samples.evaluateAll((all) => all.map((one) => (one as HTMLCanvasElement).toDataURL()))
    expect(pictures).toHaveLength(await legend.getByRole('listitem').count())
    expect(new Set(pictures).size).toBe(pictures.length)
    expect(pictures.length).toBeGreaterThan(10)
    await legend.getByText('camera offline, network trouble', { exact: true }).waitFor(soon)
    const [recorded = ''] = await coloursOf(samples.first())
    expect(recorded).toMatch(/^\d+,\d+,\d+,255$/)
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await overflow(page), String(width)).toBeLessThanOrEqual(0)
      expect(await violations(page), String(width)).toEqual([])
    }
    await page.keyboard.press('Escape')
    await legend.waitFor({ ...soon, state: 'detached' })
    await expect.poll(() => opener.evaluate((one) => one === document.activeElement)).toBe(true)
    await expect.poll(() => coloursOf(line(page).locator('canvas'))).toContain(recorded)
    await page.setViewportSize({ width: 360, height: 800 })
    await opener.click(soon)
    await legend.waitFor(soon)
    expect(tab.complaints).toEqual([])
  })
})
