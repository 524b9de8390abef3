import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { computeCode, presentStep, wrongCode } from '../authenticator-app.ts'
import { chromiumPath } from '../browser.ts'
import { detail } from '../details-screen.ts'
import { longTest } from '../long-run.ts'
import { DEMO_PASSWORD } from '../running-product.ts'
import { overflow, violations } from '../screens.ts'
import { callApi, fetchToken, fillSignIn, openUserPage, staffClient } from '../signed-in.ts'
import { addDemoUser, addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

const PERSON = 'petra@demo.example'

describe.skipIf(chromiumPath === undefined)('two-factor sign-in in Chromium', () => {
  let app: RunningWebApp
  let key = ''
  let firstStep = 0
  let recoveryCodes: readonly string[] = []
  beforeAll(async () => {
    app = await startWebApp()
    await addUser(app, PERSON, {})
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const open = async (path: string, email = PERSON, width = 1280) => {
    const tab = await app.newPage({ width })
    await openUserPage(tab.page, `${app.product.origin}${path}`, email, { isSeparate: true })
    return tab
  }
  const enable = (page: Page) => page.getByRole('button', { name: 'Enable', exact: true })
  const disable = (page: Page) => page.getByRole('button', { name: 'Disable', exact: true })
  const codeField = (page: Page) => page.getByRole('main').getByLabel('Authentication code', { exact: true })
  const sendCode = async (page: Page, code: string) => {
    await codeField(page).fill(code)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  const isOnInList = async () => {
    const people = await app.ask<{ email: string; mfaEnabled: boolean }[]>('GET users')
    return people.find(({ email }) => email === PERSON)?.mfaEnabled
  }

  test('§2 TFA screen, §5 MFA code: the page shows QR code and key, and a wrong code says what is wrong', async () => {
    await using tab = await open('/tfa')
    const { page } = tab
    const picture = page.getByRole('img', { name: 'QR code for the authenticator app' })
    await picture.waitFor()
    const widths = await picture.evaluate((image: HTMLImageElement) => [image.clientWidth, image.naturalWidth])
    // Shown at its natural size: cameras struggle with squares of unequal size.
    expect(widths[0]).toBe(widths[1])
    expect(widths[0]).toBeGreaterThan(150)
    key = await page.getByLabel('Or enter this key in the app').inputValue()
    expect(key).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
    expect(await enable(page).isDisabled()).toBe(true)
    expect(await disable(page).isDisabled()).toBe(true)
    await codeField(page).fill('12345')
    await codeField(page).blur()
    await page.getByText('6 characters are required').waitFor()
    await codeField(page).fill('')
    await page.getByText('Required.').waitFor()
    expect(await enable(page).isDisabled()).toBe(true)
    await codeField(page).fill(wrongCode(key))
    await codeField(page).press('Enter')
    await page.getByText('Invalid authorization code provided').first().waitFor()
    await page.getByText('Off', { exact: true }).waitFor()
    expect(tab.complaints.filter((complaint) => !complaint.includes('403'))).toEqual([])
  })

  test('§4 MFA: a correct code enables it and shows ten recovery codes once', async () => {
    await using tab = await open('/tfa')
    const { page } = tab
    firstStep = presentStep()
    await codeField(page).fill(computeCode(key, firstStep))
    await enable(page).click()
    await page.getByText('MFA has been successfully enabled').waitFor()
    const dialog = page.getByRole('dialog', { name: 'Your recovery codes' })
    recoveryCodes = await dialog.getByRole('listitem').allTextContents()
    expect(new Set(recoveryCodes).size).toBe(10)
    const download = page.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Download' }).click()
    const file = await readFile((await (await download).path()) ?? '', 'utf8')
    expect(file).toBe(`Sightline recovery codes for ${PERSON}\n\n${recoveryCodes.join('\n')}\n`)
    await page.emulateMedia({ media: 'print' })
    // By text: nothing behind a dialog has a role.
    await page.getByText(`Sightline recovery codes for ${PERSON}`).waitFor()
    expect(await page.getByText('Authenticator app').isVisible()).toBe(false)
    await page.emulateMedia({ media: null })
    await page.keyboard.press('Escape')
    await page.getByText('Close without saving the codes?').waitFor()
    await page.getByRole('button', { name: 'Back to codes' }).click()
    await dialog.getByRole('button', { name: "I've saved these codes" }).click()
    await page.getByText('Recovery codes left: 10').waitFor()
    await page.getByText('On', { exact: true }).waitFor()
    expect(await enable(page).isDisabled()).toBe(true)
    expect(await violations(page)).toEqual([])
    await page.reload()
    await page.getByText('Recovery codes left: 10').waitFor()
    expect(await page.getByRole('img', { name: 'QR code for the authenticator app' }).count()).toBe(0)
    expect(await page.getByText(recoveryCodes[0] ?? '').count()).toBe(0)
    expect(await isOnInList()).toBe(true)
    expect(tab.complaints).toEqual([])
  })

  test('sign-in asks for a code: a wrong or used one is refused, a new one signs in', async () => {
    await using tab = await open('/details')
    const { page } = tab
    await page.getByRole('heading', { name: "Confirm it's you" }).waitFor()
    expect(await codeField(page).getAttribute('autocomplete')).toBe('one-time-code')
    await page.reload()
    await page.goBack()
    await page.getByLabel('Password', { exact: true }).waitFor()
    await page.goForward()
    for (const code of [wrongCode(key), computeCode(key, firstStep)]) {
      await sendCode(page, code)
      await page.getByRole('alert').getByText('This code is incorrect or was already used').waitFor()
    }
    await page.locator('summary').click()
    await page.getByRole('link', { name: 'Nederlands' }).click()
    await page.getByRole('heading', { name: 'Bevestig dat u het bent' }).waitFor()
    await page.locator('summary').click()
    await page.getByRole('link', { name: 'English' }).click()
    await sendCode(page, computeCode(key, Math.max(firstStep + 1, presentStep())))
    await expect.poll(() => detail(page, 'First name').textContent()).toBe('Petra')
  })

  test('a recovery code signs in once, without script and on a phone', async () => {
    await using tab = await app.newPage({ width: 360, height: 740 })
    const { page } = tab
    await page.goto(app.product.origin)
    for (const isFirst of [true, false]) {
      await page.getByLabel('Password', { exact: true }).waitFor()
      await fillSignIn(page, PERSON)
      await page.getByRole('link', { name: 'Use a recovery code instead' }).click()
      await page.getByLabel('Recovery code').fill(recoveryCodes[0]?.toUpperCase() ?? '')
      expect(await page.locator('script').count()).toBe(0)
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      await page.getByRole('button', { name: 'Sign in' }).click()
      if (!isFirst) break
      await expect.poll(() => detail(page, 'First name').textContent()).toBe('Petra')
      await page.goto(`${app.product.origin}/logout`)
      await page.getByText('You are now logged out').waitFor()
      await page.goto(app.product.origin)
    }
    await page.getByText('This code is incorrect or was already used').waitFor()
    await page.getByRole('link', { name: 'Sign in with another account' }).click()
    await page.getByLabel('Password', { exact: true }).waitFor()
  })

  const openByRecoveryCode = async (code: string | undefined) => {
    const tab = await app.newPage({ width: 360, height: 740 })
    const { page } = tab
    await openUserPage(page, `${app.product.origin}/tfa`, PERSON, { isSeparate: true })
    await page.getByRole('link', { name: 'Use a recovery code instead' }).click()
    await page.getByLabel('Recovery code').fill(code ?? '')
    await page.getByRole('button', { name: 'Sign in' }).click()
    return tab
  }

  test('new recovery codes replace the old ones after confirmation with a code, and the second factor stays on', async () => {
    await using tab = await openByRecoveryCode(recoveryCodes[1])
    const { page } = tab
    await page.getByText('Recovery codes left: 8').waitFor()
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.getByRole('button', { name: 'Create new recovery codes' }).click()
    const asking = page.getByRole('dialog', { name: 'Create new recovery codes?' })
    await asking.getByText('Your old codes will stop working immediately.').waitFor()
    expect(await violations(page)).toEqual([])
    await asking.getByLabel('Authentication or recovery code').fill(recoveryCodes[0] ?? '')
    await asking.getByRole('button', { name: 'Create codes' }).click()
    await asking.getByText('This code is incorrect or was already used').waitFor()
    await asking.getByLabel('Authentication or recovery code').fill(recoveryCodes[2] ?? '')
    await asking.getByRole('button', { name: 'Create codes' }).click()
    const shown = page.getByRole('dialog', { name: 'Your recovery codes' })
    await shown.waitFor()
    const fresh = await shown.getByRole('listitem').allTextContents()
    expect(new Set([...fresh, ...recoveryCodes]).size).toBe(20)
    expect(await violations(page)).toEqual([])
    await shown.getByRole('button', { name: "I've saved these codes" }).click()
    await page.getByText('Recovery codes left: 10').waitFor()
    await page.getByText('On', { exact: true }).waitFor()
    expect(await isOnInList()).toBe(true)
    recoveryCodes = fresh
  })

  longTest('a recovery code disables the second factor, and the password alone signs in again', async () => {
    await using tab = await openByRecoveryCode(recoveryCodes[1])
    const { page } = tab
    await page.getByText('Recovery codes left: 9').waitFor()
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.getByLabel('Authentication or recovery code').fill(recoveryCodes[2] ?? '')
    await disable(page).click()
    await page.getByText('MFA has been successfully disabled').waitFor()
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    expect(await page.getByLabel('Or enter this key in the app').inputValue()).not.toBe(key)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    await using again = await open('/tfa')
    await again.page.getByText('Off', { exact: true }).waitFor()
  })

  longTest('the user list shows who has a second factor, and the audit log what happened', async () => {
    expect(await isOnInList()).toBe(false)
    const lines = await app.ask<{ action: string }[]>(
      'GET auditLogs?actions=mfaEnabled,mfaDisabled,recoveryCodeUsed,recoveryCodesRenewed&sort=-time',
    )
    expect(lines.map(({ action }) => action)).toEqual([
      'mfaDisabled',
      'recoveryCodeUsed',
      'recoveryCodesRenewed',
      'recoveryCodeUsed',
      'recoveryCodeUsed',
      'recoveryCodeUsed',
      'mfaEnabled',
    ])
  })

  longTest('a demo user sees the steps but cannot set it up', async () => {
    await addDemoUser(app, 'demo-user@demo.example')
    await using tab = await open('/tfa', 'demo-user@demo.example')
    await tab.page.getByText("You're signed in as a demo user").first().waitFor()
    expect(await codeField(tab.page).isDisabled()).toBe(true)
    expect(await tab.page.getByRole('img', { name: 'QR code for the authenticator app' }).count()).toBe(0)
    expect(await violations(tab.page)).toEqual([])
  })

  longTest('§8 a support session cannot see it, and the page says so, also when embedded', async () => {
    const token = await beginSupport(app, { video: 'hidden' })
    expect(await callApi(app.product.origin, token, 'GET users/self/mfa')).toMatchObject({
      status: 403,
      body: { code: 9 },
    })
    await using tab = await app.newPage()
    await lendToken(tab.page, app.product.origin, token)
    for (const path of ['/tfa', '/settings/tfa']) {
      await tab.page.goto(`${app.product.origin}${path}`)
      await tab.page.getByText('Access restricted').waitFor()
      expect(await tab.page.getByRole('button', { name: 'Enable' }).count()).toBe(0)
    }
    expect(tab.complaints).toEqual([])
  })

  longTest('staff with a second factor are asked for a code too', async () => {
    // The dashboard has no page for this yet; the API call is the same.
    const staff = await fetchToken(app.product.origin, 'admin@demo.example', DEMO_PASSWORD, staffClient)
    const { body } = await callApi<{ secret: string }>(app.product.origin, staff, 'GET users/self/mfa')
    const given = { enabled: true, code: computeCode(body.secret, presentStep()) }
    expect((await callApi(app.product.origin, staff, 'PATCH users/self/mfa', given)).status).toBe(200)
    await using tab = await open('/dealer/', 'admin@demo.example')
    await sendCode(tab.page, computeCode(body.secret, presentStep() + 1))
    await tab.page.waitForURL('**/dealer/**')
  })
})
