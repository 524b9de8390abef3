import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { openBrowser, type PageOptions, type TestPage } from './browser.ts'
import { DEMO_PASSWORD, type RunningProduct, startProduct } from './running-product.ts'
import { callApi, fetchToken, openUserPage } from './signed-in.ts'

/**
 * What axe looks at. Base UI puts empty elements around a popup that is not modal, hidden from screen readers, which hand the
 * focus on as soon as they get it; the rule about hidden elements that take the focus does not know that.
 */
export const withoutFocusGuards = { exclude: [['[data-base-ui-focus-guard]']] }

/** What axe finds, at rest and with whatever is open; empty where all is well. */
export async function violations(page: Page): Promise<string[]> {
  // Faded-in dialogs have their contrast at the end only.
  await page.evaluate(() =>
    // One that is taken away before its end rests too; skeletons never do.
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished),
    ),
  )
  await page.evaluate(axe.source)
  const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    `axe.run(${JSON.stringify(withoutFocusGuards)}).then((result) => result.violations)`,
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/** CSS pixels that the page is wider than its window. */
export const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** The product with its demonstration, whose cameras do not run, a browser, and the account owner `Corner Shop`. */
export interface Screens extends AsyncDisposable {
  readonly product: RunningProduct
  /** A call as the owner; throws where it is refused. */
  ask<T>(request: string, body?: unknown): Promise<T>
  /** Adds somebody of that first name, with the address `<name>@demo.example` and the demonstration's password. */
  add(firstName: string, more?: object): Promise<number>
  /** The id of somebody of the account by first name; 0 for nobody. */
  of(firstName: string): number
  /** A page of that person at an address of the Web App. */
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
/** The switch of a right, by the name that screens have for it. */
export const getSwitch = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })
/** For what happens at once on a machine that has nothing else to do. */
export const soon = { timeout: 15_000 }
