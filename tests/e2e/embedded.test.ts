import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, quietNetwork } from '../browser.ts'
import { casesToTry, looksToTry } from '../long-run.ts'
import { DEMO_PASSWORD, freePort } from '../running-product.ts'
import { overflow, violations } from '../screens.ts'
import { callApi, fetchToken, fillSignIn, staffClient } from '../signed-in.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

/** A page of another application that embeds the product and records its messages. */
const hostPage = (inside: string) => `<!doctype html><html lang="en"><head><title>Host</title><script>
  window.told = []
  addEventListener('message', ({ data, origin }) => told.push({ data, origin }))
</script></head><body style="margin: 0"><iframe title="Settings" src="${inside}" style="width: 100%; height: 80vh; border: 0"></iframe></body></html>`

interface Told {
  readonly data: unknown
  readonly origin: string
}

// Specification §2 "Paths under /settings" and decision 24.
const screens = [
  ['details', 'Details'],
  ['support', 'Support'],
  ['subscriptions', 'Subscriptions'],
  ['statusnotification', 'Status notifications'],
  ['tfa', 'Two-factor'],
] as const

describe.skipIf(chromiumPath === undefined)('the screens under /settings/ inside another application', () => {
  const host = createServer((req, res) => {
    const inside = `${app.product.origin}${new URL(req.url ?? '/', 'http://host').searchParams.get('path')}`
    res.writeHead(200, { 'content-type': 'text/html' }).end(hostPage(inside))
  })
  let app: RunningWebApp
  let hostPort = 0
  beforeAll(async () => {
    await new Promise<void>((told) => host.listen(0, '127.0.0.1', told))
    hostPort = (host.address() as AddressInfo).port
    const port = await freePort()
    app = await startWebApp({ port, environment: { SIGHTLINE_EMBEDDED_BY: `http://127.0.0.1:${hostPort}` } })
    const dealer = await fetchToken(app.product.origin, 'dealer@demo.example', DEMO_PASSWORD, staffClient)
    const { accountId } = await app.ask<{ accountId: number }>('GET users/self')
    const flags = { featureFlags: { userSelfServiceManagement: true } }
    await callApi(app.product.origin, dealer, `PATCH resellers/255/accounts/${accountId}`, flags)
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    host.closeAllConnections()
    host.close()
  })

  const shownBy = (name: string, path: string) => `http://${name}:${hostPort}/?path=${path}`
  const signedIn = async (width: number) => {
    const tab = await app.newPage({ width })
    await tab.page.goto(`${app.product.origin}/details`)
    await fillSignIn(tab.page, 'owner@demo.example')
    await tab.page.getByText('First name', { exact: true }).waitFor()
    return tab
  }

  test.each(looksToTry([360, 1280]))('have no header, menu, footer or notices at %i px', async (width) => {
    await using tab = await signedIn(width)
    const { page } = tab
    for (const [path, title] of casesToTry(screens)) {
      await page.goto(shownBy('127.0.0.1', `/settings/${path}`))
      const frame = page.frameLocator('iframe')
      await frame.getByRole('heading', { level: 1, name: title }).waitFor()
      for (const around of ['banner', 'navigation', 'contentinfo'] as const) {
        expect(await frame.getByRole(around).count(), `${around} of ${path}`).toBe(0)
      }
      expect(await frame.getByRole('region', { name: 'Cookies' }).count()).toBe(0)
      expect(await page.evaluate(() => (window as unknown as { told: Told[] }).told)).toEqual([])
      await page.goto(`${app.product.origin}/settings/${path}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await quietNetwork(page)
      expect(await overflow(page), path).toBeLessThanOrEqual(0)
      expect(await violations(page), path).toEqual([])
    }
    expect(tab.complaints).toEqual([])
  })

  test('save a change and confirm it', async () => {
    await using tab = await signedIn(360)
    await tab.page.goto(shownBy('127.0.0.1', '/settings/details'))
    const frame = tab.page.frameLocator('iframe')
    await frame.getByRole('button', { name: 'Edit: Personal details' }).click()
    await frame.getByLabel('Company').fill('Inside Ltd')
    await frame.getByRole('button', { name: 'Save changes', exact: true }).click()
    await frame.getByText('Your details are successfully changed').waitFor()
    expect(await app.ask('GET users/self/details')).toMatchObject({ companyName: 'Inside Ltd' })
  })

  test.each(casesToTry(screens))(
    'unauthorized, %s sends the invalid-token event to the host page and does not redirect',
    async (path) => {
      await using tab = await app.newPage()
      const { page } = tab
      await page.goto(shownBy('127.0.0.1', `/settings/${path}`))
      const frame = page.frameLocator('iframe')
      await frame.getByRole('heading', { name: "You're not signed in" }).waitFor()
      const told = () => page.evaluate(() => (window as unknown as { told: Told[] }).told)
      await expect.poll(told).toContainEqual({ data: { type: 'invalid-token' }, origin: app.product.origin })
      expect(page.frames().at(1)?.url()).toBe(`${app.product.origin}/settings/${path}`)
      expect(tab.complaints).toEqual([])
    },
  )

  test('can be embedded only by an origin that the operator named; other pages cannot be embedded at all', async () => {
    await using tab = await signedIn(1280)
    const { page } = tab
    for (const address of [shownBy('localhost', '/settings/details'), shownBy('127.0.0.1', '/details')]) {
      await page.goto(address)
      await expect.poll(() => page.frames().at(1)?.url()).toMatch(/^chrome-error:/)
    }
  })
})
