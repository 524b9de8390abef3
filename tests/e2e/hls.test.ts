/** HLS as players see it: ffmpeg, and hls.js in Chromium. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { callApi, fetchToken } from '../signed-in.ts'
import { addUser, beginSupport, type RunningWebApp, startWebApp } from '../web-app.ts'

const SECOND = 1000
const script = readFileSync(new URL('../../node_modules/hls.js/dist/hls.min.js', import.meta.url), 'utf8')

let app: RunningWebApp
let owner: string
let cameraId: number
let startedAt: number

beforeAll(async () => {
  app = await startWebApp({ cameras: true })
  owner = await fetchToken(app.product.origin, 'owner@demo.example')
  const [camera] = await app.ask<{ cameraId: number }[]>('GET cameras')
  cameraId = camera?.cameraId ?? 0
  startedAt = Date.now()
  while ((await get(await address(owner))).status !== 200) await sleep(SECOND)
})
afterAll(() => app[Symbol.asyncDispose]())

const get = (url: string) => fetch(url, { signal: AbortSignal.timeout(20 * SECOND) })

const base = () => `${app.product.origin}/stream/hls/getPlaylist?camera_id=${cameraId}`

/** Like existing clients: with the token. */
const address = async (token: string, rest = ''): Promise<string> => `${base()}&access_token=${token}${rest}`

async function withTicket(use: 'live' | 'playback', rest = ''): Promise<string> {
  const { ticket } = await app.ask<{ ticket: string }>(`POST cameras/${cameraId}/streamTickets`, { use })
  return `${base()}&ticket=${ticket}${rest}`
}

/** The address that a playlist names first, without the lines about it. */
async function firstIn(url: string): Promise<string> {
  const reply = await get(url)
  if (reply.status !== 200) throw new Error(`${reply.status}: ${await reply.text()}`)
  const line = (await reply.text()).split('\n').find((each) => each !== '' && !each.startsWith('#'))
  return new URL(line ?? '', url).href
}

/** What of hls.js is used. */
interface Player {
  readonly latency: number
  on(event: string, hear: (name: unknown, error: { details: string; fatal: boolean }) => void): void
  loadSource(url: string): void
  attachMedia(video: HTMLVideoElement): void
  destroy(): void
}

/** Plays on a page without a policy, so that only the product decides what it gets. */
async function play(page: Page, url: string, settings: object, seconds: number) {
  const { origin } = app.product
  await page.route(`${origin}/player.html`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<video muted></video>' }),
  )
  await page.goto(`${origin}/player.html`)
  await page.addScriptTag({ content: script })
  return await page.evaluate(
    async ({ url, settings, seconds }) => {
      const video = document.querySelector('video') as HTMLVideoElement
      const { Hls } = window as unknown as { Hls: new (settings: object) => Player }
      const errors: string[] = []
      const hls = new Hls(settings)
      hls.on('hlsError', (_, { details, fatal }) => {
        if (fatal) errors.push(details)
      })
      hls.loadSource(url)
      hls.attachMedia(video)
      await video.play().catch(() => undefined)
      const from = performance.now()
      const played = () => (video.played.length === 0 ? 0 : video.currentTime - video.played.start(0))
      while (played() < seconds && errors.length === 0 && performance.now() - from < 40_000)
        await new Promise((resolve) => setTimeout(resolve, 100))
      const playedSeconds = played()
      const result = {
        errors,
        playedSeconds,
        width: video.videoWidth,
        latency: hls.latency,
        dropped: video.getVideoPlaybackQuality().droppedVideoFrames,
      }
      hls.destroy()
      return result
    },
    { url, settings, seconds },
  )
}

describe.skipIf(chromiumPath === undefined)('hls.js in Chromium', () => {
  test('plays live video', async ({ annotate }) => {
    await using tab = await app.newPage()
    const played = await play(tab.page, await withTicket('live'), { lowLatencyMode: false }, 5)
    await annotate(JSON.stringify(played))
    expect(played).toMatchObject({ errors: [], width: expect.any(Number) })
    expect(played.playedSeconds).toBeGreaterThanOrEqual(5)
    expect(played.width).toBeGreaterThan(100)
  })

  test('plays live video of low latency, part by part', async ({ annotate }) => {
    await using tab = await app.newPage()
    const asked: string[] = []
    tab.page.on('request', (request) => asked.push(request.url()))
    const played = await play(tab.page, await withTicket('live', '&low_latency=1'), { lowLatencyMode: true }, 5)
    await annotate(JSON.stringify(played))
    expect(played.errors).toEqual([])
    expect(played.playedSeconds).toBeGreaterThanOrEqual(5)
    expect(asked.filter((url) => url.includes('/part.m4s')).length).toBeGreaterThan(5)
    expect(asked.filter((url) => url.includes('_HLS_msn=')).length).toBeGreaterThan(3)
  })

  test('plays recorded video', async () => {
    while (Date.now() - startedAt < 15 * SECOND) await sleep(SECOND)
    const from = new Date(startedAt).toISOString()
    await using tab = await app.newPage()
    const played = await play(tab.page, await withTicket('playback', `&from=${from}`), {}, 3)
    expect(played.errors).toEqual([])
    expect(played.playedSeconds).toBeGreaterThanOrEqual(3)
  })
})

