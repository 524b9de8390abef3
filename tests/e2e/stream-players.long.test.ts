/** Every address of a camera, with each of curl, ffmpeg and GStreamer that speaks its protocol. Chromium plays them in the other files. */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cameraStream } from '../../contract/src/streams/index.ts'
import { freeUdpPorts } from '../free-udp-ports.ts'
import { hasGst, runGst } from '../rtsp-players.ts'
import { freePort } from '../running-product.ts'
import { fetchToken } from '../signed-in.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

const SECOND = 1000
/** What recordings and files are asked for. */
const RANGE_MS = 6 * SECOND
const run = promisify(execFile)

let app: RunningWebApp
let owner: string
let cameraId: number
let urls: Readonly<Record<string, string>>
let range: string
let mp4: string

beforeAll(async () => {
  const environment = {
    SIGHTLINE_RTSP_PORT: String(await freePort()),
    SIGHTLINE_WEBRTC_PORT: String(await freeUdpPorts(2)),
  }
  app = await startWebApp({ cameras: true, environment })
  owner = await fetchToken(app.product.origin, 'owner@demo.example')
  const [camera] = await app.ask<{ cameraId: number }[]>('GET cameras')
  cameraId = camera?.cameraId ?? 0
  const begun = async () => {
    const [first] = await app.ask<{ startTime: string }[]>(`GET cameras/${cameraId}/recordings`)
    return first === undefined ? undefined : Date.parse(first.startTime) + SECOND
  }
  let from = await begun()
  while (from === undefined || Date.now() < from + RANGE_MS + 5 * SECOND) {
    await sleep(SECOND)
    from ??= await begun()
  }
  const times = { from: new Date(from).toISOString(), till: new Date(from + RANGE_MS).toISOString() }
  range = `&from=${times.from}&till=${times.till}`
  const [main] = await app.ask<{ urls: Record<string, string> }[]>(`GET cameras/${cameraId}/streams`)
  urls = main?.urls ?? {}
  const file = await app.ask<{ url: string }>(`POST cameras/${cameraId}/streamTickets`, { use: 'mp4', ...times })
  mp4 = new URL(file.url, app.product.origin).href
})
afterAll(() => app[Symbol.asyncDispose]())

const withToken = (type: string, rest = '') => `${urls[type]}${rest}&access_token=${owner}`

/** What ffmpeg says while it decodes that many pictures; empty if all is well. */
const ffmpeg = async (url: string, before: readonly string[] = [], pictures = 30): Promise<string> => {
  const args = ['-v', 'error', ...before, '-i', url, '-map', '0:v:0', '-frames:v', String(pictures), '-f', 'null', '-']
  const { stderr } = await run('ffmpeg', args, { timeout: 60 * SECOND })
  return stderr
}

/** The bytes that curl gets in some seconds, or until the end. */
async function curl(url: string, ...more: readonly string[]): Promise<Buffer> {
  const args = ['-sSN', '--max-time', '4', ...more, url]
  const got = run('curl', args, { encoding: 'buffer', maxBuffer: 1 << 28 })
  const { stdout } = await got.catch((ended: { code: number; stdout: Buffer; stderr: Buffer }) => {
    // 28: the time was over, as for every stream without an end.
    if (ended.code !== 28) throw new Error(`curl ended with ${ended.code}: ${ended.stderr}`)
    return ended
  })
  return stdout
}

test('every type of address is offered here but those of TLS, which it would replace', () => {
  const types = Object.keys(cameraStream.shape.urls.shape).filter((type) => !/(https|Https)$/.test(type))
  expect(Object.keys(urls).toSorted()).toEqual(types.toSorted())
})

