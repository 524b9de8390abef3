import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fallbackTypefaceCss, paletteCss, providerTheme } from '@sightline/contract/theme'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ask, blue, type TestEdges, testEdges } from '../edge-testing.ts'
import { plainSite } from '../runtime-config/index.ts'

const STYLE = 'main{color:red}'
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <title>My Account</title>
    <link rel="preload" href="/config.json" as="fetch" crossorigin="anonymous" />
    <link rel="stylesheet" href="/theme.css"  />
    <script type="module" crossorigin src="/assets/index-Abc12345.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/react-Abc12345.js">
    <link rel="stylesheet" crossorigin href="/assets/index-Abc12345.css">
  </head>
  <body>
    <div id="root" class="min-h-dvh"></div>
  </body>
</html>`

let edges: TestEdges
const apps = [
  ['account-portal', '/'],
  ['camera-app', '/app/'],
  ['dealer-dashboard', '/dealer/'],
] as const
const portal = () => join(edges.webRoot, 'account-portal')

beforeAll(async () => {
  edges = await testEdges()
  // Renders its input, with a character sequence that is special in a replacement.
  const module = `export const firstPaints = {
    unknownScreen: 'unknown',
    nameScreen: (app, path) => app + path.toLowerCase(),
    render({ screen, language, theme, hasCookieNotice, sideMenu }) {
      if (language === 'ja') throw new Error('no words')
      const preload = '<link rel="preload" as="image" href="logo"/>'
      const content = preload + '<p>$& ' + [screen, language, theme.companyName, sideMenu].join(' ') + '</p>'
      return { content, cookieNotice: hasCookieNotice ? '<b>notice</b>' : undefined }
    },
  }`
  await mkdir(join(edges.webRoot, 'first-paint'))
  await writeFile(join(edges.webRoot, 'first-paint', 'first-paint.mjs'), module)
})
beforeEach(async () => {
  for (const [app, base] of apps) {
    const folder = join(edges.webRoot, app)
    await writeFile(join(folder, 'index.html'), PAGE.replaceAll('"/assets/', `"${base}assets/`))
    await writeFile(join(folder, 'assets', 'index-Abc12345.css'), STYLE)
  }
})
afterAll(() => edges[Symbol.asyncDispose]())

const SIGNED_IN = 'account.v2.token=abc~1'
const open = async (path: string, headers: Record<string, string> = {}, port = edges.edge.port) => {
  const answer = await ask(path, { port, headers: { cookie: SIGNED_IN, ...headers } })
  return { ...answer, html: answer.body.toString() }
}

describe('a page for a signed-in user', () => {
  test('shows something before its application has loaded', async () => {
    const { status, html } = await open('/details')
    expect(status).toBe(200)
    expect(html).toContain(
      `<div id="root" class="min-h-dvh"><link rel="preload" as="image" href="logo"/><p>$& accountPortal/details en ${providerTheme.companyName} </p></div><div id="cookie-notice" inert><b>notice</b></div>`,
    )
    expect(html).toContain(`<title>${providerTheme.companyName}</title>`)
  })

  test("contains its own styles and the brand's colors, and loads the typeface last", async () => {
    const { html, headers } = await open('/details', { host: 'blue.example' })
    const style = STYLE + fallbackTypefaceCss + paletteCss(blue)
    expect(html).toContain(`<style>${style}</style>`)
    const [before = '', after] = html.split('<link rel="stylesheet" href="/theme.css">')
    expect(before).not.toContain('rel="stylesheet"')
    expect(after).toMatch(/^<\/body>/)
    // A file would be requested with the page's address.
    expect(style).not.toContain('url(')
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}';`)
    expect(headers['content-security-policy']).not.toContain('unsafe')
  })

  test('loads the application with low priority', async () => {
    const { html } = await open('/details')
    for (const tag of ['<script type="module"', '<link rel="modulepreload"', '<link rel="preload"']) {
      expect(html).toContain(`${tag} fetchpriority="low"`)
    }
  })

  test.each([
    [
      'the language chosen in this browser',
      { cookie: `${SIGNED_IN}; sightline.language=nl`, 'accept-language': 'de' },
      '<html lang="nl">',
    ],
    ['or the one that it prefers', { 'accept-language': 'xx, de;q=0.9' }, '<html lang="de">'],
    ['but not one without a translation', { cookie: `${SIGNED_IN}; sightline.language=aa` }, '<html lang="en">'],
    [
      'the scheme chosen in this browser',
      { cookie: `${SIGNED_IN}; sightline.scheme=dark` },
      '<html lang="en" data-scheme="dark">',
    ],
    ["but not one that doesn't exist", { cookie: `${SIGNED_IN}; sightline.scheme="><script>` }, '<html lang="en">'],
    ['no notice that was dismissed', { cookie: `${SIGNED_IN}; cookie-banner=closed` }, '</p></div>\n'],
    ['the side menu as the user left it', { cookie: `${SIGNED_IN}; sightline.menu=folded` }, ' folded</p>'],
    ["but not in a way that doesn't exist", { cookie: `${SIGNED_IN}; sightline.menu=<b>` }, ' </p>'],
  ])('has %s', async (_, headers, part) => {
    expect((await open('/details', headers)).html).toContain(part)
  })

  test('is cached until it changes, for these cookies and languages only', async () => {
    const { headers } = await open('/details', { 'accept-encoding': 'br' })
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-encoding': 'br' })
    expect(headers.vary).toBe('cookie, accept-language, accept-encoding')
    const again = { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) }
    const unchanged = await open('/details', again)
    expect([unchanged.status, unchanged.headers['content-security-policy']]).toEqual([
      304,
      headers['content-security-policy'],
    ])
    expect((await open('/details', { ...again, cookie: `${SIGNED_IN}; sightline.scheme=dark` })).status).toBe(200)
    expect((await open('/details', { ...again, host: 'blue.example' })).status).toBe(200)
  })

  test('changes when the application is rebuilt', async () => {
    const { headers } = await open('/details')
    await writeFile(join(portal(), 'assets', 'index-Abc12345.css'), `${STYLE}p{color:blue}`)
    await writeFile(join(portal(), 'index.html'), `${PAGE}\n`)
    const { html, headers: later } = await open('/details')
    expect(html).toContain('p{color:blue}')
    expect(later.etag).not.toBe(headers.etag)
  })
})

