import { setTimeout as sleep } from 'node:timers/promises'
import { launchSimulator, type SimulatorProcess } from '@sightline/camera-simulator/launch'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { encodePasswordHeader, PASSWORD_HEADER } from '@sightline/contract/credentials'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { DEMO_PASSWORD } from '../running-product.ts'
import { readCounters } from '../screen-picture.ts'
import { fetchToken } from '../signed-in.ts'
import { inAddress, RECORDED, setSpeed, typeTime, untilStill } from '../stage.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

const login = { username: 'viewer', password: 'right one' }
const CAMERAS = 9
/** Of the sub-streams, 640×360. */
const PICTURES_PER_SECOND = 15
/** The start of the simulator's counters (camera-simulator/src/settings.ts). */
const COUNTED_FROM = Date.UTC(2026, 0, 1)
const getCounter = (moment: number) => Math.floor(((moment - COUNTED_FROM) * PICTURES_PER_SECOND) / 1000)
const SECOND = 1000

const spread = (counters: readonly number[]) => Math.max(...counters) - Math.min(...counters)

/** The account has room for ten cameras. */
async function removeCameras({ product: { origin }, ask }: RunningWebApp): Promise<void> {
  const token = await fetchToken(origin, 'owner@demo.example')
  const headers = { authorization: `Bearer ${token}`, [PASSWORD_HEADER]: encodePasswordHeader(DEMO_PASSWORD) }
  for (const { cameraId } of await ask<{ cameraId: number }[]>('GET cameras'))
    await fetch(`${origin}/rest/v2.4/cameras/${cameraId}`, { method: 'DELETE', headers })
}

interface Gaps {
  readonly gaps: readonly { readonly start: string; readonly end: string; readonly reason: string }[]
}

