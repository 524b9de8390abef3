import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { fillDateTime } from '../dates.ts'
import { overflow, soon, violations } from '../screens.ts'
import { addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

const PASSWORD = 'gravel lamp ninety forest'
const made = { timeout: 60_000 }

interface Made {
  readonly exportId: number
  readonly status: string
  readonly sha256: string | null
  readonly sizeBytes: number | null
}

/** From the bundle or the sources; the database's processes for it have another command. */
const MEDIA_WORKER = /\/media-worker\.mjs|server\/run\/programs\/media\.ts/

/** Lists the content of a ZIP file and checks each file in it; throws if the password is another one. */
const openZip = (path: string, password: string): string =>
  String(execFileSync('7z', ['t', '-bb1', `-p${password}`, path], { stdio: ['ignore', 'pipe', 'pipe'] }))

describe.skipIf(chromiumPath === undefined)('files of footage that are prepared', () => {
  let app: RunningWebApp
  let ids: number[]
  const tray = (page: Page) => page.getByRole('button', { name: /^Exports/ })
  const list = (page: Page) => page.getByRole('list', { name: 'Exports' })

  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    ids = (await app.ask<{ cameraId: number }[]>('GET cameras')).map(({ cameraId }) => cameraId)
    for (const cameraId of ids) while ((await recordedMs(cameraId)) < 15_000) await sleep(1000)
  })
  afterAll(() => app[Symbol.asyncDispose]())

  async function recordedMs(cameraId: number): Promise<number> {
    const [from, till] = [Date.now() - 3_600_000, Date.now() + 1000].map((time) => new Date(time).toISOString())
    const { segments } = await app.ask<{ segments: { start: string; end: string }[] }>(
      `GET cameras/${cameraId}/recordingTimeline?from=${from}&till=${till}&resolution=1`,
    )
    return segments.reduce((sum, { start, end }) => sum + Date.parse(end) - Date.parse(start), 0)
  }
  const lastMinutes = () => ({
    from: new Date(Date.now() - 600_000).toISOString(),
    till: new Date(Date.now() - 2000).toISOString(),
  })
  const exports = () => app.ask<Made[]>('GET exports')
  const prepare = async (body: object = {}): Promise<Made> =>
    app.ask<Made>('POST exports', { cameraIds: [ids[0]], format: 'mp4', ...lastMinutes(), ...body })
  const done = async ({ exportId }: Made) => {
    await expect.poll(async () => (await app.ask<Made>(`GET exports/${exportId}`)).status, made).toBe('Done')
  }

  test('the owner prepares a ZIP file with a password of two cameras in Multiview, sees it finish in every tab, and downloads it', async () => {
    await using tab = await app.open(`/multiview?cameras=${ids.slice(0, 2).join()}`)
    const { page } = tab
    const heard = page
      .getByText(/^The export of .+ is ready\.$/)
      .first()
      .waitFor(made)
    const other = await page.context().newPage()
    await other.goto(`${app.product.origin}/app/downloads`)
    await other.getByText('No exports yet').waitFor(soon)
    await page.getByRole('button', { name: 'Download footage' }).click(soon)
    const dialog = page.getByRole('dialog', { name: 'Download footage' })
    await dialog.getByText(/ of footage across all cameras$/).waitFor(soon)
    await dialog.getByLabel(/^Password/).fill('short')
    await dialog.getByText('Use at least 8 characters').waitFor(soon)
    expect(await dialog.getByRole('button', { name: 'Prepare file' }).isDisabled()).toBe(true)
    await dialog.getByLabel(/^Password/).fill(PASSWORD)
    await dialog.getByText('Strong', { exact: true }).waitFor(soon)
    await dialog.getByText(/we can’t recover it/).waitFor(soon)
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Theft: both doors')
    await dialog.getByLabel('Reason').fill('Theft, case 4711')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Prepare file' }).click()
    await page.getByText('The file is being prepared.').first().waitFor(soon)
    await dialog.waitFor({ state: 'detached' })
    // The other tab was told, and nobody asked for it there.
    await list(other).getByText('Theft, case 4711').waitFor(soon)
    await expect.poll(async () => (await exports())[0], made).toMatchObject({ status: 'Done', failureDetail: null })
    await list(other).getByText('Theft: both doors').waitFor(soon)
    await heard
    await tray(page).click()
    const row = list(page).getByRole('listitem').first()
    await row.getByRole('heading', { name: 'Theft: both doors' }).waitFor(soon)
    await row.getByText('Ready', { exact: true }).waitFor(soon)
    await row.getByText(/^Removed in (7 days|6 days 23 hrs?)$/).waitFor(soon)
    await row.getByText(/with a password/).waitFor(soon)
    expect(await violations(page)).toEqual([])
    const downloading = page.waitForEvent('download')
    await row.getByRole('button', { name: /^Download: / }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('Theft_ both doors.zip')
    const path = await download.path()
    const [file] = await exports()
    expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(file?.sha256)
    const content = openZip(path, PASSWORD)
    expect(content).toContain('Everything is Ok')
    expect(content.match(/\.mp4$/gm)).toHaveLength(2)
    expect(() => openZip(path, 'another password')).toThrow()
    // The list survives a reload.
    await page.reload()
    await tray(page).click(soon)
    await row.getByText('Ready', { exact: true }).waitFor(soon)
    expect(tab.complaints).toEqual([])
  })

  test('the page of a camera offers to download now or to prepare a file', async () => {
    await using tab = await app.open(`/cameras/${ids[0]}`)
    const { page } = tab
    await page.getByRole('button', { name: 'Download footage' }).click(soon)
    const dialog = page.getByRole('dialog', { name: 'Download footage' })
    await dialog.getByRole('radio', { name: /^Prepare a file/ }).click(soon)
    await dialog.getByRole('radio', { name: 'MP4 video' }).click(soon)
    expect(await dialog.getByLabel(/^Password/).count()).toBe(0)
    await dialog.getByText(/ of it recorded$/).waitFor(soon)
    await dialog.getByRole('button', { name: 'Prepare file' }).click()
    await page
      .getByText(/^The export of Car park is ready\.$/)
      .first()
      .waitFor(made)
    expect(tab.complaints).toEqual([])
  })

  test('name, time, a watermark and the logo can be put into a picture that is twice as fast, and the file says everywhere that it isn’t the original', async () => {
    await using tab = await app.open(`/cameras/${ids[0]}`)
    const { page } = tab
    await page.getByRole('button', { name: 'Download footage' }).click(soon)
    const dialog = page.getByRole('dialog', { name: 'Download footage' })
    await dialog.getByRole('radio', { name: /^Prepare a file/ }).click(soon)
    await dialog.getByRole('radio', { name: 'MP4 video' }).click(soon)
    // Encoding gives way to everything else on the machine, so there is little of it. The account’s time is UTC.
    for (const [field, ago] of [
      ['From', 14_000],
      ['To', 6000],
    ] as const) {
      const moment = new Date(Date.now() - ago).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)
      await fillDateTime(dialog.getByRole('group', { name: field }), moment)
    }
    const warning = dialog.getByText(/^The file won’t be the original/)
    await dialog.getByRole('switch', { name: 'Name and time in the picture' }).waitFor(soon)
    expect(await warning.count()).toBe(0)
    await dialog.getByRole('switch', { name: 'Name and time in the picture' }).click()
    await dialog.getByLabel('Watermark').fill('Copy for Acme')
    await dialog.getByRole('switch', { name: 'Logo in the picture' }).click()
    await dialog.getByRole('combobox', { name: 'Speed' }).click()
    await page.getByRole('option', { name: '2× speed' }).click(soon)
    await warning.waitFor(soon)
    expect(await violations(page)).toEqual([])
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBeLessThanOrEqual(0)
    }
    await dialog.getByRole('button', { name: 'Prepare file' }).click()
    const isMade = async () => (await app.ask<(Made & { watermark: string | null })[]>('GET exports'))[0]
    await expect
      .poll(isMade, { timeout: 180_000 })
      .toMatchObject({ status: 'Done', watermark: 'Copy for Acme', overlay: true, logo: true, speed: 2 })
    await page.getByRole('button', { name: /^Exports/ }).click(soon)
    const row = list(page).getByRole('listitem').first()
    await row.getByText(/picture changed, not the original/).waitFor(soon)
    await row.getByText(/2× speed, not the original/).waitFor(soon)
    const downloading = page.waitForEvent('download')
    await row.getByRole('button', { name: /^Download: / }).click()
    const path = await (await downloading).path()
    const bytes = readFileSync(path)
    expect(bytes.includes('"derived":{"overlay":true,"watermark":"Copy for Acme","logo":true,"speed":2}')).toBe(true)
    expect(String(execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-']))).toBe('')
    expect(tab.complaints).toEqual([])
  }, 240_000)

  test('while nothing is unfinished, the tray does not ask the server again', async () => {
    await expect.poll(async () => (await exports()).every(({ status }) => status === 'Done'), made).toBe(true)
    await using tab = await app.open('/zones')
    await tray(tab.page).waitFor(soon)
    await sleep(1000)
    let asked = 0
    tab.page.on('request', (request) => {
      if (request.url().endsWith('/exports')) asked += 1
    })
    await sleep(5000)
    expect(asked).toBe(0)
  })

  test('an export that is being made can be canceled, and the dialog says what is lost', async () => {
    const pids = await app.product.processes()
    const workers = pids.filter((pid) => MEDIA_WORKER.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')))
    expect(workers.length).toBeGreaterThan(0)
    await using tab = await app.open('/zones')
    const { page } = tab
    await tray(page).waitFor(soon)
    for (const pid of workers) process.kill(pid, 'SIGSTOP')
    try {
      const { exportId } = await prepare({ name: 'The one that is canceled' })
      await page.reload()
      await page.getByRole('button', { name: 'Exports (unfinished: 1)' }).click(soon)
      await list(page).getByRole('button', { name: 'Cancel: The one that is canceled' }).click(soon)
      const question = page.getByRole('dialog', { name: 'Cancel this export?' })
      await question.getByText('What has been prepared so far is lost. The recordings stay.').waitFor(soon)
      await question.getByRole('button', { name: 'Cancel export' }).click()
      await page.getByText('Export canceled').first().waitFor(soon)
      await expect.poll(() => list(page).getByText('The one that is canceled').count(), soon).toBe(0)
      expect((await exports()).some((one) => one.exportId === exportId)).toBe(false)
    } finally {
      // A worker that stands still is ended and replaced after a while.
      for (const pid of workers) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGCONT')
    }
  })

  test('a file that is gone meanwhile is said to be gone, and leaves the list', async () => {
    const one = await prepare({ name: 'Gone meanwhile' })
    await done(one)
    await using tab = await app.open('/zones')
    const { page } = tab
    // By it, the file would leave the list at once.
    await page.route(/\/events\/stream/, (route) => route.abort())
    await page.goto(`${app.product.origin}/app/downloads`)
    const row = list(page).getByRole('listitem').filter({ hasText: 'Gone meanwhile' })
    await row.waitFor(soon)
    await app.ask(`DELETE exports/${one.exportId}`)
    await row.getByRole('button', { name: /^Download: / }).click()
    await page.getByText('This file has expired or was deleted.').first().waitFor(soon)
    await row.waitFor({ state: 'detached' })
  })

  test('a time without footage is refused in plain words', async () => {
    await using tab = await app.open(`/multiview?cameras=${ids.slice(0, 2).join()}`)
    const { page } = tab
    await page.getByRole('button', { name: 'Download footage' }).click(soon)
    const dialog = page.getByRole('dialog', { name: 'Download footage' })
    await fillDateTime(dialog.getByRole('group', { name: 'From' }), '2026-01-05T10:00')
    await fillDateTime(dialog.getByRole('group', { name: 'To' }), '2026-01-05T10:05')
    await dialog.getByText('Nothing was recorded in this time.').waitFor(soon)
    await dialog.getByRole('button', { name: 'Prepare file' }).click()
    await page.getByText('Nothing was recorded in this time, or you no longer have access').first().waitFor(soon)
  })

  test('the Download Portal lists the exports of the account, on a phone too', async () => {
    await done(await prepare({ name: 'In the portal', reason: 'Insurance' }))
    await using tab = await app.open('/zones')
    const { page } = tab
    await page.goto(`${app.product.origin}/downloads/`)
    await page.getByRole('heading', { name: 'Download Portal' }).waitFor(soon)
    const row = list(page).getByRole('listitem').filter({ hasText: 'In the portal' })
    await row.getByText('Insurance').waitFor(soon)
    expect(await violations(page)).toEqual([])
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBeLessThanOrEqual(0)
    }
    await row.getByRole('button', { name: /^Delete: / }).click()
    const question = page.getByRole('dialog', { name: 'Delete this export?' })
    await question.getByText(/The prepared file is deleted forever/).waitFor(soon)
    await question.getByRole('button', { name: 'Delete export' }).click()
    await row.waitFor({ state: 'detached' })
    expect(tab.complaints).toEqual([])
  })

  test('a user sees only their own exports, who may not export sees none, and neither does support', async () => {
    await done(await prepare({ name: 'Of the owner' }))
    await addUser(app, 'exporter@demo.example', { allCameras: true, rights: { playback: true, export: true } })
    await using own = await app.open('/downloads', 'exporter@demo.example')
    await own.page.getByText('No exports yet').waitFor(soon)
    await addUser(app, 'looker@demo.example', { allCameras: true, rights: { playback: true } })
    await using none = await app.open('/downloads', 'looker@demo.example')
    await none.page.getByText('Ask the account owner for the right to export footage.').waitFor(soon)
    expect(await tray(none.page).count()).toBe(0)
    await using support = await app.newPage()
    await lendToken(support.page, app.product.origin, await beginSupport(app, { video: 'shown' }))
    await support.page.goto(`${app.product.origin}/app/downloads`)
    await support.page.getByText('Exports aren’t available during a support session.').waitFor(soon)
    expect(await tray(support.page).count()).toBe(0)
    expect(await support.page.getByText('Of the owner').count()).toBe(0)
  })
})
