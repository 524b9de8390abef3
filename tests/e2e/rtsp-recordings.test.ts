/** Recordings over RTSP, as ffmpeg and GStreamer play them, with two workers. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { countRtspPictures, ffmpegFailure, gst, hasGst, playRtspStream } from '../rtsp-players.ts'
import { DEMO_PASSWORD, freePort } from '../running-product.ts'
import { callApi, fetchToken } from '../signed-in.ts'
import { addUser, beginSupport, type RunningWebApp, startWebApp } from '../web-app.ts'

const SECOND = 1000
const PICTURES_A_SECOND = 15

let app: RunningWebApp
let owner: string
let rtspPort: number
let cameras: readonly { cameraId: number }[]
/** From then on every camera is recorded. */
let begun: number

beforeAll(async () => {
  rtspPort = await freePort()
  const environment = { SIGHTLINE_RTSP_PORT: String(rtspPort), SIGHTLINE_MEDIA_WORKERS: '2' }
  app = await startWebApp({ cameras: true, environment })
  owner = await fetchToken(app.product.origin, 'owner@demo.example')
  cameras = await app.ask<{ cameraId: number }[]>('GET cameras')
  const hasBegun = async () => {
    const found = await app.ask<{ cameraId: number; startTime: string }[]>('GET recordings')
    const starts = found.map(({ startTime }) => Date.parse(startTime))
    begun = Math.max(...starts)
    return new Set(found.map(({ cameraId }) => cameraId)).size >= 3
  }
  while (!(await hasBegun())) await sleep(SECOND)
  while (Date.now() < begun + 25 * SECOND) await sleep(SECOND)
})
afterAll(() => app[Symbol.asyncDispose]())

interface Asked {
  readonly cameraId?: number | undefined
  readonly from?: number
  readonly till?: number
  readonly credential?: string
}

/** Eight seconds by default. */
function address({
  cameraId = cameras[0]?.cameraId,
  from = begun + 4 * SECOND,
  till = from + 8 * SECOND,
  credential,
}: Asked = {}) {
  const [begin, end] = [from, till].map((time) => new Date(time).toISOString())
  const path = `/stream/rtsp/open?camera_id=${cameraId}&from=${begin}&till=${end}`
  return `rtsp://127.0.0.1:${rtspPort}${path}&${credential ?? `access_token=${owner}`}`
}

async function ticketOf(cameraId: number | undefined, use: string): Promise<string> {
  const { ticket } = await app.ask<{ ticket: string }>(`POST cameras/${cameraId}/streamTickets`, { use })
  return `ticket=${ticket}`
}

const inside = (url: string): string => url.replace(`:${rtspPort}/`, `:${new URL(app.product.origin).port}/`)

test('ffmpeg plays the range of every camera and ends, whichever worker has it; a ticket counts once', async ({
  annotate,
}) => {
  for (const { cameraId } of cameras.slice(0, 3)) {
    const url = address({ cameraId, credential: await ticketOf(cameraId, 'playback') })
    const pictures = await countRtspPictures(url)
    await annotate(`${pictures} pictures`)
    // From the key picture before on.
    expect(pictures).toBeGreaterThanOrEqual(8 * PICTURES_A_SECOND)
    expect(pictures).toBeLessThan(15 * 30)
    expect(await ffmpegFailure(url)).toContain('403 Forbidden')
  }
})

test('recordings have the address, with which ffmpeg plays them', async () => {
  const types = 'includeUrlTypes=rtsp,rtspHttp'
  const [first] = await app.ask<{ urls: { rtsp: string; rtspHttp: string } }[]>(
    `GET cameras/${cameras[0]?.cameraId}/recordings?${types}`,
  )
  expect(await ffmpegFailure(`${first?.urls.rtsp}&access_token=${owner}`)).toBe('')
  expect(await ffmpegFailure(`${first?.urls.rtspHttp}&access_token=${owner}`, 'http')).toBe('')
})

test('over HTTP, on the port of the web pages, there are as many pictures', async () => {
  expect(await countRtspPictures(inside(address()), 'http')).toBe(await countRtspPictures(address()))
})

test.skipIf(!hasGst)('GStreamer decodes a recording and ends, over TCP and over HTTP', async () => {
  expect(await gst(address().replace('rtsp:', 'rtspt:'), 'fakesink')).toBe('eos')
  expect(await gst(inside(address()).replace('rtsp:', 'rtsph:'), 'fakesink')).toBe('eos')
})

