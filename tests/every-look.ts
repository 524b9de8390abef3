import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { isLongRun } from './long-run.ts'
import { withoutFocusGuards } from './screens.ts'

interface Look {
  readonly colorScheme: 'light' | 'dark'
  readonly dir: 'ltr' | 'rtl'
}

const everyLook: readonly Look[] = [
  { colorScheme: 'light', dir: 'ltr' },
  { colorScheme: 'dark', dir: 'rtl' },
  { colorScheme: 'light', dir: 'rtl' },
  { colorScheme: 'dark', dir: 'ltr' },
]

let turn = 0
/** All looks in the long run; one in `npm test`, in rotation, so that half of the screens get each theme and direction. */
function looksNow(): readonly Look[] {
  if (isLongRun) return everyLook
  turn += 1
  return everyLook.slice(turn % 2, (turn % 2) + 1)
}

/**
 * The rules of WCAG 2.2 A and AA and axe's best practices: all rules that axe enables, plus target size. Waits for
 * animations, because the contrast is right only at their end; skeletons never end.
 */
const faultsIn = (dir: string): string => `(async () => {
  document.documentElement.dir = '${dir}'
  const moving = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(moving.map((one) => one.finished))
  while (document.querySelector('[role=status] > [inert]') !== null) await new Promise(requestAnimationFrame)
  const wider = document.documentElement.scrollWidth - window.innerWidth
  const asked = { preload: false, resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }
  const { violations } = await axe.run(${JSON.stringify(withoutFocusGuards)}, asked)
  const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200)))
  return wider > 0 ? [...faults, wider + ' pixels wider than the window'] : faults
})()`

/**
 * Axe violations and horizontal overflow in light and dark, left to right and right to left (one of the four pairs in
 * `npm test`); each fault with the looks that have it. No language of the product is right to left yet; one that is would
 * set this attribute.
 */
export async function faultsInEveryLook(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  const looksOf = new Map<string, string[]>()
  for (const { colorScheme, dir } of looksNow()) {
    await page.emulateMedia({ colorScheme })
    const found = await page.evaluate<string[]>(faultsIn(dir))
    for (const fault of new Set(found)) looksOf.set(fault, [...(looksOf.get(fault) ?? []), `${colorScheme} ${dir}`])
  }
  await page.evaluate("document.documentElement.dir = 'ltr'")
  return [...looksOf].map(([fault, looks]) => `${fault} (${looks.join(', ')})`)
}
