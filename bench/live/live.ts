import { setTimeout as sleep } from 'node:timers/promises'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { Page } from 'playwright-core'
import { demoCameras } from '../../server/run/demo/demo-data.ts'
import { chromiumPath, openBrowser } from '../../tests/browser.ts'
import { startProduct } from '../../tests/running-product.ts'
import { callApi, fetchToken, openSignedIn } from '../../tests/signed-in.ts'
import { type Bench, type BenchResult, CannotMeasure, digits, type Figure, type Pace } from '../figure.ts'
import { median, quantile } from '../quantile.ts'
import { type DrawnPicture, forget, readShownPictures, watchCanvases } from './browser-viewer.ts'
import { type NodeView, watchInNode } from './node-viewer.ts'

const OWNER = 'owner@demo.example'
/** The start of the simulator's counter (camera-simulator/README.md). */
const EPOCH = Date.UTC(2026, 0, 1)
/** The server's and the simulator's clocks may differ slightly. */
const CLOCK_SLACK_MS = 3
const PATIENCE_MS = 20_000
const REPLAY_MS = 1000
const PLANS: Readonly<Record<Pace, { opens: number; watchMs: number }>> = {
  full: { opens: 5, watchMs: 30_000 },
  short: { opens: 1, watchMs: 5000 },
}

/** Latency from camera to the Web App's screen, compared with a program that only receives the stream. */
export const live: Bench = {
  name: 'live',
  title: 'Live view',
  async run(pace) {
    if (chromiumPath === undefined) throw new CannotMeasure('there is no Chromium')
    return measure(PLANS[pace])
  },
}

interface Camera {
  readonly cameraId: number
  readonly name: string
}

async function measure(plan: { opens: number; watchMs: number }): Promise<BenchResult> {
  await using product = await startProduct()
  const { origin } = product
  const token = await fetchToken(origin, OWNER)
  const { body: cameras } = await callApi<Camera[]>(origin, token, 'GET cameras')
  await untilOnline(origin, token)
  await using browser = await openBrowser({ isWhole: true })
  await using tab = await browser.newPage()
  const { page } = tab
  await watchCanvases(page)
  await openSignedIn(page, `${origin}/app/`)
  const firsts = { app: [] as number[], node: [] as number[] }
  for (let round = 0; round < plan.opens; round += 1) {
    for (const { cameraId } of cameras) {
      firsts.app.push(await firstPictureOf(page, cameraId))
      firsts.node.push((await watchInNode({ origin, token, cameraId }, 1000)).firstPictureMs)
    }
  }
  const camera = cameras[0]
  if (camera === undefined) throw new Error('the demonstration has no camera')
  await openCamera(page, camera.cameraId)
  await sleep(3000)
  await forget(page)
  const inNode = await watchInNode({ origin, token, cameraId: camera.cameraId }, plan.watchMs)
  const { seen } = await readShownPictures(page)
  const fps = await framesPerSecondOf(camera)
  return outcomeOf({ seen, inNode, fps, firsts, complaints: tab.complaints })
}

async function untilOnline(origin: string, token: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { body } = await callApi<{ online: boolean }[]>(origin, token, 'GET cameras/all/status')
    if (body.every(({ online }) => online)) return
    if (Date.now() > deadline) throw new Error('the cameras of the demonstration did not come online')
    await sleep(200)
  }
}

/** Measures from the click on a camera in the list to its first picture, then returns to the list. */
async function firstPictureOf(page: Page, cameraId: number): Promise<number> {
  await forget(page)
  await openCamera(page, cameraId)
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { clickedAt, seen } = await readShownPictures(page)
    const first = seen[0]
    if (first !== undefined && clickedAt !== undefined) {
      await page.getByRole('link', { name: 'All cameras' }).click()
      return first.shownAt - clickedAt
    }
    if (Date.now() > deadline) throw new Error(`camera ${cameraId} did not appear in the Web App`)
    await sleep(100)
  }
}

const openCamera = (page: Page, cameraId: number): Promise<void> =>
  page.locator(`a[href="/app/cameras/${cameraId}"]`).click()

async function framesPerSecondOf(camera: Camera): Promise<number> {
  const scene = demoCameras.find(({ name }) => name === camera.name)?.scene
  if (scene === undefined) throw new Error(`${camera.name} is no camera of the demonstration`)
  return (await sceneClips(scene)).main.framesPerSecond
}

interface Measured {
  readonly seen: readonly DrawnPicture[]
  readonly inNode: NodeView
  readonly fps: number
  readonly firsts: { readonly app: readonly number[]; readonly node: readonly number[] }
  readonly complaints: readonly string[]
}

function outcomeOf({ seen, inNode, fps, firsts, complaints }: Measured): BenchResult {
  const sentAt = (counter: number) => EPOCH + (counter * 1000) / fps
  const shown = seen.map(({ counter, shownAt }) => shownAt - sentAt(counter))
  const drawn = seen.map(({ counter, drawnAt }) => drawnAt - sentAt(counter))
  const arrived = arrivalsOf(inNode, fps)
  const name = 'message there, in Node'
  const pair = (share: number): Pick<Figure, 'unit' | 'ours' | 'beside'> => ({
    unit: 'ms',
    ours: quantile(shown, share),
    beside: { name, value: quantile(arrived, share) },
  })
  const first = (share: number) => ({
    unit: 'ms',
    ours: quantile(firsts.app, share),
    beside: { name: 'first key picture received, in Node', value: quantile(firsts.node, share) },
  })
  const expected = (seen.at(-1)?.counter ?? 0) - (seen[0]?.counter ?? 0) + 1
  const rest = complaints.length === 0 ? [] : [`Errors on the page: ${complaints.join('; ')}`]
  return {
    figures: [
      { what: 'Camera writes → picture displayed, median', ...pair(0.5) },
      { what: 'Camera writes → picture displayed, 95th percentile', ...pair(0.95) },
      { what: 'Click on a camera → first picture, median', ...first(0.5), target: { is: 'at most', value: 500 } },
      { what: 'Click on a camera → first picture, 95th percentile', ...first(0.95) },
    ],
    remarks: [
      `1080p at ${fps} pictures per second, in the Web App in headless Chromium, decoded in software; ${seen.length} of ${expected} pictures were on the screen at a refresh and identified by their counter; ${digits(median(drawn))} ms until drawn. The Node program received the same stream at the same time.`,
      `First picture: ${firsts.app.length} openings, with the app loaded and its list shown; in Node from requesting the ticket.`,
      'The camera should write each picture at a known time; its own delay counts as ours.',
      ...rest,
    ],
  }
}

/** The time from each picture's writing by the camera to its message's arrival. */
function arrivalsOf({ arrived, offsets }: NodeView, fps: number): number[] {
  const frameMs = 1000 / fps
  const first = arrived[0]
  if (first === undefined) return []
  // A mark has the time when a picture's first byte reached the server, which is never before it was sent. So the earliest
  // counter that any mark allows is correct.
  const takenAt = Math.min(...offsets) + first.mediaTime + CLOCK_SLACK_MS
  const sentFirst = EPOCH + Math.floor((takenAt - EPOCH) / frameMs) * frameMs
  // A viewer first gets the pictures since the last key picture, which are not current.
  return arrived
    .filter(({ at }) => at - first.at > REPLAY_MS)
    .map(({ mediaTime, at }) => at - (sentFirst + mediaTime - first.mediaTime))
}
