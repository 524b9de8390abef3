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
  /** In the middle of footage. */
  let watched: number

  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    cameraId = (await app.ask<{ cameraId: number }[]>('GET cameras'))[0]?.cameraId ?? 0
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
  const openCamera = async () => {
    const tab = await app.open(`/cameras/${cameraId}?t=${inAddress(watched)}`)
    await expect.poll(async () => (await shownSpan(tab.page)).length, { timeout: 30_000 }).toBeGreaterThan(0)
    return tab
  }
  const level = async (page: Page, name: string) => {
    await button(page, name).click(soon)
    await expect.poll(() => button(page, name).getAttribute('aria-pressed')).toBe('true')
  }

  test('the selected range is what the dialogs to download, share, lock and delete begin with, to the second, and what they send', async () => {
    await using tab = await openCamera()
    const { page } = tab
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
    const { timeZone } = await app.ask<{ timeZone: string }>('GET accounts/self/timeZone')
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
    const marked = async () => ((await line(page).getAttribute('data-marks')) ?? '').split('/').map(Number)
    await expect.poll(async () => (await marked())[1]).toBeGreaterThan(0)
    const [from = 0, till = 0] = await marked()
    // The slider tells whole seconds, rounded down.
    expect(Math.abs(from - start)).toBeLessThanOrEqual(1000)
    expect(Math.abs(till - end)).toBeLessThanOrEqual(1000)
    expect([from % 1000, till % 1000]).toEqual([0, 0])
    const expected = { From: said(from), To: said(till) }
    const typed = async (name: string) => {
      const group = page.getByRole('dialog').getByRole('group', { name: new RegExp(`^${name}\\b`) })
      const read = async (type: string) => Number(await group.locator(`[data-type=${type}]`).textContent(soon))
      return [(await read('hour')) % 12, await read('minute'), await read('second')]
    }
    const check = async (name: string) => {
      await page.getByRole('dialog', { name }).waitFor(soon)
      expect({ From: await typed('From'), To: await typed('To') }, name).toEqual(expected)
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
    await expect.poll(async () => (await marked())[1]).toBeLessThan(till)
    const [sameFrom, earlier = 0] = await marked()
    expect(sameFrom).toBe(from)
    expect(Math.abs(till - earlier - (60 / box.width) * length)).toBeLessThan(1500)
    expect((await shownSpan(page)).length).toBe(length)
    await button(page, 'Clear selection').click(soon)
    await expect.poll(() => button(page, 'Selection starts here').getAttribute('aria-pressed')).toBe('false')
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