describe('a page is served as built', () => {
  test.each(['/cookies', '/terms', '/logout', '/settings/details'])('at %s, which has another layout', async (path) => {
    expect((await open(path)).html).toBe(PAGE)
  })

  test('if the operator allows third-party scripts', async () => {
    const tagManager = {
      trackingId: 'GTM-ABC',
      auth: '',
      preview: '',
      script: 'https://tags.example/gtm.js',
      origins: [],
    }
    const widened = await edges.open({ kind: 'off' }, 0, { ...plainSite, tagManager })
    if (!widened.ok) throw new Error(widened.failure)
    await using edge = widened.value
    expect((await open('/details', {}, edge.port)).html).not.toContain('<p>')
  })

  test("if it isn't built as expected", async () => {
    await rm(join(portal(), 'assets', 'index-Abc12345.css'))
    const without = PAGE.replace('My Account', 'Without styles')
    await writeFile(join(portal(), 'index.html'), without)
    expect((await open('/details')).html).toBe(without)
    const other = PAGE.replace('min-h-dvh', 'else')
    await writeFile(join(portal(), 'index.html'), other)
    expect((await open('/details')).html).toBe(other)
  })

  test("if its first paint can't be rendered", async () => {
    const other = PAGE.replace('My Account', 'In Danish')
    await writeFile(join(portal(), 'index.html'), other)
    const { status, html } = await open('/details', { host: 'blue.example', 'accept-language': 'ja' })
    expect([status, html]).toEqual([200, other])
    expect(edges.lines.join()).toContain('could not prepare the first paint')
  })
})

describe('the other applications', () => {
  test.each([
    ['/app/users', 'camera-app.v1.token', 'cameraApp/app/users'],
    ['/dealer/jobs', 'dealer.v1.token', 'dealerDashboard/dealer/jobs'],
  ])('show something before they have loaded, too: %s', async (path, cookie, screen) => {
    const { html, headers } = await open(path, { cookie: `${cookie}=abc~1` })
    expect(html).toContain(`<p>$& ${screen} en`)
    const hash = createHash('sha256')
      .update(STYLE + fallbackTypefaceCss + paletteCss(providerTheme))
      .digest('base64')
    expect(headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}';`)
    expect(headers.vary).toContain('cookie, accept-language')
  })

  test.each(['/app/logout', '/dealer/logout'])('have public pages, which are served as built: %s', async (path) => {
    expect((await open(path)).html).not.toContain('$&')
  })
})

test('the address that a sign-in returns to shows no screen, because it is the same for all screens', async () => {
  const { html } = await open('/details?code=abc&state=def')
  expect(html).toContain('<p>$& unknown en')
})

test.each(['/details', '/app/', '/dealer/'])("a user who isn't signed in gets no first paint: %s", async (path) => {
  await mkdir(join(edges.webRoot, 'sign-in-start'), { recursive: true })
  await writeFile(join(edges.webRoot, 'sign-in-start', 'sign-in-start.js'), '')
  expect((await open(path, { cookie: 'sightline.language=nl' })).html).not.toContain('$&')
})
