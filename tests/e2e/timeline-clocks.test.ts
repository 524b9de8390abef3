/** Times around midnight and around both changes of the clocks, in the timeline, the chosen time and the address. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { soon } from '../screens.ts'
import { inAddress } from '../stage.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

const MINUTE = 60_000
const timeZone = 'Europe/Amsterdam'
/** Clocks go from 03:00 CEST back to 02:00 CET. */
const back = Date.UTC(2026, 9, 25, 1)
/** Clocks go from 02:00 CET on to 03:00 CEST. */
const forward = Date.UTC(2026, 2, 29, 1)
/** Between 20 and 21 November. */
const midnight = Date.UTC(2026, 10, 20, 23)

describe.skipIf(chromiumPath === undefined)('clocks in the timeline in Chromium', () => {
  let app: RunningWebApp
  let cameraId: number

  beforeAll(async () => {
    // Nothing is recorded, so that a time without footage stays chosen.
    app = await startWebApp()
    await app.ask('PATCH accounts/self/timeZone', { timeZone })
    cameraId = (await app.ask<{ cameraId: number }[]>('GET cameras'))[0]?.cameraId ?? 0
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const line = (page: Page) => page.getByRole('slider', { name: 'Timeline' })
  const sought = (page: Page) => Date.parse(new URL(page.url()).searchParams.get('t') ?? '')
  const chosen = (page: Page) => page.locator('[data-footage-time]').textContent(soon)
  const shownSpan = async (page: Page) => {
    const [from = 0, till = 0] = ((await line(page).getAttribute('data-span')) ?? '').split('/').map(Number)
    return { from, till, length: till - from }
  }
  const open = async (time: number) => {
    const tab = await app.open(`/cameras/${cameraId}?t=${inAddress(time)}`)
    await expect.poll(async () => (await shownSpan(tab.page)).length, { timeout: 30_000 }).toBeGreaterThan(0)
    await tab.page.getByRole('button', { name: 'Hour', exact: true }).click(soon)
    await expect
      .poll(async () => {
        const { from, till, length } = await shownSpan(tab.page)
        return length <= 60 * MINUTE && from < time && time < till
      })
      .toBe(true)
    return tab
  }
  /** Where a time is on the screen. */
  const pointOf = async (page: Page, time: number) => {
    const box = await line(page).boundingBox()
    if (box === null) throw new Error('the timeline is not on the screen')
    const { from, length } = await shownSpan(page)
    return { x: box.x + ((time - from) / length) * box.width, y: box.y + box.height * 0.7 }
  }
  const hovered = async (page: Page, time: number) => {
    const { x, y } = await pointOf(page, time)
    await page.mouse.move(x, y)
    return page.locator('[data-hover]').textContent(soon)
  }
  const click = async (page: Page, time: number) => {
    const { x, y } = await pointOf(page, time)
    await page.mouse.click(x, y)
    await expect.poll(() => Math.abs(sought(page) - time)).toBeLessThan(10_000)
  }
  const type = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Go to' }).fill(text)
    await page.keyboard.press('Enter')
  }

  test('both passes of the hour that clocks show twice are told apart, and the address has which one it is', async () => {
    for (const [time, zone] of [
      [back - 30 * MINUTE, 'CEST'],
      [back + 30 * MINUTE, 'CET'],
    ] as const) {
      await using tab = await open(time)
      const { page } = tab
      await expect.poll(() => chosen(page)).toMatch(new RegExp(` 02:30:00 ${zone}$`))
      expect(await line(page).getAttribute('aria-valuetext')).toMatch(new RegExp(`02:30:00 ${zone}$`))
      // The pointer is on whole pixels, several seconds wide.
      await expect.poll(() => hovered(page, time + 5 * MINUTE)).toMatch(new RegExp(`02:3[45]:\\d\\d ${zone}`))
      await click(page, time + 5 * MINUTE)
      await expect.poll(() => chosen(page)).toMatch(new RegExp(` 02:3[45]:\\d\\d ${zone}$`))
      const address = page.url()
      await page.reload()
      await expect.poll(() => chosen(page)).toMatch(new RegExp(` 02:3[45]:\\d\\d ${zone}$`))
      expect(page.url()).toBe(address)
      // Typed, it is the first of both.
      await type(page, '02:30')
      await expect.poll(() => sought(page)).toBe(back - 30 * MINUTE)
      // With the name of the zone, it is either.
      for (const [named, either] of [
        ['02:30 cet', back + 30 * MINUTE],
        ['02:30:05 CEST', back - 30 * MINUTE + 5000],
        [`02:30 ${zone}`, time],
      ] as const) {
        await type(page, named)
        await expect.poll(() => sought(page)).toBe(either)
      }
      await expect.poll(() => chosen(page)).toMatch(new RegExp(` 02:30:00 ${zone}$`))
      await type(page, '02:30 EST')
      await page.getByText('Type a time such as 14:05 or 14:05:30').waitFor(soon)
      expect(tab.complaints).toEqual([])
    }
  })

  test('a dialog says which of two hours it means, and a changed second stays in that hour', async () => {
    for (const [time, zone] of [
      [back - 30 * MINUTE, 'CEST'],
      [back + 30 * MINUTE, 'CET'],
    ] as const) {
      await using tab = await open(time)
      const { page } = tab
      await page.getByRole('button', { name: 'Download footage' }).click(soon)
      const dialog = page.getByRole('dialog', { name: 'Download footage' })
      await dialog.getByText(`02:29:00 ${zone}`).waitFor(soon)
      await dialog.getByText(`02:31:00 ${zone}`).waitFor(soon)
      await dialog.getByText(/^Duration: 2 mins?$/).waitFor(soon)
      const end = dialog.getByRole('group', { name: 'To' })
      await end.locator('[data-type=second]').pressSequentially('07')
      await dialog.getByText(`02:31:07 ${zone}`).waitFor(soon)
      await dialog.getByText(/^Duration: 2 mins? 7 secs?$/).waitFor(soon)
      await end.locator('[data-type=minute]').pressSequentially('28')
      // Before the start in the first hour, the same time of the second is after it.
      const later = zone === 'CEST' ? '02:28:07 CET' : 'The end must be after the start'
      await dialog.getByText(later).waitFor(soon)
      expect(tab.complaints).toEqual([])
    }
  })

  test('over the hour that clocks leave out the timeline goes on; typed, it is the time after the jump', async () => {
    await using tab = await open(forward - 2000)
    const { page } = tab
    await expect.poll(() => chosen(page)).toMatch(/ 01:59:58 CET$/)
    await expect.poll(() => hovered(page, forward - 5 * MINUTE)).toMatch(/01:5[45]:\d\d/)
    await expect.poll(() => hovered(page, forward + 5 * MINUTE)).toMatch(/03:0[45]:\d\d/)
    await page.getByRole('button', { name: '10 seconds forward' }).click(soon)
    await expect.poll(() => sought(page)).toBe(forward + 8000)
    await expect.poll(() => chosen(page)).toMatch(/ 03:00:08 CEST$/)
    await type(page, '02:30')
    await expect.poll(() => sought(page)).toBe(forward + 30 * MINUTE)
    await expect.poll(() => chosen(page)).toMatch(/ 03:30:00 CEST$/)
    expect(tab.complaints).toEqual([])
  })

  test('over midnight the timeline goes on, and the chosen time and the typed one are of the next day', async () => {
    await using tab = await open(midnight - 2000)
    const { page } = tab
    await expect.poll(() => chosen(page)).toMatch(/20 Nov, 23:59:58 CET$/)
    await expect.poll(() => hovered(page, midnight - 5 * MINUTE)).toMatch(/23:5[45]:\d\d/)
    await expect.poll(() => hovered(page, midnight + 5 * MINUTE)).toMatch(/00:0[45]:\d\d/)
    await page.getByRole('button', { name: '10 seconds forward' }).click(soon)
    await expect.poll(() => sought(page)).toBe(midnight + 8000)
    await expect.poll(() => chosen(page)).toMatch(/21 Nov, 00:00:08 CET$/)
    await type(page, '0:15')
    await expect.poll(() => sought(page)).toBe(midnight + 15 * MINUTE)
    await page.getByRole('button', { name: '10 seconds back' }).click(soon)
    await expect.poll(() => sought(page)).toBeLessThan(midnight + 15 * MINUTE)
    expect(tab.complaints).toEqual([])
  })

  test('shortly after midnight a typed time is of the day that is watched, though more of the day before is visible', async () => {
    await using tab = await open(midnight + 10 * MINUTE)
    const { page } = tab
    await line(page).hover()
    // The day before comes into the middle.
    for (let n = 0; n < 40 && (await shownSpan(page)).from > midnight - 45 * MINUTE; n += 1)
      await page.mouse.wheel(-60, 0)
    const { from, till } = await shownSpan(page)
    expect((from + till) / 2).toBeLessThan(midnight)
    expect(till).toBeGreaterThan(midnight + 10 * MINUTE)
    await type(page, '0:05')
    await expect.poll(() => sought(page)).toBe(midnight + 5 * MINUTE)
    expect(tab.complaints).toEqual([])
  })
})
