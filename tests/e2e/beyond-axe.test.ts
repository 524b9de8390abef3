import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  faultsOfFocus,
  faultsOfForcedColors,
  faultsOfMotion,
  faultsOfTextSpacing,
  faultsOfWidth,
} from '../beyond-axe.ts'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { dealerScreens, memberScreens, openPages, openScreen, type ScreenAddress } from '../every-screen.ts'
import { isLongRun, looksToTry } from '../long-run.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'

/** A window of 1280 × 1024 pixels at 200 % zoom, and one of 1280 pixels at 400 % (WCAG 1.4.4 and 1.4.10). */
const windows = [
  { zoom: 200, width: 640, height: 512 },
  { zoom: 400, width: 320, height: 512 },
] as const

/** The most used screens; the long run tests all. */
const USED_MOST = /^(sign-in|\/details|\/app\/users|\/dealer\/resellers\/…\/accounts)$/

const groups: readonly {
  readonly who: string
  readonly screens: (product: RunningProduct) => Promise<readonly ScreenAddress[]>
}[] = [
  { who: 'a signed-out visitor', screens: async () => openPages },
  { who: 'an account owner', screens: memberScreens },
  { who: 'an administrator', screens: dealerScreens },
]

describe.skipIf(chromiumPath === undefined)('screens in Chromium', () => {
  let product: RunningProduct
  let browser: TestBrowser
  beforeAll(async () => {
    product = await startProduct({ cameras: false })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
  })

  const cases = looksToTry(windows).flatMap((window) => groups.map((group) => ({ ...window, ...group })))
  test.each(cases)(
    'of $who at $zoom % zoom show all content and the focus, move nothing unasked, and show every state in forced colors',
    async ({ screens, width, height }) => {
      const all = (await screens(product)).filter(({ name }) => isLongRun || USED_MOST.test(name))
      expect(all.length).toBeGreaterThan(0)
      await using tab = await browser.newPage({ width, height })
      const { page } = tab
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const faults: Record<string, readonly string[]> = {}
      for (const screen of all) {
        await openScreen(page, product.origin, screen)
        const found = [
          ...(await faultsOfMotion(page)),
          ...(await faultsOfWidth(page)),
          ...(await faultsOfTextSpacing(page)),
          ...(await faultsOfFocus(page)),
          ...(await faultsOfForcedColors(page)),
        ]
        if (found.length > 0) faults[screen.name] = found
      }
      expect(faults).toEqual({})
    },
    300_000,
  )
})
