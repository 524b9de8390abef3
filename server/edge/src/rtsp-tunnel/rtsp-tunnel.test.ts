import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../listener/index.ts'
import { type OpenTunnel, rtspTunnels, wantsTunnel } from './index.ts'

const TARGET = '/stream/rtsp/open?camera_id=1&ticket=t'

interface Tunnel {
  readonly url: string
  readonly socket: Duplex
  /** What the client sent so far. */
  text(): string
}

/** The public port with tunnels, as the edge opens it. */
async function opened() {
  const tunnels: Tunnel[] = []
  const open: OpenTunnel = (url, { socket }) => {
    let text = ''
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1')
    })
    tunnels.push({ url, socket, text: () => text })
  }
  const accept = rtspTunnels({ addressOf: ({ headers }) => String(headers['x-test'] ?? '192.0.2.1'), open })
  const listening = await listen(
    { host: '127.0.0.1', port: 0, keyPair: undefined },
    {
      request: (req, res) => void req.resume().on('end', () => res.end(`${req.method} ${req.url}`)),
      upgrade: (_, socket) => void socket.destroy(),
      trouble: () => undefined,
      diverted: { isWanted: wantsTunnel, accept },
    },
  )
  if (!listening.ok) throw new Error(listening.failure)
  const { port, close } = listening.value
  onTestFinished(close)
  return { port, tunnels, close }
}

interface Half {
  readonly socket: Socket
  text(): string
  readonly ended: Promise<string>
}

async function dial(port: number, bytes = ''): Promise<Half> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  const ended = new Promise<string>((resolve) => void socket.once('close', () => resolve('ended')))
  await once(socket, 'connect')
  if (bytes !== '') socket.write(bytes)
  return { socket, text: () => text, ended }
}

const half = (method: string, { cookie = 'cookie-1', target = TARGET, lines = '' } = {}): string =>
  `${method} ${target} HTTP/1.0\r\nx-sessioncookie: ${cookie}\r\n${lines}\r\n`
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const POST = { lines: 'Content-Type: application/x-rtsp-tunnelled\r\nContent-Length: 32767\r\n' }

/** A GET that was answered. */
async function down(port: number, wanted = {}): Promise<Half> {
  const got = await dial(port, half('GET', wanted))
  await expect.poll(got.text).toMatch(/^HTTP\/1\.0 200 OK\r\n.*x-rtsp-tunnelled.*\r\n\r\n$/s)
  return got
}

async function tunnelled() {
  const { port, tunnels } = await opened()
  const get = await down(port)
  const post = await dial(port, `${half('POST', POST)}${base64('OPTIONS')}`)
  await expect.poll(() => tunnels.length).toBe(1)
  const [tunnel] = tunnels
  if (tunnel === undefined) throw new Error('no tunnel')
  return { port, get, post, tunnel, tunnels }
}

test('a GET and a POST are one connection; what is sent is decoded, in pieces of any size, beyond the length that it says', async () => {
  const { get, post, tunnel } = await tunnelled()
  expect(tunnel.url).toBe(TARGET)
  await expect.poll(tunnel.text).toBe('OPTIONS')
  const long = 'x'.repeat(40_000)
  for (const piece of [base64('a'), base64('bc').slice(0, 1), base64('bc').slice(1), `\r\n${base64(long)}`])
    post.socket.write(piece)
  await expect.poll(tunnel.text).toBe(`OPTIONSabc${long}`)
  tunnel.socket.write('$media')
  await expect.poll(get.text).toMatch(/\r\n\r\n\$media$/)
  expect(post.text()).toBe('')
})

test('another POST takes the place of the first', async () => {
  const { port, get, post, tunnel } = await tunnelled()
  const next = await dial(port, `${half('POST', POST)}${base64(' again')}`)
  expect(await post.ended).toBe('ended')
  await expect.poll(tunnel.text).toBe('OPTIONS again')
  next.socket.destroy()
  expect(await Promise.race([get.ended, sleep(200, 'still there')])).toBe('still there')
})

