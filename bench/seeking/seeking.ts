import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { chromiumPath, openBrowser, type TestBrowser } from '../../tests/browser.ts'
import { type RunningProduct, startProduct } from '../../tests/running-product.ts'
import { callApi, fetchToken, openSignedIn } from '../../tests/signed-in.ts'
import { type Bench, type BenchResult, CannotMeasure, type Figure, type Pace } from '../figure.ts'
import {
  forget,
  millisecondsUntilShown,
  toCounter,
  untilPicture,
  untilStill,
  watchCanvases,
} from '../live/browser-viewer.ts'
import { quantile } from '../quantile.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'
import { measureJump, openBareVideo, serveBareVideo, setPlaying } from './bare-video.ts'

/** Of the simulated cameras' main streams. */
const FRAMES_PER_SECOND = 25
const OWNER = 'owner@demo.example'
const PATIENCE_MS = 15_000
/** Jumps stay away from both ends of the footage. */
const MARGIN_MS = 5000
interface Plan {
  readonly recordMs: number
  readonly seeks: number
  readonly steps: number
}
const PLANS: Readonly<Record<Pace, Plan>> = {
  full: { recordMs: 120_000, seeks: 40, steps: 60 },
  short: { recordMs: 20_000, seeks: 3, steps: 5 },
}

/** Jumps and single pictures in encrypted footage, compared with a video element that has the same footage as a file. */
export const seeking: Bench = {
  name: 'seeking',
  title: 'Jumps and single pictures',
  async run(pace) {
    if (chromiumPath === undefined) throw new CannotMeasure('there is no Chromium')
    return inTemporaryFolder((folder) => measure(folder, PLANS[pace]))
  },
}

interface Footage {
  readonly cameraId: number
  readonly from: number
  readonly till: number
}

/** The figures of one way to watch, in milliseconds. */
interface Times {
  readonly paused: number[]
  readonly playing: number[]
  readonly forward: number[]
  readonly back: number[]
}

async function measure(folder: string, plan: Plan): Promise<BenchResult> {
  await using product = await startProduct()
  const token = await fetchToken(product.origin, OWNER)
  const { body: cameras } = await callApi<{ cameraId: number }[]>(product.origin, token, 'GET cameras')
  const cameraId = cameras[0]?.cameraId ?? 0
  const from = Date.now() + 2 * MARGIN_MS
  await sleep(2 * MARGIN_MS + plan.recordMs)
  const footage = { cameraId, from, till: from + plan.recordMs - MARGIN_MS }
  await using browser = await openBrowser({ isWhole: true })
  const targets = targetsOf(footage, plan.seeks)
  const beside = await inVideoElement({ browser, folder, product, token }, footage, { targets, steps: plan.steps })
  const ours = await inWebApp(browser, product, footage, { targets, steps: plan.steps })
  return { figures: figuresOf(ours, beside), remarks: remarksOf(plan) }
}

/** Whole seconds, because that is what people type, each at least three seconds from the one before. */
function targetsOf({ from, till }: Footage, count: number): readonly number[] {
  const seconds = Math.floor((till - from - 2 * MARGIN_MS) / 1000)
  const first = Math.ceil((from + MARGIN_MS) / 1000) * 1000
  // The golden ratio spreads them evenly and never repeats the one before.
  return Array.from({ length: count }, (_, n) => first + Math.floor(((n * 0.618_033_988_7) % 1) * seconds) * 1000)
}

/** Types a time into the field "Go to". */
async function typeTime(page: Page, moment: number, timeZone: string): Promise<void> {
  const clock = { timeZone, hourCycle: 'h23', timeStyle: 'medium' } as const
  await page.getByRole('textbox', { name: 'Go to' }).fill(new Intl.DateTimeFormat('en-US', clock).format(moment))
  await page.keyboard.press('Enter')
}

interface Work {
  readonly targets: readonly number[]
  readonly steps: number
}

async function inWebApp(
  browser: TestBrowser,
  product: RunningProduct,
  { cameraId, from }: Footage,
  { targets, steps }: Work,
): Promise<Times> {
  await using tab = await browser.newPage()
  const { page } = tab
  await watchCanvases(page)
  await openSignedIn(
    page,
    `${product.origin}/app/cameras/${cameraId}?t=${encodeURIComponent(new Date(from + MARGIN_MS).toISOString())}`,
  )
  await untilPicture(page, PATIENCE_MS)
  const { timeZone } = (
    await callApi<{ timeZone: string }>(
      product.origin,
      await fetchToken(product.origin, OWNER),
      'GET accounts/self/timeZone',
    )
  ).body
  const jump = async (target: number) => {
    await forget(page)
    await typeTime(page, target, timeZone)
    const counter = toCounter(target, FRAMES_PER_SECOND)
    return millisecondsUntilShown(page, { from: counter - 1, till: counter + FRAMES_PER_SECOND, withinMs: PATIENCE_MS })
  }
  const playing = await each(targets, jump)
  await page.keyboard.press('k')
  await untilStill(page, PATIENCE_MS)
  const paused = await each(targets, jump)
  let time = await untilStill(page, PATIENCE_MS)
  const step = (key: string) => async () => {
    await forget(page)
    await page.keyboard.press(key)
    const took = await millisecondsUntilShown(page, { from: 0, till: Number.MAX_SAFE_INTEGER, withinMs: PATIENCE_MS })
    time = await untilStill(page, PATIENCE_MS, time)
    return took
  }
  const forward = await each(Array.from({ length: steps }), step('.'))
  const back = await each(Array.from({ length: steps }), step(','))
  if (tab.complaints.length > 0) throw new Error(`the page complained: ${tab.complaints.join('; ')}`)
  return { paused, playing, forward, back }
}

