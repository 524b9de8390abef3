import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, openBrowser, quietNetwork, type TestBrowser } from '../browser.ts'
import { casesToTry, longTest } from '../long-run.ts'
import { DEMO_PASSWORD, type RunningProduct, startProduct } from '../running-product.ts'
import { nextCounter, openCamera, readCounter } from '../screen-picture.ts'
import { callApi, fetchToken, fillSignIn, openUserPage } from '../signed-in.ts'

const NO_SUCH_CAMERA = "Camera not found, or you don't have access to it"

describe.skipIf(chromiumPath === undefined)('the Web App in Chromium', () => {
  let product: RunningProduct
  let browser: TestBrowser
  beforeAll(async () => {
    product = await startProduct()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
  })

  test('the owner sees four cameras, each with status and picture', async () => {
    await using tab = await browser.newPage()
    await openUserPage(tab.page, `${product.origin}/app/`)
    for (const name of ['Car park', 'Entrance', 'Shop floor', 'Corridor']) {
      await tab.page.getByRole('link', { name: new RegExp(name) }).waitFor()
    }
    await expect.poll(() => tab.page.getByText('Online').count(), { timeout: 20_000 }).toBe(4)
    await expect.poll(() => tab.page.locator('canvas:visible').count(), { timeout: 20_000 }).toBe(4)
    expect(tab.complaints).toEqual([])
  })

  test('what changes at a camera is on an open list without asking for it', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, `${product.origin}/app/`)
    const tile = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /Corridor/ }) })
    await tile.getByText('Online').waitFor()
    const token = await fetchToken(product.origin, 'owner@demo.example')
    const { body } = await callApi<{ cameraId: number; name: string }[]>(product.origin, token, 'GET cameras')
    const camera = body.find(({ name }) => name === 'Corridor')
    const setMode = (mode: string) => callApi(product.origin, token, `PATCH cameras/${camera?.cameraId}/mode`, { mode })
    // From here on the stream tells the states.
    await setMode('private')
    await tile.getByText('Private').first().waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await setMode('armed')
    await tile.getByText('Online').waitFor()
    expect(asked.filter((path) => path.endsWith('/status'))).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('a guard sees only the cameras of their zone and cannot open another by its URL', async () => {
    const token = await fetchToken(product.origin, 'owner@demo.example')
    const { body } = await callApi<{ cameraId: number; name: string }[]>(product.origin, token, 'GET cameras')
    const shop = body.find((camera) => camera.name === 'Shop floor')
    await using tab = await browser.newPage()
    await openUserPage(tab.page, `${product.origin}/app/`, 'guard@demo.example')
    await tab.page.getByRole('link', { name: /Car park/ }).waitFor()
    expect(await tab.page.getByRole('link', { name: /Shop floor/ }).count()).toBe(0)
    await tab.page.goto(`${product.origin}/app/cameras/${shop?.cameraId}`)
    await tab.page.getByRole('heading', { name: NO_SUCH_CAMERA }).waitFor()
    expect(await readCounter(tab.page)).toBeUndefined()
  })

  test.each(casesToTry(['999999', 'nowhere']))(
    'nonexistent camera %s is requested at most once, and the page links back',
    async (id) => {
      await using tab = await browser.newPage()
      const { page } = tab
      await openUserPage(page, `${product.origin}/app/`)
      await page.getByRole('link', { name: /Car park/ }).waitFor()
      const missing: string[] = []
      page.on('response', (response) => {
        if (response.status() >= 400) missing.push(new URL(response.url()).pathname)
      })
      await page.goto(`${product.origin}/app/cameras/${id}`)
      await page.getByRole('heading', { name: NO_SUCH_CAMERA }).waitFor()
      await quietNetwork(page)
      expect(missing).toEqual(id === 'nowhere' ? [] : [`/rest/v2.4/cameras/${id}`])
      await page.getByRole('link', { name: 'All cameras' }).click()
      await page.getByRole('link', { name: /Car park/ }).waitFor()
    },
  )

  test('a camera opened by keyboard has the focus on its heading; days without footage say so, future days are not offered', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openUserPage(page, `${product.origin}/app/`)
    await page.getByRole('link', { name: /Car park/ }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Car park')
    const nothing = page.getByText('Nothing was recorded in this time.')
    await nextCounter(page, () => true)
    await expect.poll(() => nothing.count()).toBe(0)
    await page.getByRole('button', { name: 'Previous day' }).click()
    await nothing.waitFor()
    await page.getByRole('button', { name: /^Day: / }).click()
    const calendar = page.getByRole('dialog', { name: 'Day' })
    expect(await calendar.getByRole('button', { name: 'Next' }).first().isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Today' }).click()
    expect(await page.getByRole('button', { name: 'Next day' }).isDisabled()).toBe(true)
    expect(tab.complaints).toEqual([])
  })

  test('the address of a camera without its number leads to the list of cameras', async () => {
    await using tab = await browser.newPage()
    for (const path of ['/app/cameras', '/app/cameras/']) {
      await openUserPage(tab.page, `${product.origin}${path}`)
      await tab.page.getByRole('link', { name: /Car park/ }).waitFor()
      expect(new URL(tab.page.url()).pathname).toMatch(/^\/app\/?$/)
    }
  })

  test('an unknown path says so and links to the cameras', async () => {
    await using tab = await browser.newPage()
    await openUserPage(tab.page, `${product.origin}/app/nowhere`)
    await tab.page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await tab.page.getByRole('link', { name: 'All cameras' }).click()
    await tab.page.getByRole('link', { name: /Car park/ }).waitFor()
  })

  longTest('on a phone in landscape the picture fills most of the window', async () => {
    await using tab = await browser.newPage({ width: 844, height: 390 })
    await openCamera(tab.page, product.origin)
    await nextCounter(tab.page, () => true)
    await tab.page.getByRole('region', { name: 'Cookies' }).getByRole('button', { name: 'Close' }).click()
    const picture = await tab.page.getByRole('region', { name: 'Picture' }).boundingBox()
    expect(picture?.height).toBeGreaterThan(290)
    expect((picture?.y ?? 0) + (picture?.height ?? 0)).toBeLessThanOrEqual(390)
  })

  longTest(
    'a language chosen here also applies in My Account, and a later choice elsewhere applies at the next sign-in',
    async () => {
      const email = 'other@demo.example'
      await using tab = await browser.newPage()
      const { page } = tab
      await openUserPage(page, `${product.origin}/app/`, email)
      await page.getByRole('button', { name: 'Language' }).click()
      await page.getByRole('menuitemradio', { name: 'Nederlands' }).click()
      await page.getByRole('heading', { name: "Camera's", exact: true }).waitFor()
      const token = await fetchToken(product.origin, email)
      const kept = () => callApi<{ language: string }>(product.origin, token, 'GET users/self/details')
      await expect.poll(async () => (await kept()).body.language).toBe('nl')
      await using another = await browser.newPage()
      await openUserPage(another.page, product.origin, email)
      await another.page.getByText('Voornaam', { exact: true }).waitFor()

      await callApi(product.origin, token, 'PATCH users/self/details', { language: 'de' })
      await page.reload()
      expect(await page.locator('html').getAttribute('lang')).toBe('nl')
      await page.getByRole('button', { name: 'Accountmenu' }).click()
      await page.getByRole('menuitem', { name: 'Uitloggen' }).click()
      await page.waitForURL(/\/app\/logout/)
      await page.goto(`${product.origin}/app/`)
      await page.locator('input[type=email]').fill(email)
      await page.locator('input[type=password]').fill(DEMO_PASSWORD)
      await page.locator('button[type=submit]').first().click()
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
    },
  )

  test.each(casesToTry(['/', '/app/']))(
    'signing out in another tab at %s sends the camera page to sign-in',
    async (path) => {
      await using tab = await browser.newPage()
      const { page } = tab
      await openCamera(page, product.origin)
      await nextCounter(page, () => true)
      const said: string[] = []
      await page.exposeFunction('heard', (text: string) => said.push(text))
      await page.evaluate(() => {
        const { heard } = window as unknown as { heard: (text: string) => void }
        new MutationObserver(() => heard(document.body.textContent)).observe(document.body, {
          childList: true,
          subtree: true,
        })
      })
      const other = await tab.context.newPage()
      await other.goto(`${product.origin}${path}`)
      await other.getByRole('button', { name: 'Account menu' }).click()
      await other.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL(/\/sign-in\//, { timeout: 20_000 })
      expect(said.filter((text) => /Camera not found|Not allowed/.test(text))).toEqual([])
      await fillSignIn(page, 'owner@demo.example')
      await page.waitForURL(/\/app\/cameras\/\d+/)
    },
  )

  test('without a network no camera is shown as online, and the page recovers automatically', async () => {
    await using tab = await browser.newPage()
    await openUserPage(tab.page, `${product.origin}/app/`)
    const lost = tab.page.getByText("Can't reach the server.")
    await expect.poll(() => tab.page.getByText('Online').count(), { timeout: 20_000 }).toBe(4)
    await tab.context.setOffline(true)
    await lost.waitFor()
    expect(await tab.page.getByText('Online').count()).toBe(0)
    await tab.context.setOffline(false)
    await lost.waitFor({ state: 'hidden' })
    await expect.poll(() => tab.page.getByText('Online').count(), { timeout: 20_000 }).toBe(4)
  })
})
