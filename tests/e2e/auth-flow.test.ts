import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { operator } from '../conformance/operator.ts'
import { casesToTry } from '../long-run.ts'
import { callApi, fetchToken, fillSignIn, openSignedIn } from '../signed-in.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

const YEAR_S = 365 * 24 * 3600
const TWELVE_HOURS_S = 43_200
/** Allows for slow replies on a busy machine. */
const TOLERANCE_S = 120

/** Specification §4 "Authentication", §2 "Routing" and §9, by the token callback, with a host that embeds pages. */
describe.skipIf(chromiumPath === undefined)('the session of the account portal', () => {
  let app: RunningWebApp
  let host: Server
  let hostOrigin = ''
  beforeAll(async () => {
    host = createServer((req, res) => {
      // A third-party page that embeds one of ours and records each message with its origin.
      const shown = new URL(req.url ?? '/', 'http://host').searchParams.get('shown') ?? ''
      res.setHeader('content-type', 'text/html')
      res.end(
        `<script>said = []; addEventListener('message', (e) => said.push([e.origin, e.data]))</script><iframe src="${shown}" width="900" height="700"></iframe>`,
      )
    })
    await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
    hostOrigin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
    app = await startWebApp({
      readyWithinMs: 110_000,
      environment: { SIGHTLINE_AUTH_FLOW: 'token', SIGHTLINE_EMBEDDED_BY: hostOrigin },
    })
  })
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]()
    host.close()
  })

  const at = (path: string): string => `${app.product.origin}${path}`
  const cookieOf = async (page: Page, name: string) =>
    (await page.context().cookies()).find((cookie) => cookie.name === name)
  const tokenIn = async (page: Page): Promise<string> => {
    const cookie = await cookieOf(page, 'account.v2.token')
    return decodeURIComponent(cookie?.value ?? '').split('~')[0] ?? ''
  }
  /** Revokes the token but not the browser's sign-in. */
  const endToken = async (page: Page): Promise<void> => {
    const ended = await callApi(app.product.origin, await tokenIn(page), 'DELETE users/self/tokens/current')
    expect(ended.status).toBe(204)
  }

  test('the token cookie lasts expires_in seconds, the client id cookie a year, and the URL holds neither', async () => {
    await using tab = await app.newPage()
    const { page } = tab
    await openSignedIn(page, at('/'))
    await page.getByText('First name', { exact: true }).waitFor()
    expect(page.url()).toBe(at('/details'))
    const left = async (name: string) => ((await cookieOf(page, name))?.expires ?? 0) - Date.now() / 1000
    for (const [name, seconds] of [
      ['account.v2.token', TWELVE_HOURS_S],
      ['account.v2.client', YEAR_S],
      ['sightline.app', YEAR_S],
    ] as const) {
      expect(Math.abs((await left(name)) - seconds), name).toBeLessThan(TOLERANCE_S)
    }
    expect((await cookieOf(page, 'account.v2.client'))?.value).toMatch(/^account\.v2[0-9a-f]{1,4}$/)
  })

  test('after a 401 a browser that is still signed in gets a new token and returns to the page', async () => {
    await using tab = await app.newPage()
    const { page } = tab
    await openSignedIn(page, at('/support'))
    await page.getByRole('heading', { name: 'Support' }).first().waitFor()
    const before = await tokenIn(page)
    await endToken(page)
    await page.reload()
    await expect.poll(() => tokenIn(page)).not.toBe(before)
    await page.getByRole('heading', { name: 'Support' }).first().waitFor()
    expect(page.url()).toBe(at('/support'))
  })

  test.each(['/details', '/app/', '/dealer/'])(
    '%s redirects a signed-out visitor to sign-in before it loads the application',
    async (path) => {
      await using tab = await app.newPage()
      const { page } = tab
      const loaded: string[] = []
      page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
      await page.goto(at(path))
      await page.getByLabel('Email address').waitFor()
      // The sign-in page loads only the font.
      expect(loaded.filter((one) => one.includes('/assets/') && !one.endsWith('.woff2'))).toEqual([])
      expect(tab.complaints).toEqual([])
    },
  )

  test('a link on another site opens the page without a new sign-in', async () => {
    await using tab = await app.newPage()
    const { page } = tab
    await openSignedIn(page, at('/details'))
    await page.getByText('First name', { exact: true }).waitFor()
    const kept = await tokenIn(page)
    await page.goto(at('/terms').replace('127.0.0.1', 'localhost'))
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.evaluate((address) => window.location.assign(address), at('/support?from=letter'))
    await page.getByRole('heading', { name: 'Support' }).first().waitFor()
    expect(page.url()).toBe(at('/support?from=letter'))
    expect(asked.filter((path) => path === '/support')).toHaveLength(2)
    expect(asked.filter((path) => path.startsWith('/oauth/'))).toEqual([])
    expect(await tokenIn(page)).toBe(kept)
  })

  test('after a 401 a browser that is signed in to the Dealer Dashboard goes to /firstlogout', async () => {
    await using tab = await app.newPage()
    const { page } = tab
    await openSignedIn(page, at('/details'))
    await page.getByText('First name', { exact: true }).waitFor()
    // The browser has one sign-in: the dealer's replaces the owner's and ends its token.
    await page.context().clearCookies({ name: 'sightline.sign-in' })
    await page.context().clearCookies({ name: 'sightline.sign-in.sig' })
    await endToken(page)
    // Leave first: the page may be about to redirect to sign-in, which would interrupt the next navigation.
    await page.goto('about:blank')
    await page.goto(at('/dealer/'))
    await fillSignIn(page, 'dealer@demo.example')
    await page.waitForURL((url) => url.pathname.startsWith('/dealer/'))
    await page.goto(at('/details'))
    await page.waitForURL(at('/firstlogout'))
    await page.getByRole('heading', { name: "You're signed in to the Dealer Dashboard" }).waitFor()
  })

  test('an unknown path redirects to the details, and each page opens scrolled to the top', async () => {
    await using tab = await app.newPage({ height: 400 })
    const { page } = tab
    await openSignedIn(page, at('/no/such/page'))
    await page.waitForURL(at('/details'))
    await page.getByText('First name', { exact: true }).waitFor()
    const top = () => page.evaluate(() => window.scrollY)
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expect.poll(top).toBeGreaterThan(0)
    await page
      .locator('a[href="/support"]')
      .first()
      .evaluate((link: HTMLElement) => link.click())
    await page.waitForURL(at('/support'))
    await expect.poll(top).toBe(0)
  })

  test('leaving a page cancels its pending requests', async () => {
    await using tab = await app.newPage()
    const { page } = tab
    await openSignedIn(page, at('/details'))
    await page.getByText('First name', { exact: true }).waitFor()
    await page.route('**/users/self/status', () => undefined)
    const cancelled: string[] = []
    page.on('requestfailed', (request) =>
      cancelled.push(`${request.failure()?.errorText} ${new URL(request.url()).pathname}`),
    )
    const asked = page.waitForRequest('**/users/self/status')
    await page.locator('a[href="/support"]').first().click()
    await asked
    await page.locator('a[href="/tfa"]').first().click()
    await page.waitForURL(at('/tfa'))
    await expect
      .poll(() => cancelled)
      .toContainEqual(expect.stringMatching(/^net::ERR_ABORTED .*\/users\/self\/status$/))
  })

  test('a page of a registered browser client calls the API, and a page of another origin cannot', async () => {
    const back = ['--redirect', `${hostOrigin}/back`]
    await operator(app.product, 'add', '--name', 'Shop window', '--kind', 'browser', ...back)
    const token = await fetchToken(app.product.origin, 'owner@demo.example')
    await using tab = await app.newPage()
    // Both need a CORS preflight: the authorization header, and the method PATCH.
    const call = (method: string, body?: object) =>
      tab.page.evaluate(
        ([address, init]) =>
          fetch(address, init).then(
            async (reply) => ({
              status: reply.status,
              id: reply.headers.get('x-request-id'),
              body: await reply.json(),
            }),
            () => 'the browser shows nothing',
          ),
        [
          at('/rest/v2.4/users/self'),
          {
            method,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          },
        ] as const,
      )
    await tab.page.goto(`${hostOrigin}/?shown=about:blank`)
    const shown = { status: 200, id: expect.any(String), body: { firstName: expect.any(String) } }
    // The server reloads the clients' origins every few seconds.
    await expect.poll(() => call('GET'), { timeout: 20_000 }).toMatchObject(shown)
    expect(await call('PATCH', { firstName: 'Nora' })).toMatchObject({
      status: expect.any(Number),
      id: expect.any(String),
    })
    await tab.page.goto(`${hostOrigin.replace('127.0.0.1', 'localhost')}/?shown=about:blank`)
    expect(await call('GET')).toBe('the browser shows nothing')
    expect(await call('PATCH', { firstName: 'Eve' })).toBe('the browser shows nothing')
  })

  test('/logout signs the user out and confirms it', async () => {
    await using tab = await app.newPage()
    const { page } = tab
    await openSignedIn(page, at('/details'))
    await page.getByText('First name', { exact: true }).waitFor()
    const token = await tokenIn(page)
    await page.goto(at('/logout'))
    await page.getByText('You are now logged out').waitFor()
    expect(await tokenIn(page)).toBe('')
    expect((await callApi(app.product.origin, token, 'GET users/self')).status).toBe(401)
    await page.goto(at('/details'))
    await page.getByLabel('Email address', { exact: true }).waitFor()
  })

  const screens = ['details', 'support', 'subscriptions', 'statusnotification', 'tfa'] as const
  const embeddedFrame = async (page: Page, path: string): Promise<Frame> => {
    await page.goto(`${hostOrigin}/?${new URLSearchParams({ shown: at(path) })}`)
    const handle = await page.waitForSelector('iframe')
    const frame = await handle.contentFrame()
    if (frame === null) throw new Error('there is no frame')
    await frame.getByRole('main').waitFor()
    return frame
  }

  test.each(casesToTry(screens))(
    '/settings/%s reports a missing sign-in to its host page and does not redirect',
    async (name) => {
      await using tab = await app.newPage()
      const { page } = tab
      const path = `/settings/${name}`
      await page.addInitScript(() =>
        addEventListener('invalid-token', () => document.documentElement.setAttribute('data-told', '')),
      )
      const frame = await embeddedFrame(page, path)
      await frame.getByText("You're not signed in").waitFor()
      const said = () => page.evaluate('said') as Promise<[string, unknown][]>
      await expect.poll(said).toContainEqual([app.product.origin, { type: 'invalid-token' }])
      expect(await frame.locator('html[data-told]').count()).toBe(1)
      expect(frame.url()).toBe(at(path))
      expect(await frame.getByRole('banner').count()).toBe(0)
    },
  )

  test('screens under /settings/ have no shell and report a revoked token to the host page', async () => {
    await using tab = await app.newPage()
    const { page } = tab
    await openSignedIn(page, at('/details'))
    await page.getByText('First name', { exact: true }).waitFor()
    for (const name of screens) {
      const frame = await embeddedFrame(page, `/settings/${name}`)
      await frame.getByRole('heading').first().waitFor()
      expect(frame.url(), name).toBe(at(`/settings/${name}`))
      for (const part of ['banner', 'navigation', 'contentinfo'] as const) {
        expect(await frame.getByRole(part).count(), `${name} ${part}`).toBe(0)
      }
    }
    await endToken(page)
    const frame = await embeddedFrame(page, '/settings/details')
    await frame.getByText("You're not signed in").waitFor()
    await expect.poll(() => page.evaluate('said')).toContainEqual([app.product.origin, { type: 'invalid-token' }])
    expect(frame.url()).toBe(at('/settings/details'))
  })
})