async function each<T>(values: readonly T[], once: (value: T) => Promise<number>): Promise<number[]> {
  const taken: number[] = []
  for (const value of values) {
    taken.push(await once(value))
    // Somebody looks at what came; without it, a jump would meet the work of the one before.
    await sleep(300)
  }
  return taken
}

interface BareGiven {
  readonly browser: TestBrowser
  readonly folder: string
  readonly product: RunningProduct
  readonly token: string
}

async function inVideoElement(
  { browser, folder, product, token }: BareGiven,
  { cameraId, from, till }: Footage,
  { targets, steps }: Work,
): Promise<Times> {
  const range = { from: new Date(from).toISOString(), till: new Date(till).toISOString() }
  const ticket = await callApi<{ url: string }>(product.origin, token, `POST cameras/${cameraId}/streamTickets`, {
    use: 'mp4',
    ...range,
  })
  const received = await fetch(ticket.body.url)
  if (!received.ok) throw new Error(`the MP4 file answered ${received.status}`)
  const [whole, file] = [join(folder, 'whole.mp4'), join(folder, 'footage.mp4')]
  await writeFile(whole, Buffer.from(await received.arrayBuffer()))
  const words = ['-v', 'error', '-i', whole, '-an', '-c', 'copy', '-movflags', '+faststart', file]
  const { status, stderr } = spawnSync('ffmpeg', words, { encoding: 'utf8' })
  if (status !== 0) throw new CannotMeasure(`ffmpeg is needed to write the file: ${stderr ?? 'not installed'}`)
  await using served = await serveBareVideo(file)
  await using tab = await browser.newPage()
  const { page } = tab
  await openBareVideo(page, served)
  const jump = (target: number) => measureJump(page, (target - from) / 1000)
  // Nothing new is shown by a jump to where it is already.
  await jump(targets[0] ?? from + 1000)
  await setPlaying(page, true)
  const playing = await each(targets, jump)
  await setPlaying(page, false)
  const paused = await each(targets, jump)
  const at = (n: number) => (targets.at(-1) ?? from) + (n + 0.5) * (1000 / FRAMES_PER_SECOND)
  const numbers = Array.from({ length: steps }, (_, n) => n + 1)
  const forward = await each(numbers, (n) => jump(at(n)))
  const back = await each(numbers, (n) => jump(at(steps - n)))
  return { paused, playing, forward, back }
}

const rows: readonly { what: string; of: keyof Times; median: number; late?: number }[] = [
  { what: 'Jump while paused → its picture', of: 'paused', median: 80, late: 150 },
  { what: 'Jump while playing → its picture', of: 'playing', median: 80, late: 150 },
  { what: 'One picture forward', of: 'forward', median: 30 },
  { what: 'One picture back', of: 'back', median: 60 },
]

function figuresOf(ours: Times, beside: Times): readonly Figure[] {
  const name = 'a video element with the same footage as a file'
  return rows.flatMap(({ what, of, median: goal, late }) => {
    const at = (share: number) => ({
      unit: 'ms',
      ours: quantile(ours[of], share),
      beside: { name, value: quantile(beside[of], share) },
    })
    return [
      { what: `${what}, median`, ...at(0.5), target: { is: 'at most', value: goal } },
      {
        what: `${what}, 95th percentile`,
        ...at(0.95),
        ...(late === undefined ? {} : { target: { is: 'at most', value: late } as const }),
      },
    ] as const
  })
}

const remarksOf = ({ recordMs, seeks, steps }: Plan): readonly string[] => [
  `1080p at ${FRAMES_PER_SECOND} pictures a second with a key picture every 2 s, recorded by the product for ${recordMs / 1000} s and encrypted on the disk; in the Web App in headless Chromium, decoded in software. ${seeks} jumps each, ${steps} steps each way.`,
  'From the key press in the page until the frame of the browser after the one in which the picture of that time was drawn, as its counter in the pixels says.',
  'The video element has the file without encryption from a bare server on loopback, and its whole content in memory after the first jumps; until a picture is handed to the screen.',
]
