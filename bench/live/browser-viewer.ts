import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { transformWithOxc } from 'vite'

/** A picture that was on the screen: its counter, when it was drawn and when the browser displayed it. */
export interface DrawnPicture {
  readonly counter: number
  /** Milliseconds since 1970. */
  readonly drawnAt: number
  readonly shownAt: number
}

/** Makes every page of this tab record the pictures of its camera views. */
export async function watchCanvases(page: Page): Promise<void> {
  const counter = fileURLToPath(import.meta.resolve('@sightline/camera-simulator/frame-counter'))
  const { code } = await transformWithOxc(await readFile(counter, 'utf8'), counter)
  // A script, not a module, so that it runs before the page's own code.
  const reader = code.replaceAll(/^export /gm, '')
  const watcher = await readFile(join(import.meta.dirname, 'watch-canvas.js'), 'utf8')
  await page.addInitScript(`(() => { ${reader}\n${watcher} })()`)
}

/** The pictures recorded since the page opened or since {@link forget}, and the time of the last click. */
export const readShownPictures = (
  page: Page,
): Promise<{ clickedAt: number | undefined; seen: readonly DrawnPicture[] }> => page.evaluate('benchSeen()')

export const forget = (page: Page): Promise<void> => page.evaluate('benchForget()')
