import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { followMail } from '../captured-mail.ts'
import { operator } from '../conformance/operator.ts'
import { inLongRun, longTest } from '../long-run.ts'
import { DEMO_PASSWORD } from '../running-product.ts'
import { overflow, soon, violations } from '../screens.ts'
import { callApi, fetchToken, fillSignIn, openSignedIn } from '../signed-in.ts'
import { addAuthenticator } from '../virtual-authenticator.ts'
import { addDemoUser, addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

const PERSON = 'petra@demo.example'
const PAUL = 'paul@demo.example'
const PIA = 'pia@demo.example'
const NEW = 'Another-zebra9'

describe.skipIf(chromiumPath === undefined)('sign-ins in Chromium', () => {
  let app: RunningWebApp
  beforeAll(async () => {
    app = await startWebApp()
    await addUser(app, PERSON, {})
  }, 120_000)
  afterAll(() => app[Symbol.asyncDispose]())

  const open = async (email = PERSON, path = '/sessions', options = {}) => {
    const tab = await app.newPage(options)
    await openSignedIn(tab.page, `${app.product.origin}${path}`, email)
    return tab
  }
  const rows = (page: Page) => page.getByRole('listitem').filter({ hasText: 'last active' })
  const signInForm = (page: Page) => page.getByLabel('Password', { exact: true })

  /** Allows a browser client on the consent page and returns its access token. Uses the PKCE pair of RFC 7636, appendix B. */
  const connect = async (page: Page, { clientId, back }: { clientId: string; back: string }): Promise<string> => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: back,
      scope: 'read write',
      state: 'st4te',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    await page.goto(`${app.product.origin}/oauth/authorize?${query}`)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${back}?**`)
    const response = await fetch(`${app.product.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        redirect_uri: back,
        code: new URL(page.url()).searchParams.get('code') ?? '',
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      }),
    })
    return ((await response.json()) as { access_token: string }).access_token
  }

  test('a user sees where they are signed in and signs out another browser remotely', async () => {
    await using here = await open()
    await using there = await open(PERSON, '/details')
    const { page } = here
    await rows(page).first().waitFor()
    await there.page.getByText('First name', { exact: true }).waitFor()
    await page.reload()
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.getByText('Current session').waitFor()
    const device = page.getByRole('region', { name: 'Chrome on Linux' })
    await device.getByText('This device').waitFor()
    await device.getByText('Local network').waitFor()
    expect(await device.getByRole('listitem').count()).toBe(2)
    expect(await device.getByRole('listitem').first().textContent()).toContain('Current session')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign out: Chrome on Linux' }).click()
    expect(await violations(page)).toEqual([])
    const asksAgain = there.page.waitForURL(/\/sign-in\//, soon)
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Session signed out').waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
    await there.page.reload()
    await asksAgain
    await signInForm(there.page).waitFor()
    expect(here.complaints).toEqual([])
  })

  test('each card says what it could not load, and loads it after Try again', async () => {
    await using here = await open()
    const { page } = here
    await rows(page).first().waitFor()
    const calls = /\/users\/self\/(sessions|signIns|connectedApps)/
    await page.route(calls, (route) => route.fulfill({ json: 'not the list' }))
    await page.reload()
    for (const what of ['active sessions', 'connected apps', 'sign-in history']) {
      await page.getByRole('heading', { name: `Couldn't load your ${what}` }).waitFor()
    }
    expect(await page.getByText("Couldn't read the server's reply. Try again.").count()).toBe(3)
    await page.unroute(calls)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await rows(page).first().waitFor()
  })

  longTest('the history shows a wrong password, and one button signs out all other sessions', async () => {
    await using stranger = await app.newPage()
    await stranger.page.goto(`${app.product.origin}/`)
    await fillSignIn(stranger.page, PERSON, 'not-the-Password1')
    await stranger.page.getByText('Incorrect email address or password').waitFor()
    const other = await fetchToken(app.product.origin, PERSON)
    await using here = await open()
    const { page } = here
    await page.getByText('Wrong password').first().waitFor()
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByText('Signed out everywhere else').waitFor()
    expect((await callApi(app.product.origin, other, 'GET users/self')).status).toBe(401)
    await expect.poll(() => page.getByRole('button', { name: 'Sign out everywhere else' }).count()).toBe(0)
  })

  test('a connected app is listed with its permissions, and removing its access revokes its token', async () => {
    const back = `${app.product.origin}/readyz`
    const added = ['add', '--name', 'Night Watch', '--kind', 'browser', '--redirect', back]
    const { clientId } = await operator(app.product, ...added)
    await using here = await open()
    const { page } = here
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Connected apps' }) })
    await card.getByText('No connected apps.').waitFor()
    const token = await connect(page, { clientId, back })
    const seen = await callApi(app.product.origin, token, 'GET users/self')
    expect(seen.status).toBe(200)
    await page.goto(`${app.product.origin}/sessions`)
    await card.getByText('Night Watch').waitFor()
    await card.getByText('See your cameras, recordings and settings').waitFor()
    await card.getByText('Change settings and control cameras for you').waitFor()
    await card.getByText(/^Allowed .*20\d\d.*, last used .*20\d\d/).waitFor()
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await card.getByRole('button', { name: 'Remove access: Night Watch' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove access for Night Watch?' })
    await dialog.getByText('See your cameras, recordings and settings').waitFor()
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Remove access' }).click()
    await page.getByText('Night Watch no longer has access').waitFor()
    await card.getByText('No connected apps.').waitFor()
    expect((await callApi(app.product.origin, token, 'GET users/self')).status).toBe(401)
    expect(here.complaints).toEqual([])
  })

  test.each(
    inLongRun([
      [360, false],
      [768, true],
      [1280, false],
    ]),
  )('%i px, dark %s, left to right and right to left: the page fits and axe finds nothing', async (width, dark) => {
    await using tab = await open(PERSON, '/sessions', { width, dark })
    const { page } = tab
    await page.locator('time').first().waitFor()
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
  })

  test('lockdown from the screen says what is lost, signs out everywhere, and the old password no longer works', async () => {
    const other = await fetchToken(app.product.origin, PERSON)
    await using tab = await open()
    const { page } = tab
    await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Your password will stop working').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
    await page.getByText("You've been signed out everywhere").waitFor()
    expect(await violations(page)).toEqual([])
    expect((await callApi(app.product.origin, other, 'GET users/self')).status).toBe(401)
    await page.getByRole('button', { name: 'Go to sign-in' }).click()
    await fillSignIn(page, PERSON)
    await page.getByText('Incorrect email address or password').waitFor()
    const reset = await followMail(page, app.product, { to: PERSON, subject: 'Reset your' })
    await reset.getByLabel('New password').fill(NEW)
    await reset.getByLabel('Confirm password').fill(NEW)
    await reset.getByRole('button', { name: 'Save password' }).click()
    await reset.getByRole('heading', { name: 'Your password is set' }).waitFor()
  })

  longTest('lockdown from the screen names the passkeys and removes them by default', async () => {
    await addUser(app, PIA, {})
    const home = `http://demo.localhost:${app.product.port}`
    await using tab = await app.newPage({ width: 360, height: 740 })
    const { page } = tab
    await addAuthenticator(page)
    await page.goto(`${home}/tfa`)
    await fillSignIn(page, PIA)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const adding = page.getByRole('dialog', { name: 'Add passkey' })
    await adding.getByLabel('Name').fill('Red laptop')
    await adding.getByLabel('Current password').fill(DEMO_PASSWORD)
    await adding.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText('Passkey added').waitFor()
    await page.goto(`${home}/sessions`)
    await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const removes = dialog.getByRole('switch', { name: 'Also remove my passkeys: Red laptop' })
    await removes.waitFor()
    expect(await removes.isChecked()).toBe(true)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/lockdown'))
    await dialog.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
    expect((await asked).postDataJSON()).toEqual({ endApiKeys: false, removePasskeys: true })
    await page.getByText("You've been signed out everywhere").waitFor()
  })

  longTest('lockdown from the new-device email works on a phone and without script', async () => {
    await addUser(app, PAUL, {})
    const program = await fetchToken(app.product.origin, PAUL)
    await using thief = await open(PAUL, '/details')
    await thief.page.getByText('First name', { exact: true }).waitFor()
    await using own = await app.newPage({ width: 360, height: 740 })
    const page = await followMail(own.page, app.product, { to: PAUL, subject: 'New sign-in to your' })
    await page.getByRole('heading', { name: "Wasn't this you?" }).waitFor()
    expect(await page.locator('script').count()).toBe(0)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    const address = page.url()
    await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
    await page.getByRole('heading', { name: "You've been signed out everywhere" }).waitFor()
    expect(await violations(page)).toEqual([])
    expect((await callApi(app.product.origin, program, 'GET users/self')).status).toBe(401)
    await thief.page.reload()
    await signInForm(thief.page).waitFor()
    await page.goto(address)
    await page.getByText('This link has expired or was already used.').waitFor()
  })

  longTest('a demo user sees their own session and cannot end it', async () => {
    await addDemoUser(app, 'demo-user@demo.example')
    await using tab = await open('demo-user@demo.example')
    await tab.page.getByText('which other people may be using too').waitFor()
    await rows(tab.page).first().waitFor()
    expect(await tab.page.getByRole('button', { name: 'Sign out everywhere', exact: true }).isDisabled()).toBe(true)
    expect(await violations(tab.page)).toEqual([])
  })

  longTest('a support session cannot see sign-ins, and the page says so, also when embedded', async () => {
    const token = await beginSupport(app, { video: 'hidden' })
    for (const call of ['GET users/self/sessions', 'GET users/self/signIns', 'GET users/self/lockdown']) {
      expect(await callApi(app.product.origin, token, call)).toMatchObject({ status: 403, body: { code: 9 } })
    }
    await using tab = await app.newPage()
    await lendToken(tab.page, app.product.origin, token)
    for (const path of ['/sessions', '/settings/sessions']) {
      await tab.page.goto(`${app.product.origin}${path}`)
      await tab.page.getByText('Access restricted').waitFor()
    }
    expect(tab.complaints).toEqual([])
  })
})
