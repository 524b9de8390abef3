import axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { openBrowser, type PageOptions, type TestPage } from './browser.ts'
import { DEMO_PASSWORD, type RunningProduct, startProduct } from './running-product.ts'
import { callApi, fetchToken, openUserPage } from './signed-in.ts'

/**
 * Excludes Base UI's focus guards from axe: empty elements around a non-modal popup, hidden from screen readers, which pass
 * the focus on immediately. Axe's rule about hidden focusable elements does not know that.
 */
export const withoutFocusGuards = { exclude: [['[data-base-ui-focus-guard]']] }

/** The violations that axe finds on the page in its current state. */
export async function violations(page: Page): Promise<string[]> {
  // Dialogs that fade in have the right contrast only at the end.
  await page.evaluate(() =>
    // Canceled animations count as settled; skeletons never settle.
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished),
    ),
  )
  // A status is hidden from screen readers until they know its region.
  await page.locator('[role=status] > [inert]').first().waitFor({ state: 'detached' })
  await page.evaluate(axe.source)
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    `axe.run(${JSON.stringify(withoutFocusGuards)}).then((result) => result.violations)`,
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/** How many CSS pixels the page is wider than its window. Waits a moment where it is wider: tables follow a new width by an observer, a frame late. */
export async function overflow(page: Page): Promise<number> {
  let width = 0
  for (let tries = 0; tries < 20; tries++) {
    width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (width <= 0) break
    await page.waitForTimeout(50)
  }
  return width
}

/** Whether the text of the element takes one line on the screen. */
export const isOnOneLine = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size === 1
  })

/** The product with its demonstration (cameras off), a browser, and calls as the owner of `Corner Shop`. */
export interface Screens extends AsyncDisposable {
  readonly product: RunningProduct
  /** Makes a call as the owner; throws if it is refused. */
  ask<T>(request: string, body?: unknown): Promise<T>
  /** Adds a user with that first name, the address `<name>@demo.example` and the demo password. */
  add(firstName: string, more?: object): Promise<number>
  /** The id of a user by first name; 0 if there is none. */
  of(firstName: string): number
  /** Opens a path of the Web App as that user. */
  open(path: string, email?: string, options?: PageOptions): Promise<TestPage>
}

export async function startScreens(): Promise<Screens> {
  const product = await startProduct({ cameras: false })
  const browser = await openBrowser()
  const owner = await fetchToken(product.origin, 'owner@demo.example')
  const ask = async <T>(request: string, body?: unknown): Promise<T> => {
    const reply = await callApi<T>(product.origin, owner, request, body)
    if (reply.status >= 400) throw new Error(`${request} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const people = await ask<{ userId: number; firstName: string }[]>('GET users')
  const ids = new Map(people.map(({ firstName, userId }) => [firstName, userId]))
  return {
    product,
    ask,
    async add(firstName, more = {}) {
      const email = `${firstName.toLowerCase()}@demo.example`
      const given = { email, firstName, lastName: 'Person', password: DEMO_PASSWORD, ...more }
      const { userId } = await ask<{ userId: number }>('POST users', given)
      ids.set(firstName, userId)
      return userId
    },
    of: (firstName) => ids.get(firstName) ?? 0,
    async open(path, email = 'owner@demo.example', options = {}) {
      const tab = await browser.newPage(options)
      await openUserPage(tab.page, `${product.origin}/app${path}`, email)
      await tab.page.getByRole('main').waitFor()
      return tab
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]()
      await product[Symbol.asyncDispose]()
    },
  }
}

export const getRow = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })
/** Opens the menu of a row. */
export const rowMenu = (page: Page, name: string) =>
  getRow(page, name)
    .getByRole('button', { name: /^Actions for/ })
    .click()
/** A right's switch, by its label. */
export const getSwitch = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })
/** For events that are immediate on an idle machine. */
export const soon = { timeout: 15_000 }
