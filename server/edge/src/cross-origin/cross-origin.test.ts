import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask as askAt, type TestEdges, testEdges } from '../edge-testing.ts'
import type { Edge } from '../index.ts'

const CLIENT = 'https://client.example'
const FOREIGN = 'https://evil.example'
let edges: TestEdges
let edge: Edge
let own = ''
beforeAll(async () => {
  edges = await testEdges()
  const opened = await edges.open({ kind: 'off' }, 0, {
    isClientOrigin: async (origin) => origin === CLIENT,
    securityContact: 'mailto:security@video.example',
  })
  if (!opened.ok) throw new Error(opened.failure)
  edge = opened.value
  own = `http://${edges.ownHost}`
})
afterAll(async () => {
  await edge?.[Symbol.asyncDispose]()
  await edges?.[Symbol.asyncDispose]()
})

const ask = (path: string, { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> }) =>
  askAt(path, { port: edge.port, method, headers })
const preflight = (origin: string, path = '/rest/v2.4/cameras/7') =>
  ask(path, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'PATCH' } })

describe('a page on another origin', () => {
  test('may send a preflight and everything that the API accepts, for a registered client', async () => {
    const { status, headers } = await preflight(CLIENT)
    expect(status).toBe(204)
    expect(headers).toMatchObject({ 'access-control-allow-origin': CLIENT, vary: 'origin' })
    expect(headers['access-control-allow-methods']).toContain('PATCH')
    for (const name of ['authorization', 'content-type', 'if-match', 'idempotency-key']) {
      expect(headers['access-control-allow-headers']).toContain(name)
    }
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })
  test('may offer WebRTC and end it, for a registered client', async () => {
    for (const [path, method] of [
      ['/stream/whep/open?camera_id=7', 'POST'],
      ['/stream/whep/session?camera_id=7', 'DELETE'],
    ] as const) {
      const { status, headers } = await preflight(CLIENT, path)
      expect(status).toBe(204)
      expect(headers).toMatchObject({ 'access-control-allow-origin': CLIENT, vary: 'origin' })
      expect(headers['access-control-allow-methods']).toBe(`${method}, OPTIONS`)
      const sent = await ask(path, { method, headers: { origin: CLIENT } })
      expect(sent.headers['access-control-expose-headers']).toContain('location')
      expect((await preflight(FOREIGN, path)).headers).not.toHaveProperty('access-control-allow-origin')
      for (const other of ['GET', 'PATCH', 'PUT']) expect((await ask(path, { method: other })).status).toBe(405)
    }
    expect((await ask('/stream/hls/getPlaylist', { method: 'POST' })).status).toBe(405)
  })
  test('may read replies with their paging, ETags, waiting times and request id', async () => {
    const { status, headers } = await ask('/rest/v2.4/cameras', { headers: { origin: CLIENT } })
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'access-control-allow-origin': CLIENT, vary: 'origin' })
    for (const name of ['link', 'etag', 'retry-after', 'x-request-id', 'location']) {
      expect(headers['access-control-expose-headers']).toContain(name)
    }
  })
  test.each([FOREIGN, 'null', `${CLIENT}.evil.example`, 'http://client.example', `${CLIENT}:8443`, `${CLIENT}/`])(
    '%s, which has no registered client, is allowed nothing',
    async (origin) => {
      for (const answer of [await preflight(origin), await ask('/rest/v2.4/cameras', { headers: { origin } })]) {
        expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
        expect(answer.headers.vary).toBe('origin')
      }
    },
  )
  test('can’t read our pages and settings, even for a registered client', async () => {
    for (const path of ['/', '/config.json', '/sign-in/abc']) {
      expect((await ask(path, { headers: { origin: CLIENT } })).headers).not.toHaveProperty(
        'access-control-allow-origin',
      )
    }
  })
})

describe('a stream', () => {
  const open = (origin: string | undefined, host = edges.ownHost) =>
    new Promise<string>((resolve, reject) => {
      const from = origin === undefined ? '' : `Origin: ${origin}\r\n`
      const socket = connect(edge.port, '127.0.0.1', () =>
        socket.write(
          `GET /stream/mse/open?ticket=t HTTP/1.1\r\nHost: ${host}\r\n${from}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        ),
      )
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString()
      })
      socket.on('close', () => resolve(text.split('\r\n', 1)[0] ?? ''))
      socket.on('error', reject)
    })
  test.each([FOREIGN, 'null', 'http://blue.example.evil.example', 'https://blue.example', 'chrome-extension://abc'])(
    'is refused for a page on %s',
    async (origin) => {
      expect(await open(origin)).toBe('HTTP/1.1 403 Forbidden')
    },
  )
  test('opens for programs, for our own pages on any brand’s host, and for registered clients', async () => {
    for (const origin of [undefined, own, 'http://blue.example', CLIENT]) {
      expect(await open(origin)).toBe('HTTP/1.1 101 Switching Protocols')
    }
    expect(await open('http://blue.example', 'blue.example')).toBe('HTTP/1.1 101 Switching Protocols')
  })
})

describe('/.well-known/security.txt', () => {
  test('contains the contact, an expiry within a year, and its own address on that host', async () => {
    const { status, headers, body } = await ask('/.well-known/security.txt', { headers: { host: 'blue.example' } })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    const text = body.toString()
    expect(text).toContain('Contact: mailto:security@video.example\n')
    expect(text).toContain('Preferred-Languages: en\n')
    expect(text).toContain('Canonical: http://blue.example/.well-known/security.txt\n')
    const [, expires = ''] = /^Expires: (\S+)$/m.exec(text) ?? []
    const days = (Date.parse(expires) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(90)
    expect(days).toBeLessThan(365)
  })
  test('doesn’t exist without a contact', async () => {
    expect((await askAt('/.well-known/security.txt', { port: edges.edge.port })).status).toBe(404)
  })
})

test('/robots.txt keeps search engines from calls and streams', async () => {
  const { status, headers, body } = await ask('/robots.txt', { headers: {} })
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' })
  expect(body.toString()).toMatch(/^User-agent: \*\nDisallow: \/rest\/\n/)
})