test('who may not play recordings gets nothing', async () => {
  const { origin } = app.product
  await addUser(app, 'live@demo.example', { allCameras: true, rights: { LiveCamera: true } })
  const live = await fetchToken(origin, 'live@demo.example')
  expect(await ffmpegFailure(address({ credential: `access_token=${live}` }))).toContain('403 Forbidden')
  await addUser(app, 'elsewhere@demo.example', { allCameras: false, rights: { LiveCamera: true, playback: true } })
  const elsewhere = await fetchToken(origin, 'elsewhere@demo.example')
  expect(await ffmpegFailure(address({ credential: `access_token=${elsewhere}` }))).toContain('404 Not Found')
  const support = await beginSupport(app, { video: 'hidden' })
  expect(await ffmpegFailure(address({ credential: `access_token=${support}` }))).toContain('403 Forbidden')
  expect(await ffmpegFailure(address({ credential: await ticketOf(cameras[0]?.cameraId, 'live') }))).toContain('403')
  expect(await ffmpegFailure(address({ from: begun - 3_600_000, till: begun - 1_800_000 }))).toContain('404')
})

const asks = async (token: string, call: string, body?: object) =>
  expect((await callApi(app.product.origin, token, call, body)).status).toBeLessThan(300)

let names = 0

async function player(): Promise<{ token: string; userId: number }> {
  const email = `plays${names++}@demo.example`
  await addUser(app, email, { allCameras: true, rights: { LiveCamera: true, playback: true } })
  const users = await app.ask<{ userId: number; email: string }[]>('GET users')
  const userId = users.find((user) => user.email === email)?.userId ?? 0
  return { token: await fetchToken(app.product.origin, email), userId }
}

describe('a recording ends within two seconds after', () => {
  test.for<[string, (who: { token: string; userId: number }) => Promise<void>]>([
    ['its user signs out', ({ token }) => asks(token, 'DELETE users/self/tokens/current')],
    [
      'its user may no longer see the camera',
      ({ userId }) => asks(owner, `PATCH users/${userId}/access`, { allCameras: false }),
    ],
    ['its user may no longer play', ({ userId }) => asks(owner, `PATCH users/${userId}/rights`, { playback: false })],
    ['its user is blocked', ({ userId }) => asks(owner, `POST users/${userId}/block`)],
    ['its user is deleted', ({ userId }) => asks(owner, `DELETE users/${userId}`)],
  ])('%s', async ([how, revoke], { annotate }) => {
    const who = await player()
    const url = address({ from: begun, till: begun + 3_600_000, credential: `access_token=${who.token}` })
    const webPort = Number(new URL(app.product.origin).port)
    const streams = await Promise.all([playRtspStream(url), playRtspStream(url, { webPort })])
    const at = Date.now()
    await revoke(who)
    const ended = await Promise.all(streams.map((each) => Promise.race([each.ended, sleep(2 * SECOND, Number.NaN)])))
    expect(ended.every((time) => time - at < 2 * SECOND)).toBe(true)
    await annotate(`${how}: ${ended.map((time) => time - at).join(' and ')} ms`)
  })

  test('its camera is deleted', async ({ annotate }) => {
    const cameraId = cameras[1]?.cameraId
    const { ended } = await playRtspStream(address({ cameraId, from: begun, till: begun + 3_600_000 }))
    const at = Date.now()
    const headers = { authorization: `Bearer ${owner}`, 'x-password': Buffer.from(DEMO_PASSWORD).toString('base64url') }
    const removing = fetch(`${app.product.origin}/rest/v2.4/cameras/${cameraId}`, { method: 'DELETE', headers })
    expect((await removing).status).toBe(204)
    expect((await Promise.race([ended, sleep(2 * SECOND, Number.NaN)])) - at).toBeLessThan(2 * SECOND)
    await annotate(`${(await ended) - at} ms`)
  })
})

test('requests that are sent all at once are all answered, also by a client that waits for nothing', async () => {
  const [, port, target] = /:(\d+)(\/.*)$/.exec(address()) ?? []
  const base = `rtsp://127.0.0.1:${port}`
  const requests = [
    `OPTIONS ${base}${target}`,
    `DESCRIBE ${base}${target}`,
    `SETUP ${base}/stream/rtsp/open/track0`,
    `PLAY ${base}${target}`,
  ].map((line, at) => `${line} RTSP/1.0\r\nCSeq: ${at + 1}\r\nTransport: RTP/AVP/TCP\r\n\r\n`)
  for (let attempt = 0; attempt < 20; attempt++) {
    const socket = connect(Number(port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let got = ''
    socket.on('data', (bytes) => {
      got = `${got}${bytes.toString('latin1')}`.slice(0, 20_000)
    })
    // In pieces, so that some arrive while the connection is handed over.
    for (const request of requests) {
      socket.write(request)
      await sleep(attempt % 4)
    }
    await expect.poll(() => got.match(/RTSP\/1\.0 200 OK\r\nCSeq: \d/g)?.length, { timeout: 10 * SECOND }).toBe(4)
    socket.destroy()
  }
})

test('a recording of a camera that is private now still plays', async () => {
  const cameraId = cameras[2]?.cameraId
  await asks(owner, `PATCH cameras/${cameraId}/mode`, { mode: 'private' })
  expect(await ffmpegFailure(address({ cameraId }))).toBe('')
})
