import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chromiumPath, quietNetwork, type TestPage } from '../browser.ts'
import { casesToTry, longTest, looksToTry } from '../long-run.ts'
import { menuEntries } from '../popups.ts'
import { freePort } from '../running-product.ts'
import { overflow, violations } from '../screens.ts'
import { fillSignIn, openSignedIn } from '../signed-in.ts'
import { beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

/** Like a tag manager, the script passes its nonce on and reports; the translation tool marks what it found. */
const scripts: Readonly<Record<string, string>> = {
  '/gtm.js': `
    const tag = document.createElement('script')
    tag.nonce = document.currentScript.nonce
    const policy = trustedTypes.createPolicy('stand-in', { createScriptURL: (address) => address })
    tag.src = policy.createScriptURL(new URL('/tag.js', document.currentScript.src))
    document.head.append(tag)
    dataLayer.push({ seen: dataLayer.map((one) => one.event) })
    dataLayer.push = (one) => fetch(new URL('/said?' + JSON.stringify([...one]), '$ORIGIN'), { mode: 'no-cors' })
  `,
  '/tag.js': `fetch('$ORIGIN/collect?' + location.pathname, { mode: 'no-cors' })`,
  '/in-context.js': `document.body.insertAdjacentHTML('beforeend', '<p id="tool" style="color: red">' + JSON.stringify(_jipt) + '</p>')`,
}

/** Stands in for a third-party server and records its requests. */
async function standIn() {
  const asked: string[] = []
  const server = createServer((req, res) => {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    asked.push(decodeURIComponent(req.url ?? ''))
    res.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' })
    res.end(scripts[path]?.replaceAll('$ORIGIN', origin))
  })
  await new Promise<void>((told) => server.listen(0, '127.0.0.1', told))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    return new Promise((done) => server.close(done))
  }
  return { origin, asked, close }
}

