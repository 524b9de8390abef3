import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { fillDate } from '../dates.ts'
import { inLongRun, longTest } from '../long-run.ts'
import { chooseOption } from '../popups.ts'
import { overflow, violations } from '../screens.ts'
import { callApi } from '../signed-in.ts'
import { addDemoUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

interface ApiKey {
  readonly apiKeyId: number
  readonly clientId: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly allowedAddresses: readonly string[]
  readonly expiresAt: string | null
}

describe.skipIf(chromiumPath === undefined)('the API keys page in Chromium', () => {
  let app: RunningWebApp
  beforeAll(async () => {
    app = await startWebApp()
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const keyOf = async (name: string): Promise<ApiKey | undefined> =>
    (await app.ask<ApiKey[]>('GET apiKeys')).find((key) => key.name === name)

  /** Requests a token the way the instructions on the page do. */
  const signIn = async (clientId: string, secret: string) => {
    const reply = await fetch(`${app.product.origin}/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    })
    return { status: reply.status, ...((await reply.json()) as { access_token?: string }) }
  }

  test('a key is created, its secret is shown once and works as the page explains, then it is rotated and deleted', async () => {
    await using tab = await app.open('/api-keys')
    const { page } = tab
    await page.getByText('No API keys yet').waitFor()
    expect(await page.getByLabel(/^Get a token/).inputValue()).toBe(
      `curl -u CLIENT_ID -d grant_type=client_credentials ${app.product.origin}/oauth/token`,
    )
    await page.getByRole('button', { name: 'Create API key' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog.getByLabel('Name').fill('my key')
    await dialog.getByText('The name can contain only letters and numbers.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Name').fill('Billing2')
    expect(await dialog.getByText('The name can contain only letters and numbers.').count()).toBe(0)
    await dialog.getByLabel('Allowed IP addresses').fill('127.0.0.1\nnowhere')
    await dialog.getByLabel('Name').focus()
    await dialog.getByText('An IP address, or a range such as 192.0.2.0/24').waitFor()
    await dialog.getByLabel('Allowed IP addresses').fill('127.0.0.1\n192.0.2.0/24')
    await fillDate(dialog.getByRole('group', { name: 'Valid through' }), '2099-12-31')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create key' }).click()

    const secretOf = async () => {
      const shown = page.getByRole('dialog', { name: 'Secret for Billing2' })
      await shown.waitFor()
      const clientId = await shown.getByLabel('Client ID').inputValue()
      const secret = await shown.getByLabel('Secret', { exact: true }).inputValue()
      return { shown, clientId, secret }
    }
    const made = await secretOf()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Close without saving the secret?' }).waitFor()
    await page.getByRole('button', { name: 'Back to secret' }).click()
    await made.shown.getByRole('button', { name: "I've saved it" }).click()
    expect(await page.getByText(made.secret).count()).toBe(0)
    expect(await keyOf('Billing2')).toMatchObject({
      scopes: ['read'],
      allowedAddresses: ['127.0.0.1', '192.0.2.0/24'],
      expiresAt: expect.stringMatching(/^(2099-12-31|2100-01-01)T/),
    })
    const token = await signIn(made.clientId, made.secret)
    const cameras = await callApi<unknown[]>(app.product.origin, token.access_token ?? '', 'GET cameras')
    expect([token.status, cameras.body.length]).toEqual([200, 4])

    await page.getByRole('button', { name: 'Actions for Billing2' }).click()
    await page.getByRole('menuitem', { name: 'Create new secret' }).click()
    await page.getByText('The old secret keeps working for 24 hours').waitFor()
    await page.getByRole('button', { name: 'Create new secret' }).click()
    const rotated = await secretOf()
    expect(rotated.secret).not.toBe(made.secret)
    await rotated.shown.getByRole('button', { name: "I've saved it" }).click()
    await page.getByText(/old secret works until/).waitFor()
    expect((await signIn(made.clientId, made.secret)).status).toBe(200)
    expect((await signIn(made.clientId, rotated.secret)).status).toBe(200)

    await page.getByRole('button', { name: 'Actions for Billing2' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('Programs that use this key lose access immediately').waitFor()
    await page.getByRole('button', { name: 'Delete key' }).click()
    await page.getByText('API key deleted').waitFor()
    await page.getByText('No API keys yet').waitFor()
    expect((await signIn(made.clientId, rotated.secret)).status).toBe(401)
    expect(tab.complaints).toEqual([])
  })

  longTest('a taken name is reported at the field, and a leaked secret can be revoked immediately', async () => {
    const first = await app.ask<{ clientId: string; clientSecret: string }>('POST apiKeys', { name: 'Backup' })
    await using tab = await app.open('/api-keys')
    const { page } = tab
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog.getByLabel('Name').fill('Backup')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('An API key with this name already exists.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('button', { name: 'Actions for Backup' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await chooseOption(page.getByRole('dialog').getByLabel('Permissions'), 'Read and write')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('API key saved').waitFor()
    expect((await keyOf('Backup'))?.scopes).toEqual(['read', 'write'])
    await page.getByRole('button', { name: 'Actions for Backup' }).click()
    await page.getByRole('menuitem', { name: 'Create new secret' }).click()
    await page.getByLabel('Revoke the old secret immediately, for example if it leaked').check()
    await page.getByText('The old secret stops working immediately.').waitFor()
    await page.getByRole('button', { name: 'Create new secret' }).click()
    await page.getByRole('button', { name: "I've saved it" }).click()
    expect((await signIn(first.clientId, first.clientSecret)).status).toBe(401)
  })

  longTest('only the owner has keys: a sub-user, a demo user and support see why they can’t', async () => {
    await addDemoUser(app, 'visitor@demo.example')
    for (const email of ['guard@demo.example', 'visitor@demo.example']) {
      await using tab = await app.open('/api-keys', email)
      await tab.page.getByText('Only the account owner can manage API keys').waitFor()
      expect(await tab.page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
      expect(await tab.page.getByRole('button', { name: 'Create API key' }).count()).toBe(0)
      expect(tab.complaints).toEqual([])
    }
    await using tab = await app.newPage()
    await lendToken(tab.page, app.product.origin, await beginSupport(app, { video: 'shown' }))
    await tab.page.goto(`${app.product.origin}/app/api-keys`)
    await tab.page.getByText("You can't view or change API keys during a support session.").waitFor()
  })

  test.each(
    inLongRun([
      [360, true],
      [768, false],
      [1280, true],
    ]),
  )('at %i pixels nothing is wider than the window, dark: %s, and axe finds nothing', async (width, dark) => {
    await app.ask('POST apiKeys', { name: `Wide${width}`, allowedAddresses: ['2001:db8::/32', '192.0.2.0/24'] })
    await using tab = await app.open('/api-keys', 'owner@demo.example', { width, dark })
    await tab.page.getByRole('rowheader', { name: `Wide${width}` }).waitFor()
    expect(await overflow(tab.page)).toBeLessThanOrEqual(0)
    expect(await violations(tab.page)).toEqual([])
    await tab.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    expect(await overflow(tab.page)).toBeLessThanOrEqual(0)
  })
})
