import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { Page } from 'playwright-core'
import { chromiumPath, openBrowser, type TestBrowser } from '../../tests/browser.ts'
import { callApi, openSignedIn } from '../../tests/signed-in.ts'
import { listBrowserProcesses } from '../browser-processes.ts'
import { type Bench, type BenchResult, CannotMeasure, type Pace } from '../figure.ts'
import { startWithCameras } from '../online-cameras.ts'
import { readMemory } from '../process-cost.ts'
import { median, quantile } from '../quantile.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

const OWNER = 'owner@demo.example'
/** In the window, with a margin. The others have small pictures, because the simulator runs on the same machine. */
const LARGE = 20
const MIB = 2 ** 20
/** Snapshots that the Web App fetches at once. */
const AT_ONCE = 4
/** Until the browser has started its own processes. */
const SETTLED_MS = 5000
interface Plan {
  readonly cameras: number
  readonly rounds: number
}
const PLANS: Readonly<Record<Pace, Plan>> = { full: { cameras: 200, rounds: 10 }, short: { cameras: 24, rounds: 2 } }

/** A list of 200 cameras: time until those in the window show their pictures, and memory of the browser. */
export const cameraList: Bench = {
  name: 'camera-list',
  title: 'List of 200 cameras',
  async run(pace) {
    if (chromiumPath === undefined) throw new CannotMeasure('there is no Chromium')
    return inTemporaryFolder((folder) => measure(folder, PLANS[pace]))
  },
}

async function measure(dataFolder: string, { cameras, rounds }: Plan): Promise<BenchResult> {
  const scene = await sceneClips('car-park')
  const small = { main: scene.sub, sub: scene.sub }
  const clips = Array.from({ length: cameras }, (_, at) => (at < LARGE ? scene : small))
  await using installed = await startWithCameras(dataFolder, { clips })
  const { product, token } = installed
  const online = installed.cameraIds.length
  await using browser = await openBrowser({ isWhole: true })
  const empty = await memoryOfEmptyPage(browser)
  const full = await memoryAfterScrolling(browser, product.origin)
  const { times, shown } = await loadTimes(browser, product.origin, rounds)
  const bare = await bareTimes({ origin: product.origin, token, shown, rounds })
  const beside = (share: number) => ({ name: 'its calls and pictures alone', value: quantile(bare, share) })
  return {
    figures: [
      {
        what: 'From navigation until all pictures are there, median',
        unit: 'ms',
        ours: median(times),
        beside: beside(0.5),
        target: { is: 'at most', value: 2000 },
      },
      { what: 'The same, longest', unit: 'ms', ours: Math.max(...times), beside: beside(1) },
      {
        what: 'Memory of the browser for the list, after scrolling through it (PSS)',
        unit: 'MiB',
        ours: (full.browser - empty) / MIB,
        beside: { name: 'the browser with an empty page', value: empty / MIB },
        target: { is: 'at most', value: 300 },
      },
    ],
    remarks: [
      `${cameras} simulated cameras, ${online} of them online; ${shown} in the window of 1440 × 900, 1080p, whose key pictures the browser decodes in software. ${rounds} loads of a page whose files the browser has kept.`,
      `The list's own process takes ${Math.round(full.largest / MIB)} MiB of it.`,
      `Alone: GET cameras, GET cameras/all/status and those snapshots, ${AT_ONCE} at once, received by Node and not decoded.`,
    ],
  }
}

async function openList(browser: TestBrowser, origin: string) {
  const tab = await browser.newPage()
  await tab.page.addInitScript({ path: join(import.meta.dirname, 'note-pictures.js') })
  await openSignedIn(tab.page, `${origin}/app/`, OWNER)
  return { tab, ...(await untilAllShown(tab.page)) }
}

/** A browser starts processes for its own purposes only once it has a page. */
async function memoryOfEmptyPage(browser: TestBrowser): Promise<number> {
  await using tab = await browser.newPage()
  await tab.page.setContent('<p>Empty</p>')
  await sleep(SETTLED_MS)
  return (await memoryOfBrowser()).browser
}

async function memoryAfterScrolling(browser: TestBrowser, origin: string): Promise<BrowserMemory> {
  const { tab } = await openList(browser, origin)
  await using _ = tab
  await scrollThrough(tab.page)
  return await memoryOfBrowser()
}

async function loadTimes(browser: TestBrowser, origin: string, rounds: number) {
  const { tab, shown } = await openList(browser, origin)
  await using _ = tab
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await tab.page.reload()
    times.push((await untilAllShown(tab.page)).took)
  }
  if (tab.complaints.length > 0) throw new Error(`the page complained: ${tab.complaints.join('; ')}`)
  return { times, shown }
}

interface Noted {
  readonly allShownMs?: number
  readonly shownCount?: number
}

async function untilAllShown(page: Page): Promise<{ readonly took: number; readonly shown: number }> {
  const noted = await page.waitForFunction(
    () => {
      const { allShownMs, shownCount } = globalThis as Noted
      return allShownMs === undefined ? undefined : { took: allShownMs, shown: shownCount ?? 0 }
    },
    undefined,
    { timeout: 60_000 },
  )
  return (await noted.jsonValue()) ?? { took: Number.NaN, shown: 0 }
}

async function scrollThrough(page: Page): Promise<void> {
  await page.mouse.move(700, 500)
  let before = -1
  for (let at = await readBottom(page); at !== before; at = await readBottom(page)) {
    before = at
    await page.mouse.wheel(0, 800)
    await sleep(400)
  }
}

/** Where the last camera ends, in pixels from the top of the window. */
const readBottom = (page: Page): Promise<number> =>
  page.evaluate("Math.round(document.querySelector('main li:last-child').getBoundingClientRect().bottom)")

interface BrowserMemory {
  /** Bytes (PSS) of all its processes. */
  readonly browser: number
  /** Of the process with the most. */
  readonly largest: number
}

async function memoryOfBrowser(): Promise<BrowserMemory> {
  const processes = await Promise.all((await listBrowserProcesses()).map(async (pid) => (await readMemory([pid])).pss))
  return { browser: processes.reduce((sum, pss) => sum + pss, 0), largest: Math.max(...processes) }
}

async function bareTimes(given: { origin: string; token: string; shown: number; rounds: number }): Promise<number[]> {
  const { origin, token, shown, rounds } = given
  const headers = { authorization: `Bearer ${token}`, accept: 'video/mp4, image/jpeg;q=0.1' }
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now()
    const [list] = await Promise.all([
      callApi<{ cameraId: number }[]>(origin, token, 'GET cameras'),
      callApi(origin, token, 'GET cameras/all/status'),
    ])
    const waiting = list.body.slice(0, shown).map(({ cameraId }) => cameraId)
    const worker = async () => {
      for (let cameraId = waiting.shift(); cameraId !== undefined; cameraId = waiting.shift()) {
        const answer = await fetch(`${origin}/rest/v2.4/cameras/${cameraId}/snapshot`, { headers })
        if (!answer.ok) throw new Error(`a snapshot answered ${answer.status}`)
        await answer.arrayBuffer()
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    times.push(performance.now() - begun)
  }
  return times
}
