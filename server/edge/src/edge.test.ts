import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { legalText } from '@sightline/contract/legal-texts'
import { runtimeConfig } from '@sightline/contract/runtime-config'
import { providerTheme, themeCss } from '@sightline/contract/theme'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask as askAt, blue, SCRIPT, type TestEdges, testEdges, upstreams } from './edge-testing.ts'
import { openEdge } from './index.ts'

let edges: TestEdges
let port = 0
beforeAll(async () => {
  edges = await testEdges()
  port = edges.edge.port
})
afterAll(() => edges[Symbol.asyncDispose]())

const ask = (path: string, given: { method?: string; headers?: Record<string, string>; port?: number } = {}) =>
  askAt(path, { port, ...given })

const textAfter = (send: string, at = port) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(at, '127.0.0.1', () => socket.write(send))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })

describe('legal texts', () => {
  test.each(['terms', 'subscriptionagreement', 'aditerms'])(
    '%s is available on any host, as plain text',
    async (page) => {
      const { status, headers, body } = await ask(`/legal-texts/${page}`, { headers: { host: 'blue.example' } })
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(legalText.parse(JSON.parse(body.toString()))).toMatchObject({ isTemplate: true, version: '2026-11-23' })
    },
  )
  test('no other file in the folder can be requested', async () => {
    for (const path of ['/legal-texts/', '/legal-texts/index', '/legal-texts/..%2findex.ts']) {
      expect((await ask(path)).body.toString()).not.toContain('isTemplate')
    }
  })
})

