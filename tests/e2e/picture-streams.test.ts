/** Live pictures as JPEG, as clients see them: ffmpeg, curl, GStreamer, and <img> in Chromium. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { callApi, fetchToken } from '../signed-in.ts'
import { addUser, beginSupport, type RunningWebApp, startWebApp } from '../web-app.ts'

const SECOND = 1000
const run = promisify(execFile)

let app: RunningWebApp
let owner: string
let cameraId: number
let urls: Readonly<Record<string, string>>

beforeAll(async () => {
  app = await startWebApp({ cameras: true })
  owner = await fetchToken(app.product.origin, 'owner@demo.example')
  const [camera] = await app.ask<{ cameraId: number }[]>('GET cameras')
  cameraId = camera?.cameraId ?? 0
  const [main] = await app.ask<{ urls: Record<string, string> }[]>(`GET cameras/${cameraId}/streams`)
  urls = main?.urls ?? {}
  while ((await get(`${urls.mjpegHttp}&access_token=${owner}`)).status !== 200) await sleep(SECOND)
})
afterAll(() => app[Symbol.asyncDispose]())

/** Only the head of the reply. */
async function get(url: string, headers = {}): Promise<{ status: number; type: string | null }> {
  const leaving = new AbortController()
  const reply = await fetch(url, { headers, signal: leaving.signal })
  const seen = { status: reply.status, type: reply.headers.get('content-type') }
  leaving.abort()
  return seen
}

async function withTicket(type: string): Promise<string> {
  const { ticket } = await app.ask<{ ticket: string }>(`POST cameras/${cameraId}/streamTickets`, { use: 'live' })
  return `${urls[type]}&ticket=${ticket}`
}

test('the streams of a camera name all three addresses; urlTypes chooses', async () => {
  const { origin } = app.product
  const query = `?camera_id=${cameraId}`
  expect(urls).toMatchObject({
    mjpegHttp: `${origin}/stream/jpeg/open${query}`,
    multipartHttp: `${origin}/stream/multipart/open${query}`,
    multipartaudioHttp: `${origin}/stream/multipartaudio/open${query}`,
  })
  const [main] = await app.ask<{ urls: object }[]>(`GET cameras/${cameraId}/streams?urlTypes=mjpegHttp,multipartHttp`)
  expect(Object.keys(main?.urls ?? {}).toSorted()).toEqual(['mjpegHttp', 'multipartHttp'])
})

test('ffmpeg reads pictures of a ticket, as a stream of JPEGs', async () => {
  for (const type of ['mjpegHttp', 'multipartHttp']) {
    const input = ['-v', 'error', '-xerror', '-f', 'mpjpeg', '-i', await withTicket(type)]
    const { stderr } = await run('ffmpeg', [...input, '-frames:v', '10', '-f', 'null', '-'], { timeout: 20 * SECOND })
    expect(stderr).toBe('')
  }
})

test('curl gets parts with pictures and sound, with the token in the header', async () => {
  const { stdout } = await run(
    'curl',
    ['-sN', '--max-time', '4', '-H', `Authorization: Bearer ${owner}`, urls.multipartaudioHttp ?? ''],
    { encoding: 'latin1', maxBuffer: 1 << 26 },
  ).catch((timedOut: { stdout: string }) => timedOut)
  expect(stdout.match(/Content-Type: image\/jpeg\r\nContent-Length: \d+\r\n/g)?.length).toBeGreaterThan(8)
  const sound = [...stdout.matchAll(/Content-Type: audio\/basic\r\nContent-Length: (\d+)\r\n/g)]
  expect(sound.reduce((sum, [, bytes]) => sum + Number(bytes), 0)).toBeGreaterThan(8000)
})

const python = '/usr/bin/python3'
const pipeline = (url: string) =>
  `souphttpsrc is-live=true location="${url}" ! multipartdemux ! image/jpeg ! jpegdec ! fakesink num-buffers=5`