test('ffmpeg plays live and recorded video with a token in the address', async () => {
  const from = new Date(startedAt).toISOString()
  const till = new Date(startedAt + 8 * SECOND).toISOString()
  for (const rest of ['', `&from=${from}&till=${till}`]) {
    const args = ['-v', 'error', '-xerror', '-i', await address(owner, rest), '-t', '4', '-f', 'null', '-']
    expect(String(execFileSync('ffmpeg', args, { stdio: 'pipe' }))).toBe('')
  }
})

test('a list that ends now begins complete; one of a ticket ends where the ticket does', async () => {
  const from = new Date(Date.now() - 8 * SECOND).toISOString()
  const till = new Date(Date.now() - SECOND).toISOString()
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const body = { use: 'playback', from, till }
  const { ticket } = await app.ask<{ ticket: string }>(`POST cameras/${cameraId}/streamTickets`, body)
  for (const url of [await address(owner, `&from=${from}&till=${till}`), `${base()}&ticket=${ticket}&till=${later}`]) {
    const playlist = await (await get(await firstIn(url))).text()
    expect(playlist).toMatch(/#EXT-X-PLAYLIST-TYPE:VOD\n[\s\S]*#EXT-X-ENDLIST\n$/)
  }
})

test('a ticket opens one session, which a player may open again while it lasts; nothing of it can be asked for without its key', async () => {
  const url = await withTicket('live')
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
  const media = await firstIn(url)
  expect(await firstIn(url)).toBe(media)
  const segment = await firstIn(media)
  expect((await get(segment)).status).toBe(200)
  for (const wrong of [segment.replace(/session=[^&]+/, 'session=media-1.x'), segment.replace(/&session=[^&]+/, '')]) {
    const reply = await get(wrong)
    expect([reply.status, await reply.json()]).toMatchObject([404, { code: 4 }])
  }
  const other = (await app.ask<{ cameraId: number }[]>('GET cameras'))[1]?.cameraId ?? 0
  expect((await get(segment.replace(`camera_id=${cameraId}`, `camera_id=${other}`))).status).toBe(404)
})

test('what can’t be asked for is refused like a call of the API', async () => {
  const refused = async (url: string) => {
    const reply = await get(url)
    return [reply.status, ((await reply.json()) as { code: number }).code]
  }
  const long = `&from=2026-01-01T00:00:00Z&till=2026-01-02T00:00:00Z`
  expect(await refused(`${base()}&ticket=unknown`)).toEqual([403, 9])
  expect(await refused(base())).toEqual([403, 9])
  expect(await refused(await address(owner, '&from=yesterday'))).toEqual([400, 3])
  expect(await refused(await address(owner, long))).toEqual([400, 3])
  expect(await refused(await address(owner, '&from=2026-01-01T00:00:00Z&till=2026-01-01T01:00:00Z'))).toEqual([404, 4])
  const media = await firstIn(await address(owner))
  expect(await refused(`${media}&_HLS_msn=99999999`)).toEqual([400, 3])
})

test('sound needs the right to it; support without video, and users of other cameras, get nothing', async () => {
  const { origin } = app.product
  const rights = { LiveCamera: true, microphone: false }
  await addUser(app, 'deaf@demo.example', { allCameras: true, rights })
  await addUser(app, 'elsewhere@demo.example', { allCameras: false, rights: { playback: true } })
  const tokenOf = (email: string) => fetchToken(origin, email)
  const codecs = async (token: string) => /CODECS="([^"]+)"/.exec(await (await get(await address(token))).text())?.[1]
  expect(await codecs(owner)).toMatch(/^avc1\.\w+,mp4a\.40\.2$/)
  expect(await codecs(await tokenOf('deaf@demo.example'))).toMatch(/^avc1\.\w+$/)
  expect((await get(await address(await tokenOf('elsewhere@demo.example')))).status).toBe(404)
  const support = await beginSupport(app, { video: 'hidden' })
  expect((await get(await address(support))).status).toBe(403)
})

test('signing out ends every piece within two seconds, also one that is waited for', async ({ annotate }) => {
  const token = await fetchToken(app.product.origin, 'owner@demo.example')
  const media = await firstIn(await address(token, '&low_latency=1'))
  const segment = await firstIn(media)
  const recorded = await firstIn(await address(token, `&from=${new Date(startedAt).toISOString()}`))
  expect((await get(segment)).status).toBe(200)
  const playlist = await (await get(media)).text()
  const last = Number(/MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1]) + playlist.split('#EXTINF').length
  const waiting = get(`${media}&_HLS_msn=${last}`)
  const at = Date.now()
  expect((await callApi(app.product.origin, token, 'DELETE users/self/tokens/current')).status).toBe(204)
  const waited = await waiting
  const ended = async (url: string) => {
    for (;;) {
      const reply = await get(url)
      await reply.body?.cancel()
      if (reply.status !== 200) return reply.status
      if (Date.now() - at > 2 * SECOND) return 'still there'
      await sleep(50)
    }
  }
  expect(await Promise.all([ended(media), ended(segment), ended(recorded)])).toEqual([403, 403, 403])
  await annotate(`ended after ${Date.now() - at} ms`)
  expect([200, 403]).toContain(waited.status)
  expect((await get(await address(token))).status).toBe(403)
})
