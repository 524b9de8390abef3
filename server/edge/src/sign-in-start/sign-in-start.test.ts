import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type TestEdges, testEdges } from '../edge-testing.ts'

const SCRIPT = 'console.log("start")'
let edges: TestEdges

beforeAll(async () => {
  edges = await testEdges()
  await mkdir(join(edges.webRoot, 'sign-in-start'))
  await writeFile(join(edges.webRoot, 'sign-in-start', 'sign-in-start.js'), SCRIPT)
})
afterAll(() => edges[Symbol.asyncDispose]())

const open = async (path: string, { cookie, host }: { cookie?: string; host?: string } = {}) => {
  const headers = { ...(cookie === undefined ? {} : { cookie }), ...(host === undefined ? {} : { host }) }
  const answer = await ask(path, { port: edges.edge.port, headers })
  const html = answer.body.toString()
  const start = /data-start="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"')
  return { ...answer, html, start: start === undefined ? undefined : JSON.parse(start) }
}

describe('a browser without a sign-in to an application', () => {
  test.each([
    ['/', 'account.v2', '/', '/logout'],
    ['/details?tab=1', 'account.v2', '/', '/logout'],
    ['/app/', 'camera-app.v1', '/app/', '/app/logout'],
    ['/app/cameras/5?t=1', 'camera-app.v1', '/app/', '/app/logout'],
    ['/dealer/', 'dealer.v1', '/dealer/', '/dealer/logout'],
  ])('gets a page at %s that only starts the sign-in', async (path, appId, home, loggedOutPath) => {
    const { status, headers, html, start } = await open(path)
    expect(status).toBe(200)
    const authServer = `http://127.0.0.1:${edges.edge.port}`
    expect(start).toEqual({ appId, authServer, authFlow: 'code', path: home, loggedOutPath })
    expect(html).toContain(`<script>${SCRIPT}</script>`)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', vary: 'cookie', 'x-frame-options': 'DENY' })
  })

  test('gets one script in it, and no other may run', async () => {
    const { headers } = await open('/')
    const hash = createHash('sha256').update(SCRIPT).digest('base64')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'sha256-/)
    expect(headers['content-security-policy']).toContain(`script-src 'sha256-${hash}';`)
    expect(headers['content-security-policy']).not.toContain('unsafe')
  })

  test("gets the brand's name and address", async () => {
    const { html, start } = await open('/', { host: 'blue.example' })
    expect(html).toContain('<title>Blue Eye</title>')
    expect(start.authServer).toBe('http://blue.example')
  })

  test.each([
    '/cookies',
    '/terms',
    '/subscriptionagreement',
    '/aditerms',
    '/logout',
    '/firstlogout',
    '/settings/details',
    '/settings',
    '/app/logout',
    '/dealer/logout?support-is-over',
    '/?code=a&state=b',
    '/?access_token=a&expires_in=5&state=b',
    '/app/?error=access_denied&state=b',
    '/details?whole-app=',
  ])('gets the application at %s, which does more than start a sign-in', async (path) => {
    const { html, start } = await open(path)
    expect(start).toBeUndefined()
    expect(html).toContain('<p>page</p>')
  })

  test('gets files as usual', async () => {
    expect((await open('/assets/main-Abc12345.js')).headers['content-type']).toContain('javascript')
    expect((await open('/assets/main-Gone1234.js')).status).toBe(404)
  })
})

test("a browser with a token for the application gets the application; another application's token doesn't count", async () => {
  expect((await open('/', { cookie: 'x=1; account.v2.token=abc~1' })).start).toBeUndefined()
  expect((await open('/app/', { cookie: 'camera-app.v1.token=abc~1' })).start).toBeUndefined()
  expect((await open('/app/', { cookie: 'account.v2.token=abc~1' })).start).toMatchObject({ appId: 'camera-app.v1' })
  expect((await open('/', { cookie: 'xaccount.v2.token=abc~1' })).start).toMatchObject({ appId: 'account.v2' })
})

test('HEAD returns no page', async () => {
  const { body, headers } = await ask('/', { port: edges.edge.port, method: 'HEAD' })
  expect(body).toHaveLength(0)
  expect(Number(headers['content-length'])).toBeGreaterThan(SCRIPT.length)
})

test('without the script each application starts the sign-in itself', async () => {
  await rm(join(edges.webRoot, 'sign-in-start'), { recursive: true })
  expect((await open('/')).html).toContain('<p>page</p>')
})
