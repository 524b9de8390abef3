import type { Page } from 'playwright-core'
import { openBrowser, type PageOptions, type TestPage } from './browser.ts'
import { DEMO_PASSWORD, type ProductSettings, type RunningProduct, startProduct } from './running-product.ts'
import { callApi, fetchToken, openUserPage, staffClient } from './signed-in.ts'

/** The product with its demonstration, a browser, and API calls as the account owner. Cameras are off by default. */
export interface RunningWebApp extends AsyncDisposable {
  readonly product: RunningProduct
  /** The body of a call as the owner; throws if it is refused. */
  ask<T>(request: string, body?: unknown): Promise<T>
  /** Opens a path of the Web App, such as `/zones`, as that user. */
  open(path: string, email?: string, options?: PageOptions): Promise<TestPage>
  /** A new page without a sign-in. */
  newPage(options?: PageOptions): Promise<TestPage>
}

export async function startWebApp(settings: ProductSettings = {}): Promise<RunningWebApp> {
  const product = await startProduct({ cameras: false, ...settings })
  const browser = await openBrowser()
  const owner = await fetchToken(product.origin, 'owner@demo.example')
  return {
    product,
    async ask<T>(request: string, body?: unknown): Promise<T> {
      const reply = await callApi<T>(product.origin, owner, request, body)
      if (reply.status >= 400) throw new Error(`${request} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
      return reply.body
    },
    async open(path, email = 'owner@demo.example', options = {}) {
      const tab = await browser.newPage(options)
      await openUserPage(tab.page, `${product.origin}/app${path}`, email)
      await tab.page.getByRole('main').waitFor()
      return tab
    },
    newPage: (options) => browser.newPage(options),
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]()
      await product[Symbol.asyncDispose]()
    },
  }
}

/** Adds a user to the demo account, with the demo password. */
export const addUser = (
  app: RunningWebApp,
  email: string,
  given: Readonly<Record<string, unknown>>,
): Promise<unknown> =>
  app.ask('POST users', { email, firstName: 'Petra', lastName: 'Person', password: DEMO_PASSWORD, ...given })

/** Adds a user with the right `demoUser`, who can view everything but change nothing. */
export const addDemoUser = (app: RunningWebApp, email: string): Promise<unknown> =>
  addUser(app, email, { rights: { demoUser: true, viewUserSettings: true } })

interface SupportInput {
  readonly video: 'shown' | 'hidden'
}

/** Allows support access, starts a support session of the demo dealer in the owner's account, and returns its token. */
export async function beginSupport(app: RunningWebApp, { video }: SupportInput): Promise<string> {
  const { origin } = app.product
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const grant = { allowsHelpdeskExpirationDate: until, allowsHelpdeskShowVideo: video === 'shown' }
  await app.ask('PATCH users/self/status', grant)
  const { accountId } = await app.ask<{ accountId: number }>('GET users/self')
  const staff = await fetchToken(origin, 'dealer@demo.example', DEMO_PASSWORD, staffClient)
  const path = `resellers/255/accounts/${accountId}/users/${accountId}/tokens`
  const { status, body } = await callApi<{ access_token?: string }>(origin, staff, `POST ${path}`, {})
  if (body.access_token === undefined) throw new Error(`no support session: ${status} ${JSON.stringify(body)}`)
  return body.access_token
}

/** Stores a token as the session of the Web App or My Account in a browser, like the Dealer Dashboard does. */
export async function lendToken(page: Page, origin: string, token: string): Promise<void> {
  const value = encodeURIComponent(`${token}~${Date.now() + 3_600_000}`)
  const { hostname: domain } = new URL(origin)
  await page.context().addCookies([
    { name: 'camera-app.v1.token', value, domain, path: '/app/', sameSite: 'Strict' },
    { name: 'account.v2.token', value, domain, path: '/', sameSite: 'Strict' },
  ])
}
