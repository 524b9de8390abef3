import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, soon, violations } from '../screens.ts'
import { addUser, beginSupport, lendToken, type RunningWebApp, startWebApp } from '../web-app.ts'

const PASSWORD = 'gravel lamp ninety forest'
const made = { timeout: 60_000 }

describe.skipIf(chromiumPath === undefined)('sharing footage in the Web App', () => {
  let app: RunningWebApp
  let cameraId: number
  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    cameraId = (await app.ask<{ cameraId: number }[]>('GET cameras'))[0]?.cameraId ?? 0
    const span = () => `from=${new Date(Date.now() - 3_600_000).toISOString()}&till=${new Date().toISOString()}`
    for (;;) {
      const path = `GET cameras/${cameraId}/recordingTimeline?${span()}&resolution=1`
      const { segments } = await app.ask<{ segments: { start: string; end: string }[] }>(path)
      if (segments.some(({ start, end }) => Date.parse(end) - Date.parse(start) > 10_000)) break
      await sleep(1000)
    }
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test('the owner shares footage with the account, opens the link, sees who opened it, and ends it', async () => {
    await using tab = await app.open(`/cameras/${cameraId}`)
    const { page } = tab
    await page.getByRole('button', { name: 'Share footage' }).click(soon)
    const dialog = page.getByRole('dialog', { name: 'Share footage' })
    await dialog.getByLabel('Title').fill('For the neighbors')
    await dialog.getByRole('radio', { name: /People in this account/ }).click()
    await dialog.getByLabel(/^Password/).fill('short')
    await dialog.getByText('Use at least 8 characters').waitFor(soon)
    expect(await dialog.getByRole('button', { name: 'Create link' }).isDisabled()).toBe(true)
    await dialog.getByLabel(/^Password/).fill(PASSWORD)
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const created = page.getByRole('dialog', { name: 'Link created' })
    const url = await created.getByLabel('Link').inputValue()
    expect(url).toMatch(/\/app\/shared#[\w-]{22}$/)
    expect(await violations(page)).toEqual([])

    await using other = await app.open('/zones')
    await other.page.goto(url)
    await other.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await other.page.getByRole('button', { name: 'Open', exact: true }).click()
    await other.page.getByRole('heading', { name: 'For the neighbors' }).waitFor(made)
    const video = other.page.locator('video')
    await video.waitFor(made)
    await video.evaluate((node) => (node as HTMLVideoElement).play())
    await expect
      .poll(() => video.evaluate((node) => (node as HTMLVideoElement).currentTime), { timeout: 20_000 })
      .toBeGreaterThan(0.5)

    await page.goto(`${app.product.origin}/app/downloads`)
    const row = page
      .getByRole('list', { name: 'Shared links' })
      .getByRole('listitem')
      .filter({ hasText: 'For the neighbors' })
    await row.getByText(/People in this account/).waitFor(soon)
    expect(await violations(page)).toEqual([])
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBeLessThanOrEqual(0)
    }
    await row.getByRole('button', { name: /^Opened \d+ times?: / }).click()
    await page
      .getByText(/^Signed-in user at /)
      .first()
      .waitFor(soon)
    await page.keyboard.press('Escape')
    await row.getByRole('button', { name: /^End link: / }).click()
    const question = page.getByRole('dialog', { name: 'End this link?' })
    await question.getByText(/The copy of the footage is deleted/).waitFor(soon)
    await question.getByRole('button', { name: 'End link' }).click()
    await page.getByText('No shared links').waitFor(soon)
    await other.page.reload()
    await other.page
      .getByRole('heading', { name: 'This link doesn’t work' })
      .or(other.page.getByText('This link doesn’t work'))
      .first()
      .waitFor(soon)
    expect(tab.complaints).toEqual([])
  })

  test('who may not export, and support, can neither share nor see shared links', async () => {
    await addUser(app, 'viewer@demo.example', { allCameras: true, rights: { playback: true, LiveCamera: true } })
    await using tab = await app.open(`/cameras/${cameraId}`, 'viewer@demo.example')
    await tab.page.getByRole('slider', { name: 'Timeline' }).waitFor(soon)
    expect(await tab.page.getByRole('button', { name: 'Share footage' }).count()).toBe(0)
    await tab.page.goto(`${app.product.origin}/app/downloads`)
    await tab.page.getByText('Ask the account owner for the right to export footage.').waitFor(soon)
    expect(await tab.page.getByText('Shared links').count()).toBe(0)
    await using support = await app.newPage()
    await lendToken(support.page, app.product.origin, await beginSupport(app, { video: 'shown' }))
    await support.page.goto(`${app.product.origin}/app/cameras/${cameraId}`)
    await support.page.getByRole('slider', { name: 'Timeline' }).waitFor(soon)
    expect(await support.page.getByRole('button', { name: 'Share footage' }).count()).toBe(0)
  })
})
