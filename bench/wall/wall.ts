import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import { build } from 'vite'
import { chromiumPath, openBrowser, type TestBrowser } from '../../tests/browser.ts'
import { type Bench, type BenchResult, CannotMeasure, type Pace } from '../figure.ts'
import { watchInNode } from '../live/node-viewer.ts'
import { type SimulatedInstallation, startWithCameras } from '../online-cameras.ts'
import { median } from '../quantile.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

/** What page.js needs of an account to show its cameras. */
interface WallInput {
  readonly token: string
  readonly cameraIds: readonly number[]
}

/** What page.js gives to the bench. */
interface WallPage {
  openWall(input: WallInput): Promise<readonly number[]>
}

const STREAMS = 36
/** Pictures are sent from the last key picture on, which is at most this old. */
const WATCH_MS = 6000
const ROUNDS: Readonly<Record<Pace, number>> = { full: 10, short: 2 }

/** 36 cameras on one page, as on a wall of screens: how long until the last one is live. */
export const wall: Bench = {
  name: 'wall',
  title: '36 live pictures on one page',
  async run(pace) {
    if (chromiumPath === undefined) throw new CannotMeasure('there is no Chromium')
    return inTemporaryFolder((folder) => measure(folder, ROUNDS[pace]))
  },
}

async function measure(dataFolder: string, rounds: number): Promise<BenchResult> {
  const scene = await sceneClips('car-park')
  // The main streams are recorded beside it, and 36 of them in full size would be a load of their own.
  const clips = Array.from({ length: STREAMS }, () => ({ main: scene.sub, sub: scene.sub }))
  await using installed = await startWithCameras(dataFolder, { clips, subPath: '/sub' })
  const script = await bundlePage()
  await using browser = await openBrowser({ isWhole: true })
  const [last, middle, bare]: number[][] = [[], [], []]
  for (let round = 0; round < rounds; round += 1) {
    const times = await openOnce(browser, { installed, script })
    last?.push(Math.max(...times))
    middle?.push(median(times))
    bare?.push(await openInNode(installed))
  }
  return {
    figures: [
      {
        what: 'From opening them until the last is live, longest',
        unit: 'ms',
        ours: Math.max(...(last ?? [])),
        beside: { name: 'first key picture of all received, in Node', value: Math.max(...(bare ?? [])) },
        target: { is: 'at most', value: 3000 },
      },
      {
        what: 'The same, median',
        unit: 'ms',
        ours: median(last ?? []),
        beside: { name: 'first key picture of all received, in Node', value: median(bare ?? []) },
      },
      { what: 'Until half of them are live, median', unit: 'ms', ours: median(middle ?? []) },
    ],
    remarks: [
      `The sub-streams of ${STREAMS} cameras, 640 × 360 at ${scene.sub.framesPerSecond} pictures a second, each on a connection and with a ticket of its own, in headless Chromium, decoded in software; ${rounds} times. All streams are recorded meanwhile.`,
      'A page of the bench with the player of the Web App, because Multiview shows nine cameras at most.',
    ],
  }
}

async function openOnce(
  browser: TestBrowser,
  { installed, script }: { readonly installed: SimulatedInstallation; readonly script: string },
): Promise<readonly number[]> {
  const { product, token, cameraIds } = installed
  await using tab = await browser.newPage()
  // A page of the product's own address, because a browser lets no other one connect to this machine.
  const devTools = await tab.context.newCDPSession(tab.page)
  await devTools.send('Page.setBypassCSP', { enabled: true })
  await tab.page.goto(`${product.origin}/robots.txt`)
  await tab.page.addScriptTag({ content: script, type: 'module' })
  const input = { token, cameraIds }
  const times = await tab.page.evaluate(
    (given: WallInput) => (globalThis as unknown as WallPage).openWall(given),
    input satisfies WallInput,
  )
  if (tab.complaints.length > 0) throw new Error(`the page complained: ${tab.complaints.join('; ')}`)
  // Tickets of one user are limited to a few per second after the first forty.
  await sleep(WATCH_MS)
  return times
}

async function openInNode({ product, token, cameraIds }: SimulatedInstallation): Promise<number> {
  const watch = (cameraId: number) => watchInNode({ origin: product.origin, token, cameraId, stream: 'sub' }, WATCH_MS)
  const views = await Promise.all(cameraIds.map(watch))
  return Math.max(...views.map(({ firstPictureMs }) => firstPictureMs))
}

/** The script of the page as text. */
async function bundlePage(): Promise<string> {
  const entry = join(import.meta.dirname, 'page.js')
  const made = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'es2022', rolldownOptions: { input: entry } },
  })
  const outputs = Array.isArray(made) ? made : [made]
  const chunk = outputs.flatMap((one) => ('output' in one ? one.output : [])).find((one) => one.type === 'chunk')
  if (chunk === undefined) throw new Error('the page of the wall could not be built')
  return chunk.code
}
