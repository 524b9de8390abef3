import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { Page } from 'playwright-core'
import { chromiumPath, openBrowser, type TestBrowser } from '../../tests/browser.ts'
import { startProduct } from '../../tests/running-product.ts'
import { callApi, fetchToken, openUserPage } from '../../tests/signed-in.ts'
import { listBrowserProcesses } from '../browser-processes.ts'
import { type Bench, type BenchResult, CannotMeasure, type Figure, type Pace } from '../figure.ts'
import { type DrawnPicture, forget, readShownPictures, toWriteTime, watchCanvases } from '../live/browser-viewer.ts'
import { messageDelays } from '../live/message-delays.ts'
import { watchInNode } from '../live/node-viewer.ts'
import { addSimulatedCameras, type Owner, untilOnline } from '../live/simulated-cameras.ts'
import { processorSeconds } from '../process-cost.ts'
import { quantile } from '../quantile.ts'

const TILES = 9
const SETTLE_MS = 6000
const WATCH_MS: Readonly<Record<Pace, number>> = { full: 30_000, short: 5000 }

/** Nine cameras live in the Web App: delay, pictures that are left out, and what the browser costs. */
export const multiview: Bench = {
  name: 'multiview',
  title: 'Nine cameras live',
  async run(pace) {
    if (chromiumPath === undefined) throw new CannotMeasure('there is no Chromium')
    return measure(WATCH_MS[pace])
  },
}

async function measure(watchMs: number): Promise<BenchResult> {
  await using product = await startProduct()
  const { origin } = product
  const owner = { origin, token: await fetchToken(origin, 'owner@demo.example') }
  await untilOnline(owner)
  const { body: demonstration } = await callApi<{ cameraId: number }[]>(origin, owner.token, 'GET cameras')
  const added = await addSimulatedCameras(owner, { count: TILES - demonstration.length })
  await using _ = added.simulator
  const cameraIds = [...demonstration.map(({ cameraId }) => cameraId), ...added.cameraIds]
  await using browser = await openBrowser({ isWhole: true })
  const cores = await coresOfBrowser(browser, { owner, cameraIds, watchMs })
  const { framesPerSecond: fps, path } = (await sceneClips('car-park')).sub
  const { seen, arrived, complaints } = await picturesOf(browser, { owner, cameraIds, watchMs, fps })
  if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('; ')}`)
  return {
    figures: figuresOf({ seen, arrived, cores, fps, decoding: decodingCores(path, fps) }),
    remarks: remarksOf(fps),
  }
}

interface Watching {
  readonly owner: Owner
  readonly cameraIds: readonly number[]
  readonly watchMs: number
}

const open = (page: Page, { owner, cameraIds }: Watching): Promise<void> =>
  openUserPage(page, `${owner.origin}/app/multiview?cameras=${cameraIds.join()}`)

/** Processor time of the whole browser divided by wall time, on a page whose pixels nobody reads. */
async function coresOfBrowser(browser: TestBrowser, watching: Watching): Promise<number> {
  await using tab = await browser.newPage()
  await open(tab.page, watching)
  await sleep(SETTLE_MS)
  const processes = await listBrowserProcesses()
  const [began, before] = [performance.now(), await processorSeconds(processes)]
  await sleep(watching.watchMs)
  return (((await processorSeconds(processes)) - before) * 1000) / (performance.now() - began)
}

async function picturesOf(browser: TestBrowser, watching: Watching & { readonly fps: number }) {
  await using tab = await browser.newPage()
  const { page, complaints } = tab
  await watchCanvases(page)
  await open(page, watching)
  await sleep(SETTLE_MS)
  await forget(page)
  const { owner, cameraIds, watchMs, fps } = watching
  const inNode = await watchInNode({ ...owner, cameraId: cameraIds[0] ?? 0, stream: 'sub' }, watchMs)
  const { seen } = await readShownPictures(page)
  return { seen, arrived: messageDelays(inNode, fps), complaints }
}

/** Cores that ffmpeg takes to decode as many pictures of the sub-stream, with one thread and without showing them. */
function decodingCores(path: string, fps: number): number {
  const rounds = 10
  const input = ['-f', 'h264', '-threads', '1', '-stream_loop', String(rounds - 1), '-i', path]
  const { stderr } = spawnSync('ffmpeg', ['-v', 'info', '-benchmark', ...input, '-f', 'null', '-'], {
    encoding: 'utf8',
  })
  const seconds = Number(/utime=([\d.]+)s/.exec(stderr ?? '')?.[1])
  const pictures = Number([...(stderr ?? '').matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1])
  if (!Number.isFinite(seconds / pictures)) throw new CannotMeasure('ffmpeg is needed to decode for comparison')
  return (seconds / pictures) * fps * TILES
}

interface Measured {
  readonly seen: readonly DrawnPicture[]
  readonly arrived: readonly number[]
  readonly cores: number
  readonly decoding: number
  readonly fps: number
}

function figuresOf({ seen, arrived, cores, decoding, fps }: Measured): readonly Figure[] {
  const delays = seen.map(({ counter, shownAt }) => shownAt - toWriteTime(counter, fps))
  const tiles = Map.groupBy(seen, ({ tile }) => tile)
  const shares = [...tiles.values()].map(shareShown)
  const beside = (share: number) => ({ name: 'message there, in Node, one camera', value: quantile(arrived, share) })
  return [
    { what: 'Camera writes → picture displayed, median', unit: 'ms', ours: quantile(delays, 0.5), beside: beside(0.5) },
    {
      what: 'Camera writes → picture displayed, 95th percentile',
      unit: 'ms',
      ours: quantile(delays, 0.95),
      beside: beside(0.95),
      target: { is: 'at most', value: 60 },
    },
    { what: 'Cameras that are shown', unit: '', ours: tiles.size, target: { is: 'at least', value: TILES } },
    {
      what: 'Pictures shown, of the camera with the fewest',
      unit: '%',
      ours: 100 * Math.min(...shares),
      target: { is: 'at least', value: 99 },
    },
    {
      what: 'Processor of the whole browser',
      unit: 'cores',
      ours: cores,
      beside: { name: 'ffmpeg decoding the same pictures', value: decoding },
      target: { is: 'at most', value: 1 },
    },
  ]
}

/** Of the pictures between the first and the last that were seen. */
function shareShown(seen: readonly DrawnPicture[]): number {
  const counters = new Set(seen.map(({ counter }) => counter))
  return counters.size / (Math.max(...counters) - Math.min(...counters) + 1)
}

const remarksOf = (fps: number): readonly string[] => [
  `Multiview with the sub-streams of nine cameras, 640 × 360 at ${fps} pictures a second, in headless Chromium with a window of 1440 × 900, decoded and composed in software. Every camera is recorded meanwhile.`,
  'The processor is measured on a page of its own, because reading the counters from the pixels costs some, too. The camera should write each picture at a known time; its own delay counts as ours.',
]
