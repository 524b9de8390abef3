import { setTimeout as sleep } from 'node:timers/promises'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { Page } from 'playwright-core'
import { demoCameras } from '../../server/run/demo/demo-data.ts'
import { chromiumPath, openBrowser } from '../../tests/browser.ts'
import { startProduct } from '../../tests/running-product.ts'
import { callApi, fetchToken, openSignedIn } from '../../tests/signed-in.ts'
import { type Bench, type BenchResult, CannotMeasure, digits, type Figure, type Pace } from '../figure.ts'
import { median, quantile } from '../quantile.ts'
import { clipOfLongGroups } from '../recorder/load-clip.ts'
import { type DrawnPicture, forget, readShownPictures, toWriteTime, watchCanvases } from './browser-viewer.ts'
import { messageDelays } from './message-delays.ts'
import { type NodeView, watchInNode } from './node-viewer.ts'
import { addSimulatedCameras, type Owner, untilOnline } from './simulated-cameras.ts'

const OWNER = 'owner@demo.example'
const PATIENCE_MS = 20_000
const REST_MS = 150
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
  await untilOnline({ origin, token })
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
  const longGroups = await firstPicturesOfLongGroups(page, { origin, token }, plan.opens * 4)
  const camera = cameras[0]
  if (camera === undefined) throw new Error('the demonstration has no camera')
  await openCamera(page, camera.cameraId)
  await sleep(3000)
  await forget(page)
  const inNode = await watchInNode({ origin, token, cameraId: camera.cameraId }, plan.watchMs)
  const { seen } = await readShownPictures(page)
  const fps = await framesPerSecondOf(camera)
  return outcomeOf({ seen, inNode, fps, firsts, longGroups, complaints: tab.complaints })
}

/** From the click to the first picture of a camera that sends a key picture every ten seconds only. */
async function firstPicturesOfLongGroups(page: Page, owner: Owner, opens: number): Promise<readonly number[]> {
  const added = await addSimulatedCameras(owner, { count: 1, main: clipOfLongGroups() })
  await using _ = added.simulator
  const [cameraId = 0] = added.cameraIds
  await page.reload()
  const firsts: number[] = []
  for (let round = 0; round < opens; round += 1) {
    firsts.push(await firstPictureOf(page, cameraId))
    // Not always at the same place of the group.
    await sleep(700)
  }
  return firsts
}

/** Measures from the click on a camera in the list to its first picture, then returns to the list. */
async function firstPictureOf(page: Page, cameraId: number): Promise<number> {
  await forget(page)
  await openCamera(page, cameraId)
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { actedAt, seen } = await readShownPictures(page)
    const first = seen[0]
    if (first !== undefined && actedAt !== undefined) {
      await page.getByRole('link', { name: 'All cameras' }).click()
      return first.shownAt - actedAt
    }
    if (Date.now() > deadline) throw new Error(`camera ${cameraId} did not appear in the Web App`)
    await sleep(100)
  }
}

/** Presses the camera's link after the pointer has rested on it, as a hand does before it presses. */
async function openCamera(page: Page, cameraId: number): Promise<void> {
  const link = page.locator(`a[href="/app/cameras/${cameraId}"]`)
  await link.hover()
  await sleep(REST_MS)
  await link.click()
}

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
  readonly longGroups: readonly number[]
  readonly complaints: readonly string[]
}

function outcomeOf({ seen, inNode, fps, firsts, longGroups, complaints }: Measured): BenchResult {
  const sentAt = (counter: number) => toWriteTime(counter, fps)
  const shown = seen.map(({ counter, shownAt }) => shownAt - sentAt(counter))
  const drawn = seen.map(({ counter, drawnAt }) => drawnAt - sentAt(counter))
  const arrived = messageDelays(inNode, fps)
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
      { what: 'Camera writes → picture displayed, median', ...pair(0.5), target: { is: 'at most', value: 15 } },
      {
        what: 'Camera writes → picture displayed, 95th percentile',
        ...pair(0.95),
        target: { is: 'at most', value: 25 },
      },
      { what: 'Click on a camera → first picture, median', ...first(0.5), target: { is: 'at most', value: 120 } },
      {
        what: 'Click on a camera → first picture, 95th percentile',
        ...first(0.95),
        target: { is: 'at most', value: 200 },
      },
      {
        what: 'The same with a key picture every 10 s, median',
        ...first(0.5),
        ours: quantile(longGroups, 0.5),
        target: { is: 'at most', value: 150 },
      },
      { what: 'The same, 95th percentile', ...first(0.95), ours: quantile(longGroups, 0.95) },
    ],
    remarks: [
      `1080p at ${fps} pictures per second, in the Web App in headless Chromium, decoded in software; ${seen.length} of ${expected} pictures were on the screen at a refresh and identified by their counter; ${digits(median(drawn))} ms until drawn. The Node program received the same stream at the same time.`,
      `First picture: ${firsts.app.length} openings, with the app loaded and its list shown, from the press, before which the pointer rested on the camera for ${REST_MS} ms; in Node from requesting the ticket.`,
      'The camera should write each picture at a known time; its own delay counts as ours.',
      ...rest,
    ],
  }
}
