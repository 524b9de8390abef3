import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { fillDateTime } from '../dates.ts'
import { soon } from '../screens.ts'
import { addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

interface Recorded {
  readonly segments: readonly { readonly start: string; readonly end: string }[]
}

describe.skipIf(chromiumPath === undefined)('saving footage as a file', () => {
  let app: RunningWebApp
  let cameraId: number
  const button = (page: Page) => page.getByRole('button', { name: 'Download footage' })

  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    const [camera] = await app.ask<{ cameraId: number }[]>('GET cameras')
    cameraId = camera?.cameraId ?? 0
    while ((await recordedMs()) < 10_000) await sleep(1000)
  })
  afterAll(() => app[Symbol.asyncDispose]())

  async function recordedMs(): Promise<number> {
    const [from, till] = [Date.now() - 3_600_000, Date.now() + 1000].map((time) => new Date(time).toISOString())
    const { segments } = await app.ask<Recorded>(
      `GET cameras/${cameraId}/recordingTimeline?from=${from}&till=${till}&resolution=1`,
    )
    return segments.reduce((sum, { start, end }) => sum + Date.parse(end) - Date.parse(start), 0)
  }

  /** The name and the address of a new file of the last minutes. */
  const ticketUrl = async (): Promise<string> => {
    const [from, till] = [Date.now() - 600_000, Date.now()].map((time) => new Date(time).toISOString())
    const made = await app.ask<{ url: string }>(`POST cameras/${cameraId}/streamTickets`, { use: 'mp4', from, till })
    return made.url
  }

  test('the owner picks a time and gets an MP4 that plays, named after the camera and the time', async () => {
    await using tab = await app.open(`/cameras/${cameraId}`)
    const { page } = tab
    await button(page).click(soon)
    const dialog = page.getByRole('dialog', { name: 'Download footage' })
    // The suggested end is the next full minute, so some of it is still to come.
    await dialog.getByText(/^Duration: .+, .+ of it recorded$/).waitFor(soon)
    expect(await dialog.getByText(/of footage$/).count()).toBe(0)
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    await page.getByText('Download started').first().waitFor(soon)
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^Car park \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.mp4$/)
    const path = await download.path()
    expect(statSync(path).size).toBeGreaterThan(100_000)
    const entries = ['-count_packets', '-show_entries', 'stream=codec_name,nb_read_packets', '-of', 'csv=p=0']
    const [video = ''] = String(
      execFileSync('ffprobe', ['-v', 'error', '-select_streams', 'v', ...entries, path]),
    ).split('\n')
    expect(video).toMatch(/^h264,\d+$/)
    expect(Number(video.split(',')[1])).toBeGreaterThan(50)
    expect(String(execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-']))).toBe('')
    const log = await app.ask<{ action: string; cameraId?: number }[]>('GET auditLogs?actions=export')
    expect(log).toMatchObject([{ action: 'export', cameraId }])
    expect(tab.complaints).toEqual([])
  })

  const CHECK_PAGE = new URL('../../dist/web/footage-check/footage-check.html', import.meta.url).href

  test('the owner hands over a file that proves itself, and anyone checks it offline with the fingerprint', async () => {
    await using tab = await app.open(`/cameras/${cameraId}`)
    const { page } = tab
    await button(page).click(soon)
    const dialog = page.getByRole('dialog', { name: 'Download footage' })
    await dialog.getByText(/ of it recorded$/).waitFor(soon)
    await dialog.getByRole('switch', { name: 'Signed as evidence' }).click()
    await dialog.getByLabel('Reason').fill('Theft, case 4711')
    const fingerprint = await dialog.getByLabel('Fingerprint of the key').inputValue()
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/)
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    const path = await (await downloading).path()
    expect(String(execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-']))).toBe('')
    const bytes = readFileSync(path)
    const folder = mkdtempSync(join(tmpdir(), 'sightline-evidence-'))
    const [genuine, changed] = [join(folder, 'door.mp4'), join(folder, 'changed.mp4')]
    writeFileSync(genuine, bytes)
    const at = Math.floor(bytes.length / 2)
    writeFileSync(changed, bytes.with(at, (bytes[at] ?? 0) ^ 1))

    await using other = await app.newPage()
    const check = other.page
    await check.context().setOffline(true)
    await check.goto(CHECK_PAGE)
    const results = check.locator('section')
    await check.getByRole('button', { name: 'Check' }).click()
    await check.getByRole('alert').getByText('Enter the 64 characters').waitFor(soon)
    await check.getByLabel('Fingerprint of the key').fill(fingerprint)
    await check.getByLabel('Video files').setInputFiles([genuine, changed])
    await check.getByRole('button', { name: 'Check' }).click()
    await results.nth(1).getByText('Not genuine').waitFor(soon)
    expect(await results.nth(0).getByText('Genuine', { exact: true }).count()).toBe(1)
    expect(await results.nth(0).textContent()).toMatch(/Theft, case 4711/)
    expect(await results.nth(0).textContent()).toContain('owner@demo.example')
    expect(await results.nth(1).textContent()).toMatch(/: changed or replaced \(bytes [\d,]+ to [\d,]+\)/)
    for (const width of [360, 768, 1440]) {
      await check.setViewportSize({ width, height: 900 })
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await check.evaluate(overflow)).toBe(0)
    }
    await check.getByLabel('Fingerprint of the key').fill('0'.repeat(64))
    await check.getByRole('button', { name: 'Check' }).click()
    await results.nth(1).getByText('Not verified').waitFor(soon)
    expect(other.complaints).toEqual([])
    rmSync(folder, { recursive: true })
  })

  test('the page that checks files is served to everyone, and its policy lets it connect to nothing', async () => {
    await using tab = await app.newPage()
    const answer = await tab.page.goto(`${app.product.origin}/footage-check.html`)
    expect(await answer?.headerValue('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
    )
    await tab.page.getByRole('heading', { name: 'Check exported footage' }).waitFor(soon)
    const saving = tab.page.waitForEvent('download')
    await tab.page.getByRole('link', { name: 'Save this page' }).click()
    expect(readFileSync(await (await saving).path(), 'utf8')).toContain('<script>')
    expect(tab.complaints).toEqual([])
  })

  test('a time without footage is announced before the download', async () => {
    await using tab = await app.open(`/cameras/${cameraId}`)
    await button(tab.page).click(soon)
    const dialog = tab.page.getByRole('dialog', { name: 'Download footage' })
    await fillDateTime(dialog.getByRole('group', { name: 'From' }), '2026-01-05T10:00')
    await fillDateTime(dialog.getByRole('group', { name: 'To' }), '2026-01-05T10:05')
    await dialog.getByText('Nothing was recorded in this time.').waitFor(soon)
  })

  test('Chromium plays the file and goes to any time in it', async () => {
    await using tab = await app.open('/')
    const url = await ticketUrl()
    const played = await tab.page.evaluate(async (address) => {
      const blob = await (await fetch(address)).blob()
      const video = document.createElement('video')
      video.muted = true
      video.src = URL.createObjectURL(blob)
      await new Promise((resolve, reject) => {
        video.onloadeddata = resolve
        video.onerror = () => reject(new Error(video.error?.message))
      })
      const middle = video.duration / 2
      video.currentTime = middle
      await new Promise((resolve) => {
        video.onseeked = resolve
      })
      return { duration: video.duration, at: video.currentTime, middle, width: video.videoWidth }
    }, url)
    expect(played.duration).toBeGreaterThan(5)
    expect(played.at).toBeCloseTo(played.middle, 1)
    expect(played.width).toBeGreaterThan(100)
  })

  test('a download that broke off continues, by ranges of bytes', async () => {
    const url = await ticketUrl()
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer())
    const head = await fetch(url, { method: 'HEAD' })
    expect(head.headers.get('accept-ranges')).toBe('bytes')
    const asked = (range: string) => fetch(url, { headers: { range } })
    const part = await asked('bytes=1000-250000')
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toMatch(/^bytes 1000-250000\/\d+$/)
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(1000, 250_001))).toBe(true)
    expect((await asked('bytes=999999999999-')).status).toBe(416)
    const ifRange = (tag: string) => fetch(url, { headers: { range: 'bytes=0-9', 'if-range': tag } })
    expect((await ifRange(part.headers.get('etag') ?? '')).status).toBe(206)
    const other = await ifRange('"another"')
    expect(other.status).toBe(200)
    await other.body?.cancel()
  })

  test('a ticket that is unknown, and an address without a time, get an error that programs can read', async () => {
    const address = `${app.product.origin}/stream/mp4/open?camera_id=${cameraId}`
    const unknown = await fetch(`${address}&ticket=unknown`)
    expect([unknown.status, await unknown.json()]).toMatchObject([403, { code: 9 }])
    const timeless = await fetch(address)
    expect([timeless.status, await timeless.json()]).toMatchObject([400, { code: 3 }])
  })

  test('users without the right to export, and support, get no button', async () => {
    await addUser(app, 'watcher@demo.example', { allCameras: true, rights: { playback: true } })
    await using tab = await app.open(`/cameras/${cameraId}`, 'watcher@demo.example')
    await tab.page.getByRole('button', { name: 'Previous day' }).waitFor(soon)
    expect(await button(tab.page).count()).toBe(0)
    await using support = await app.newPage()
    await lendToken(support.page, app.product.origin, await beginSupport(app, { video: 'shown' }))
    await support.page.goto(`${app.product.origin}/app/cameras/${cameraId}`)
    await support.page.getByRole('button', { name: 'Previous day' }).waitFor(soon)
    expect(await button(support.page).count()).toBe(0)
  })
})
