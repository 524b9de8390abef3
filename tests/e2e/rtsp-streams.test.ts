/** Live video over RTSP, as ffmpeg and ffprobe play it, with two workers. */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkedConnect, newCounters, parseRtspAddress, playRtsp } from '../../server/media/src/source/index.ts'
import { ffmpegFailure, gst, hasGst, playRtspStream } from '../rtsp-players.ts'
import { freePort, type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken } from '../signed-in.ts'
import { addUser, beginSupport, type RunningWebApp, startWebApp } from '../web-app.ts'

const SECOND = 1000
const NO_CAMERAS = { allCameras: false }
let names = 0
const run = promisify(execFile)

let app: RunningWebApp
let owner: string
let rtspPort: number
let cameras: readonly { cameraId: number }[]

beforeAll(async () => {
  rtspPort = await freePort()
  const environment = { SIGHTLINE_RTSP_PORT: String(rtspPort), SIGHTLINE_MEDIA_WORKERS: '2' }
  app = await startWebApp({ cameras: true, environment })
  owner = await fetchToken(app.product.origin, 'owner@demo.example')
  cameras = await app.ask<{ cameraId: number }[]>('GET cameras')
  while ((await ffmpegFailure(`${address()}&access_token=${owner}`)) !== '') await sleep(SECOND)
})
afterAll(() => app[Symbol.asyncDispose]())

const address = (cameraId = cameras[0]?.cameraId): string =>
  `rtsp://127.0.0.1:${rtspPort}/stream/rtsp/open?camera_id=${cameraId}`

async function ticketOf(cameraId = cameras[0]?.cameraId): Promise<string> {
  const { ticket } = await app.ask<{ ticket: string }>(`POST cameras/${cameraId}/streamTickets`, { use: 'live' })
  return ticket
}

test('ffmpeg decodes every camera, whichever worker has it; a ticket counts once', async () => {
  for (const { cameraId } of cameras.slice(0, 3)) {
    const [main] = await app.ask<{ urls: { rtsp?: string } }[]>(`GET cameras/${cameraId}/streams`)
    expect(main?.urls.rtsp).toBe(address(cameraId))
    const url = `${main?.urls.rtsp}&ticket=${await ticketOf(cameraId)}`
    expect(await ffmpegFailure(url)).toBe('')
    expect(await ffmpegFailure(url)).toContain('403 Forbidden')
  }
})

describe('over HTTP, on the port of the web pages,', () => {
  const inside = (cameraId = cameras[0]?.cameraId) =>
    `${app.product.origin.replace('http:', 'rtsp:')}/stream/rtsp/open?camera_id=${cameraId}`

  test('ffmpeg decodes every camera, whichever worker has it, with a ticket', async () => {
    for (const { cameraId } of cameras.slice(0, 3)) {
      const [main] = await app.ask<{ urls: { rtspHttp?: string } }[]>(`GET cameras/${cameraId}/streams`)
      expect(main?.urls.rtspHttp).toBe(inside(cameraId))
      expect(await ffmpegFailure(`${main?.urls.rtspHttp}&ticket=${await ticketOf(cameraId)}`, 'http')).toBe('')
    }
    expect(await ffmpegFailure(inside(), 'http')).toContain('403 Forbidden')
  })

  test('our own puller finds out that the port speaks HTTP, and plays', async () => {
    const parsed = parseRtspAddress(`${inside()}&access_token=${owner}`)
    if (!parsed.ok) throw new Error(parsed.failure.detail)
    const stop = new AbortController()
    const counters = newCounters()
    let pictures = 0
    const ended = await playRtsp({
      address: parsed.value,
      connect: checkedConnect({ allowed: ['127.0.0.0/8'] }),
      signal: AbortSignal.any([stop.signal, AbortSignal.timeout(20 * SECOND)]),
      counters,
      publish: (message) => {
        if (message.kind === 'unit' && message.unit.kind === 'video' && ++pictures === 50) stop.abort()
      },
    })
    expect({ kind: ended.kind, pictures }).toEqual({ kind: 'closed', pictures: 50 })
    expect(counters).toMatchObject({ lostPackets: 0, badPackets: 0, droppedPictures: 0 })
  })

  test.skipIf(!hasGst)('GStreamer decodes it, too', async () => {
    const location = `${inside()}&access_token=${owner}`.replace('rtsp:', 'rtsph:')
    expect(await gst(location)).toBe('eos')
  })
})

test.skipIf(!hasGst)('GStreamer decodes a camera', async () => {
  expect(await gst(`${address()}&access_token=${owner}`.replace('rtsp:', 'rtspt:'))).toBe('eos')
})

test('ffprobe finds picture and sound', async () => {
  const args = ['-v', 'error', '-rtsp_transport', 'tcp', '-show_entries', 'stream=codec_type,width', '-of', 'json']
  const { stdout } = await run('ffprobe', [...args, `${address()}&access_token=${owner}`], { timeout: 30 * SECOND })
  const { streams } = JSON.parse(stdout) as { streams: { codec_type: string; width?: number }[] }
  expect(streams.find(({ codec_type: type }) => type === 'video')?.width).toBeGreaterThan(0)
})

