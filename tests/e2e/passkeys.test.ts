import type { Account } from '@sightline/contract/reseller-accounts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, type TestPage } from '../browser.ts'
import { detail } from '../details-screen.ts'
import { longTest, looksToTry } from '../long-run.ts'
import { DEMO_PASSWORD } from '../running-product.ts'
import { overflow, violations } from '../screens.ts'
import { callApi, fetchToken, fillSignIn, openSignedIn, staffClient } from '../signed-in.ts'
import { addAuthenticator, type VirtualAuthenticator } from '../virtual-authenticator.ts'
import { addDemoUser, addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

const PERSON = 'petra@demo.example'

describe.skipIf(chromiumPath === undefined)('passkeys in Chromium', () => {
  let app: RunningWebApp
  let tab: TestPage
  let page: Page
  let key: VirtualAuthenticator
  let home = ''
  let recoveryCodes: readonly string[] = []
  beforeAll(async () => {
    app = await startWebApp()
    await addUser(app, PERSON, {})
    home = `http://demo.localhost:${app.product.port}`
    tab = await app.newPage({ width: 1280 })
    page = tab.page
    key = await addAuthenticator(page)
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const signOut = () => page.context().clearCookies()
  const byPasskey = () => page.getByRole('button', { name: 'Sign in with a passkey' })
  /** Opens the sign-in page and leaves the browser's autofill prompt for passkeys pending. */
  const openSignIn = async () => {
    await key.setAnswers(false)
    const asked = page.waitForResponse((reply) => /\/sign-in\/[^/]+\/passkey$/.test(reply.url()))
    await page.goto(`${home}/details`)
    await (await asked).finished()
    // Waits until the page has asked the browser: with automatic answers on, that request would sign in before the click.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    await byPasskey().waitFor()
    await key.setAnswers(true)
  }
  const remove = async (name: string) => {
    await page.getByRole('button', { name: `Remove: ${name}` }).click()
    await page.getByRole('button', { name: 'Remove passkey' }).click()
  }
  const signedIn = () => expect.poll(() => detail(page, 'First name').textContent()).toBe('Petra')

  test('a passkey is added after the password and appears in the list', async () => {
    await page.goto(`${home}/tfa`)
    await fillSignIn(page, PERSON)
    await page.getByText('No passkeys yet.').waitFor()
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add passkey' })
    await dialog.getByLabel('Name').fill('Red laptop')
    await dialog.getByLabel('Current password').fill('not the password')
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await dialog.getByText('Incorrect password').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByLabel('Current password').fill(DEMO_PASSWORD)
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText('Passkey added').waitFor()
    await page.getByText('Red laptop').waitFor()
    await page.getByText('Never used.').waitFor()
    expect(await key.count()).toBe(1)
    expect(await violations(page)).toEqual([])
  })

  longTest('another passkey needs a name first, and a device cannot have two', async () => {
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add passkey' })
    await dialog.getByLabel('Name').fill('')
    await dialog.getByRole('button', { name: 'Confirm with a passkey instead' }).click()
    await dialog.getByText('Name should be 1-64 characters').waitFor()
    expect(await dialog.getByText('This device already has one of your passkeys').count()).toBe(0)
    await dialog.getByLabel('Name').fill('Second one')
    await dialog.getByRole('button', { name: 'Confirm with a passkey instead' }).click()
    await dialog.getByText('This device already has one of your passkeys for this site.').waitFor()
    expect(await violations(page)).toEqual([])
    expect(await key.count()).toBe(1)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
  })

  test.each(looksToTry([360, 768, 1280]))(
    'at %i px no button is cut off, and touch targets are large enough',
    async (width) => {
      await page.setViewportSize({ width, height: 800 })
      const add = page.getByRole('button', { name: 'Add passkey' })
      expect(await add.evaluate((button) => button.scrollWidth - button.clientWidth)).toBeLessThanOrEqual(0)
      const copy = page.getByRole('button', { name: 'Copy' })
      expect(await copy.evaluate((button) => button.scrollWidth - button.clientWidth)).toBeLessThanOrEqual(0)
      const height = await page
        .getByRole('switch', { name: 'Require a passkey after your password' })
        .evaluate((one) => Number.parseFloat(getComputedStyle(one, '::after').height))
      expect(height).toBeGreaterThanOrEqual(42)
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      await page.setViewportSize({ width: 1280, height: 900 })
    },
  )

  test('a passkey alone signs in, by the button and by autofill in the email field', async () => {
    await signOut()
    await openSignIn()
    expect(await page.getByLabel('Email address').getAttribute('autocomplete')).toBe('username webauthn')
    expect(await violations(page)).toEqual([])
    await byPasskey().click()
    await signedIn()
    await signOut()
    await page.goto(`${home}/details`)
    await signedIn()
    await page.goto(`${home}/tfa`)
    await page.getByText(/Last used/).waitFor()
  })

  longTest(
    'a passkey that is not unlocked does not sign in; the page says so and still accepts the password',
    async () => {
      await signOut()
      await key.setUnlocks(false)
      await openSignIn()
      await byPasskey().click()
      await page.getByText("That didn't work, or you canceled.").waitFor()
      expect(await violations(page)).toEqual([])
      await key.setUnlocks(true)
      await fillSignIn(page, PERSON)
      await signedIn()
    },
  )

  longTest('a passkey does not work at another brand’s host', async () => {
    await signOut()
    await page.goto(`http://beacon-hill.localhost:${app.product.port}/details`)
    await byPasskey().click()
    await page.getByText("That didn't work, or you canceled.").waitFor()
  })

  test('a passkey required after the password is the second factor, with recovery codes as fallback', async () => {
    // Autofill signs in automatically here.
    await page.goto(`${home}/tfa`)
    await page.getByRole('switch', { name: 'Require a passkey after your password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Require a passkey after your password' })
    await dialog.getByRole('button', { name: 'Confirm with a passkey instead' }).click()
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
    await codes.waitFor()
    recoveryCodes = await codes.getByRole('listitem').allTextContents()
    expect(new Set(recoveryCodes).size).toBe(10)
    await codes.getByRole('button', { name: "I've saved these codes" }).click()
    await page.getByText('Recovery codes left: 10').waitFor()
    expect(await violations(page)).toEqual([])
    await signOut()
    await openSignIn()
    await fillSignIn(page, PERSON)
    await page.getByText('Use one of your passkeys').waitFor()
    expect(await violations(page)).toEqual([])
    await byPasskey().click()
    await signedIn()
    await signOut()
    await openSignIn()
    await fillSignIn(page, PERSON)
    await page.getByRole('link', { name: 'Use a recovery code instead' }).click()
    await page.getByRole('link', { name: 'Use a passkey instead' }).click()
    await page.getByRole('link', { name: 'Use a recovery code instead' }).click()
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await signedIn()
  })

  longTest('at another host of the installation the second step says where the passkeys work', async () => {
    await using other = await app.newPage({ width: 360, height: 740 })
    await other.page.goto(`http://localhost:${app.product.port}/details`)
    await fillSignIn(other.page, PERSON)
    await other.page.getByText('Use them at: demo.localhost').waitFor()
    expect(await other.page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
    expect(await overflow(other.page)).toBeLessThanOrEqual(0)
    expect(await violations(other.page)).toEqual([])
  })

  longTest('a removed passkey does not sign in; the last one cannot be removed while it is required', async () => {
    await signOut()
    await openSignIn()
    await fillSignIn(page, PERSON)
    await page.getByRole('link', { name: 'Use a recovery code instead' }).click()
    await page.getByLabel('Recovery code').fill(recoveryCodes[1] ?? '')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await signedIn()
    await page.goto(`${home}/tfa`)
    await remove('Red laptop')
    await page.getByText('This is your last passkey.').waitFor()
    await page.getByRole('switch', { name: 'Require a passkey after your password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Stop requiring a passkey' })
    await dialog.getByLabel('Authentication or recovery code').fill(recoveryCodes[2] ?? '')
    await dialog.getByRole('button', { name: 'Stop requiring passkey' }).click()
    await page.getByText('A passkey is no longer required').waitFor()
    await page.getByRole('button', { name: 'Rename: Red laptop' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Old laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Save changes' }).click()
    await remove('Old laptop')
    await page.getByText('No passkeys yet.').waitFor()
    await signOut()
    await openSignIn()
    await byPasskey().click()
    await page.getByText("This passkey wasn't accepted.").waitFor()
  })

  longTest('a demo user sees passkeys but cannot add any; a support session does not show them', async () => {
    await addDemoUser(app, 'demo-user@demo.example')
    await using demo = await app.newPage()
    await demo.page.goto(`${home}/tfa`)
    await fillSignIn(demo.page, 'demo-user@demo.example')
    await demo.page.getByText('No passkeys yet.').waitFor()
    expect(await demo.page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0)
    await using support = await app.newPage()
    await lendToken(support.page, home, await beginSupport(app, { video: 'hidden' }))
    await support.page.goto(`${home}/tfa`)
    await support.page.getByText('Access restricted').waitFor()
    expect(await support.page.getByText('Passkeys').count()).toBe(0)
  })

  longTest('a passkey does not sign in to a suspended account, and the page says why', async () => {
    await using other = await app.newPage()
    const unlocked = await addAuthenticator(other.page)
    await openSignedIn(other.page, `${home}/tfa`, 'other@demo.example')
    await other.page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = other.page.getByRole('dialog', { name: 'Add passkey' })
    await dialog.getByLabel('Name').fill('Red laptop')
    await dialog.getByLabel('Current password').fill(DEMO_PASSWORD)
    await dialog.getByRole('button', { name: 'Add passkey' }).click()
    await other.page.getByText('Passkey added').waitFor()
    const { origin } = app.product
    const staff = await fetchToken(origin, 'dealer@demo.example', DEMO_PASSWORD, staffClient)
    const accounts = await callApi<Account[]>(origin, staff, 'GET resellers/self/accounts')
    const account = accounts.body.find(({ name }) => name === 'Second Account')
    const suspended = `PATCH resellers/self/accounts/${account?.accountId}`
    expect(await callApi(origin, staff, suspended, { status: 'suspended' })).toMatchObject({ status: 200 })
    await unlocked.setAnswers(false)
    await other.page.context().clearCookies()
    await other.page.goto(`${home}/details`)
    await other.page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await unlocked.setAnswers(true)
    await other.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await other.page.getByText('This account is suspended. Contact Harbour Guard.').waitFor()
  })

  test('none of these steps violates the content security policy', () => {
    expect(tab.complaints.filter((complaint) => !/status of (401|409|422)/.test(complaint))).toEqual([])
  })
})
