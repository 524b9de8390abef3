import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { liveTiles, readCounters } from '../screen-picture.ts'
import { overflow, soon, violations } from '../screens.ts'
import { inAddress, RECORDED, setSpeed, typeTime, untilStill } from '../stage.ts'
import { addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

/** The counter of the simulator's sub-stream (camera-simulator/src/settings.ts). */
const PICTURES_PER_SECOND = 10
const getCounter = (moment: number) => Math.floor(((moment - Date.UTC(2026, 0, 1)) * PICTURES_PER_SECOND) / 1000)

/** Counters of all recorded pictures, at moments when each of them can be read. */
async function sample(page: Page, count: number, everyMs = 200): Promise<number[][]> {
  const samples: number[][] = []
  await expect
    .poll(
      async () => {
        const counters = (await readCounters(page, RECORDED)).filter((counter) => counter !== undefined)
        if (counters.length > 0) samples.push(counters)
        return samples.length >= count
      },
      { timeout: 60_000, interval: everyMs },
    )
    .toBe(true)
  return samples
}

const spread = (counters: readonly number[]) => Math.max(...counters) - Math.min(...counters)

interface Gaps {
  readonly gaps: readonly { readonly start: string; readonly end: string; readonly reason: string }[]
}

describe.skipIf(chromiumPath === undefined)('several cameras at once', () => {
  let app: RunningWebApp
  let ids: number[]
  /** The first camera was private: it has no footage in this time. */
  let gap: { from: number; till: number }

  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    const cameras = await app.ask<{ cameraId: number; name: string }[]>('GET cameras')
    ids = cameras.map(({ cameraId }) => cameraId)
    await sleep(15_000)
    const began = new Date().toISOString()
    await app.ask(`PATCH cameras/${ids[0]}/mode`, { mode: 'private' })
    await sleep(6000)
    await app.ask(`PATCH cameras/${ids[0]}/mode`, { mode: 'armed' })
    await sleep(22_000)
    const till = new Date().toISOString()
    const { gaps } = await app.ask<Gaps>(
      `GET cameras/${ids[0]}/recordingTimeline?from=${began}&till=${till}&resolution=1`,
    )
    const own = gaps.find(({ reason }) => reason === 'mode')
    gap = { from: Date.parse(own?.start ?? ''), till: Date.parse(own?.end ?? '') }
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const shown = (page: Page, count: number) =>
    expect
      .poll(async () => (await readCounters(page, RECORDED)).filter((one) => one !== undefined).length, {
        timeout: 30_000,
      })
      .toBe(count)

  test('all cameras are shown live, without any choice before', async () => {
    await using tab = await app.open('/multiview')
    await expect.poll(liveTiles(tab.page, PICTURES_PER_SECOND), { timeout: 30_000, interval: 500 }).toBe(4)
    expect(await violations(tab.page)).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('footage of four cameras stays in step: one picture apart at most, two at four times the speed', async () => {
    await using tab = await app.open(`/multiview?t=${inAddress(gap.till + 3000)}`)
    const { page } = tab
    await shown(page, 4)
    const normal = (await sample(page, 8)).filter((counters) => counters.length === 4)
    expect(Math.max(...normal.map(spread))).toBeLessThanOrEqual(1)
    expect((normal.at(-1)?.[0] ?? 0) - (normal[0]?.[0] ?? 0)).toBeGreaterThan(PICTURES_PER_SECOND)
    await setSpeed(page, '4×')
    const fast = await sample(page, 6)
    expect(Math.max(...fast.map(spread))).toBeLessThanOrEqual(2)
    expect(tab.complaints).toEqual([])
  })

  test('single pictures forward and back are exact, over a gap too, and the others follow', async () => {
    // Far from where the steps begin, so that no picture from before the jump is taken for one after it.
    await using tab = await app.open(`/multiview?t=${inAddress(gap.till + 10_000)}`)
    const { page } = tab
    await shown(page, 4)
    await page.keyboard.press('k')
    const { timeZone } = await app.ask<{ timeZone: string }>('GET accounts/self/timeZone')
    let time = await untilStill(page)
    // The small stream goes on up to two seconds after the large one, with its next key picture.
    await typeTime(page, gap.till + 3000, timeZone)
    time = await untilStill(page, time)
    const read = async () => (await readCounters(page, RECORDED)).map((one) => one ?? 0)
    const start = await read()
    expect(Math.abs(time - gap.till - 3000)).toBeLessThanOrEqual(1000)
    expect(Math.max(...start.map((one) => Math.abs(one - getCounter(time))))).toBeLessThanOrEqual(1)
    const steps = async (key: string, count: number) => {
      const seen: number[][] = []
      for (let n = 0; n < count; n++) {
        await page.keyboard.press(key)
        time = await untilStill(page, time)
        seen.push(await read())
      }
      return seen
    }
    const path = [start, ...(await steps('.', 6))]
    const own = (all: readonly number[][]) => all.map(([counter = 0]) => counter)
    const [first = 0] = own(path)
    expect(own(path)).toEqual(path.map((_, n) => first + n))
    const back = await steps(',', 6)
    expect(back).toEqual(path.toReversed().slice(1))
    expect(Math.max(...path.map(spread))).toBeLessThanOrEqual(1)
    // Back to the start of this footage, over the gap, and on.
    const before = own([back.at(-1) ?? [], ...(await steps(',', 36))])
    const distances = before.slice(1).map((counter, n) => (before[n] ?? 0) - counter)
    const jump = Math.max(...distances)
    expect(jump).toBeGreaterThan(4 * PICTURES_PER_SECOND)
    expect(distances.filter((distance) => distance !== jump)).toEqual(distances.slice(1).map(() => 1))
    const forth = own(await steps('.', 36))
    expect(forth).toEqual([...before.slice(0, -1).toReversed()])
  })

  test('backwards, all pictures go back in step', async () => {
    await using tab = await app.open(`/multiview?t=${inAddress(gap.till + 25_000)}`)
    const { page } = tab
    await shown(page, 4)
    await setSpeed(page, '−1×')
    await sleep(1500)
    const samples = await sample(page, 7)
    expect(Math.max(...samples.map(spread))).toBeLessThanOrEqual(1)
    const first = samples.map(([counter = 0]) => counter)
    expect(first.at(-1) ?? 0).toBeLessThan((first[0] ?? 0) - PICTURES_PER_SECOND / 2)
    expect(first.every((counter, n) => n === 0 || counter <= (first[n - 1] ?? 0))).toBe(true)
  })

  test('a camera without footage says so while the others play, and comes back by itself', async () => {
    await using tab = await app.open(`/multiview?t=${inAddress(gap.from - 4000)}`)
    const { page } = tab
    const tile = page.locator(`[data-tile="${ids[0]}"]`)
    await tile.getByText('No footage at this time').waitFor({ timeout: 30_000 })
    const others = (await readCounters(page, `${RECORDED}:not([data-camera="${ids[0]}"])`)).map((one) => one ?? 0)
    await sleep(1000)
    const later = (await readCounters(page, `${RECORDED}:not([data-camera="${ids[0]}"])`)).map((one) => one ?? 0)
    expect(later.every((counter, n) => counter > (others[n] ?? 0))).toBe(true)
    await tile.getByText('No footage at this time').waitFor({ state: 'detached', timeout: 30_000 })
    await shown(page, 4)
    expect(Math.max(...(await sample(page, 5)).map(spread))).toBeLessThanOrEqual(1)
  })

  test('the address keeps cameras, their order and the time; tiles move and go by their menus', async () => {
    await using tab = await app.open(`/multiview?cameras=${ids.slice(0, 3).join()}`)
    const { page } = tab
    const tiles = () =>
      page.locator('[data-tile]').evaluateAll((all) => all.map((one) => one.getAttribute('data-tile')))
    const menu = async (id: number | undefined, item: string) => {
      await page
        .locator(`[data-tile="${id}"]`)
        .getByRole('button', { name: /Actions for/ })
        .click(soon)
      await page.getByRole('menuitem', { name: item }).click(soon)
    }
    await expect.poll(tiles, { timeout: 30_000 }).toEqual(ids.slice(0, 3).map(String))
    await page
      .locator(`[data-tile="${ids[1]}"]`)
      .getByRole('button', { name: /Actions for/ })
      .focus()
    await expect.poll(() => page.locator('[data-tile][aria-current]').getAttribute('data-tile')).toBe(String(ids[1]))
    await menu(ids[0], 'Move forward one place')
    await expect.poll(tiles).toEqual([ids[1], ids[0], ids[2]].map(String))
    await page.locator(`[data-tile="${ids[2]}"]`).dragTo(page.locator(`[data-tile="${ids[1]}"]`))
    await expect.poll(tiles).toEqual([ids[2], ids[1], ids[0]].map(String))
    expect(new URL(page.url()).searchParams.get('cameras')).toBe([ids[2], ids[1], ids[0]].join())
    await menu(ids[2], 'Remove from this view')
    await expect.poll(tiles).toEqual([ids[1], ids[0]].map(String))
    await page.getByRole('button', { name: '10 seconds back' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('t')).not.toBeNull()
    await page.reload()
    await shown(page, 2)
    expect(await tiles()).toEqual([ids[1], ids[0]].map(String))
    await page.getByRole('button', { name: 'Choose cameras' }).click()
    const dialog = page.getByRole('dialog', { name: 'Choose cameras' })
    await dialog.getByRole('button', { name: 'All' }).click()
    await dialog.getByRole('button', { name: 'Show cameras' }).click()
    await shown(page, 4)
    await menu(ids[1], 'Show only this camera')
    await expect.poll(tiles).toEqual([String(ids[1])])
    await page.setViewportSize({ width: 360, height: 760 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
  })

  test('who may not watch footage sees live pictures only, and support without video sees none', async () => {
    await addUser(app, 'live-only@demo.example', { allCameras: true, rights: { playback: false } })
    await using tab = await app.open(`/multiview?t=${inAddress(gap.till)}`, 'live-only@demo.example')
    await tab.page.locator('[data-tile]').first().waitFor()
    expect(await tab.page.getByRole('slider', { name: 'Timeline' }).count()).toBe(0)
    await using support = await app.newPage()
    await lendToken(support.page, app.product.origin, await beginSupport(app, { video: 'hidden' }))
    await support.page.goto(`${app.product.origin}/app/multiview`)
    await support.page.getByText('You can’t watch video here').waitFor(soon)
    expect(await support.page.locator('[data-tile]').count()).toBe(0)
  })
})
