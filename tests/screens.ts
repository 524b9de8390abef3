import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds, at rest and with whatever is open; empty where all is well. */
export async function violations(page: Page): Promise<string[]> {
  // Faded-in dialogs have their contrast at the end only.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)))
  await page.evaluate(axe.source)
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    'axe.run().then((result) => result.violations)',
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/** CSS pixels that the page is wider than its window. */
export const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
