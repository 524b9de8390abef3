/** Live video over WebRTC, as Chromium and GStreamer play it, with two workers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { OFFER } from '../../server/media/src/webrtc/offer-stage.ts'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { freeUdpPorts } from '../free-udp-ports.ts'
import { callApi, fetchToken } from '../signed-in.ts'
import { addUser, beginSupport, type RunningWebApp, startWebApp } from '../web-app.ts'
import { playWhep, readReceived } from '../whep-page.ts'

const SECOND = 1000
const NO_CAMERAS = { allCameras: false }
const SDP = { 'content-type': 'application/sdp' }
const withChromium = test.skipIf(chromiumPath === undefined)
let names = 0

let app: RunningWebApp
let owner: string
let browser: TestBrowser
let cameras: readonly { cameraId: number }[]

beforeAll(async () => {
  const environment = { SIGHTLINE_WEBRTC_PORT: String(await freeUdpPorts(2)), SIGHTLINE_MEDIA_WORKERS: '2' }
  app = await startWebApp({ cameras: true, environment })
  owner = await fetchToken(app.product.origin, 'owner@demo.example')
  cameras = await app.ask<{ cameraId: number }[]>('GET cameras')
  if (chromiumPath !== undefined) browser = await openBrowser()
  for (const { cameraId } of cameras.slice(0, 3))
    while ((await post(`${address(cameraId)}&access_token=${owner}`, 'v=0\r\n')).status === 404) await sleep(SECOND)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

const address = (cameraId = cameras[0]?.cameraId): string =>
  `${app.product.origin}/stream/whep/open?camera_id=${cameraId}`

const post = (url: string, body: string, headers: Record<string, string> = SDP): Promise<Response> =>
  fetch(url, { method: 'POST', headers, body, redirect: 'manual' })

async function ticketOf(cameraId = cameras[0]?.cameraId): Promise<string> {
  const { ticket } = await app.ask<{ ticket: string }>(`POST cameras/${cameraId}/streamTickets`, { use: 'live' })
  return ticket
}

/** A page of the server, where a player runs as an integrator writes it. */
async function openPlayerPage(): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page[Symbol.asyncDispose]())
  const html = { contentType: 'text/html', body: '<!doctype html><title>Player</title>' }
  await page.page.route('**/player', (route) => route.fulfill(html))
  await page.page.goto(`${app.product.origin}/player`)
  return page.page
}

const pictures = async (page: Page) => (await readReceived(page)).pictures

withChromium('Chromium plays every camera, whichever worker has it; a ticket counts once', async () => {
  for (const { cameraId } of cameras.slice(0, 3)) {
    const [main] = await app.ask<{ urls: { webRtcWhep?: string } }[]>(`GET cameras/${cameraId}/streams`)
    expect(main?.urls.webRtcWhep).toBe(address(cameraId))
    const page = await openPlayerPage()
    const url = `${main?.urls.webRtcWhep}&ticket=${await ticketOf(cameraId)}`
    expect(await playWhep(page, url)).toMatchObject({ status: 201 })
    await expect.poll(() => pictures(page), { timeout: 20 * SECOND }).toBeGreaterThan(30)
    expect(await playWhep(await openPlayerPage(), url)).toMatchObject({ status: 403 })
  }
})

withChromium('a picture is there at once', async ({ annotate }) => {
  const page = await openPlayerPage()
  const began = Date.now()
  expect(await playWhep(page, `${address()}&access_token=${owner}`)).toMatchObject({ status: 201 })
  await expect.poll(() => pictures(page), { interval: 20, timeout: 10 * SECOND }).toBeGreaterThan(0)
  await annotate(`first picture decoded after ${Date.now() - began} ms`)
  expect(Date.now() - began).toBeLessThan(3 * SECOND)
})

withChromium('a DELETE of the session ends it, once, and nobody else can', async () => {
  const page = await openPlayerPage()
  expect(await playWhep(page, `${address()}&access_token=${owner}`)).toMatchObject({ status: 201 })
  await expect.poll(() => pictures(page), { timeout: 10 * SECOND }).toBeGreaterThan(0)
  const session = await page.evaluate(() => window.whep.session)
  const url = new URL(session, app.product.origin)
  const foreign = new URL(url)
  foreign.searchParams.set('camera_id', String(cameras[1]?.cameraId))
  const remove = async (target: URL) => (await fetch(target, { method: 'DELETE' })).status
  expect(await remove(foreign)).toBe(404)
  expect(await remove(new URL(url.href.slice(0, -3)))).toBe(404)
  expect(await pictures(page)).toBeGreaterThan(0)
  expect((await fetch(url, { method: 'PATCH', headers: SDP, body: 'a=x' })).status).toBe(405)
  expect(await remove(url)).toBe(200)
  expect(await remove(url)).toBe(404)
  await stops(page)
})

/** Waits until no more pictures come; resolves with the time of the last one. */
async function stops(page: Page): Promise<number> {
  let [last, at] = [-1, Date.now()]
  const deadline = Date.now() + 20 * SECOND
  while (Date.now() - at < SECOND) {
    if (Date.now() > deadline) throw new Error('pictures still come')
    const now = await pictures(page)
    if (now !== last) [last, at] = [now, Date.now()]
    await sleep(50)
  }
  return at
}

