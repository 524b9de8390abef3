import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { casesToTry, inLongRun, longTest } from '../long-run.ts'
import { chooseOption } from '../popups.ts'
import { isOnOneLine, overflow, violations } from '../screens.ts'
import { callApi } from '../signed-in.ts'
import { addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

describe.skipIf(chromiumPath === undefined)('the audit log page in Chromium', () => {
  let app: RunningWebApp
  let support = ''
  beforeAll(async () => {
    app = await startWebApp()
    const { zoneId } = await app.ask<{ zoneId: number }>('POST zones', { name: 'Cellar' })
    await app.ask(`PATCH zones/${zoneId}`, { name: 'Vault', latitude: 52.5, longitude: 4.5 })
    support = await beginSupport(app, { video: 'hidden' })
    const [zone] = await app.ask<{ zoneId: number }[]>('GET zones?q=Shop')
    await callApi(app.product.origin, support, `PATCH zones/${zone?.zoneId}`, { timeZone: 'Europe/Lisbon' })
    await addUser(app, 'reader@demo.example', { rights: { viewUserSettings: true } })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  /** The table's rows without its header. */
  const lines = (page: Page) =>
    page.getByRole('table', { name: 'Audit log' }).getByRole('row').filter({ hasText: /\d/ })
  const search = (page: Page) => new URL(page.url()).searchParams

  test('entries are listed newest first with action, target, signature and changed values', async () => {
    await using tab = await app.open('/audit-log', undefined, { locale: 'en-US' })
    const { page } = tab
    const changed = lines(page).filter({ hasText: 'Zone changed' }).filter({ hasText: 'Vault' })
    await changed.waitFor()
    await expect.poll(() => lines(page).first().textContent()).toContain('Signed in')
    await expect
      .poll(
        async () => {
          await page.reload()
          await changed.waitFor()
          return changed.textContent()
        },
        { timeout: 20_000 },
      )
      .toMatch(/No\. \d+/)
    expect(await isOnOneLine(changed.getByRole('button'))).toBe(true)
    await changed.getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: 'Zone changed' })
    const values = (field: RegExp) => dialog.getByRole('row', { name: field }).getByRole('cell').allTextContents()
    await expect.poll(() => values(/^Name/)).toEqual(['Cellar', 'Vault'])
    expect(await values(/^Latitude/)).toEqual(['–', '52.5'])
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(tab.complaints).toEqual([])
  })

  test('an entry of support names the staff member, also with the support filter on', async () => {
    await using tab = await app.open('/audit-log')
    const { page } = tab
    await lines(page).first().waitFor()
    await page.getByRole('button', { name: 'By anyone' }).click()
    await page.getByRole('menuitemradio', { name: 'Support and provider only' }).click()
    await expect.poll(() => search(page).get('support')).toBe('true')
    await expect.poll(() => lines(page).filter({ hasNotText: 'Daan Dealer' }).count()).toBe(0)
    const line = lines(page).filter({ hasText: 'Zone changed' })
    await line.getByText('Support', { exact: true }).waitFor()
    await line.getByRole('button').click()
    await page.getByRole('dialog').getByText('Acted as').waitFor()
    await page.getByRole('dialog').getByText('Olivia Owner').waitFor()
  })

  longTest('filters and search are kept in the URL and cleared together', async () => {
    await using tab = await app.open('/audit-log')
    const { page } = tab
    await page.getByRole('button', { name: 'Actions' }).click()
    const zones = page.getByRole('dialog', { name: 'Actions' }).getByRole('group', { name: 'Zones' })
    await zones.getByRole('checkbox', { name: 'Zone added' }).check()
    await zones.getByRole('checkbox', { name: 'Zone changed' }).check()
    await page.keyboard.press('Escape')
    await expect.poll(() => lines(page).filter({ hasNotText: 'Zone' }).count()).toBe(0)
    await page.getByRole('searchbox', { name: 'Search the audit log' }).fill('Olivia')
    await expect.poll(() => search(page).get('q')).toBe('Olivia')
    await page.getByRole('button', { name: 'Dates' }).click()
    await page.getByRole('dialog', { name: 'Dates' }).getByRole('button', { name: 'Today' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => search(page).get('from')).toMatch(/^\d{4}-\d\d-\d\d$/)
    await expect.poll(() => lines(page).count()).toBe(2)
    await page.reload()
    await expect.poll(() => lines(page).count()).toBe(2)
    expect(await page.getByRole('searchbox', { name: 'Search the audit log' }).inputValue()).toBe('Olivia')
    await page.getByRole('searchbox', { name: 'Search the audit log' }).fill('no such thing')
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await expect.poll(() => lines(page).count()).toBeGreaterThan(4)
    expect(search(page).size).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  longTest('pages come from the server, with the chosen number of rows', async () => {
    for (let n = 0; n < 12; n += 1) await app.ask('POST zones', { name: `Hall ${n}` })
    await using tab = await app.open('/audit-log')
    const { page } = tab
    await chooseOption(page.getByRole('combobox', { name: 'Rows per page' }), '10')
    await expect.poll(() => lines(page).count()).toBe(10)
    const first = await lines(page).first().textContent()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText(/^Rows 11–/).waitFor()
    expect(await lines(page).first().textContent()).not.toBe(first)
    expect(new URL(page.url()).searchParams.get('page')).toBe('2')
    await page.reload()
    await page.getByText(/^Rows 11–/).waitFor()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await page.getByText(/^Rows 1–10/).waitFor()
    await chooseOption(page.getByRole('combobox', { name: 'Rows per page' }), 'all')
    await expect.poll(() => lines(page).count()).toBeGreaterThan(12)
  })

  longTest('all rows load page by page, loading can be stopped, and the row limit is explained', async () => {
    for (let n = 0; n < 12; n += 1) await app.ask('POST zones', { name: `Barn ${n}` })
    await using tab = await app.open('/audit-log')
    const { page } = tab
    // One row per page instead of 500, and slowly: stands in for a log of 10,000 rows.
    await page.route(/auditLogs\?.*limit=500/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      await route.continue({ url: route.request().url().replace('limit=500', 'limit=1') })
    })
    await chooseOption(page.getByRole('combobox', { name: 'Rows per page' }), 'all')
    await page.getByRole('button', { name: 'Stop loading' }).click()
    await page.getByRole('button', { name: 'Continue loading' }).waitFor()
    await page.getByText(/^\d+ (of \d+ )?rows loaded$/).waitFor()
    expect(await lines(page).count()).toBeLessThan(20)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue loading' }).click()
    await page.getByText(/^Only the first 20 rows are shown\..*Exports include up to 100,000 entries\.$/).waitFor()
    expect(await lines(page).count()).toBe(20)
    expect(tab.complaints).toEqual([])
  })

  const formats = [
    ['CSV (for spreadsheets)', 'csv'],
    ['JSON (for programs)', 'json'],
  ] as const
  test.each(casesToTry(formats))('%s exports only the entries that match the filter', async (item, format) => {
    await using tab = await app.open('/audit-log?actions=postZone')
    const { page } = tab
    await lines(page).first().waitFor()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(new RegExp(`^audit-log-\\d{4}-\\d\\d-\\d\\d\\.${format}$`))
    const text = await readFile(await download.path(), 'utf8')
    expect(text).toContain('postZone')
    expect(text).not.toContain('patchZone')
    if (format === 'json') expect(JSON.stringify(JSON.parse(text))).toContain('Cellar')
    await page.getByText('Audit log exported').waitFor()
  })

  longTest('the printed page has all columns and no controls', async () => {
    await using tab = await app.open('/audit-log', 'owner@demo.example', { width: 700 })
    const { page } = tab
    await lines(page).first().waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.getByRole('columnheader', { name: 'Sealed' }).waitFor()
    expect(await page.getByRole('button', { name: 'Dates' }).isVisible()).toBe(false)
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
  })

  longTest('viewing it needs the right to view user settings; support can view but not export it', async () => {
    {
      await using tab = await app.open('/audit-log', 'guard@demo.example')
      await tab.page.getByText("You can't view the audit log").waitFor()
      expect(await tab.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
    }
    {
      await using tab = await app.open('/audit-log', 'reader@demo.example')
      await lines(tab.page).first().waitFor()
      await tab.page.getByRole('button', { name: 'Export', exact: true }).waitFor()
      expect(tab.complaints).toEqual([])
    }
    await using tab = await app.newPage()
    await lendToken(tab.page, app.product.origin, support)
    await tab.page.goto(`${app.product.origin}/app/audit-log`)
    await lines(tab.page).first().waitFor()
    expect(await tab.page.getByRole('button', { name: 'Export', exact: true }).count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test.each(
    inLongRun([
      [360, false],
      [768, true],
      [1280, false],
    ]),
  )('at %i pixels nothing is wider than the window, dark: %s, and axe finds nothing', async (width, dark) => {
    await using tab = await app.open('/audit-log', 'owner@demo.example', { width, dark })
    await lines(tab.page).first().waitFor()
    expect(await overflow(tab.page)).toBeLessThanOrEqual(0)
    expect(await violations(tab.page)).toEqual([])
    await tab.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    expect(await overflow(tab.page)).toBeLessThanOrEqual(0)
  })
})
