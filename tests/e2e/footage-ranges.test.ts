import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { fillDateTime } from '../dates.ts'
import { overflow, soon, violations } from '../screens.ts'
import { fetchToken } from '../signed-in.ts'
import { addUser, type RunningWebApp, startWebApp } from '../web-app.ts'

interface Timeline {
  readonly segments: readonly { readonly start: string; readonly end: string; readonly locked: boolean }[]
}

describe.skipIf(chromiumPath === undefined)('locking and deleting footage', () => {
  let app: RunningWebApp
  let cameraId: number

  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    const [camera] = await app.ask<{ cameraId: number }[]>('GET cameras')
    cameraId = camera?.cameraId ?? 0
    while ((await timeline()).segments.length === 0) await sleep(500)
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const timeline = () => {
    const [from, till] = [Date.now() - 3_600_000, Date.now() + 1000].map((time) => new Date(time).toISOString())
    return app.ask<Timeline>(`GET cameras/${cameraId}/recordingTimeline?from=${from}&till=${till}`)
  }
  const menu = (page: Page) => page.getByRole('button', { name: 'More actions for footage' })
  async function choose(page: Page, item: string) {
    await menu(page).click(soon)
    await page.getByRole('menuitem', { name: item }).click(soon)
    return page.getByRole('dialog', { name: item })
  }

  test('the owner locks footage with a reason, and unlocks it again', async () => {
    await using tab = await app.open(`/cameras/${cameraId}`)
    const { page } = tab
    const dialog = await choose(page, 'Lock footage')
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Break-in')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Lock', exact: true }).click()
    await page.getByText('Footage locked').first().waitFor(soon)
    expect((await timeline()).segments.some(({ locked }) => locked)).toBe(true)
    const again = await choose(page, 'Lock footage')
    await again.getByText('Break-in').waitFor(soon)
    await page.setViewportSize({ width: 360, height: 760 })
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await again.getByRole('button', { name: /^Unlock / }).click()
    await page.getByText('Footage unlocked').first().waitFor(soon)
    expect((await timeline()).segments.some(({ locked }) => locked)).toBe(false)
    expect(tab.complaints).toEqual([])
  })

  test('the latest 15 minutes cannot be deleted, older footage goes after a warning', async () => {
    await using tab = await app.open(`/cameras/${cameraId}`)
    const { page } = tab
    const dialog = await choose(page, 'Delete footage')
    await dialog.getByText('Footage of the latest 15 minutes can’t be deleted').waitFor(soon)
    const remove = dialog.getByRole('button', { name: 'Delete footage' })
    expect(await remove.isDisabled()).toBe(true)
    expect(await violations(page)).toEqual([])
    await fillDateTime(dialog.getByRole('group', { name: 'From' }), '2026-01-05T10:00')
    await fillDateTime(dialog.getByRole('group', { name: 'To' }), '2026-01-05T10:05')
    await dialog.getByText('is deleted forever').waitFor(soon)
    await remove.click()
    await page.getByText('Footage deleted', { exact: true }).first().waitFor({ timeout: 30_000 })
    const log = await app.ask<{ action: string; cameraId?: number }[]>('GET auditLogs?actions=deleteRecordings')
    expect(log).toMatchObject([{ action: 'deleteRecordings', cameraId }])
  })

  test('who may watch, but neither lock nor delete, finds only the summary in the menu', async () => {
    await addUser(app, 'watcher@demo.example', {
      allCameras: true,
      rights: { playback: true, lockRecording: false, deleteRecording: false },
    })
    await using tab = await app.open(`/cameras/${cameraId}`, 'watcher@demo.example')
    await menu(tab.page).click(soon)
    await tab.page.getByRole('menu').waitFor(soon)
    expect(await tab.page.getByRole('menuitem').allInnerTexts()).toEqual(['24-hour summary'])
  })

  test('the picture of a time in the footage has the width that was asked for', async () => {
    const { segments } = await timeline()
    const time = new Date(Date.parse(segments[0]?.start ?? '') + 1000).toISOString()
    await using tab = await app.open('/')
    const token = await fetchToken(app.product.origin, 'owner@demo.example')
    const width = await tab.page.evaluate(
      async ([address, bearer]) => {
        const reply = await fetch(address, { headers: { authorization: `Bearer ${bearer}`, accept: 'image/jpeg' } })
        const bitmap = await createImageBitmap(await reply.blob())
        return bitmap.width
      },
      [`/rest/v2.4/cameras/${cameraId}/recordings/snapshot?time=${time}&width=320`, token] as const,
    )
    expect(width).toBe(320)
  })
})
