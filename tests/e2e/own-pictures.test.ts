/** JPEGs without a decoder: the camera's own, as long as someone looks. */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken } from '../signed-in.ts'

const SECOND = 1000
const run = promisify(execFile)

let product: RunningProduct
let token: string
let cameraId: number
let urls: Readonly<Record<string, string>>

beforeAll(async () => {
  product = await startProduct({ environment: { SIGHTLINE_PICTURE_STREAMS: '0' } })
  token = await fetchToken(product.origin, 'owner@demo.example')
  cameraId = (await ask<{ cameraId: number }[]>('GET cameras'))[0]?.cameraId ?? 0
  urls = (await ask<{ urls: Record<string, string> }[]>(`GET cameras/${cameraId}/streams`))[0]?.urls ?? {}
  while (!(await ask<{ online: boolean }>(`GET cameras/${cameraId}/status`)).online) await sleep(SECOND)
})
afterAll(() => product[Symbol.asyncDispose]())

async function ask<T>(request: string, body?: unknown): Promise<T> {
  const reply = await callApi<T>(product.origin, token, request, body)
  if (reply.status >= 400) throw new Error(`${request}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

test('a camera with ONVIF shows what it makes itself, about twice a second', async () => {
  const began = Date.now()
  const args = ['-v', 'error', '-f', 'mpjpeg', '-i', `${urls.mjpegHttp}&stream=main&access_token=${token}`]
  const { stderr } = await run('ffmpeg', [...args, '-frames:v', '4', '-f', 'null', '-'], { timeout: 30 * SECOND })
  expect(stderr).toBe('')
  expect(Date.now() - began).toBeGreaterThan(SECOND)
})

test('the stream ends with its permission and with the camera being made private', async () => {
  const mine = await fetchToken(product.origin, 'owner@demo.example')
  const endOf = async (of: string) => {
    const reply = await fetch(`${urls.multipartHttp}&stream=main&access_token=${of}`)
    expect(reply.status).toBe(200)
    const read = async () => {
      for await (const _ of reply.body ?? []);
    }
    return {
      over: read().then(
        () => 'over',
        () => 'over',
      ),
    }
  }
  const [first, second] = [await endOf(mine), await endOf(token)]
  expect((await callApi(product.origin, mine, 'DELETE users/self/tokens/current')).status).toBe(204)
  expect(await Promise.race([first.over, sleep(2 * SECOND, 'still there')])).toBe('over')
  await ask(`PATCH cameras/${cameraId}/mode`, { mode: 'private' })
  expect(await Promise.race([second.over, sleep(3 * SECOND, 'still there')])).toBe('over')
})
