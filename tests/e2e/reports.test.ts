import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { clearField, fillDate, fillTime } from '../dates.ts'
import { inLongRun, longTest } from '../long-run.ts'
import { chooseOption } from '../popups.ts'
import { getRow, overflow, soon, violations } from '../screens.ts'
import { addDemoUser, addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

interface Camera {
  readonly cameraId: number
  readonly name: string
}

describe.skipIf(chromiumPath === undefined)('reports, storage and camera logs in Chromium', () => {
  let app: RunningWebApp
  let camera: Camera
  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    const [first] = await app.ask<Camera[]>('GET cameras')
    if (first === undefined) throw new Error('the demonstration has no camera')
    camera = first
    await addUser(app, 'keeper@demo.example', {
      allCameras: true,
      rights: { storageUsage: true, logFiles: true },
    })
    await addUser(app, 'viewer@demo.example', { allCameras: true })
    await addDemoUser(app, 'visitor@demo.example')
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const today = () => new Date().toISOString().slice(0, 10)
  const make = (given: object) =>
    app.ask<{ reportId: number }>('POST reports', { type: 'storageUsage', from: today(), till: today(), ...given })
  const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' }).first().getByRole('link')
  const reports = (page: Page) => page.getByRole('table', { name: 'Reports' })
  const schedules = (page: Page) => page.getByRole('listitem').filter({ hasText: 'Next report:' })
  const end = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Delete schedule' })

  test('the owner creates a PDF report, sees it listed and downloads it', async () => {
    await using tab = await app.open('/reports')
    const { page } = tab
    await page.getByText('No reports yet').waitFor()
    await page.getByRole('button', { name: 'New report' }).first().click()
    const form = page.getByRole('dialog', { name: 'New report' })
    await chooseOption(form.getByLabel('Report type'), 'Storage')
    await form.getByRole('button', { name: 'Yesterday' }).click()
    await form.getByRole('button', { name: 'Create report' }).click()
    await page.getByText('Report created').waitFor(soon)
    const row = reports(page).getByRole('row', { name: /^Storage/ })
    expect(await row.textContent()).toMatch(/Ready.*PDF/)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      row.getByRole('button', { name: 'PDF: Download' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^storageUsage-(\d{4}-\d\d-\d\d)-\1\.pdf$/)
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
    expect(tab.complaints).toEqual([])
  })

  longTest('the form rejects invalid dates and times, and asks before it discards changes', async () => {
    await using tab = await app.open('/reports')
    const { page } = tab
    await page.getByRole('button', { name: 'New report' }).first().click()
    const form = page.getByRole('dialog', { name: 'New report' })
    const send = form.getByRole('button', { name: 'Create report' })
    await fillDate(form.getByRole('group', { name: 'From' }), '2026-01-01')
    await form.getByText('Choose at most 31 days').waitFor()
    expect(await send.isDisabled()).toBe(true)
    await form.getByRole('button', { name: 'Last month' }).click()
    expect(await send.isEnabled()).toBe(true)
    await chooseOption(form.getByLabel('Repeat'), 'month')
    await clearField(form.getByRole('group', { name: 'Time of day' }))
    await form.getByLabel('Repeat').focus()
    await form.getByText('Choose a time').waitFor()
    expect(await send.isDisabled()).toBe(true)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await form.waitFor({ state: 'hidden' })
  })

  longTest(
    'a report is scheduled, the schedule shows its next date, and it is deleted after confirmation',
    async () => {
      await using tab = await app.open('/reports')
      const { page } = tab
      await page.getByRole('button', { name: 'New report' }).first().click()
      const form = page.getByRole('dialog', { name: 'New report' })
      await chooseOption(form.getByLabel('Format'), 'csv')
      await chooseOption(form.getByLabel('Repeat'), 'week')
      await fillTime(form.getByRole('group', { name: 'Time of day' }), '06:30')
      await form.getByRole('button', { name: 'Create report' }).click()
      await expect.poll(() => schedules(page).allTextContents(), soon).toHaveLength(1)
      expect(await schedules(page).textContent()).toContain('Camera uptimeCSVEvery Monday at 06:30Next report: ')
      await getRow(page, 'scheduled').waitFor()
      await schedules(page).getByRole('button').click()
      await page.getByText(/no longer be created/).waitFor()
      await end(page).click()
      await page.getByText('Schedule deleted').waitFor()
      await expect.poll(() => schedules(page).count()).toBe(0)
      expect(await app.ask('GET reportSchedules')).toEqual([])
      expect(tab.complaints).toEqual([])
    },
  )

  longTest('with five schedules the form says that the limit is reached and offers no other', async () => {
    const schedule = { every: 'day', at: '05:00' }
    for (let count = 0; count < 5; count++) await make({ format: 'json', schedule })
    await using tab = await app.open('/reports')
    const { page } = tab
    await expect.poll(() => schedules(page).count(), soon).toBe(5)
    await page.getByRole('button', { name: 'New report' }).first().click()
    const again = page.getByRole('dialog').getByLabel('Repeat')
    await expect.poll(() => again.isDisabled()).toBe(true)
    await page.getByText(/limit of 5 schedules/).waitFor()
    for (const { reportScheduleId } of await app.ask<{ reportScheduleId: number }[]>('GET reportSchedules')) {
      await app.ask(`DELETE reportSchedules/${reportScheduleId}`)
    }
  })

  test('the link in the email opens a page with the file and a way to delete the schedule', async () => {
    const { reportId } = await make({ format: 'csv', schedule: { every: 'day', at: '05:00' } })
    await using tab = await app.open(`/reports/${reportId}`)
    const { page } = tab
    const get = page.getByRole('button', { name: 'Download (CSV)' })
    const [file] = await Promise.all([page.waitForEvent('download'), get.click()])
    expect(await readFile(await file.path(), 'utf8')).toContain('day,cameraId,camera,bytes,hours')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete schedule' }).click()
    await end(page).click()
    await expect.poll(() => page.getByText('Created automatically').count()).toBe(0)
    expect(await app.ask('GET reportSchedules')).toEqual([])
    await page.goto(`${app.product.origin}/app/reports/12345`)
    await page.getByText('Report not found').waitFor()
  })

  test.each(
    inLongRun([
      ['a sub-user', 'keeper@demo.example'],
      ['a demo user', 'visitor@demo.example'],
    ]),
  )('%s sees that only the account owner has reports: no button and no menu item', async (_, email) => {
    await using tab = await app.open('/reports', email)
    const { page } = tab
    await page.getByText('Only the account owner can view reports').waitFor()
    expect(await page.getByRole('button', { name: 'New report' }).count()).toBe(0)
    await expect.poll(() => menu(page).allTextContents()).toContain('Zones')
    expect(await menu(page).allTextContents()).not.toContain('Reports')
    const { reportId } = await make({})
    await page.goto(`${app.product.origin}/app/reports/${reportId}`)
    await page.getByText('Only the account owner can view reports').waitFor()
  })

  longTest('a support session can view storage and logs, but can neither view nor create reports', async () => {
    await using tab = await app.newPage()
    const { page } = tab
    await lendToken(page, app.product.origin, await beginSupport(app, { video: 'hidden' }))
    await page.goto(`${app.product.origin}/app/reports`)
    await page.getByText("You can't view or create reports during a support session.").waitFor()
    await page.goto(`${app.product.origin}/app/storage`)
    await page.getByText('Storage used').waitFor()
    await page.goto(`${app.product.origin}/app/cameras/${camera.cameraId}/logs`)
    await page.getByRole('cell', { name: 'Connected' }).first().waitFor()
  })

  const recorded = async () => {
    const { bytes } = await app.ask<{ bytes: number }>('GET accounts/self/storage')
    return bytes
  }

  test('storage shows usage against the limits, per day as a chart and a table, and per camera', async () => {
    await expect.poll(recorded, { timeout: 30_000 }).toBeGreaterThan(0)
    await using tab = await app.open('/storage', 'keeper@demo.example')
    const { page } = tab
    await page.getByRole('progressbar', { name: 'Cameras' }).waitFor()
    expect(await page.getByText(/^\d+ of \d+$/).count()).toBeGreaterThan(1)
    const plot = page.getByRole('slider', { name: 'Day' })
    const said = () => plot.getAttribute('aria-valuetext')
    expect(await said()).toMatch(/[kMG]B, [\d.]+ hours? of footage$/)
    await plot.focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(said).toContain(': 0 bytes')
    await page.keyboard.press('Home')
    await expect.poll(() => plot.getAttribute('aria-valuenow')).toBe('1')
    await page.keyboard.press('End')
    await expect.poll(said).not.toContain(': 0 bytes')
    await page.getByText('View as table').first().click()
    await expect.poll(() => page.getByRole('region', { name: 'View as table' }).getByRole('row').count()).toBe(32)
    const oldest = getRow(page, camera.name).getByRole('cell').last()
    expect(await oldest.textContent()).toContain(String(new Date().getUTCFullYear()))
    expect(tab.complaints).toEqual([])
  })

  longTest('the dates of the storage page are kept in the URL, also dates without recordings', async () => {
    await using tab = await app.open('/storage?from=2020-01-01&till=2020-01-31')
    const { page } = tab
    await page.getByText('No recordings for these dates').waitFor()
    await page
      .getByRole('button', { name: '1 – 31 Jan 2020' })
      .or(page.getByRole('button', { name: /Jan 2020/ }))
      .click()
    await page.getByRole('dialog', { name: 'Dates' }).getByRole('button', { name: 'Last 7 days' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('till')).toBe(today())
    await page.goto(`${app.product.origin}/app/storage?from=2020-01-01&till=2026-01-01`)
    await page.getByText('You can view up to two years at a time.').waitFor()
  })

  longTest('the camera page links to its log, which filters by level and dates and comes in pages', async () => {
    await using tab = await app.open(`/cameras/${camera.cameraId}`, 'keeper@demo.example')
    const { page } = tab
    await page.getByRole('link', { name: 'Camera log' }).click()
    await page.getByRole('heading', { name: `${camera.name} log` }).waitFor()
    await page.getByRole('cell', { name: 'Connected' }).first().waitFor()
    await page.getByText(/^Rows 1–\d+ of \d+$/).waitFor()
    await page.getByRole('button', { name: 'All levels' }).click()
    await page.getByRole('menuitemradio', { name: 'Errors only' }).click()
    await page.getByText('No results match your search and filters').waitFor()
    expect(new URL(page.url()).searchParams.get('level')).toBe('error')
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await page.getByRole('button', { name: 'Dates' }).click()
    await fillDate(page.getByRole('dialog', { name: 'Dates' }).getByRole('group', { name: 'To' }), '2026-01-01')
    await page.keyboard.press('Escape')
    await page.getByText('No results match your search and filters').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Camera log' }).waitFor()
    await page.goto(`${app.product.origin}/app/cameras/1/logs`)
    await page.getByText("Camera not found, or you don't have access to it").waitFor()
  })

  longTest('users without the rights see neither page, and no links to them', async () => {
    await using tab = await app.open(`/cameras/${camera.cameraId}`, 'viewer@demo.example')
    const { page } = tab
    await page.getByRole('heading', { name: camera.name }).waitFor()
    await expect.poll(() => menu(page).allTextContents()).toEqual(['Cameras', 'Zones'])
    expect(await page.getByRole('link', { name: 'Camera log' }).count()).toBe(0)
    await page.goto(`${app.product.origin}/app/cameras/${camera.cameraId}/logs`)
    await page.getByText("You can't view camera logs").waitFor()
    await page.goto(`${app.product.origin}/app/storage`)
    await page.getByText("You can't view storage usage").waitFor()
  })

  test.each(
    inLongRun([
      [360, false],
      [768, true],
      [1280, false],
    ]),
  )('at %i pixels nothing is wider than the window, dark: %s, and axe finds nothing', async (width, dark) => {
    await make({ schedule: { every: 'month', at: '07:00' } })
    await using tab = await app.open('/reports', 'owner@demo.example', { width, dark })
    const { page } = tab
    const rest = async () => [Math.max(0, await overflow(page)), await violations(page)]
    await reports(page).waitFor()
    await schedules(page).first().waitFor()
    expect(await rest()).toEqual([0, []])
    await page.goto(`${app.product.origin}/app/storage`)
    await page.getByRole('slider').waitFor()
    expect(await rest()).toEqual([0, []])
    await page.goto(`${app.product.origin}/app/cameras/${camera.cameraId}/logs`)
    await page.getByRole('cell', { name: 'Connected' }).first().waitFor()
    expect(await rest()).toEqual([0, []])
    expect(tab.complaints).toEqual([])
  })
})
