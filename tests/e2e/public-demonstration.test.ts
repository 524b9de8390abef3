import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { longTest } from '../long-run.ts'
import { DEMO_PASSWORD } from '../running-product.ts'
import { overflow, soon, violations } from '../screens.ts'
import { callApi, fetchToken, staffClient } from '../signed-in.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

describe.skipIf(chromiumPath === undefined)('a public demo in Chromium', () => {
  let app: RunningWebApp
  let account: { readonly accountId: number }
  let asAdmin: (request: string, body: object) => Promise<unknown>
  beforeAll(async () => {
    app = await startWebApp()
    account = await app.ask('GET users/self')
    const { origin } = app.product
    const token = await fetchToken(origin, 'admin@demo.example', DEMO_PASSWORD, staffClient)
    asAdmin = async (request, body) => {
      const { status, body: reply } = await callApi(origin, token, request, body)
      if (status !== 200) throw new Error(`${request} answered ${status}: ${JSON.stringify(reply)}`)
      return reply
    }
    await asAdmin(`PATCH resellers/255/accounts/${account.accountId}`, { userType: 'demo' })
  }, 120_000)
  afterAll(() => app[Symbol.asyncDispose]())

  const makePublic = (publicDemo: boolean) => asAdmin(`PATCH accounts/${account.accountId}/status`, { publicDemo })
  const brand = (path: string) => `http://demo.localhost:${app.product.port}${path}`
  const button = (page: Page) => page.getByRole('button', { name: 'View demo' })
  const signInForm = (page: Page) => page.getByLabel('Password', { exact: true })

  longTest('the sign-in page offers a public demo if there is one, and the button fits', async () => {
    await makePublic(false)
    await using closed = await app.newPage()
    await closed.page.goto(brand('/'))
    await signInForm(closed.page).waitFor()
    expect(await button(closed.page).count()).toBe(0)
    await makePublic(true)
    for (const [width, dark] of [
      [360, false],
      [1280, true],
    ] as const) {
      await using tab = await app.newPage({ width, dark })
      await tab.page.goto(brand('/'))
      await button(tab.page).waitFor()
      expect(await overflow(tab.page)).toBeLessThanOrEqual(0)
      expect(await violations(tab.page)).toEqual([])
      expect(tab.complaints).toEqual([])
    }
  })

  test('the button opens the demo account, where a guest can view but not change anything', async () => {
    await makePublic(true)
    await using tab = await app.newPage()
    const { page } = tab
    await page.goto(brand('/'))
    await button(page).click()
    await page.getByText("You're signed in as a demo user").first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/details')
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)

    await page.goto(brand('/sessions'))
    await page.getByText('Current session').waitFor()
    expect(await page.getByRole('listitem').filter({ hasText: 'last active' }).count()).toBe(1)
    await page.getByText('No sign-ins yet').waitFor()
    await page.goto(brand('/tfa'))
    await page.getByText("The owner's sign-in settings are hidden.").waitFor()
    expect(await violations(page)).toEqual([])

    await page.goto(brand('/app/'))
    await page.getByRole('link', { name: 'Users' }).first().waitFor()
    for (const name of ['Audit log', 'API keys']) {
      expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0)
    }
    await page.getByRole('img').first().waitFor()
  })

  test('closing the demo signs guests out and removes the button', async () => {
    await makePublic(true)
    await using tab = await app.newPage()
    const { page } = tab
    await page.goto(brand('/'))
    await button(page).click()
    await page.getByText("You're signed in as a demo user").first().waitFor()
    await makePublic(false)
    const asksAgain = page.waitForURL(/\/sign-in\//, soon)
    await page.reload()
    await asksAgain
    await signInForm(page).waitFor()
    expect(await button(page).count()).toBe(0)
  })
})
