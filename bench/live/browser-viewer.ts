import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { transformWithOxc } from 'vite'

/** A picture that was on the screen: its counter, when it was drawn and when the browser displayed it. */
export interface DrawnPicture {
  /** Which of the camera views. */
  readonly tile: number
  readonly counter: number
  /** Milliseconds since 1970. */
  readonly drawnAt: number
  readonly shownAt: number
}

/** The start of the simulator's counter (camera-simulator/README.md). */
const EPOCH = Date.UTC(2026, 0, 1)

/** When a simulated camera writes the picture with this counter, milliseconds since 1970. */
export const toWriteTime = (counter: number, framesPerSecond: number): number =>
  EPOCH + (counter * 1000) / framesPerSecond

/** The counter of the picture that a simulated camera wrote last at that time. */
export const toCounter = (moment: number, framesPerSecond: number): number =>
  Math.floor(((moment - EPOCH) * framesPerSecond) / 1000)

/** Makes every page of this tab record the pictures of its camera views. */
export async function watchCanvases(page: Page): Promise<void> {
  const counter = fileURLToPath(import.meta.resolve('@sightline/camera-simulator/frame-counter'))
  const { code } = await transformWithOxc(await readFile(counter, 'utf8'), counter)
  // A script, not a module, so that it runs before the page's own code.
  const reader = code.replaceAll(/^export /gm, '')
  const watcher = await readFile(join(import.meta.dirname, 'watch-canvas.js'), 'utf8')
  await page.addInitScript(`(() => { ${reader}\n${watcher} })()`)
}

/** The pictures recorded since the page opened or since {@link forget}, and the time of the last click or key. */
export const readShownPictures = (
  page: Page,
): Promise<{ actedAt: number | undefined; seen: readonly DrawnPicture[] }> => page.evaluate('benchSeen()')

export const forget = (page: Page): Promise<void> => page.evaluate('benchForget()')

interface Watched {
  benchSeen(): { readonly actedAt: number | undefined; readonly seen: readonly DrawnPicture[] }
  benchStill(before: number | undefined): { readonly time: number } | undefined
}

/** Waits until the stage is paused and shows its picture of a time other than `before`; returns that time. */
export async function untilStill(page: Page, withinMs: number, before?: number): Promise<number> {
  const found = await page.waitForFunction((last) => (globalThis as unknown as Watched).benchStill(last), before, {
    timeout: withinMs,
    polling: 'raf',
  })
  return (await found.jsonValue())?.time ?? Number.NaN
}

/** Waits for any picture. */
export const untilPicture = (page: Page, withinMs: number): Promise<unknown> =>
  page.waitForFunction(() => (globalThis as unknown as Watched).benchSeen().seen.length > 0, undefined, {
    timeout: withinMs,
  })

/** Milliseconds from the last click or key until a picture with a counter in that range was displayed. */
export async function millisecondsUntilShown(
  page: Page,
  { from, till, withinMs }: { readonly from: number; readonly till: number; readonly withinMs: number },
): Promise<number> {
  const found = await page.waitForFunction(
    ([least, most]) => {
      const { actedAt, seen } = (globalThis as unknown as Watched).benchSeen()
      if (actedAt === undefined) return undefined
      const picture = seen.find(({ counter, shownAt }) => counter >= least && counter <= most && shownAt >= actedAt)
      return picture === undefined ? undefined : { took: picture.shownAt - actedAt }
    },
    [from, till] as const,
    { timeout: withinMs, polling: 'raf' },
  )
  return (await found.jsonValue())?.took ?? Number.NaN
}
