import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { longTest } from '../long-run.ts'
import { overflow, violations } from '../screens.ts'
import { addUser, type RunningWebApp, startWebApp } from '../web-app.ts'

interface Spans {
  readonly recording: readonly object[]
  readonly push: readonly object[]
  readonly email: readonly object[]
  readonly inherited: boolean
}

describe.skipIf(chromiumPath === undefined)('schedules in Chromium', () => {
  let app: RunningWebApp
  let cameraId = 0
  let zoneId = 0
  beforeAll(async () => {
    app = await startWebApp()
    const cameras = await app.ask<{ cameraId: number; name: string; zoneId: number }[]>('GET cameras')
    const camera = cameras.find(({ name }) => name === 'Car park')
    cameraId = camera?.cameraId ?? 0
    zoneId = camera?.zoneId ?? 0
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const saved = () => app.ask<Spans>(`GET cameras/${cameraId}/schedule`)
  const cell = (page: Page, name: string) => page.getByRole('gridcell', { name })
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Schedule saved').first().waitFor()
    // Until the card shows what the server has.
    await expect.poll(() => page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
  }
  const all = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

  test('a week is painted with the mouse and the keyboard, and a day is copied to others', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/schedule`)
    const { page } = tab
    await page.getByRole('radio', { name: 'Own schedule of this camera' }).check()
    await cell(page, 'Monday 09:00').hover()
    await page.mouse.down()
    await cell(page, 'Tuesday 16:30').hover()
    await page.mouse.up()
    await cell(page, 'Saturday 23:30').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowLeft')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Push notifications' }).click()
    await page.getByRole('button', { name: 'Always' }).click()
    await save(page)
    await expect.poll(saved).toMatchObject({
      recording: [
        { days: ['mon', 'tue'], from: '09:00', to: '17:00' },
        { days: ['sat'], from: '23:00', to: '24:00' },
      ],
      push: [{ days: all, from: '00:00', to: '24:00' }],
      email: [],
      inherited: false,
    })
    await page.getByRole('button', { name: 'Copy or clear Monday' }).click()
    await page.getByRole('menuitem', { name: 'Copy to Monday through Friday' }).click()
    await page.getByRole('button', { name: 'Event-based recording' }).click()
    await cell(page, 'Monday 12:00').click()
    await save(page)
    await expect.poll(saved).toMatchObject({
      recording: [
        { days: ['mon'], from: '09:00', to: '12:00' },
        { days: ['mon'], from: '12:00', to: '12:30', type: 'event' },
        { days: ['mon'], from: '12:30', to: '17:00' },
        { days: ['tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' },
        { days: ['sat'], from: '23:00', to: '24:00' },
      ],
    })
    expect(tab.complaints).toEqual([])
  })

  test('on a phone, times of any minute are a list, over midnight too, with the time zone of the zone', async () => {
    await app.ask(`PATCH zones/${zoneId}`, { timeZone: 'Europe/Amsterdam' })
    await app.ask(`PUT cameras/${cameraId}/schedule`, { recording: [], push: [], email: [] })
    await using tab = await app.open(`/cameras/${cameraId}/settings/schedule`, undefined, { width: 360, height: 740 })
    const { page } = tab
    await page.getByText(/Times are in Europe\/Amsterdam/).waitFor()
    await page.getByText(/Clocks go (forward|back) on/).waitFor()
    await page.getByRole('button', { name: 'Add times' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add times' })
    const type = async (field: string, keys: string) => {
      await dialog.getByRole('group', { name: field }).getByRole('spinbutton').first().click()
      await page.keyboard.type(keys)
    }
    await type('From', '2207')
    await type('Until', '0645')
    await dialog.getByText('On the next day').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add times' }).click()
    await page.getByText('22:07 to 06:45 on the next day').waitFor()
    expect(await overflow(page)).toBe(0)
    await save(page)
    const nights = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '22:07', to: '06:45' }]
    await expect.poll(saved).toMatchObject({ recording: nights })
    await page.getByRole('radio', { name: 'Schedule of zone Outside' }).check()
    await save(page)
    await expect.poll(saved).toMatchObject({ inherited: true })
    expect(tab.complaints).toEqual([])
  })

  test('the schedule of a zone is set on its page', async () => {
    await using tab = await app.open(`/zones/${zoneId}`)
    const { page } = tab
    await cell(page, 'Sunday 00:00').click()
    await page.getByRole('button', { name: 'Save changes' }).last().click()
    await page.getByText('Schedule saved').first().waitFor()
    expect(await app.ask(`GET zones/${zoneId}/schedule`)).toMatchObject({
      recording: [{ days: ['sun'], from: '00:00', to: '00:30' }],
    })
    expect(tab.complaints).toEqual([])
  })

  longTest('the right editSchedule alone gives the schedule and nothing else', async () => {
    await addUser(app, 'planner@demo.example', { allCameras: true, rights: { editSchedule: true } })
    await using tab = await app.open(`/cameras/${cameraId}/settings`, 'planner@demo.example')
    const links = tab.page.getByRole('navigation', { name: 'Camera settings' }).getByRole('link')
    await expect.poll(() => links.allTextContents()).toEqual(['Schedule and notifications'])
    await tab.page.getByRole('radio', { name: 'Own schedule of this camera' }).check()
    await cell(tab.page, 'Friday 01:00').click()
    await save(tab.page)
    expect(tab.complaints).toEqual([])
  })
})