test('either side ends the whole', async () => {
  const one = await tunnelled()
  one.get.socket.destroy()
  expect(await one.post.ended).toBe('ended')
  const two = await tunnelled()
  two.tunnel.socket.write('last')
  two.tunnel.socket.end()
  expect(await two.get.ended).toBe('ended')
  expect(two.get.text()).toMatch(/last$/)
})

test('what isn’t base64 ends it', async () => {
  const { get, post } = await tunnelled()
  post.socket.write('OPTIONS * RTSP/1.0')
  expect(await get.ended).toBe('ended')
})

test.each([
  ['another cookie', { cookie: 'cookie-2' }],
  ['another target, such as another ticket', { target: `${TARGET}x` }],
  ['another address', { lines: 'x-test: 192.0.2.2\r\n' }],
])('a POST with %s joins nobody’s GET', async (_, other) => {
  const { port, tunnels } = await opened()
  await down(port)
  const post = await dial(port, half('POST', other))
  await expect.poll(post.text).toMatch(/^HTTP\/1\.0 404 /)
  expect(await post.ended).toBe('ended')
  expect(tunnels).toEqual([])
})

test('a GET without a cookie, with one that is in use, or too large, is refused', async () => {
  const { port } = await opened()
  const statusOf = async (bytes: string) => {
    const { text, ended } = await dial(port, bytes)
    await ended
    return text().split('\r\n', 1)[0]
  }
  expect(await statusOf(`GET ${TARGET} HTTP/1.1\r\nHost: a\r\n\r\n`)).toBe('HTTP/1.0 400 Bad Request')
  await down(port)
  expect(await statusOf(half('GET'))).toBe('HTTP/1.0 400 Bad Request')
  expect(await statusOf(half('GET', { lines: `a: ${'x'.repeat(17_000)}\r\n` }))).toContain('431')
})

test('of one address, twenty GETs may wait for their POST', async () => {
  const { port } = await opened()
  for (let at = 0; at < 20; at++) await down(port, { cookie: `cookie-${at}` })
  const more = await dial(port, half('GET', { cookie: 'one-more' }))
  await expect.poll(more.text).toContain('503')
  await down(port, { cookie: 'of-another', lines: 'x-test: 192.0.2.9\r\n' })
})

test('web requests are answered as without it: in pieces, with bodies, one after the other', async () => {
  const { port } = await opened()
  const { socket, text } = await dial(port)
  for (const piece of ['G', 'ET /stream', '/rtsp/other HTTP/1.1\r\nHo', 'st: a\r\n\r\n']) {
    socket.write(piece)
    await sleep(20)
  }
  await expect.poll(text).toMatch(/\r\n\r\nGET \/stream\/rtsp\/other$/)
  socket.write(
    'POST /second HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbodyGET /third HTTP/1.1\r\nHost: a\r\n\r\n',
  )
  await expect.poll(text).toMatch(/POST \/second.*GET \/third$/s)
  const body = Buffer.alloc(1 << 20, 'b')
  const reply = await fetch(`http://127.0.0.1:${port}/large`, { method: 'POST', body })
  expect(await reply.text()).toBe('POST /large')
  const upgrading = httpRequest({ port, path: '/up', headers: { connection: 'upgrade', upgrade: 'websocket' } })
  upgrading.end()
  await once(upgrading, 'error')
})

test('tunnels don’t keep the port from closing', async () => {
  const { port, close, tunnels } = await opened()
  const waiting = await down(port, { cookie: 'cookie-2' })
  const playing = await down(port)
  await dial(port, half('POST', POST))
  await expect.poll(() => tunnels.length).toBe(1)
  // Ordinary requests may take up to five seconds to finish.
  expect(await Promise.race([close().then(() => 'closed'), sleep(3000, 'still open')])).toBe('closed')
  for (const { ended } of [waiting, playing]) expect(await ended).toBe('ended')
})