describe('routing', () => {
  test('an edge without keys of footage has none to publish', async () => {
    expect((await ask('/.well-known/footage-keys.json')).status).toBe(404)
  })
  test.each([
    ['/rest/v2.4/users/self', 'api'],
    ['/oauth/token', 'auth'],
    ['/sign-in/abc', 'auth'],
    ['/auth/logout', 'auth'],
    ['/.well-known/openid-configuration', 'auth'],
  ])('%s is answered by %s', async (path, by) => {
    expect(JSON.parse((await ask(path)).body.toString())).toMatchObject({ by })
  })
  test.each([
    ['/', 'account-portal'],
    ['/settings/details?x=1', 'account-portal'],
    ['/app/', 'camera-app'],
    ['/app/live/12', 'camera-app'],
    ['/dealer/', 'dealer-dashboard'],
    ['/dealer/resellers/255/accounts', 'dealer-dashboard'],
    ['/docs/api/', 'api-docs'],
  ])('%s is a page of %s', async (path, app) => {
    const { status, headers, body } = await ask(path)
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-cache')
    expect(body.toString()).toContain(`<title>${app}</title>`)
  })
  test.each(['//evil.example/x', '//', '/\\\\evil.example'])(
    "%s, which a browser would take for a host, isn't a page",
    async (path) => {
      expect((await ask(path)).status).toBe(404)
    },
  )
  test('/app redirects to /app/, /dealer to /dealer/, and /docs/api to /docs/api/', async () => {
    expect(await ask('/docs/api')).toMatchObject({ status: 308, headers: { location: '/docs/api/' } })
    expect(await ask('/app')).toMatchObject({ status: 308, headers: { location: '/app/' } })
    expect(await ask('/dealer')).toMatchObject({ status: 308, headers: { location: '/dealer/' } })
    for (const path of ['/downloads', '/downloads/'])
      expect(await ask(path)).toMatchObject({ status: 308, headers: { location: '/app/downloads' } })
  })
  test('an unsupported method returns 405 with the supported ones', async () => {
    expect(await ask('/', { method: 'POST' })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
    const traced = await ask('/rest/v2.4/x', { method: 'TRACE' })
    expect(traced).toMatchObject({ status: 405, headers: { allow: expect.stringContaining('PATCH') } })
    expect(JSON.parse(traced.body.toString())).toMatchObject({ code: 10 })
  })
  test('a request with two hosts is refused, because each server on the way may have used another one', async () => {
    const twice = (path: string, more = '') =>
      textAfter(`GET ${path} HTTP/1.1\r\nHost: ${edges.ownHost}\r\nHost: blue.example\r\n${more}\r\n`)
    for (const path of ['/', '/healthz', '/rest/v2.4/users/self', '/oauth/token']) {
      expect(await twice(path)).toMatch(/^HTTP\/1\.1 400 [\s\S]*one Host/)
    }
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
    expect(await twice('/stream/mse/open?ticket=t', upgrade)).toMatch(/^HTTP\/1\.1 400 /)
  })
  test('HEAD has the headers and no body', async () => {
    const { status, headers, body } = await ask('/', { method: 'HEAD' })
    expect(status).toBe(200)
    expect(Number(headers['content-length'])).toBeGreaterThan(500)
    expect(body).toHaveLength(0)
  })
  test("streams are handed over as sockets; other upgrades and plain requests aren't", async () => {
    const upgrade = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`
    expect(await textAfter(upgrade('/stream/mse/open?ticket=t'))).toMatch(/^HTTP\/1.1 101[\s\S]*stream$/)
    expect(await textAfter(upgrade('/rest/v2.4/x'))).toMatch(/^HTTP\/1.1 404/)
    expect((await ask('/stream/mse/open')).status).toBe(426)
  })
})

describe('built files', () => {
  test('hashed files never change; every encoding has the same bytes; an ETag avoids the second download', async () => {
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await ask('/assets/main-Abc12345.js', { headers: { 'accept-encoding': encoding } })
      expect(headers).toMatchObject({
        'content-encoding': encoding,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
        vary: 'accept-encoding',
      })
      expect(decode(body).toString()).toBe(SCRIPT)
      expect(body.length).toBeLessThan(200)
      const again = await ask('/assets/main-Abc12345.js', {
        headers: { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) },
      })
      expect(again).toMatchObject({ status: 304 })
      expect(again.body).toHaveLength(0)
    }
  })
  test('a changed file is noticed', async () => {
    await writeFile(join(edges.webRoot, 'camera-app', 'manifest.webmanifest'), '{"a":1}')
    expect((await ask('/app/manifest.webmanifest')).body.toString()).toBe('{"a":1}')
  })
  test('a missing script returns not found, not a page', async () => {
    expect((await ask('/assets/gone-Abc12345.js')).status).toBe(404)
  })
  test.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/a/..%5c..%5csecret.txt',
    '/.env',
    '/%00',
    '/%ff',
  ])("%s can't leave the folder", async (path) => {
    const { status, body } = await ask(path)
    expect(body.toString()).not.toContain('secret')
    expect(status).toBe(404)
  })
})

describe('headers per route', () => {
  test('a page may load scripts and styles only from its own origin, with no inline code and no frames', async () => {
    const { headers } = await ask('/')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain(`connect-src 'self' ws://${edges.ownHost}`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
    expect(headers['permissions-policy']).toContain('usb=()')
  })
  test('a page opened with a token or a code sends no Referer, not even to us', async () => {
    for (const path of ['/?token=secret', '/details?a=1&access_token=secret', '/dealer/?code=secret']) {
      expect((await ask(path)).headers['referrer-policy']).toBe('no-referrer')
    }
  })
  test("API replies can't act as documents", async () => {
    expect((await ask('/rest/v2.4/x')).headers['content-security-policy']).toContain("default-src 'none'")
  })
  test('every reply has them, even if the host is invalid', async () => {
    const twoHosts = (
      await textAfter(`GET / HTTP/1.1\r\nHost: ${edges.ownHost}\r\nHost: blue.example\r\n\r\n`)
    ).toLowerCase()
    expect(twoHosts).toContain('x-content-type-options: nosniff')
    expect(twoHosts).toContain("frame-ancestors 'none'")
    for (const path of [
      '/',
      '/rest/v2.4/x',
      '/oauth/token',
      '/healthz',
      '/readyz',
      '/config.json',
      '/assets/gone.js',
    ]) {
      const { headers } = await ask(path)
      expect(headers['x-content-type-options'], path).toBe('nosniff')
      expect(headers['content-security-policy'], path).toContain("frame-ancestors 'none'")
    }
  })
  test('with a publicly trusted certificate every reply requires TLS for a year, including subdomains', async () => {
    const opened = await edges.open({ kind: 'behind-proxy' })
    if (!opened.ok) throw new Error(opened.failure)
    await using trusted = opened.value
    for (const path of ['/', '/rest/v2.4/x', '/oauth/token', '/healthz']) {
      const { headers } = await ask(path, { port: trusted.port })
      expect(headers['strict-transport-security'], path).toBe('max-age=31536000; includeSubDomains')
    }
  })
  test('no HSTS without a publicly trusted certificate', async () => {
    expect((await ask('/')).headers['strict-transport-security']).toBeUndefined()
  })
  test("pictures load only from our origin, wherever the brand's logo and icon are", async () => {
    for (const host of ['blue.example', edges.ownHost]) {
      const { headers, body } = await ask('/', { headers: { host } })
      expect(String(headers['content-security-policy'])).toContain("img-src 'self' data: blob:;")
      expect(`${headers['content-security-policy']}${body}`).not.toMatch(/(pictures|dark)\.example/)
    }
  })
})

describe('brand by host', () => {
  const configOf = async (host: string) =>
    JSON.parse((await ask('/config.json', { headers: { host } })).body.toString())
  test('/config.json has exactly the specified fields', async () => {
    const config = await configOf('blue.example')
    expect(runtimeConfig.parse(config)).toEqual(config)
    expect(config).toMatchObject({
      apiServer: 'http://blue.example/rest/v2.4/',
      authServer: 'http://blue.example',
      appId: 'account.v2',
      title: 'Blue Eye',
      webappURL: 'http://blue.example/app/',
      authFlow: 'code',
    })
  })
  test("/theme.css has the brand's colors and none of another brand", async () => {
    const stylesOf = async (host: string) => ask('/theme.css', { headers: { host } })
    const { headers, body } = await stylesOf('blue.example')
    expect(headers['content-type']).toBe('text/css; charset=utf-8')
    expect(body.toString()).toBe(themeCss(blue))
    expect((await stylesOf('evil.example')).body.toString()).toBe(themeCss(providerTheme))
  })
  test.each(['evil.example', 'evil.example:1"><script>'])(
    "%s gets the provider's brand and is never reflected",
    async (host) => {
      const text = JSON.stringify(await configOf(host))
      expect(JSON.parse(text)).toMatchObject({ title: 'Sightline', authServer: `http://${edges.ownHost}` })
      expect(text).not.toContain('evil')
    },
  )
})

describe('forwarded headers', () => {
  const forged = {
    'x-forwarded-for': '6.6.6.6',
    'x-forwarded-host': 'blue.example',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  }
  test('from a client are ignored', async () => {
    const { headers, body } = await ask('/rest/v2.4/x', { headers: forged })
    const seen = JSON.parse(body.toString())
    expect(seen).toMatchObject({ address: '127.0.0.1', host: edges.ownHost })
    expect(seen.id).toMatch(/^[0-9a-f]{32}$/)
    expect(seen.id).not.toBe('a'.repeat(32))
    expect(seen.trace).toContain(seen.id)
    expect(headers['x-request-id']).toBe(seen.id)
  })
  test('from a trusted proxy are used: its address for the client, host, trace and https', async () => {
    const proxies = { networks: ['127.0.0.0/8'], header: 'x-forwarded' } as const
    const opened = await edges.open({ kind: 'behind-proxy' }, 0, { proxies })
    if (!opened.ok) throw new Error(opened.failure)
    await using proxied = opened.value
    const headers = { ...forged, 'x-forwarded-for': '6.6.6.6, 192.0.2.7' }
    const seen = await ask('/rest/v2.4/x', { headers, port: proxied.port })
    expect(JSON.parse(seen.body.toString())).toMatchObject({
      address: '192.0.2.7',
      host: 'blue.example',
      id: 'a'.repeat(32),
    })
    expect(seen.headers['strict-transport-security']).toContain('max-age=31536000')
    const auth = await ask('/oauth/token', { headers, port: proxied.port })
    expect(JSON.parse(auth.body.toString())).toMatchObject({ proto: 'https' })
  })
  test('from an untrusted proxy are logged once, with its address and the setting', async () => {
    const proxies = { networks: ['10.0.0.0/8'], header: 'x-forwarded' } as const
    const opened = await edges.open({ kind: 'behind-proxy' }, 0, { proxies })
    if (!opened.ok) throw new Error(opened.failure)
    await using proxied = opened.value
    edges.lines.length = 0
    for (const path of ['/rest/v2.4/x', '/rest/v2.4/y']) {
      const { body } = await ask(path, { headers: forged, port: proxied.port })
      expect(JSON.parse(body.toString())).toMatchObject({ address: '127.0.0.1' })
    }
    const told = edges.lines.filter((line) => line.includes('SIGHTLINE_TRUSTED_PROXIES'))
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('127.0.0.1')
    expect(edges.lines.filter((line) => line.includes('"request"'))[0]).not.toContain('6.6.6.6')
  })
  test('the access log has no query and no long id', async () => {
    edges.lines.length = 0
    await ask('/auth/logout?token=s3cret&redirect_uri=x')
    await ask('/sign-in/Kx8sLqP2mNbV7cXzAsDfG')
    const text = edges.lines.join('')
    expect(text).toContain('/auth/logout')
    expect(text).toContain('/sign-in/…')
    expect(text).not.toMatch(/s3cret|redirect_uri|Kx8s/)
  })
})

describe('limits and lifecycle', () => {
  test('headers of more than 16 KiB are refused', async () => {
    expect(await textAfter(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 431/)
  })
  test("anything that isn't HTTP is refused", async () => {
    expect(await textAfter('hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400/)
  })
  test.each([
    ['headers that are too large', `GET /rest/v2.4/x HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`, 431, 2],
    ['an address that is too long', `GET /rest/v2.4/x?y=${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 2],
    ["requests that aren't HTTP", 'hello\r\n\r\n', 400, 2],
    ['headers without a name', 'GET /rest/v2.4/x HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400, 2],
    [
      'requests with two lengths',
      'POST /rest/v2.4/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      2,
    ],
  ])('%s are answered with an API error', async (_, request, status, code) => {
    const answer = await textAfter(request)
    const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toContain('content-type: application/json; charset=utf-8')
    expect(JSON.parse(body)).toMatchObject({
      code,
      detail: expect.any(String),
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  })
  test('a port in use gives one sentence that names the setting', async () => {
    const second = await edges.open({ kind: 'off' }, port)
    expect(second).toMatchObject({ ok: false })
    expect(!second.ok && second.failure).toContain(`Port ${port} on 127.0.0.1 is in use`)
    expect(!second.ok && second.failure).toContain('SIGHTLINE_PORT')
  })
  test('/healthz and /readyz report the state of the processes', async () => {
    expect(JSON.parse((await ask('/healthz')).body.toString())).toEqual({ status: 'ok' })
    expect(await ask('/readyz')).toMatchObject({ status: 200 })
    const before = edges.ownHost
    edges.ownHost = 'broken'
    const broken = await ask('/readyz')
    edges.ownHost = before
    expect(broken.status).toBe(503)
    expect(broken.body.toString()).toContain('the database is not responding')
  })
  test('closing waits for requests in progress', async () => {
    const opened = await openEdge({
      listen: { host: '127.0.0.1', port: 0, tls: { kind: 'off' } },
      brands: edges.brandsWith('http'),
      upstreams: { ...upstreams, api: (_req, res) => void setTimeout(() => res.end('done'), 200) },
      webRoot: edges.webRoot,
      log: edges.log,
    })
    if (!opened.ok) throw new Error(opened.failure)
    const slow = ask('/rest/v2.4/slow', { port: opened.value.port })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await opened.value[Symbol.asyncDispose]()
    expect((await slow).body.toString()).toBe('done')
    await expect(ask('/', { port: opened.value.port })).rejects.toThrow('ECONNREFUSED')
  })
})
