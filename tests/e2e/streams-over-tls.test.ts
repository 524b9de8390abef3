/** Streams for existing clients from a server with TLS, as ffmpeg and the API's callers see them. */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken } from '../signed-in.ts'

const SECOND = 1000
const run = promisify(execFile)

let product: RunningProduct
let token: string
let cameraId: number
let urls: Readonly<Record<string, string>>

beforeAll(async () => {
  // The server's certificate is its own.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  product = await startProduct({ environment: { SIGHTLINE_TLS: 'self-signed' } })
  token = await fetchToken(product.origin, 'owner@demo.example')
  const cameras = await callApi<{ cameraId: number }[]>(product.origin, token, 'GET cameras')
  cameraId = cameras.body[0]?.cameraId ?? 0
  const path = `GET cameras/${cameraId}/streams`
  urls = (await callApi<{ urls: Record<string, string> }[]>(product.origin, token, path)).body[0]?.urls ?? {}
  while ((await fetch(`${urls.hlsHttps}&access_token=${token}`)).status !== 200) await sleep(SECOND)
})
afterAll(async () => {
  await product?.[Symbol.asyncDispose]()
  vi.unstubAllEnvs()
})

async function withTicket(url: string | undefined): Promise<string> {
  const path = `POST cameras/${cameraId}/streamTickets`
  return `${url}&ticket=${(await callApi<{ ticket: string }>(product.origin, token, path, { use: 'live' })).body.ticket}`
}

test('addresses are those with TLS only', () => {
  const names = ['hlsHttps', 'llHlsHttps', 'mjpegHttps', 'mseWss', 'multipartHttps', 'multipartaudioHttps']
  expect(Object.keys(urls)).toEqual(expect.arrayContaining(names))
  expect(Object.keys(urls).filter((name) => name.endsWith('Http'))).toEqual([])
  const { localRtsp, ...served } = urls
  expect(localRtsp).toMatch(/^rtsp:\/\/127\.0\.0\.1:\d+\//)
  for (const url of Object.values(served)) expect(url).toMatch(/^(wss|https):/)
})

test('ffmpeg plays HLS and pictures', async () => {
  const hls = ['-i', await withTicket(urls.hlsHttps), '-t', '3']
  const pictures = ['-f', 'mpjpeg', '-i', await withTicket(urls.multipartHttps), '-frames:v', '10']
  for (const args of [hls, pictures]) {
    const { stderr } = await run('ffmpeg', ['-v', 'error', '-xerror', ...args, '-f', 'null', '-'], {
      timeout: 40 * SECOND,
    })
    expect(stderr).toBe('')
  }
})

test('signing out ends a stream of pictures and an HLS session within two seconds', async ({ annotate }) => {
  const mine = await fetchToken(product.origin, 'owner@demo.example')
  const pictures = await fetch(`${urls.multipartHttps}&access_token=${mine}`)
  const address = `${urls.hlsHttps}&access_token=${mine}`
  const line = (await (await fetch(address)).text()).split('\n').find((each) => each.startsWith('media'))
  const media = new URL(line ?? '', address).href
  expect((await fetch(media)).status).toBe(200)
  const at = Date.now()
  expect((await callApi(product.origin, mine, 'DELETE users/self/tokens/current')).status).toBe(204)
  const read = async () => {
    for await (const _ of pictures.body ?? []) if (Date.now() - at > 3 * SECOND) return 'still there'
    return 'ended'
  }
  expect(await read().catch(() => 'ended')).toBe('ended')
  await annotate(`ended after ${Date.now() - at} ms`)
  expect(Date.now() - at).toBeLessThan(2 * SECOND)
  await expect.poll(async () => (await fetch(media)).status, { timeout: at + 2 * SECOND - Date.now() }).toBe(403)
})
