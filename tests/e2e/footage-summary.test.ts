import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { soon } from '../screens.ts'
import { callApi, fetchToken } from '../signed-in.ts'
import { addUser, beginSupport, type RunningWebApp, startWebApp } from '../web-app.ts'

interface Summary {
  readonly url: string
  readonly from: string
  readonly till: string
}

describe.skipIf(chromiumPath === undefined)('the summary of the last 24 hours', () => {
  let app: RunningWebApp
  let cameraId: number

  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    const [camera] = await app.ask<{ cameraId: number }[]>('GET cameras')
    cameraId = camera?.cameraId ?? 0
    // The newest part of a summary is up to ten seconds old.
    await sleep(25_000)
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const summary = () => app.ask<Summary>(`GET cameras/${cameraId}/summary`)
  const open = async (page: Page) => {
    await page.getByRole('button', { name: 'More actions for footage' }).click(soon)
    await page.getByRole('menuitem', { name: '24-hour summary' }).click(soon)
    const dialog = page.getByRole('dialog', { name: '24-hour summary' })
    await dialog.getByRole('time').waitFor(soon)
    return dialog
  }

  test('is half a minute of pictures in order, a file that says its length and continues', async () => {
    const { url, from, till } = await summary()
    const reply = await fetch(url)
    expect(reply.headers.get('content-type')).toBe('video/mp4')
    expect(reply.headers.get('content-disposition')).toBe('inline')
    const bytes = Buffer.from(await reply.arrayBuffer())
    expect(bytes.length).toBe(Number(reply.headers.get('content-length')))
    const rest = await fetch(url, { headers: { range: 'bytes=1000-' } })
    expect(rest.status).toBe(206)
    expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(1000))).toBe(true)
    const folder = mkdtempSync(join(tmpdir(), 'sightline-summary-'))
    const path = join(folder, 'summary.mp4')
    writeFileSync(path, bytes)
    const probe = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path]
    expect(Math.abs(Number(execFileSync('ffprobe', probe)) - 30)).toBeLessThan(1)
    expect(String(execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-']))).toBe('')
    rmSync(folder, { recursive: true })
    const { pictures } = (await (await fetch(`${url}&pictures=1`)).json()) as { pictures: number[] }
    expect(pictures.length).toBeGreaterThan(3)
    expect(pictures).toEqual(pictures.toSorted((a, b) => a - b))
    expect(pictures[0]).toBeGreaterThanOrEqual(Date.parse(from))
    expect(pictures.at(-1)).toBeLessThan(Date.parse(till))
  })

  test('opens only with its ticket, for its camera and time', async () => {
    const { url } = await summary()
    expect((await fetch(url.replace(/ticket=.*/, 'ticket=x'))).status).toBe(403)
    expect((await fetch(url.replace('&ticket=', '&from=2020-01-01T00:00:00Z&ticket='))).status).toBe(400)
    for (const seconds of ['0', '31', 'x'])
      expect((await fetch(url.replace(/seconds=[^&]*/, `seconds=${seconds}`))).status).toBe(400)
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(url.replace(`camera_id=${cameraId}`, 'camera_id=1'))).status).toBe(403)
    // A ticket for one kind of address doesn't open another.
    expect((await fetch((await summary()).url.replace('/summary/', '/mp4/'))).status).toBe(403)
    const clip = { use: 'mp4', from: new Date(Date.now() - 20_000).toISOString(), till: new Date().toISOString() }
    const made = await app.ask<{ url: string }>(`POST cameras/${cameraId}/streamTickets`, clip)
    expect((await fetch(made.url.replace('/mp4/', '/summary/'))).status).toBe(403)
  })

  test('is saved by those who may export, which the audit log says; others only watch it', async () => {
    const { url } = await summary()
    const file = await fetch(`${url}&download=1&name=Door`)
    expect(file.headers.get('content-disposition')).toContain('Door.mp4')
    await file.arrayBuffer()
    const log = await app.ask<{ action: string; cameraId?: number }[]>('GET auditLogs?actions=export')
    expect(log).toMatchObject([{ action: 'export', cameraId }])
    const { origin } = app.product
    await addUser(app, 'watcher@demo.example', { allCameras: true, rights: { playback: true } })
    const watcher = await fetchToken(origin, 'watcher@demo.example')
    const { body } = await callApi<Summary>(origin, watcher, `GET cameras/${cameraId}/summary`)
    expect((await fetch(`${body.url}&download=1`)).status).toBe(403)
    expect((await fetch(body.url, { method: 'HEAD' })).status).toBe(200)
    const { userId } = (await callApi<{ userId: number }>(origin, watcher, 'GET users/self')).body
    await app.ask(`PATCH users/${userId}/rights`, { playback: false })
    await expect.poll(async () => (await fetch(body.url, { method: 'HEAD' })).status, soon).not.toBe(200)
    const hidden = await beginSupport(app, { video: 'hidden' })
    expect((await callApi(origin, hidden, `GET cameras/${cameraId}/summary`)).status).toBe(403)
  })

  test('plays on the page of the camera, tells the time of the picture, and leads to that moment', async () => {
    await using tab = await app.open(`/cameras/${cameraId}`)
    const { page } = tab
    const dialog = await open(page)
    const video = dialog.getByLabel(/^Summary of /)
    const shown = dialog.getByRole('time')
    const first = await shown.getAttribute('datetime')
    await expect
      .poll(() => video.evaluate((one: HTMLVideoElement) => one.currentTime), { timeout: 15_000 })
      .toBeGreaterThan(0.5)
    expect(await video.evaluate((one: HTMLVideoElement) => Math.round(one.duration))).toBe(30)
    await video.evaluate((one: HTMLVideoElement) => {
      one.pause()
      one.currentTime = 29.9
    })
    await expect.poll(() => shown.getAttribute('datetime')).not.toBe(first)
    // It may have been another picture that played before.
    await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.seeking)).toBe(false)
    await page.waitForTimeout(300)
    const time = (await shown.getAttribute('datetime')) ?? ''
    expect(Date.parse(time)).toBeGreaterThan(Date.parse(first ?? ''))
    await dialog.getByRole('link', { name: 'Download' }).waitFor()
    await dialog.getByRole('button', { name: 'Go to this time' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('t') ?? '', soon).not.toBe('')
    const t = Date.parse(new URL(page.url()).searchParams.get('t') ?? '')
    expect(Math.abs(t - Date.parse(time))).toBeLessThan(5000)
    expect(tab.complaints).toEqual([])
  })
})