test('what can’t be answered is refused with a reason, before a ticket is used up', async () => {
  const refused = async (
    body: string,
    headers: Record<string, string> = SDP,
    url = `${address()}&access_token=${owner}`,
  ) => {
    const reply = await post(url, body, headers)
    return [reply.status, await reply.text()] as const
  }
  expect(await refused('hello')).toEqual([400, expect.stringContaining('not a session description')])
  expect(await refused('')).toEqual([400, expect.stringContaining('not a session description')])
  expect(await refused('v=0\r\ns=-\r\n')).toEqual([400, expect.stringContaining('no video')])
  expect(await refused('v=0\r\n', { 'content-type': 'application/json' })).toEqual([422, expect.any(String)])
  expect((await refused(`v=0\r\n${'a=x\r\n'.repeat(20_000)}`))[0]).toBe(413)
  expect((await refused(`v=0\r\n${'a=x\r\n'.repeat(5000)}`))[0]).toBe(400)
  expect((await fetch(address())).status).toBe(405)
  expect((await refused('v=0\r\n', SDP, `${address()}&ticket=wrong`))[0]).toBe(400)
})

/** A user who may watch all cameras. */
async function watcher(): Promise<{ token: string; userId: number }> {
  const email = `sees${names++}@demo.example`
  await addUser(app, email, { allCameras: true, rights: { LiveCamera: true } })
  const users = await app.ask<{ userId: number; email: string }[]>('GET users')
  const userId = users.find((user) => user.email === email)?.userId ?? 0
  return { token: await fetchToken(app.product.origin, email), userId }
}

const asks = async (token: string, call: string, body?: object) =>
  expect((await callApi(app.product.origin, token, call, body)).status).toBeLessThan(300)

/** A page that plays an address. */
async function playing(url: string): Promise<Page> {
  const page = await openPlayerPage()
  expect(await playWhep(page, url)).toMatchObject({ status: 201 })
  await expect.poll(() => pictures(page), { timeout: 20 * SECOND }).toBeGreaterThan(20)
  return page
}

const cases: [string, (who: { token: string; userId: number }) => Promise<void>][] = [
  ['its user signs out', ({ token }) => asks(token, 'DELETE users/self/tokens/current')],
  ['its user may no longer see the camera', ({ userId }) => asks(owner, `PATCH users/${userId}/access`, NO_CAMERAS)],
  ['its user is blocked', ({ userId }) => asks(owner, `POST users/${userId}/block`)],
  ['its user is deleted', ({ userId }) => asks(owner, `DELETE users/${userId}`)],
]
test.skipIf(chromiumPath === undefined).for(cases)(
  'a stream ends within two seconds after %s, whether by token or by ticket',
  async ([how, revoke], { annotate }) => {
    const who = await watcher()
    const path = `POST cameras/${cameras[0]?.cameraId}/streamTickets`
    const { body } = await callApi<{ ticket: string }>(app.product.origin, who.token, path, { use: 'live' })
    const byToken = await playing(`${address()}&access_token=${who.token}`)
    const byTicket = await playing(`${address()}&ticket=${body.ticket}`)
    const another = await playing(`${address()}&access_token=${owner}`)
    const at = Date.now()
    await revoke(who)
    const ended = await Promise.all([stops(byToken), stops(byTicket)])
    await annotate(`${how}: ${ended.map((time) => time - at).join(' and ')} ms`)
    for (const time of ended) expect(time - at).toBeLessThan(2 * SECOND)
    const before = await pictures(another)
    await expect.poll(() => pictures(another)).toBeGreaterThan(before)
  },
)

withChromium('a private camera ends its streams, and is refused, whichever worker has it', async ({ annotate }) => {
  for (const { cameraId } of cameras.slice(1, 3)) {
    const page = await playing(`${address(cameraId)}&access_token=${owner}`)
    const at = Date.now()
    await asks(owner, `PATCH cameras/${cameraId}/mode`, { mode: 'private' })
    const ended = await stops(page)
    await annotate(`ended after ${ended - at} ms`)
    expect(ended - at).toBeLessThan(3 * SECOND)
    await expect
      .poll(async () => (await playWhep(await openPlayerPage(), `${address(cameraId)}&access_token=${owner}`)).status)
      .toBe(424)
  }
})

withChromium('who may not watch gets nothing', async () => {
  const { origin } = app.product
  const status = async (credential: string, cameraId = cameras[0]?.cameraId) =>
    (await playWhep(await openPlayerPage(), `${address(cameraId)}&${credential}`)).status
  await addUser(app, 'elsewhere@demo.example', { allCameras: false, rights: { LiveCamera: true } })
  expect(await status(`access_token=${await fetchToken(origin, 'elsewhere@demo.example')}`)).toBe(404)
  expect(await status(`access_token=${await fetchToken(origin, 'other@demo.example')}`)).toBe(404)
  expect(await status(`access_token=${await beginSupport(app, { video: 'hidden' })}`)).toBe(403)
  expect(await status(`ticket=${await ticketOf(cameras[1]?.cameraId)}`)).toBe(403)
  expect(await status('ticket=')).toBe(403)
  const { ticket } = await app.ask<{ ticket: string }>(`POST cameras/${cameras[0]?.cameraId}/streamTickets`, {
    use: 'playback',
  })
  expect(await status(`ticket=${ticket}`)).toBe(422)
})

test('a thousand strangers without tickets are refused, while a viewer keeps watching', async ({ annotate }) => {
  const page = chromiumPath === undefined ? undefined : await playing(`${address()}&access_token=${owner}`)
  const began = Date.now()
  const statuses: number[] = []
  const ask = async (count: number) => {
    for (let asked = 0; asked < count; asked++)
      statuses.push((await post(`${address()}&ticket=${names++}`, OFFER)).status)
  }
  await Promise.all(Array.from({ length: 50 }, () => ask(20)))
  await annotate(`${Date.now() - began} ms`)
  expect(statuses).toHaveLength(1000)
  expect(statuses.filter((status) => status !== 403 && status !== 503)).toEqual([])
  if (page === undefined) return
  const before = await pictures(page)
  await expect.poll(() => pictures(page)).toBeGreaterThan(before + 10)
})
