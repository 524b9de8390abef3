import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { followMail } from '../captured-mail.ts'
import { looksToTry } from '../long-run.ts'
import { overflow, violations } from '../screens.ts'
import { fillSignIn } from '../signed-in.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

const NEW = 'Another-zebra9'
/** German first: it has the longest words. */
const languages = ['de', 'en', 'es', 'ja', 'nl', 'pl', 'pt', 'tr'] as const

let app: RunningWebApp
beforeAll(async () => {
  if (chromiumPath !== undefined) app = await startWebApp()
}, 120_000)
afterAll(() => app?.[Symbol.asyncDispose]())

test.skipIf(chromiumPath === undefined).each([
  ['a sub-user', 'guard@demo.example', '/app/'],
  ['staff', 'support@demo.example', '/dealer/'],
])('%s who forgot the password requests a link, sets a new password and signs in with it', async (...of) => {
  const [, email, home] = of
  const { origin } = app.product
  await using signedIn = await app.newPage()
  await using visit = await app.newPage({ width: 768 })
  const { page } = visit
  await page.goto(`${origin}${home}`)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('Email address').fill('nobody')
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('Please enter a valid email address').waitFor()
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()

  const opened = await followMail(signedIn.page, app.product, { to: email })
  // Email scanners open links to inspect them but never send the form.
  for (const method of ['GET', 'HEAD']) expect((await fetch(opened.url(), { method })).status).toBe(200)
  expect(await opened.getByLabel('Email address').inputValue()).toBe(email)
  await opened.getByLabel('New password').fill(NEW)
  await opened.getByLabel('Confirm password').fill(NEW)
  await opened.getByRole('button', { name: 'Save password' }).click()
  await opened.getByRole('heading', { name: 'Your password is set' }).waitFor()
  const link = opened.url()
  expect(await opened.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(home)
  await opened.goto(link)
  await opened.getByRole('link', { name: 'Forgot password?' }).waitFor()

  await fillSignIn(page, email)
  await page.getByText('Incorrect email address or password').waitFor()
  await fillSignIn(page, email, NEW)
  await page.waitForURL((url) => url.origin === origin && url.pathname.startsWith(home))
  expect(visit.complaints.filter((complaint) => !complaint.includes('422'))).toEqual([])
})

test.skipIf(chromiumPath === undefined).each(looksToTry(languages))(
  '%s: without script, both pages fit a phone and axe finds nothing',
  async (language) => {
    await using visit = await app.newPage({ width: 360, dark: language === 'nl', locale: language })
    const { page } = visit
    await page.goto(`${app.product.origin}/sign-in/forgot`)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    expect(await page.locator('script').count()).toBe(0)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    await page.locator('#email').fill(`somebody-with-quite-a-long-name@${language}.video.example`)
    await page.keyboard.press('Enter')
    await page.getByRole('status').waitFor()
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    expect(visit.complaints).toEqual([])
  },
)
