/** The timeline of the Web App: from a year to a second, what is on it, and what is done with it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, soon, violations } from '../screens.ts'
import { addUser, type RunningWebApp, startWebApp } from '../web-app.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** More than one part of a list. */
const EVENTS = 60

interface Timeline {
  readonly gaps: readonly { readonly start: string; readonly end: string; readonly reason: string }[]
  readonly segments: readonly { readonly start: string; readonly end: string }[]
}

describe.skipIf(chromiumPath === undefined)('the timeline in Chromium', () => {
  let app: RunningWebApp
  let ids: number[]
  /** The first camera was private in this time. */
  let gap: { from: number; till: number }
  let eventAt: number
  let manyAt: number

  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    ids = (await app.ask<{ cameraId: number }[]>('GET cameras')).map(({ cameraId }) => cameraId)
    await sleep(12_000)
    const began = new Date().toISOString()
    await app.ask(`PATCH cameras/${ids[0]}/mode`, { mode: 'private' })
    await sleep(5000)
    await app.ask(`PATCH cameras/${ids[0]}/mode`, { mode: 'armed' })
    await sleep(12_000)
    eventAt = Math.floor(Date.now() / 1000) * 1000 - 4000
    await app.ask(`POST cameras/${ids[0]}/events`, {
      type: 'custom',
      name: 'Door',
      timestamp: new Date(eventAt).toISOString(),
    })
    // Many events two hours ago, of another camera, within a minute, so that no midnight is between them.
    manyAt = Math.floor((eventAt - 2 * HOUR) / MINUTE) * MINUTE
    for (let n = 0; n < EVENTS; n += 1) {
      const timestamp = new Date(manyAt + (n * MINUTE) / EVENTS).toISOString()
      await app.ask(`POST cameras/${ids[1]}/events`, { type: 'custom', name: 'Door', timestamp })
    }
    await sleep(5000)
    const range = `from=${began}&till=${new Date().toISOString()}&resolution=1`
    const { gaps } = await app.ask<Timeline>(`GET cameras/${ids[0]}/recordingTimeline?${range}`)
    const own = gaps.find(({ reason }) => reason === 'mode')
    gap = { from: Date.parse(own?.start ?? ''), till: Date.parse(own?.end ?? '') }
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const line = (page: Page) => page.getByRole('slider', { name: 'Timeline' })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const shownSpan = async (page: Page) => {
    const [from = 0, till = 0] = ((await line(page).getAttribute('data-span')) ?? '').split('/').map(Number)
    return { from, till, length: till - from }
  }
  const sought = (page: Page) => Date.parse(new URL(page.url()).searchParams.get('t') ?? '')
  const boxOf = async (page: Page) => {
    const box = await line(page).boundingBox()
    if (box === null) throw new Error('the timeline is not on the screen')
    return box
  }
  /** A busy browser may draw the last change late. */
  const untilSpanStays = async (page: Page) => {
    let before = await shownSpan(page)
    const stays = async () => {
      const now = await shownSpan(page)
      const isSame = now.length === before.length && Math.abs(now.from - before.from) < 1000
      before = now
      return isSame
    }
    await expect.poll(stays, { interval: 300 }).toBe(true)
  }
  /** Where a time is on the screen. */
  const pointOf = async (page: Page, time: number, part = 0.7) => {
    const box = await boxOf(page)
    const { from, length } = await shownSpan(page)
    return { x: box.x + ((time - from) / length) * box.width, y: box.y + box.height * part }
  }
  const openCamera = async (index = 0, query = '') => {
    const tab = await app.open(`/cameras/${ids[index]}${query}`)
    await expect.poll(async () => (await shownSpan(tab.page)).length, { timeout: 30_000 }).toBeGreaterThan(0)
    return tab
  }
  const level = async (page: Page, name: string) => {
    await button(page, name).click(soon)
    await expect.poll(() => button(page, name).getAttribute('aria-pressed')).toBe('true')
  }
  const inAddress = (time: number) => `?t=${encodeURIComponent(new Date(time).toISOString())}`

  test('the wheel goes from a year to a second and back, and the time under the pointer stays', async () => {
    await using tab = await openCamera()
    const { page } = tab
    await level(page, 'Year')
    const box = await boxOf(page)
    // A browser tells whole pixels.
    const at = { x: Math.round(box.x + box.width * 0.4), y: Math.round(box.y + box.height * 0.7) }
    const share = (at.x - box.x) / box.width
    await page.mouse.move(at.x, at.y)
    const underPointer = async () => {
      const { from, length } = await shownSpan(page)
      return from + share * length
    }
    const before = await underPointer()
    const zoomUntil = async (delta: number, length: number) => {
      for (let n = 0; n < 40 && (await shownSpan(page)).length !== length; n += 1) {
        await page.mouse.wheel(0, delta)
        await sleep(30)
      }
      await expect.poll(async () => (await shownSpan(page)).length).toBe(length)
    }
    await zoomUntil(-500, 1000)
    // A pixel of a year is eight hours, a second of it is far less: the position of the pointer is exact.
    expect(Math.abs((await underPointer()) - before)).toBeLessThan(2)
    await zoomUntil(500, 366 * DAY)
    expect(Math.abs((await underPointer()) - before)).toBeLessThan(1000)
    expect(tab.complaints).toEqual([])
  })

  test('a click plays from the time under the pointer, to the pixel; it is in the address and survives a reload', async () => {
    await using tab = await openCamera()
    const { page } = tab
    await level(page, 'Minute')
    const time = gap.till + 4000
    // The minute of now may have passed it already.
    for (let n = 0; n < 6 && (await shownSpan(page)).from > time - 2000; n += 1) {
      const { length } = await shownSpan(page)
      await button(page, 'Less detail').click()
      await expect.poll(async () => (await shownSpan(page)).length).toBeGreaterThan(length)
    }
    await untilSpanStays(page)
    const point = await pointOf(page, time)
    await page.mouse.click(point.x, point.y)
    await expect.poll(() => sought(page)).not.toBeNaN()
    const pixel = ((await shownSpan(page)).length / (await boxOf(page)).width) * 2
    expect(Math.abs(sought(page) - time)).toBeLessThan(pixel + 1500)
    await button(page, 'Pause').click(soon)
    await button(page, 'Play').waitFor(soon)
    const { href } = new URL(page.url())
    await page.reload()
    await expect.poll(async () => (await shownSpan(page)).length, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(page.url()).toBe(href)
    const shown = Number(await line(page).getAttribute('aria-valuenow')) * 1000
    expect(Math.abs(shown - sought(page))).toBeLessThan(5000)
  })

  test('the keyboard moves, zooms and goes to the ends; midnight is no wall', async () => {
    await using tab = await openCamera(0, inAddress(gap.till + 3000))
    const { page } = tab
    await button(page, 'Pause').click(soon)
    await button(page, 'Play').waitFor(soon)
    await level(page, 'Hour')
    await line(page).focus()
    const before = sought(page)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => Math.round((before - sought(page)) / 1000)).toBeGreaterThanOrEqual(30)
    const { length } = await shownSpan(page)
    await page.keyboard.press('+')
    await expect.poll(async () => Math.round((await shownSpan(page)).length)).toBe(Math.round(length / 2))
    await page.keyboard.press('-')
    await expect.poll(async () => Math.round((await shownSpan(page)).length)).toBe(length)
    await page.keyboard.press('Home')
    const { from } = await shownSpan(page)
    await expect.poll(() => Math.abs(sought(page) - from)).toBeLessThan(length)
    // More than a day's worth of hours back, past midnight at any time of day: a page is a little less than what is shown.
    for (let n = 0; n < 32; n += 1) await page.keyboard.press('PageDown')
    await expect.poll(async () => (await shownSpan(page)).from).toBeLessThan(from - 20 * HOUR)
    // The chosen day follows, and the range stays where it is.
    const moved = (await shownSpan(page)).from
    await button(page, 'Today').waitFor(soon)
    await button(page, 'Today').click(soon)
    await expect.poll(async () => (await shownSpan(page)).from).toBeGreaterThan(moved)
    expect(tab.complaints).toEqual([])
  })

  test('a drag goes on for a moment after the pointer is lifted, over midnight', async () => {
    await using tab = await openCamera()
    const { page } = tab
    const box = await boxOf(page)
    const y = box.y + box.height / 2
    const start = (await shownSpan(page)).from
    const dragged = async () => {
      const before = await shownSpan(page)
      await page.mouse.move(box.x + 100, y)
      await page.mouse.down()
      for (let x = 100; x <= 500; x += 40) await page.mouse.move(box.x + x, y)
      await page.mouse.up()
      const lifted = await shownSpan(page)
      expect(lifted.from).toBeLessThan(before.from - (300 / box.width) * before.length)
      await sleep(300)
      return (await shownSpan(page)).from < lifted.from
    }
    // On a busy machine, the pointer rests before it is lifted.
    await expect.poll(dragged, { timeout: 60_000 }).toBe(true)
    expect((await shownSpan(page)).from).toBeLessThan(start)
    expect(new URL(page.url()).searchParams.get('t')).toBeNull()
  })

  test('a gap says its cause, in the list and at the pointer; moving the pointer draws no list again', async () => {
    await using tab = await openCamera(0, inAddress(gap.till + 3000))
    const { page } = tab
    await level(page, 'Minute')
    const entry = page.locator('[data-gap=mode]').last()
    await entry.waitFor({ state: 'attached', timeout: 15_000 })
    expect(await entry.textContent()).toMatch(/No footage .*: turned off by the camera’s mode/)
    expect(Math.abs(Number(await entry.getAttribute('data-from')) - gap.from)).toBeLessThan(1500)
    await button(page, 'Pause').click(soon)
    const point = await pointOf(page, (gap.from + gap.till) / 2)
    await page.mouse.move(point.x, point.y)
    await page.locator('[data-hover]').getByText('turned off by the camera’s mode').waitFor(soon)
    await sleep(1000)
    await page.evaluate(() => {
      const counts = { changes: 0 }
      Object.assign(window, { counts })
      const list = document.querySelector('[data-gap]')?.closest('ul')
      if (list === null || list === undefined) throw new Error('no list')
      const observer = new MutationObserver((all) => {
        counts.changes += all.length
      })
      observer.observe(list, { childList: true, subtree: true, characterData: true, attributes: true })
    })
    for (let n = 0; n < 40; n += 1) await page.mouse.move(point.x - n, point.y)
    expect(await page.evaluate(() => (window as unknown as { counts: { changes: number } }).counts.changes)).toBe(0)
    expect(await violations(page)).toEqual([])
  })

  test('the pointer shows the picture of its time, one request for where it rests', async () => {
    await using tab = await openCamera(0, inAddress(gap.till + 3000))
    const { page } = tab
    await level(page, 'Minute')
    await button(page, 'Pause').click(soon)
    await button(page, 'Play').waitFor(soon)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('recordings/snapshot')) asked.push(request.url())
    })
    const target = gap.till + 7000
    const point = await pointOf(page, target)
    for (let n = 60; n >= 0; n -= 1) await page.mouse.move(point.x - n, point.y)
    const thumbnail = page.locator('[data-hover] [data-thumbnail] canvas')
    await thumbnail.waitFor({ timeout: 15_000 })
    const times = asked.map((url) => Date.parse(new URL(url).searchParams.get('time') ?? ''))
    expect(Math.abs((times.at(-1) ?? 0) - target)).toBeLessThan(2000)
    expect(asked.length).toBeLessThan(10)
    const size = await thumbnail.evaluate((one) => (one instanceof HTMLCanvasElement ? one.width : 0))
    expect(size).toBeGreaterThan(100)
    expect(size).toBeLessThan(400)
    expect(tab.complaints).toEqual([])
  })

  test('an event opens its moment by a click, and by the buttons for the one before and after', async () => {
    await using tab = await openCamera(0, inAddress(gap.till + 1000))
    const { page } = tab
    await level(page, 'Hour')
    await page.locator('[data-event=custom]').first().waitFor({ state: 'attached', timeout: 15_000 })
    await button(page, 'Pause').click(soon)
    await button(page, 'Play').waitFor(soon)
    const point = await pointOf(page, eventAt, 0.4)
    await page.mouse.click(point.x, point.y)
    await expect.poll(() => sought(page)).toBe(eventAt)
    await button(page, 'Previous event').click(soon)
    await expect.poll(() => sought(page)).toBeLessThan(eventAt)
    const earlier = sought(page)
    await button(page, 'Next event').click(soon)
    await expect.poll(() => sought(page)).toBeGreaterThan(earlier)
  })

  test('a list of many events is in the page in parts, and says how many there are', async () => {
    await using tab = await openCamera(1)
    const { page } = tab
    if ((await shownSpan(page)).from > manyAt) await button(page, 'Previous day').click(soon)
    const entries = page.getByRole('list', { name: 'Events' }).getByRole('listitem')
    await expect.poll(() => entries.count(), { timeout: 15_000 }).toBe(50)
    expect(Number(await entries.first().getAttribute('aria-setsize'))).toBeGreaterThanOrEqual(EVENTS)
    const first = await entries.first().textContent()
    await button(page, 'Later: Events').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => entries.first().getAttribute('aria-posinset')).toBe('51')
    expect(await entries.first().textContent()).not.toBe(first)
  })

  test('several cameras have a row each; events of all of them are gone through', async () => {
    await using tab = await app.open(`/multiview?cameras=${ids.slice(0, 2).join()}`)
    const { page } = tab
    await expect.poll(async () => (await shownSpan(page)).length, { timeout: 30_000 }).toBeGreaterThan(0)
    await page
      .getByRole('list', { name: /^Events: / })
      .first()
      .waitFor({ state: 'attached', timeout: 15_000 })
    await button(page, 'Previous event').click(soon)
    await expect.poll(() => sought(page)).not.toBeNaN()
    await page.setViewportSize({ width: 360, height: 760 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
  })

  test('on a phone everything fits; who may not watch footage has no timeline', async () => {
    await using tab = await openCamera()
    const { page } = tab
    await page.setViewportSize({ width: 360, height: 760 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.getByRole('combobox', { name: 'Visible time' }).click(soon)
    await page.getByRole('option', { name: 'Month' }).click(soon)
    await expect.poll(async () => (await shownSpan(page)).length).toBe(31 * DAY)
    await addUser(app, 'no-footage@demo.example', { allCameras: true, rights: { playback: false } })
    await using other = await app.open(`/cameras/${ids[0]}`, 'no-footage@demo.example')
    await other.page.getByText('You don’t have permission to watch footage.').waitFor(soon)
    expect(await line(other.page).count()).toBe(0)
  })
})
