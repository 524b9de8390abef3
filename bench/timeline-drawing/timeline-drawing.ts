import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { chromiumPath, openBrowser } from '../../tests/browser.ts'
import { repository } from '../../tests/running-product.ts'
import { type Bench, type BenchResult, CannotMeasure, digits, type Figure, type Pace } from '../figure.ts'
import { quantile } from '../quantile.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 366 * DAY_MS
const PLANS: Readonly<Record<Pace, { readonly frameCount: number }>> = {
  full: { frameCount: 200 },
  short: { frameCount: 20 },
}

/** The size of the timeline in CSS pixels: a wide window, and nine rows. */
const SIZE = { width: 1400, height: 152 }
/** The browser's processor at a quarter of its speed, like a phone or an old computer. */
const THROTTLED = 4

/** A frame of the timeline with nine rows while it is zoomed, in Chromium. */
export const timelineDrawing: Bench = {
  name: 'timeline-drawing',
  title: 'Drawing the timeline',
  async run(pace) {
    if (chromiumPath === undefined) throw new CannotMeasure('there is no Chromium')
    return measure(PLANS[pace])
  },
}

async function bundle(): Promise<string> {
  const result = await build({
    root: join(repository, 'web/camera-app'),
    configFile: false,
    logLevel: 'warn',
    build: { write: false, rollupOptions: { input: join(repository, 'bench/timeline-drawing/page.js') } },
  })
  if (!('output' in result)) throw new Error('the build of the page has no output')
  return result.output.map((piece) => (piece.type === 'chunk' ? piece.code : '')).join('')
}

const page = `<!doctype html><style>
  :root { --tone-sunken: #ecf0f1; --tone-control: #0b6e6e; --tone-danger: #c62828; --tone-text: #111; --tone-muted: #667;
    --tone-border: #ccd; --tone-success: #186a3b; --tone-warning: #e0a100; --tone-focus: #06c }
  body { margin: 0 } div { width: ${SIZE.width}px; height: ${SIZE.height}px } canvas { width: 100%; height: 100% }
</style><div><canvas></canvas></div>`

async function measure({ frameCount }: { readonly frameCount: number }): Promise<BenchResult> {
  const code = await bundle()
  await using browser = await openBrowser({ isWhole: true })
  await using tab = await browser.newPage({ width: 1440, height: 400 })
  await tab.page.setContent(page)
  await tab.page.addScriptTag({ content: code, type: 'module' })
  await tab.page.waitForFunction('window.drawTimeline !== undefined')
  const session = await tab.context.newCDPSession(tab.page)
  const figures: Figure[] = []
  for (const rate of [THROTTLED, 1]) {
    await session.send('Emulation.setCPUThrottlingRate', { rate })
    for (const { length, name } of [
      { length: YEAR_MS, name: 'a year' },
      { length: DAY_MS, name: 'a day' },
    ]) {
      for (const count of [200, 1000, 8000]) {
        const bare = await run(tab.page, 'fillCanvas', { frameCount })
        const ours = await run(tab.page, 'drawTimeline', { length, count, frameCount })
        const speed = rate === 1 ? 'full speed' : `${rate} × slower`
        figures.push({
          what: `9 rows of ${name}, ${digits(count)} stretches each, ${speed} (95 %: ${digits(quantile(ours, 0.95))} ms)`,
          unit: 'ms',
          ours: quantile(ours, 0.5),
          beside: { name: 'fill the canvas', value: quantile(bare, 0.5) },
          target: { is: 'at most', value: rate === 1 ? 4 : 16 },
        })
      }
    }
  }
  if (tab.complaints.length > 0) throw new Error(`the page complained: ${tab.complaints.join('; ')}`)
  return {
    figures,
    remarks: [
      `A canvas of ${SIZE.width} × ${SIZE.height} pixels; ${frameCount} frames, each zoomed by 3 %. From the first callback of a frame until a pixel of it was read, so painting counts. Median.`,
      'A year is read as sums per day, like the Web App reads it; a day as its stretches, with as many gaps and up to 1,000 events in each row.',
      'Slower: the browser’s own throttling of its main thread (Emulation.setCPUThrottlingRate).',
    ],
  }
}

const run = (page: Page, name: 'drawTimeline' | 'fillCanvas', given: Readonly<Record<string, number>>) =>
  page.evaluate(
    ([call, settings]) => {
      const calls = globalThis as unknown as Record<string, (settings: unknown) => Promise<number[]>>
      const called = calls[call]
      if (called === undefined) throw new Error(`no ${call}`)
      return called(settings)
    },
    [name, given] as const,
  )
