import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { editDetails } from '../details-screen.ts'
import { longTest } from '../long-run.ts'
import { overflow, violations } from '../screens.ts'
import { callApi, fillSignIn } from '../signed-in.ts'
import { beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

describe.skipIf(chromiumPath === undefined)('a support session in Chromium', () => {
  let app: RunningWebApp
  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const openAsSupport = async (path: string, video: 'shown' | 'hidden', width = 1280) => {
    const token = await beginSupport(app, { video })
    const tab = await app.newPage({ width })
    await lendToken(tab.page, app.product.origin, token)
    await tab.page.goto(`${app.product.origin}${path}`)
    return { tab, token }
  }
  const isAlive = async (token: string) => (await callApi(app.product.origin, token, 'GET users/self')).status === 200
  const inside = "You're in Olivia Owner's account as support (Daan Dealer)."

  test('with video hidden a camera page says so and shows a blurred picture, no stream and no spinner', async () => {
    const { tab } = await openAsSupport('/app/', 'hidden')
    await using _ = tab
    const { page } = tab
    await page.getByText(inside).waitFor()
    await page.getByText('Video is hidden.').waitFor()
    // Includes the date if the session ends after midnight.
    await page.getByText(/Ends (\d{1,2} \w+, )?\d\d:\d\d\./).waitFor()
    await page.getByRole('link', { name: /Car park/ }).click()
    await page.getByText('The account owner has hidden video from support.').waitFor()
    const picture = page.getByRole('img', { name: 'Blurred snapshot from Car park' })
    await picture.waitFor()
    // The server sends a picture too small to make anything out.
    expect(await picture.evaluate((canvas: HTMLCanvasElement) => canvas.width)).toBeLessThanOrEqual(640)
    expect(await page.locator('[data-camera-picture]').count()).toBe(0)
    expect(await page.getByRole('slider').count()).toBe(0)
    expect(await page.getByRole('progressbar').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('a camera page requests neither video nor footage until the rights of the session are known', async () => {
    const token = await beginSupport(app, { video: 'hidden' })
    await using tab = await app.newPage()
    const { page } = tab
    await lendToken(page, app.product.origin, token)
    const cameras = await app.ask<{ cameraId: number; name: string }[]>('GET cameras')
    const camera = cameras.find(({ name }) => name === 'Car park')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const ofVideo = () => asked.filter((url) => /\/rest\/.*(?:streamTickets|recordings|snapshot)/.test(url))
    // The banner's call: the page must not depend on it.
    await page.route('**/users/self/supportSession', () => undefined)
    const flags = Promise.withResolvers<void>()
    await page.route('**/users/self/featureFlags', async (route) => {
      await flags.promise
      await route.continue()
    })
    const details = page.waitForResponse((reply) => reply.url().endsWith(`/cameras/${camera?.cameraId}`))
    await page.goto(`${app.product.origin}/app/cameras/${camera?.cameraId}`)
    await details
    await page.locator('header').getByRole('button').first().waitFor()
    await page.waitForTimeout(500)
    expect(ofVideo()).toEqual([])
    flags.resolve()
    await page.getByText('The account owner has hidden video from support.').waitFor()
    await page.getByRole('img', { name: 'Blurred snapshot from Car park' }).waitFor()
    expect(ofVideo().filter((url) => !url.includes('snapshot'))).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('with video shown the live picture plays', async () => {
    const { tab } = await openAsSupport('/app/', 'shown')
    await using _ = tab
    await tab.page.getByText('Video is visible.').waitFor()
    await tab.page.getByRole('link', { name: /Car park/ }).click()
    await tab.page.getByText('Live', { exact: true }).first().waitFor()
    expect(await tab.page.getByText('The account owner has hidden video from support.').count()).toBe(0)
  })

  test('leaving ends the session and returns to the Dealer Dashboard', async () => {
    const { tab, token } = await openAsSupport('/app/', 'hidden')
    await using _ = tab
    await tab.page.getByText(inside).waitFor()
    expect(await isAlive(token)).toBe(true)
    await tab.page.getByRole('button', { name: 'Leave account' }).click()
    await tab.page.waitForURL((address) => !address.pathname.startsWith('/app/'))
    expect(await isAlive(token)).toBe(false)
    const cookies = await tab.context.cookies(`${app.product.origin}/app/`)
    expect(cookies.filter(({ name }) => name === 'camera-app.v1.token')).toEqual([])
  })

  test('the owner sees the active support session and ends it; support sees that it has ended', async () => {
    const { tab, token } = await openAsSupport('/app/zones', 'hidden')
    await using support = tab
    await support.page.getByText(inside).waitFor()
    await using owner = await app.open('/')
    await owner.page.getByText(/^Support has been in your account since .*Daan Dealer \(/).waitFor()
    await owner.page.getByText("They can't see video.").waitFor()
    expect(await violations(owner.page)).toEqual([])
    await owner.page.getByRole('button', { name: 'End session' }).click()
    await owner.page.getByText('Support session ended.').waitFor()
    await expect.poll(() => owner.page.getByText(/^Support has been in your account/).count()).toBe(0)
    expect(await isAlive(token)).toBe(false)
    await support.page.getByRole('heading', { name: 'The support session has ended' }).waitFor()
    await support.page.getByRole('link', { name: 'Dealer Dashboard' }).waitFor()
    expect(owner.complaints).toEqual([])
  })

  longTest('the banner appears on a page that was already open, and a sub-user does not see it', async () => {
    await app.ask('DELETE accounts/self/supportSessions')
    await using owner = await app.open('/audit-log')
    await owner.page.getByRole('button', { name: 'Dates' }).waitFor()
    expect(await owner.page.getByText(/^Support has been in your account/).count()).toBe(0)
    const token = await beginSupport(app, { video: 'shown' })
    await owner.page.getByText('They can see video.').waitFor()
    await owner.page.getByRole('link', { name: 'Support activity' }).click()
    await expect.poll(() => new URL(owner.page.url()).searchParams.get('support')).toBe('true')
    await using guard = await app.open('/', 'guard@demo.example')
    await guard.page.getByRole('link', { name: /Car park/ }).waitFor()
    expect(await guard.page.getByText(/^Support has been in your account/).count()).toBe(0)
    expect(guard.complaints).toEqual([])
    expect(await isAlive(token)).toBe(true)
  })

  test('My Account has the same banners and offers support no Web App', async () => {
    const { tab } = await openAsSupport('/', 'hidden', 390)
    await using _ = tab
    const { page } = tab
    await page.getByText(inside).waitFor()
    await page.getByText("During a support session, you can't change the name, email address or password.").waitFor()
    expect(await page.getByRole('button', { name: /^Change/ }).count()).toBe(0)
    await editDetails(page)
    expect(await page.getByLabel('First name').isDisabled()).toBe(true)
    expect(await page.getByLabel('Phone number').isEditable()).toBe(true)
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    const switcher = page.getByRole('button', { name: 'Applications' })
    if ((await switcher.count()) > 0) await switcher.click()
    expect(await page.getByRole('menuitem', { name: 'Web App' }).count()).toBe(0)
    expect(await page.getByRole('menuitemradio', { name: 'Web App' }).count()).toBe(0)
    await using owner = await app.newPage({ width: 390 })
    await owner.page.goto(app.product.origin)
    await fillSignIn(owner.page, 'owner@demo.example')
    await owner.page.getByText(/^Support has been in your account since/).waitFor()
    await owner.page.getByRole('button', { name: 'Applications' }).click()
    await owner.page.getByText('Web App', { exact: true }).waitFor()
    expect(await overflow(owner.page)).toBeLessThanOrEqual(0)
  })

  longTest('users can be viewed but not added', async () => {
    const { tab } = await openAsSupport('/app/users', 'shown')
    await using _ = tab
    await tab.page.getByRole('row', { name: /Gabriel Guard/ }).waitFor()
    expect(await tab.page.getByRole('button', { name: 'Add user' }).count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })
})
