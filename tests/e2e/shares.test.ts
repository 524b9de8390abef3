import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FootageShare, SharedFootage } from '@sightline/contract/shares'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, soon, violations } from '../screens.ts'
import { type RunningWebApp, startWebApp } from '../web-app.ts'

const PASSWORD = 'gravel lamp ninety forest'
const made = { timeout: 60_000 }

interface Shared {
  readonly share: FootageShare
  readonly url: string
}

describe.skipIf(chromiumPath === undefined)('footage that is shared by a link', () => {
  let app: RunningWebApp
  let cameraId: number

  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    cameraId = (await app.ask<{ cameraId: number }[]>('GET cameras'))[0]?.cameraId ?? 0
    while ((await recordedMs()) < 15_000) await sleep(1000)
  })
  afterAll(() => app[Symbol.asyncDispose]())

  async function recordedMs(): Promise<number> {
    const [from, till] = [Date.now() - 3_600_000, Date.now() + 1000].map((time) => new Date(time).toISOString())
    const { segments } = await app.ask<{ segments: { start: string; end: string }[] }>(
      `GET cameras/${cameraId}/recordingTimeline?from=${from}&till=${till}&resolution=1`,
    )
    return segments.reduce((sum, { start, end }) => sum + Date.parse(end) - Date.parse(start), 0)
  }
  const share = (more: object) =>
    app.ask<Shared>('POST shares', {
      cameraId,
      from: new Date(Date.now() - 600_000).toISOString(),
      till: new Date(Date.now() - 2000).toISOString(),
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      ...more,
    })
  const listed = () => app.ask<FootageShare[]>('GET shares')
  const ready = ({ share: { shareId } }: Shared) =>
    expect.poll(async () => (await listed()).find((one) => one.shareId === shareId)?.status, made).toBe('Ready')
  const openByCall = async ({ url }: Shared, body: object = {}) => {
    const reply = await fetch(`${app.product.origin}/rest/v2.4/sharedFootage/public`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret: new URL(url).hash.slice(1), ...body }),
    })
    return { status: reply.status, body: (await reply.json()) as SharedFootage }
  }

  test('a stranger with a phone opens it with the password, plays it and sees the time at the camera', async () => {
    const [from, till] = [13_000, 5000].map((ms) => new Date(Date.now() - ms).toISOString())
    const shared = await share({ from, till, public: true, password: PASSWORD, name: 'Delivery at the door' })
    await using visit = await app.newPage({ width: 360 })
    const { page } = visit
    await page.goto(shared.url)
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('That password isn’t right.').waitFor(soon)
    expect(await page.getByLabel('Password').evaluate((node) => node === document.activeElement)).toBe(true)
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Delivery at the door' }).waitFor(made)
    const video = page.locator('video')
    await video.waitFor(made)
    await video.evaluate((node) => (node as HTMLVideoElement).play())
    await expect
      .poll(() => video.evaluate((node) => (node as HTMLVideoElement).currentTime), { timeout: 20_000 })
      .toBeGreaterThan(1)
    const shown = page.getByText('Shown time').locator('+ dd')
    const earlier = await shown.textContent()
    await expect.poll(() => shown.textContent(), { timeout: 20_000 }).not.toBe(earlier)
    expect(await violations(page)).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    const href = await page.getByRole('link', { name: 'Download video' }).getAttribute('href')
    const file = await fetch(href ?? '')
    expect(file.headers.get('content-disposition')).toContain('Delivery at the door.mp4')
    const folder = mkdtempSync(join(tmpdir(), 'sightline-share-'))
    const path = join(folder, 'share.mp4')
    writeFileSync(path, Buffer.from(await file.arrayBuffer()))
    const probe = execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path])
    rmSync(folder, { recursive: true })
    expect(Number(String(probe))).toBeGreaterThan(6)
    const { views } = await app.ask<{ views: { userId: number | null }[] }>(`GET shares/${shared.share.shareId}/views`)
    expect(views.length).toBeGreaterThan(0)
    expect(views.every(({ userId }) => userId === null)).toBe(true)
  })

  test('a copy with a gap shows it on a slider and in words, and the time is right on both sides of it', async () => {
    await sleep(3000)
    await app.ask(`PATCH cameras/${cameraId}/mode`, { mode: 'private' })
    await sleep(6000)
    await app.ask(`PATCH cameras/${cameraId}/mode`, { mode: 'armed' })
    await sleep(12_000)
    const [from, till] = [Date.now() - 26_000, Date.now() - 4000]
    const shared = await share({ from: new Date(from).toISOString(), till: new Date(till).toISOString(), public: true })
    await ready(shared)
    const { gaps } = (await openByCall(shared)).body.footage ?? {}
    const [gap] = gaps ?? []
    const [begins, ends] = [Date.parse(gap?.from ?? ''), Date.parse(gap?.till ?? '')]
    expect(gaps).toHaveLength(1)
    expect(ends - begins).toBeGreaterThan(5000)
    await using visit = await app.newPage({ width: 360 })
    const { page } = visit
    await page.goto(shared.url)
    const slider = page.getByRole('slider', { name: 'Shown time' })
    await slider.waitFor(made)
    await page.getByText('No footage', { exact: true }).waitFor(soon)
    const video = page.locator('video')
    const { timeZone } = await app.ask<{ timeZone: string }>('GET accounts/self/timeZone')
    const said = (time: number) =>
      new Intl.DateTimeFormat('en-US', { timeZone, minute: '2-digit', second: '2-digit' }).format(time)
    // Breaks of up to 1.5 s at both ends aren't gaps.
    /** Seconds from the shown time to one that it should be. */
    const off = async (time: number) => {
      const shown = (await page.getByText('Shown time').locator('+ dd').textContent()) ?? ''
      const near = Array.from({ length: 81 }, (_, index) => (index - 40) / 4)
      return near
        .filter((seconds) => shown.includes(said(time + seconds * 1000)))
        .sort((a, b) => Math.abs(a) - Math.abs(b))[0]
    }
    const goTo = (part: number) =>
      video.evaluate((node, at) => {
        const shown = node as HTMLVideoElement
        shown.currentTime = at * shown.duration
      }, part)
    await goTo(1)
    await expect.poll(async () => Math.abs((await off(till)) ?? 99), soon).toBeLessThanOrEqual(3)
    await goTo(0)
    // Chromium begins at the key picture before the start.
    await expect.poll(async () => (await off(from)) ?? 99, soon).toBeLessThanOrEqual(3)
    // Into the gap: the video continues after it.
    await slider.fill(String(Math.round((begins + 2000 - from) / 1000)))
    await expect.poll(async () => Math.abs((await off(ends)) ?? 99), soon).toBeLessThanOrEqual(3)
    expect(await violations(page)).toEqual([])
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBeLessThanOrEqual(0)
    }
    expect(visit.complaints).toEqual([])
  })

  test('the page has a policy, is not to be found by search engines, and sends its address nowhere', async () => {
    const reply = await fetch(`${app.product.origin}/shared`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
    expect(reply.headers.get('x-robots-tag')).toBe('noindex')
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('a part of the file can be asked for, and within two seconds of the end of the share nothing more is sent', async () => {
    const shared = await share({ public: true })
    await ready(shared)
    const { url } = (await openByCall(shared)).body.footage ?? {}
    const part = await fetch(url ?? '', { headers: { range: 'bytes=4-7' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await part.text()).toBe('ftyp')
    await app.ask(`DELETE shares/${shared.share.shareId}`)
    const ended = Date.now()
    expect((await fetch(url ?? '')).status).toBe(404)
    expect(Date.now() - ended).toBeLessThan(2000)
    expect((await openByCall(shared)).status).toBe(404)
    await using visit = await app.newPage()
    await visit.page.goto(shared.url)
    await visit.page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor(soon)
  })

  test('a viewer who is playing when the share ends sees that it ended, also after a reload', async () => {
    const shared = await share({ public: true })
    await ready(shared)
    await using visit = await app.newPage()
    const { page } = visit
    await page.goto(shared.url)
    const video = page.locator('video')
    // The browser has it as a whole, so only the page itself can notice the end.
    await expect.poll(() => video.evaluate((node) => (node as HTMLVideoElement).readyState), made).toBe(4)
    await video.evaluate((node) => (node as HTMLVideoElement).play())
    await app.ask(`DELETE shares/${shared.share.shareId}`)
    await page.getByRole('heading', { name: 'This link was ended' }).waitFor(soon)
    expect(await page.locator('video').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await page.reload()
    await page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor(soon)
  })

  test('a link that has expired doesn’t open', async () => {
    const expiresAt = Date.now() + 5000
    const shared = await share({ public: true, expiresAt: new Date(expiresAt).toISOString() })
    expect((await openByCall(shared)).status).toBe(200)
    await sleep(expiresAt - Date.now() + 50)
    expect((await openByCall(shared)).status).toBe(404)
    await using visit = await app.newPage()
    await visit.page.goto(shared.url)
    await visit.page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor(soon)
  })

  test('a video whose address no longer works goes on with a new one; one that can’t be played is offered as a file', async () => {
    const shared = await share({ public: true })
    await ready(shared)
    await using visit = await app.newPage()
    const { page } = visit
    await page.goto(shared.url)
    const video = page.locator('video')
    await video.waitFor(soon)
    const address = () => video.evaluate((node) => (node as HTMLVideoElement).src)
    const before = await address()
    await video.evaluate((node) => {
      const player = node as HTMLVideoElement
      player.src = player.src.replace(/ticket=[^&]+/, 'ticket=expired')
    })
    await expect.poll(() => video.evaluate((node) => (node as HTMLVideoElement).readyState), made).toBeGreaterThan(0)
    expect(await address()).not.toBe(before)
    // It was asked for ten minutes, and there is less: the time is right all the same.
    expect(await page.getByText('Shown time').isVisible()).toBe(true)
    await page.route('**/stream/share/**', (route) => route.fulfill({ contentType: 'video/mp4', body: 'no video' }))
    await page.reload()
    await page.getByText('This browser can’t play the video. Download it to watch it.').waitFor(soon)
    expect(await violations(page)).toEqual([])
  })

  test('the page speaks the reader’s language, looks like the brand, and its policy allows all that it needs', async () => {
    const shared = await share({ public: true, name: 'Einfahrt' })
    await ready(shared)
    await using visit = await app.newPage({ width: 360, dark: true, locale: 'de-DE' })
    const { page, complaints } = visit
    await page.goto(shared.url)
    await page.getByRole('link', { name: 'Video herunterladen' }).waitFor(soon)
    expect(await page.getAttribute('html', 'lang')).toBe('de')
    await page.getByRole('banner').getByRole('img', { name: 'Sightline' }).waitFor(soon)
    await expect
      .poll(() => page.locator('video').evaluate((node) => (node as HTMLVideoElement).readyState), made)
      .toBe(4)
    expect(await violations(page)).toEqual([])
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    expect(complaints).toEqual([])
  })

  test('a link for people of the account doesn’t open without signing in', async () => {
    const shared = await share({})
    expect(new URL(shared.url).pathname).toBe('/app/shared')
    expect((await openByCall(shared)).status).toBe(404)
    await using visit = await app.newPage()
    await visit.page.goto(`${app.product.origin}/shared${new URL(shared.url).hash}`)
    await visit.page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor(soon)
    await visit.page.goto(`${app.product.origin}/shared`)
    await visit.page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor(soon)
  })
})
