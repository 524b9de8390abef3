/** Live video over RTSP, as ffmpeg and ffprobe play it, with two workers. */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { freePort, type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken } from '../signed-in.ts'
import { addUser, beginSupport, type RunningWebApp, startWebApp } from '../web-app.ts'

const SECOND = 1000
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
  while ((await failure(`${address()}&access_token=${owner}`)) !== '') await sleep(SECOND)
})
afterAll(() => app[Symbol.asyncDispose]())

const address = (cameraId = cameras[0]?.cameraId): string =>
  `rtsp://127.0.0.1:${rtspPort}/stream/rtsp/open?camera_id=${cameraId}`

/** What ffmpeg complains about while it decodes some pictures; empty if all is well. */
const failure = (url: string, transport = 'tcp'): Promise<string> => {
  const input = ['-v', 'error', '-rtsp_transport', transport, '-i', url]
  return run('ffmpeg', [...input, '-frames:v', '30', '-f', 'null', '-'], { timeout: 30 * SECOND }).then(
    ({ stderr }) => stderr,
    ({ stderr }: { stderr: string }) => stderr || 'ffmpeg failed',
  )
}

async function ticketOf(cameraId = cameras[0]?.cameraId): Promise<string> {
  const { ticket } = await app.ask<{ ticket: string }>(`POST cameras/${cameraId}/streamTickets`, { use: 'live' })
  return ticket
}

test('ffmpeg decodes every camera, whichever worker has it; a ticket counts once', async () => {
  for (const { cameraId } of cameras.slice(0, 3)) {
    const [main] = await app.ask<{ urls: { rtsp?: string } }[]>(`GET cameras/${cameraId}/streams`)
    expect(main?.urls.rtsp).toBe(address(cameraId))
    const url = `${main?.urls.rtsp}&ticket=${await ticketOf(cameraId)}`
    expect(await failure(url)).toBe('')
    expect(await failure(url)).toContain('401 Unauthorized')
  }
})

test('ffprobe finds picture and sound', async () => {
  const args = ['-v', 'error', '-rtsp_transport', 'tcp', '-show_entries', 'stream=codec_type,width', '-of', 'json']
  const { stdout } = await run('ffprobe', [...args, `${address()}&access_token=${owner}`], { timeout: 30 * SECOND })
  const { streams } = JSON.parse(stdout) as { streams: { codec_type: string; width?: number }[] }
  expect(streams.find(({ codec_type: type }) => type === 'video')?.width).toBeGreaterThan(0)
})

test('UDP is refused', async () => {
  expect(await failure(`${address()}&access_token=${owner}`, 'udp')).toMatch(/461|Unsupported Transport/i)
})

test('who may not watch gets nothing', async () => {
  const { origin } = app.product
  await addUser(app, 'elsewhere@demo.example', { allCameras: false, rights: { LiveCamera: true } })
  const elsewhere = await fetchToken(origin, 'elsewhere@demo.example')
  expect(await failure(`${address()}&access_token=${elsewhere}`)).toContain('404 Not Found')
  const support = await beginSupport(app, { video: 'hidden' })
  expect(await failure(`${address()}&access_token=${support}`)).toContain('401 Unauthorized')
  expect(await failure(address())).toContain('401 Unauthorized')
})

test('a stream ends when its user may no longer watch', async () => {
  const { origin } = app.product
  await addUser(app, 'leaves@demo.example', { allCameras: true, rights: { LiveCamera: true } })
  const leaves = await fetchToken(origin, 'leaves@demo.example')
  const playing = run(
    'ffmpeg',
    ['-v', 'error', '-rtsp_transport', 'tcp', '-i', `${address()}&access_token=${leaves}`, '-f', 'null', '-'],
    { timeout: 40 * SECOND },
  )
  const ended = playing.then(
    () => 'ended',
    ({ killed }: { killed: boolean }) => (killed ? 'still plays' : 'ended'),
  )
  await expect.poll(async () => (await app.ask<unknown[]>('GET auditLogs?actions=live')).length).toBeGreaterThan(0)
  const users = await app.ask<{ userId: number; email: string }[]>('GET users')
  const userId = users.find(({ email }) => email === 'leaves@demo.example')?.userId
  expect((await callApi(origin, owner, `DELETE users/${userId}`)).status).toBeLessThan(300)
  expect(await ended).toBe('ended')
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
  await expect.poll(() => failure(url), { timeout: 60 * SECOND }).toBe('')
})