describe('curl', () => {
  test('asks what the RTSP server can do, which is all it asks', async () => {
    const told = await curl(urls.rtsp ?? '', '-i')
    expect(told.toString('latin1')).toMatch(/^RTSP\/1\.0 200 OK\r\nCSeq: 1\r\nPublic: OPTIONS, DESCRIBE, SETUP, PLAY/)
  })

  test('gets a playlist of HLS, live and recorded', async () => {
    for (const rest of ['', range]) {
      const text = (await curl(withToken('hlsHttp', rest))).toString()
      expect(text).toMatch(/^#EXTM3U\n/)
      expect(text).toContain('avc1.')
    }
  })

  test.each(['mjpegHttp', 'multipartHttp', 'multipartaudioHttp'])('gets pictures of %s', async (type) => {
    const parts = (await curl(withToken(type))).toString('latin1')
    expect(parts.match(/Content-Type: image\/jpeg\r\n/gi)?.length).toBeGreaterThan(5)
  })

  test('downloads a file, and a part of it', async () => {
    const whole = await curl(mp4, '--max-time', '60')
    expect(whole.toString('latin1', 4, 8)).toBe('ftyp')
    expect(await curl(mp4, '-r', '1000-1999')).toEqual(whole.subarray(1000, 2000))
  })
})

describe('ffmpeg', () => {
  test('decodes RTSP in the same connection, live and recorded', async () => {
    for (const rest of ['', range]) expect(await ffmpeg(withToken('rtsp', rest), ['-rtsp_transport', 'tcp'])).toBe('')
  })

  test('decodes RTSP over HTTP, live and recorded', async () => {
    for (const rest of ['', range])
      expect(await ffmpeg(withToken('rtspHttp', rest), ['-rtsp_transport', 'http'])).toBe('')
  })

  test('decodes HLS, live and recorded', async () => {
    for (const rest of ['', range]) expect(await ffmpeg(withToken('hlsHttp', rest))).toBe('')
  })

  test.each(['mjpegHttp', 'multipartHttp'])('decodes pictures of %s', async (type) => {
    expect(await ffmpeg(withToken(type), ['-xerror', '-f', 'mpjpeg'], 8)).toBe('')
  })

  test('decodes a file', async () => {
    expect(await ffmpeg(mp4)).toBe('')
  })
})

describe.skipIf(!hasGst)('GStreamer', () => {
  const decoded = (pictures = 30) => `fakesink num-buffers=${pictures}`
  const http = (url: string) => `souphttpsrc location="${url}"`

  test('decodes RTSP in the same connection, live and recorded', async () => {
    for (const rest of ['', range]) {
      const source = `rtspsrc protocols=tcp location="${withToken('rtsp', rest)}"`
      expect(await runGst(`${source} ! rtph264depay ! avdec_h264 ! ${decoded()}`)).toBe('eos')
    }
  })

  test('decodes RTSP over HTTP, live and recorded', async () => {
    for (const rest of ['', range]) {
      const source = `rtspsrc location="${withToken('rtspHttp', rest).replace(/^rtsp:/, 'rtsph:')}"`
      expect(await runGst(`${source} ! rtph264depay ! avdec_h264 ! ${decoded()}`)).toBe('eos')
    }
  })

  test('decodes HLS, live and recorded', async () => {
    for (const rest of ['', range]) {
      // Pictures only (flag 1): otherwise its end is that of the sound.
      const source = `playbin3 flags=1 uri="${withToken('hlsHttp', rest)}"`
      expect(await runGst(`${source} video-sink="${decoded()}"`)).toBe('eos')
    }
  })

  test.each(['mjpegHttp', 'multipartHttp'])('decodes pictures of %s', async (type) => {
    const source = `${http(withToken(type))} is-live=true ! multipartdemux`
    expect(await runGst(`${source} ! image/jpeg ! jpegdec ! ${decoded(8)}`)).toBe('eos')
  })

  test('decodes a file', async () => {
    expect(await runGst(`${http(mp4)} ! qtdemux ! h264parse ! avdec_h264 ! ${decoded()}`)).toBe('eos')
  })
})