describe.skipIf(chromiumPath === undefined)('third-party scripts in Chromium', () => {
  let others: Awaited<ReturnType<typeof standIn>>
  let app: RunningWebApp
  beforeAll(async () => {
    others = await standIn()
    const port = await freePort()
    app = await startWebApp({
      port,
      environment: {
        SIGHTLINE_TAG_MANAGER: 'GTM-STANDIN,a1,env-2',
        SIGHTLINE_TAG_MANAGER_SCRIPT: `${others.origin}/gtm.js`,
        SIGHTLINE_TRANSLATION: `demo.localhost:${port},stand-in`,
        SIGHTLINE_TRANSLATION_SCRIPT: `${others.origin}/in-context.js`,
      },
    })
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await others.close()
  })
  beforeEach(() => {
    others.asked.length = 0
  })

  const banner = (page: Page) => page.getByRole('region', { name: 'Cookies' })
  const open = async (path: string, width = 1280): Promise<TestPage> => {
    const tab = await app.newPage({ width })
    await openSignedIn(tab.page, `${app.product.origin}${path}`)
    await tab.page.getByRole('main').waitFor()
    return tab
  }
  const allow = async ({ context }: TestPage) =>
    context.addCookies([{ name: 'statistics', value: 'allowed', url: app.product.origin }])
  const quiet = async (page: Page) => {
    await quietNetwork(page)
    return others.asked
  }

  test.each(looksToTry([360, 768, 1280]))('the tag manager loads only after consent, at %i px', async (width) => {
    await using tab = await open('/details', width)
    const { page } = tab
    const question = banner(page).getByText('If you agree, we also count visits to these pages.')
    await question.waitFor()
    expect(await quiet(page)).toEqual([])
    expect(await violations(page)).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.getByRole('button', { name: 'Allow statistics' }).click()
    await banner(page).waitFor({ state: 'hidden' })
    await expect.poll(() => others.asked).toHaveLength(3)
    expect(others.asked).toEqual([
      '/gtm.js?id=GTM-STANDIN&gtm_auth=a1&gtm_preview=env-2&gtm_cookies_win=x',
      '/tag.js',
      '/collect?/details',
    ])
    await page.reload()
    await expect.poll(() => others.asked).toHaveLength(6)
    expect(tab.complaints).toEqual([])
  })

  test.each(casesToTry(['Necessary cookies only', 'Close']))(
    '"%s" closes the banner and nothing is loaded',
    async (answer) => {
      await using tab = await open('/details')
      const { page } = tab
      await page.getByRole('button', { name: 'Allow statistics' }).waitFor()
      await banner(page).getByRole('button', { name: answer }).click()
      await page.goto(`${app.product.origin}/support`)
      await page.getByRole('heading', { name: 'Support' }).first().waitFor()
      expect(await quiet(page)).toEqual([])
      expect(await banner(page).count()).toBe(0)
      const kept = (await tab.context.cookies()).filter(({ name }) => ['statistics', 'cookie-banner'].includes(name))
      expect(kept.map(({ name, value }) => [name, value])).toEqual([['cookie-banner', 'closed']])
      expect(tab.complaints).toEqual([])
    },
  )

  test('withdrawn consent takes effect on the next page, and the page says so', async () => {
    await using tab = await app.newPage()
    const { page } = tab
    await page.goto(`${app.product.origin}/cookies`)
    await banner(page).getByRole('button', { name: 'Close' }).click()
    const choice = page.getByRole('switch', { name: 'Allow statistics' })
    await choice.click()
    await expect.poll(() => others.asked.length).toBe(3)
    expect(await page.getByText('Counting stops when you open another page.').count()).toBe(0)
    await choice.click()
    await page.getByText('Counting stops when you open another page.').waitFor()
    await expect
      .poll(() => others.asked.slice(3))
      .toEqual(['/said?["consent","update",{"analytics_storage":"denied"}]'])
    expect(await violations(page)).toEqual([])
    // A link within the app would not load a new document on its own.
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click()
    await page.getByRole('heading', { level: 1, name: 'General terms' }).waitFor()
    await expect.poll(() => page.evaluate(() => 'dataLayer' in window)).toBe(false)
    expect(others.asked).toHaveLength(4)
    expect(tab.complaints).toEqual([])
  })

  test.each([
    ['the Web App', '/app/'],
    ['an embedded page', '/settings/details'],
    ['the sign-in page', '/oauth/authorize'],
  ])('%s loads nothing, even with consent', async (_, path) => {
    await using tab = await app.newPage()
    await allow(tab)
    const { page } = tab
    await page.goto(`${app.product.origin}${path === '/oauth/authorize' ? '/details' : path}`)
    if (path === '/app/') {
      await fillSignIn(page, 'owner@demo.example')
      await page.getByRole('heading', { name: 'Cameras' }).waitFor()
    }
    await page.getByRole('main').waitFor()
    expect(await quiet(page)).toEqual([])
  })

  test('a support session loads nothing, even with consent', async () => {
    await using tab = await app.newPage()
    await allow(tab)
    await lendToken(tab.page, app.product.origin, await beginSupport(app, { video: 'hidden' }))
    await tab.page.goto(`${app.product.origin}/details`)
    await tab.page.getByText("You're in Olivia Owner's account as support").waitFor()
    expect(await quiet(tab.page)).toEqual([])
    await tab.page.goto(`${app.product.origin}/cookies`)
    await tab.page.getByRole('switch', { name: 'Allow statistics' }).waitFor()
    expect(await quiet(tab.page)).toEqual([])
  })

  longTest('language aa is offered only on the translation host, and loads the tool', async () => {
    const folder = join(app.product.dataFolder, 'translation')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'aa.json'), '{"First name":"crwdns7:0First namecrwdne7:0"}')
    const translate = 'Translate in the page (aa)'
    const languagesAt = async (page: Page) => {
      await page.getByRole('button', { name: 'Language' }).click()
      return menuEntries(page)
    }
    await using elsewhere = await open('/details')
    expect(await languagesAt(elsewhere.page)).toHaveLength(8)
    await using tab = await app.newPage()
    const { page } = tab
    await openSignedIn(page, `http://demo.localhost:${app.product.port}/`)
    await page.getByText('First name', { exact: true }).waitFor()
    await expect
      .poll(async () => {
        const names = await languagesAt(page)
        await page.keyboard.press('Escape')
        return names
      })
      .toHaveLength(9)
    expect(others.asked).toEqual([])
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByText(translate).click()
    await page.getByText('crwdns7:0First namecrwdne7:0').waitFor()
    await page.locator('#tool').waitFor()
    expect(await page.locator('#tool').textContent()).toBe('[["project","stand-in"]]')
    expect(others.asked).toEqual(['/in-context.js'])
    expect(await page.locator('html').getAttribute('lang')).toBe('aa')
    await page.reload()
    await page.getByText('crwdns7:0First namecrwdne7:0').waitFor()
    await page.goto(`http://demo.localhost:${app.product.port}/app/`)
    await page.getByRole('heading', { name: 'Cameras' }).waitFor()
    expect(await page.locator('#tool').count()).toBe(0)
    expect(tab.complaints).toEqual([])
    await app.ask('PATCH users/self/details', { language: 'en' })
  })
})
