import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, violations } from '../screens.ts'
import { addUser, type RunningWebApp, startWebApp } from '../web-app.ts'

interface Transfer {
  readonly direction: string
  readonly status: string
}

describe.skipIf(chromiumPath === undefined)('transfers of cameras in Chromium', () => {
  let app: RunningWebApp
  let cameraId = 0
  beforeAll(async () => {
    app = await startWebApp()
    const cameras = await app.ask<{ cameraId: number; name: string }[]>('GET cameras')
    cameraId = cameras.find(({ name }) => name === 'Car park')?.cameraId ?? 0
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const listed = () => app.ask<Transfer[]>('GET cameraTransfers')

  test('the owner offers a camera from its settings, is told what goes along, and withdraws the offer', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/general`)
    const { page } = tab
    await page.getByRole('link', { name: 'Transfer to another account' }).click()
    await page.getByText('No offers').waitFor()
    await page.getByRole('checkbox', { name: 'Car park', checked: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Email address of the other owner').fill('buyer@else.example')
    await page.getByRole('button', { name: 'Offer cameras' }).click()
    const dialog = page.getByRole('dialog', { name: 'Offer cameras to buyer@else.example?' })
    await dialog.getByText('Your recordings stay in your account').waitFor()
    await dialog.getByText('You can no longer watch or control them').waitFor()
    await dialog.getByRole('button', { name: 'Offer cameras' }).click()
    await page.getByText('Offer sent').waitFor()
    await page.getByText('To buyer@else.example').waitFor()
    expect(await listed()).toMatchObject([{ direction: 'outgoing', status: 'offered' }])
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBe(0)
    }
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('Offer withdrawn').waitFor()
    expect(await listed()).toMatchObject([{ status: 'withdrawn' }])
    expect(tab.complaints).toEqual([])
  })

  test('who isn’t the owner has no way to it', async () => {
    await addUser(app, 'tess@demo.example', { rights: { editCamera: true }, zoneIds: [] })
    await using tab = await app.open('/transfers', 'tess@demo.example')
    await tab.page.getByText('Only the account owner can transfer cameras').waitFor()
  })
})
