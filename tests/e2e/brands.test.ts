import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beaconIcon, harbourIcon } from '../../server/run/demo/demo-logos.ts'
import { chromiumPath } from '../browser.ts'
import { openMail } from '../captured-mail.ts'
import { looksToTry } from '../long-run.ts'
import { overflow, violations } from '../screens.ts'
import { callApi, fetchToken, openSignedIn, staffClient } from '../signed-in.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

const brands = [
  {
    name: 'demo',
    company: 'Harbour Guard',
    email: 'owner@demo.example',
    foreign: 'hotel@demo.example',
    hue: '#5b3fd6',
    icon: harbourIcon,
  },
  {
    name: 'beacon-hill',
    company: 'Beacon Hill',
    email: 'hotel@demo.example',
    foreign: 'owner@demo.example',
    hue: '#b3261e',
    icon: beaconIcon,
  },
] as const

let app: RunningWebApp
beforeAll(async () => {
  if (chromiumPath !== undefined) app = await startWebApp()
}, 120_000)
afterAll(() => app?.[Symbol.asyncDispose]())

const originOf = (name: string) => `http://${name}.localhost:${app.product.port}`
const primaryOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--tone-primary').trim())
const logoOf = (page: Page) => page.getByRole('img').filter({ visible: true }).first()
const favicon = (page: Page) => page.locator('link[rel="icon"]').first().getAttribute('href')

let hasAccepted = false
/** Beacon Hill asks each user to accept the agreement once. */
async function acceptIfAsked(page: Page): Promise<void> {
  if (hasAccepted) return
  const dialog = page.getByRole('dialog', { name: 'Before you continue' })
  await dialog.waitFor()
  await dialog.getByRole('checkbox').first().waitFor()
  for (const each of await dialog.getByRole('checkbox').all()) await each.check()
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await dialog.waitFor({ state: 'hidden' })
  hasAccepted = true
}

describe.skipIf(chromiumPath === undefined).each(looksToTry(brands))('the host of $company', (brand) => {
  test.each(looksToTry([false, true]))('shows the brand from sign-in to sign-out, dark: %s', async (dark) => {
    const origin = originOf(brand.name)
    await using visit = await app.newPage({ dark, width: dark ? 360 : 1280 })
    const { page } = visit
    await page.goto(`${origin}/`)
    await page.getByLabel('Email address', { exact: true }).waitFor()
    expect(new URL(page.url()).origin).toBe(origin)
    expect(await page.title()).toBe(`Sign in - ${brand.company}`)
    expect(await primaryOf(page)).toBe(brand.hue)
    expect(await logoOf(page).getAttribute('alt')).toBe(brand.company)
    expect(await favicon(page)).toBe(brand.icon)

    await openSignedIn(page, `${origin}/`, brand.email)
    if (brand.name === 'beacon-hill') await acceptIfAsked(page)
    await page.getByRole('heading', { name: 'Details' }).first().waitFor()
    expect(page.url()).toBe(`${origin}/details`)
    expect(await page.title()).toContain(brand.company)
    expect(await primaryOf(page)).toBe(brand.hue)
    expect(await favicon(page)).toBe(brand.icon)
    expect(await logoOf(page).getAttribute('alt')).toBe(brand.company)
    expect(await overflow(page)).toBeLessThanOrEqual(0)

    await page.goto(`${origin}/app/`)
    await page.getByRole('main').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/app\//)
    expect(await primaryOf(page)).toBe(brand.hue)
    await page.goto(`${origin}/logout`)
    await page.getByText('You are now logged out').first().waitFor()
    expect(new URL(page.url()).origin).toBe(origin)
    await page.goto(`${origin}/details`)
    await page.getByLabel('Email address', { exact: true }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('rejects users of another brand', async () => {
    await using visit = await app.newPage()
    await openSignedIn(visit.page, `${originOf(brand.name)}/`, brand.foreign)
    await visit.page.getByText('Incorrect email address or password').waitFor()
  })

  test('sends emails with the brand’s colors and links to its own host', async () => {
    const origin = originOf(brand.name)
    await using visit = await app.newPage()
    const { page } = visit
    await page.goto(`${origin}/sign-in/forgot`)
    await page.getByLabel('Email address').fill(brand.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    const subject = `Reset your ${brand.company} password`
    await openMail(page, app.product, { to: brand.email, subject })
    const mail = page.frameLocator('iframe')
    const button = mail.getByRole('link').first()
    expect(await button.getAttribute('href')).toMatch(new RegExp(`^${origin}/sign-in/password/`))
    expect(await mail.locator('body').innerHTML()).toContain(brand.hue)
  })
})

describe.skipIf(chromiumPath === undefined)('the Download Portal', () => {
  test('offers the apps whose addresses the brand has set, and none before', async () => {
    const [{ name, email }] = brands
    const origin = originOf(name)
    await using visit = await app.newPage()
    const { page } = visit
    await openSignedIn(page, `${origin}/downloads/`, email)
    await page.getByRole('heading', { name: 'Download Portal' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Apps' }).count()).toBe(0)
    const dealer = await fetchToken(app.product.origin, 'dealer@demo.example', undefined, staffClient)
    const links = { windowsApp: 'https://harbour.example/setup.exe', iosApp: 'https://apps.harbour.example/id1' }
    const changed = await callApi(app.product.origin, dealer, 'PATCH resellers/self/theme', { links })
    expect(changed.status).toBe(200)
    await expect
      .poll(() => page.evaluate(async () => (await (await fetch('/config.json')).json()).theme.links), {
        timeout: 15_000,
      })
      .toMatchObject(links)
    await page.reload()
    await page.getByRole('heading', { name: 'Apps' }).waitFor()
    expect(await page.getByRole('link', { name: 'Windows' }).getAttribute('href')).toBe(links.windowsApp)
    expect(await page.getByRole('link', { name: 'iPhone and iPad' }).getAttribute('href')).toBe(links.iosApp)
    expect(await page.getByRole('link', { name: 'Android' }).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
  })
})