test('sockets of the web pages open as before', async () => {
  for (const { cameraId } of cameras.slice(0, 3)) {
    const [main] = await app.ask<{ urls: { mseWss: string } }[]>(`GET cameras/${cameraId}/streams`)
    const socket = new WebSocket(`${main?.urls.mseWss}&ticket=${await ticketOf(cameraId)}`)
    onTestFinished(() => socket.close())
    const first = await new Promise((resolve) => {
      socket.addEventListener('message', ({ data }) => resolve(data), { once: true })
      socket.addEventListener('close', ({ code }) => resolve(code), { once: true })
    })
    expect(first).toContain('"type":"init"')
  }
})

test('UDP is refused', async () => {
  expect(await ffmpegFailure(`${address()}&access_token=${owner}`, 'udp')).toMatch(/461|Unsupported Transport/i)
})

test('who may not watch gets nothing', async () => {
  const { origin } = app.product
  await addUser(app, 'elsewhere@demo.example', { allCameras: false, rights: { LiveCamera: true } })
  const elsewhere = await fetchToken(origin, 'elsewhere@demo.example')
  expect(await ffmpegFailure(`${address()}&access_token=${elsewhere}`)).toContain('404 Not Found')
  const support = await beginSupport(app, { video: 'hidden' })
  expect(await ffmpegFailure(`${address()}&access_token=${support}`)).toContain('403 Forbidden')
  expect(await ffmpegFailure(address())).toContain('403 Forbidden')
})

/** A user who may watch all cameras. */
async function watcher(name: string): Promise<{ token: string; userId: number }> {
  const { origin } = app.product
  const email = `${name}@demo.example`
  await addUser(app, email, { allCameras: true, rights: { LiveCamera: true } })
  const users = await app.ask<{ userId: number; email: string }[]>('GET users')
  const userId = users.find((user) => user.email === email)?.userId ?? 0
  return { token: await fetchToken(origin, email), userId }
}

const asks = async (token: string, call: string, body?: object) =>
  expect((await callApi(app.product.origin, token, call, body)).status).toBeLessThan(300)

test.for<[string, (who: { token: string; userId: number }) => Promise<void>]>([
  ['its user signs out', ({ token }) => asks(token, 'DELETE users/self/tokens/current')],
  ['its user may no longer see the camera', ({ userId }) => asks(owner, `PATCH users/${userId}/access`, NO_CAMERAS)],
  ['its user is blocked', ({ userId }) => asks(owner, `POST users/${userId}/block`)],
  ['its user is deleted', ({ userId }) => asks(owner, `DELETE users/${userId}`)],
])(
  'a stream ends within two seconds after %s, whether by token, ticket, or over HTTP',
  async ([how, revoke], { annotate }) => {
    const who = await watcher(`leaves${names++}`)
    const path = `POST cameras/${cameras[0]?.cameraId}/streamTickets`
    const { body } = await callApi<{ ticket: string }>(app.product.origin, who.token, path, { use: 'live' })
    const theirs = [`access_token=${who.token}`, `ticket=${body.ticket}`]
    const streams = await Promise.all([
      ...theirs.map((credential) => playRtspStream(`${address()}&${credential}`)),
      playRtspStream(`${address()}&access_token=${who.token}`, { webPort: Number(new URL(app.product.origin).port) }),
    ])
    const another = await playRtspStream(`${address()}&access_token=${owner}`)
    const at = Date.now()
    await revoke(who)
    const ended = await Promise.all(streams.map((each) => Promise.race([each.ended, sleep(2 * SECOND, Number.NaN)])))
    expect(ended.every((time) => time - at < 2 * SECOND)).toBe(true)
    await annotate(`${how}: ${ended.map((time) => time - at).join(' and ')} ms`)
    const before = another.bytes()
    await expect.poll(another.bytes).toBeGreaterThan(before)
  },
)

test('a private camera ends its streams, and is refused, whichever worker has it', async ({ annotate }) => {
  for (const { cameraId } of cameras.slice(1, 3)) {
    const { ended } = await playRtspStream(`${address(cameraId)}&access_token=${owner}`)
    const at = Date.now()
    await asks(owner, `PATCH cameras/${cameraId}/mode`, { mode: 'private' })
    await annotate(`ended after ${(await ended) - at} ms`)
    expect((await ended) - at).toBeLessThan(3 * SECOND)
    await expect.poll(() => ffmpegFailure(`${address(cameraId)}&access_token=${owner}`)).toContain('503')
  }
})

test('with a certificate it is rtsps', async () => {
  // The server's certificate is its own.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  const port = await freePort()
  const environment = { SIGHTLINE_TLS: 'self-signed', SIGHTLINE_RTSP_PORT: String(port) }
  await using product: RunningProduct = await startProduct({ environment })
  const token = await fetchToken(product.origin, 'owner@demo.example')
  const { body } = await callApi<{ cameraId: number }[]>(product.origin, token, 'GET cameras')
  const url = `rtsps://127.0.0.1:${port}/stream/rtsp/open?camera_id=${body[0]?.cameraId}&access_token=${token}`
  await expect.poll(() => ffmpegFailure(url), { timeout: 60 * SECOND }).toBe('')
  const { body: streams } = await callApi<{ urls: object }[]>(
    product.origin,
    token,
    `GET cameras/${body[0]?.cameraId}/streams`,
  )
  const inside = `${product.origin.replace('https:', 'rtsps:')}/stream/rtsp/open?camera_id=${body[0]?.cameraId}`
  expect(streams[0]?.urls).toMatchObject({ rtspHttps: inside })
  expect(await ffmpegFailure(`${inside}&access_token=${token}`, 'https')).toBe('')
})