/** Decodes 135 pictures of nine recordings a second, and 540 at four times the speed. */
describe.skipIf(chromiumPath === undefined)('nine recorded cameras', () => {
  let app: RunningWebApp
  let simulator: SimulatorProcess
  let ids: number[]
  let timeZone: string
  /** The first camera was private: it has no footage in this time. */
  let gap: { from: number; till: number }

  beforeAll(async () => {
    const { sub, ...others } = await sceneClips('corridor')
    const clips = { ...others, sub: { ...sub, framesPerSecond: PICTURES_PER_SECOND } }
    simulator = await launchSimulator({
      cameras: Array.from({ length: CAMERAS }, (_, at) => ({
        name: `Camera ${at}`,
        mac: `02:00:00:00:01:0${at}`,
        ...login,
        clips,
      })),
    })
    app = await startWebApp()
    ;({ timeZone } = await app.ask<{ timeZone: string }>('GET accounts/self/timeZone'))
    await removeCameras(app)
    const zones = await app.ask<{ zoneId: number; name: string }[]>('GET zones')
    const zoneId = zones.find(({ name }) => name === 'Outside')?.zoneId
    const added = await Promise.all(
      simulator.cameras.map(({ onvifPort: port }, index) =>
        app.ask<{ cameraId: number }>('POST cameras', {
          ...{ name: `Camera ${index}`, zoneId, ...login },
          ...{ address: '127.0.0.1', port },
        }),
      ),
    )
    ids = added.map(({ cameraId }) => cameraId)
    for (const cameraId of ids) await app.ask(`GET cameras/${cameraId}/additionStatus/poll`)
    await sleep(20 * SECOND)
    const began = new Date().toISOString()
    await app.ask(`PATCH cameras/${ids[0]}/mode`, { mode: 'private' })
    await sleep(6 * SECOND)
    await app.ask(`PATCH cameras/${ids[0]}/mode`, { mode: 'armed' })
    await sleep(90 * SECOND)
    const till = new Date().toISOString()
    const { gaps } = await app.ask<Gaps>(
      `GET cameras/${ids[0]}/recordingTimeline?from=${began}&till=${till}&resolution=1`,
    )
    const own = gaps.find(({ reason }) => reason === 'mode')
    gap = { from: Date.parse(own?.start ?? ''), till: Date.parse(own?.end ?? '') }
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await simulator.stop()
  })

  const open = (moment: number) => app.open(`/multiview?cameras=${ids.join()}&t=${inAddress(moment)}`)

  const countShown = async (page: Page) =>
    (await readCounters(page, RECORDED)).filter((counter) => counter !== undefined).length
  const untilShown = (page: Page) =>
    expect.poll(() => countShown(page), { timeout: 60_000, interval: 500 }).toBe(CAMERAS)
  /** Until all nine show pictures from that time on. */
  const untilAt = (page: Page, moment: number) =>
    expect
      .poll(async () => Math.min(...(await readCounters(page, RECORDED)).map((one) => one ?? 0)), { timeout: 60_000 })
      .toBeGreaterThanOrEqual(getCounter(moment))

  /** Counters of all nine at one moment, again and again, and how far they are apart. */
  async function watch(page: Page, seconds: number): Promise<{ firsts: number[]; apart: number[] }> {
    const firsts: number[] = []
    const apart: number[] = []
    const end = performance.now() + seconds * SECOND
    while (performance.now() < end) {
      const counters = (await readCounters(page, RECORDED)).filter((counter) => counter !== undefined)
      if (counters.length === CAMERAS) {
        firsts.push(counters[0] ?? 0)
        apart.push(spread(counters))
      }
      await sleep(150)
    }
    return { firsts, apart }
  }

  const text = ({ firsts, apart }: { firsts: number[]; apart: number[] }) =>
    `${firsts.length} readings over ${(((firsts.at(-1) ?? 0) - (firsts[0] ?? 0)) / PICTURES_PER_SECOND).toFixed(1)} s of footage, ${Math.max(...apart)} apart at most`

  test('are sub-streams of 640×360 and one picture apart at most, two at four times the speed', async ({
    annotate,
  }) => {
    await using tab = await open(gap.till + 4 * SECOND)
    const { page } = tab
    await untilShown(page)
    const sizes = await page
      .locator(RECORDED)
      .evaluateAll((all) => all.map((one) => [(one as HTMLCanvasElement).width, (one as HTMLCanvasElement).height]))
    expect(sizes).toEqual(Array.from({ length: CAMERAS }, () => [640, 360]))
    const normal = await watch(page, 10)
    await annotate(`1×: ${text(normal)}`)
    await setSpeed(page, '4×')
    await sleep(SECOND)
    const fast = await watch(page, 8)
    await annotate(`4×: ${text(fast)}`)
    expect(normal.firsts.length).toBeGreaterThan(5)
    expect(Math.max(...normal.apart)).toBeLessThanOrEqual(1)
    expect((normal.firsts.at(-1) ?? 0) - (normal.firsts[0] ?? 0)).toBeGreaterThan(5 * PICTURES_PER_SECOND)
    expect(fast.firsts.length).toBeGreaterThan(5)
    expect(Math.max(...fast.apart)).toBeLessThanOrEqual(2)
    expect((fast.firsts.at(-1) ?? 0) - (fast.firsts[0] ?? 0)).toBeGreaterThan(15 * PICTURES_PER_SECOND)
    expect(tab.complaints).toEqual([])
  })

  test('are in step again behind a gap of one of them, and after a jump', async ({ annotate }) => {
    await using tab = await open(gap.from - 4 * SECOND)
    const { page } = tab
    const first = page.locator(`[data-tile="${ids[0]}"]`)
    await first.getByText('No footage at this time').waitFor({ timeout: 60_000 })
    const others = (await readCounters(page, `${RECORDED}:not([data-camera="${ids[0]}"])`)).map((one) => one ?? 0)
    await annotate(`while the first has no footage: ${spread(others)} apart`)
    expect(spread(others)).toBeLessThanOrEqual(1)
    await first.getByText('No footage at this time').waitFor({ state: 'detached', timeout: 60_000 })
    await untilAt(page, gap.till)
    const behind = await watch(page, 6)
    await annotate(`behind the gap: ${text(behind)}`)
    await typeTime(page, gap.till + 60 * SECOND, timeZone)
    await untilAt(page, gap.till + 58 * SECOND)
    const jumped = await watch(page, 6)
    await annotate(`after a jump: ${text(jumped)}`)
    for (const { firsts, apart } of [behind, jumped]) {
      expect(firsts.length).toBeGreaterThan(5)
      expect(Math.max(...apart)).toBeLessThanOrEqual(1)
    }
    expect(tab.complaints).toEqual([])
  })

  test('show the picture of the same moment while they stand still, and single steps keep them together', async () => {
    await using tab = await open(gap.till + 10 * SECOND)
    const { page } = tab
    await untilShown(page)
    await page.keyboard.press('k')
    let time = await untilStill(page)
    await typeTime(page, gap.till + 30 * SECOND, timeZone)
    time = await untilStill(page, time)
    const read = async () => (await readCounters(page, RECORDED)).map((one) => one ?? 0)
    const start = await read()
    expect(Math.max(...start.map((one) => Math.abs(one - getCounter(time))))).toBeLessThanOrEqual(1)
    const path = [start]
    for (const key of ['.', '.', '.', '.', '.', ',', ',', ',', ',', ',']) {
      await page.keyboard.press(key)
      time = await untilStill(page, time)
      path.push(await read())
    }
    const [own = 0] = start
    expect(path.map(([counter = 0]) => counter - own)).toEqual([0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0])
    expect(Math.max(...path.map(spread))).toBeLessThanOrEqual(1)
    expect(path.at(-1)).toEqual(start)
  })

  test('go back in step', async ({ annotate }) => {
    await using tab = await open(gap.till + 60 * SECOND)
    const { page } = tab
    await untilShown(page)
    await setSpeed(page, '−1×')
    await sleep(2 * SECOND)
    const back = await watch(page, 8)
    await annotate(`−1×: ${text(back)}`)
    expect(back.firsts.length).toBeGreaterThan(5)
    expect(Math.max(...back.apart)).toBeLessThanOrEqual(1)
    expect(back.firsts.at(-1) ?? 0).toBeLessThan((back.firsts[0] ?? 0) - 3 * PICTURES_PER_SECOND)
  })
})