const script = `
import sys, gi
gi.require_version('Gst', '1.0')
from gi.repository import Gst
Gst.init(None)
if len(sys.argv) < 2:
  sys.exit(0 if all(Gst.ElementFactory.find(name) for name in ('souphttpsrc', 'multipartdemux', 'jpegdec')) else 1)
pipe = Gst.parse_launch(sys.argv[1])
pipe.set_state(Gst.State.PLAYING)
message = pipe.get_bus().timed_pop_filtered(20 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
pipe.set_state(Gst.State.NULL)
print('nothing' if message is None else message.type.first_value_nick)
`
const hasGst = (() => {
  try {
    execFileSync(python, ['-c', script], { stdio: 'ignore' })
    return existsSync(python)
  } catch {
    return false
  }
})()

test.skipIf(!hasGst)('GStreamer demultiplexes and decodes them', async () => {
  const { stdout } = await run(python, ['-c', script, pipeline(await withTicket('multipartHttp'))])
  expect(stdout.trim()).toBe('eos')
})

describe.skipIf(chromiumPath === undefined)('an <img> in Chromium', () => {
  test('shows moving pictures', async ({ annotate }) => {
    await using tab = await app.newPage()
    const { page } = tab
    const { origin } = app.product
    const url = await withTicket('mjpegHttp')
    await page.route(`${origin}/picture.html`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<img src="${url}">` }),
    )
    await page.goto(`${origin}/picture.html`, { waitUntil: 'commit' })
    const seen = await page.evaluate(async () => {
      const img = document.querySelector('img') as HTMLImageElement
      const canvas = document.createElement('canvas')
      const pictures = new Set<string>()
      const until = performance.now() + 15_000
      while (pictures.size < 10 && performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 60))
        if (img.naturalWidth === 0) continue
        canvas.width = img.naturalWidth
        canvas.height = img.naturalHeight
        canvas.getContext('2d')?.drawImage(img, 0, 0)
        pictures.add(canvas.toDataURL())
      }
      return { different: pictures.size, width: canvas.width, height: canvas.height }
    })
    await annotate(JSON.stringify(seen))
    expect(seen.different).toBeGreaterThanOrEqual(10)
    expect(seen.width / seen.height).toBeCloseTo(16 / 9, 1)
  })
})

test('who may not watch gets nothing; without the right to sound, no address for it', async () => {
  const { origin } = app.product
  await addUser(app, 'deaf@demo.example', { allCameras: true, rights: { LiveCamera: true, microphone: false } })
  await addUser(app, 'elsewhere@demo.example', { allCameras: false, rights: { LiveCamera: true } })
  const deaf = await fetchToken(origin, 'deaf@demo.example')
  const { body } = await callApi<{ urls: object }[]>(origin, deaf, `GET cameras/${cameraId}/streams`)
  expect(Object.keys(body[0]?.urls ?? {})).toContain('multipartHttp')
  expect(Object.keys(body[0]?.urls ?? {})).not.toContain('multipartaudioHttp')
  const elsewhere = await fetchToken(origin, 'elsewhere@demo.example')
  expect((await get(`${urls.mjpegHttp}&access_token=${elsewhere}`)).status).toBe(404)
  const support = await beginSupport(app, { video: 'hidden' })
  expect((await get(`${urls.mjpegHttp}&access_token=${support}`)).status).toBe(403)
  expect((await get(`${urls.mjpegHttp}&ticket=unknown`)).status).toBe(403)
})

describe('a ticket for a snapshot', () => {
  const snapshotOf = async (wanted: object = {}) =>
    await app.ask<{ url: string; ticket: string }>(`POST cameras/${cameraId}/streamTickets`, {
      use: 'snapshot',
      ...wanted,
    })
  const takenAt = (reply: Response) => Date.parse(reply.headers.get('x-taken-at') ?? '')

  test('opens one picture of now, once', async () => {
    const { url } = await snapshotOf()
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
    const reply = await fetch(`${url}&width=320`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(Buffer.from(await reply.arrayBuffer()).readUInt16BE(0)).toBe(0xff_d8)
    expect(Math.abs(Date.now() - takenAt(reply))).toBeLessThan(30 * SECOND)
    const again = await fetch(url)
    expect([again.status, await again.json()]).toMatchObject([403, { code: 9 }])
  })

  test('opens a picture of its time, and not of another', async () => {
    await sleep(3 * SECOND)
    const from = Date.now() - 4 * SECOND
    const { url } = await snapshotOf({ from: new Date(from).toISOString() })
    const reply = await fetch(url)
    expect(reply.status).toBe(200)
    expect(Math.abs(takenAt(reply) - from)).toBeLessThan(1.5 * SECOND)
    const now = await snapshotOf()
    const asked = await fetch(`${now.url}&from=${new Date(from).toISOString()}`)
    expect(Math.abs(Date.now() - takenAt(asked))).toBeLessThan(takenAt(reply) - from + 30 * SECOND)
    const { url: before } = await snapshotOf({ from: '2026-01-01T00:00:00Z' })
    expect((await fetch(before)).status).toBe(404)
  })

  test('gives the keyframe as MP4 to a client without need of a decoder', async () => {
    const { url } = await snapshotOf()
    const reply = await fetch(url, { headers: { accept: 'video/mp4' } })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  })

  test('opened by support is in the owner’s log; support without video gets none', async () => {
    const { origin } = app.product
    const path = `POST cameras/${cameraId}/streamTickets`
    const shown = await beginSupport(app, { video: 'shown' })
    const { body } = await callApi<{ url: string }>(origin, shown, path, { use: 'snapshot' })
    expect((await fetch(body.url)).status).toBe(200)
    const entries = await app.ask<{ action: string; after: object }[]>('GET auditLogs?actions=snapshot')
    expect(entries[0]).toMatchObject({ action: 'snapshot', after: { picture: 'clear' } })
    const hidden = await beginSupport(app, { video: 'hidden' })
    expect(await callApi(origin, hidden, path, { use: 'snapshot' })).toMatchObject({ status: 403, body: { code: 9 } })
    const address = `${origin}/stream/snapshot/open?camera_id=${cameraId}&access_token=`
    expect((await fetch(`${address}${hidden}`)).status).toBe(403)
    expect((await fetch(`${address}${owner}`)).status).toBe(200)
  })

  test('opens nothing else, and other tickets open no snapshot', async () => {
    const { ticket } = await snapshotOf()
    expect((await get(`${urls.mjpegHttp}&ticket=${ticket}`)).status).toBe(403)
    const live = await withTicket('mjpegHttp')
    expect((await get(live.replace('/jpeg/', '/snapshot/'))).status).toBe(403)
    expect((await get((await snapshotOf()).url.replace(/camera_id=\d+/, 'camera_id=1'))).status).toBe(403)
  })
})

/** Resolves when the stream has ended, with the number of its bytes. */
async function untilEnd(url: string): Promise<{ begun: Promise<void>; ended: Promise<number> }> {
  const reply = await fetch(url)
  const begun = Promise.withResolvers<void>()
  let bytes = 0
  const read = async () => {
    try {
      for await (const chunk of reply.body ?? []) {
        bytes += chunk.length
        begun.resolve()
      }
    } catch {
      // Taken away.
    }
    return bytes
  }
  return { begun: begun.promise, ended: read() }
}

test('signing out ends a stream within two seconds, and a private camera ends it, too', async ({ annotate }) => {
  const token = await fetchToken(app.product.origin, 'owner@demo.example')
  const mine = await untilEnd(`${urls.multipartHttp}&access_token=${token}`)
  const another = await untilEnd(`${urls.mjpegHttp}&access_token=${owner}`)
  await Promise.all([mine.begun, another.begun])
  const at = Date.now()
  expect((await callApi(app.product.origin, token, 'DELETE users/self/tokens/current')).status).toBe(204)
  expect(await Promise.race([mine.ended, sleep(2 * SECOND, 'still there')])).toBeTypeOf('number')
  await annotate(`ended after ${Date.now() - at} ms`)
  expect(await Promise.race([another.ended, sleep(500, 'still there')])).toBe('still there')
  await app.ask(`PATCH cameras/${cameraId}/mode`, { mode: 'private' })
  expect(await Promise.race([another.ended, sleep(3 * SECOND, 'still there')])).toBeTypeOf('number')
  expect((await get(`${urls.mjpegHttp}&access_token=${owner}`)).status).toBe(424)
})
