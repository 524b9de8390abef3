import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { faultsInEveryLook } from '../every-look.ts'
import { overflow, violations } from '../screens.ts'
import { addUser, type RunningWebApp } from '../web-app.ts'
import { type WebAppWithCamera, webAppWithCamera } from '../web-app-with-camera.ts'

interface Transfer {
  readonly direction: string
  readonly status: string
}

describe.skipIf(chromiumPath === undefined)('transfers of cameras in Chromium', () => {
  let own: WebAppWithCamera
  let app: RunningWebApp
  let cameraId = 0
  beforeAll(async () => {
    own = await webAppWithCamera()
    app = own.app
    cameraId = own.cameraId
  })
  afterAll(() => own?.[Symbol.asyncDispose]())

  const listed = () => app.ask<Transfer[]>('GET cameraTransfers')

  test('the owner offers a camera from its settings, is told what goes along, and withdraws the offer', async () => {
    const status = () => app.ask<{ additionStatus: string }>(`GET cameras/${cameraId}/status`)
    await expect.poll(async () => (await status()).additionStatus, { timeout: 30_000 }).toBe('added')
    await using tab = await app.open(`/cameras/${cameraId}/settings/general`)
    const { page } = tab
    await page.getByRole('link', { name: 'Transfer to another account' }).click()
    await page.getByText('No offers').waitFor()
    await page.getByRole('checkbox', { name: 'Gate', checked: true }).waitFor()
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

  test('the other owner sees the offer on the list of cameras and accepts it; the camera’s former page says so', async () => {
    await app.ask('POST cameras/transfer', { cameraIds: [cameraId], email: 'other@demo.example' })
    await using theirs = await app.open('/', 'other@demo.example')
    const { page } = theirs
    await page.getByText('Corner Shop offers you a camera.').waitFor()
    expect(await faultsInEveryLook(page)).toEqual([])
    await page.getByRole('link', { name: 'View offers' }).click()
    // This account of the demonstration begins without a zone.
    await page.getByRole('link', { name: 'Create a zone first' }).click()
    await page.getByRole('button', { name: 'Add zone' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Yard')
    await page.getByRole('dialog').getByRole('button', { name: 'Add zone' }).click()
    await page.getByRole('heading', { name: 'Yard' }).waitFor()
    await page.goto(`${app.product.origin}/app/transfers`)
    await page.getByRole('button', { name: 'Accept' }).click()
    const dialog = page.getByRole('dialog', { name: 'Accept the cameras of Corner Shop?' })
    expect(await faultsInEveryLook(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('The cameras are yours now').waitFor()
    await page.getByRole('link', { name: 'All cameras' }).click()
    await page.getByRole('link', { name: /Gate/ }).waitFor()
    expect(await page.getByText('offers you').count()).toBe(0)
    expect(theirs.complaints).toEqual([])

    await using ours = await app.open(`/cameras/${cameraId}`)
    const said = ours.page.getByText('This camera was transferred to another account')
    await said.waitFor()
    expect(await faultsInEveryLook(ours.page)).toEqual([])
    await ours.page.getByRole('link', { name: 'Camera settings' }).click()
    await said.waitFor()
    await ours.page.getByRole('heading', { name: 'General' }).waitFor()
    // What is left is the footage: no tab about the device.
    expect(await ours.page.getByRole('navigation', { name: 'Camera settings' }).getByRole('link').count()).toBe(1)
    expect(await ours.page.getByRole('link', { name: 'Transfer to another account' }).count()).toBe(0)
    expect(await faultsInEveryLook(ours.page)).toEqual([])
    expect(ours.complaints).toEqual([])
  })

  test('who isn’t the owner has no way to it, and is told of no offers', async () => {
    await addUser(app, 'tess@demo.example', { rights: { editCamera: true }, zoneIds: [] })
    await using tab = await app.open('/transfers', 'tess@demo.example')
    await tab.page.getByText('Only the account owner can transfer cameras').waitFor()
    const asked: string[] = []
    tab.page.on('request', (request) => asked.push(request.url()))
    await tab.page.getByRole('link', { name: 'All cameras' }).click()
    await tab.page.getByText('No cameras yet').waitFor()
    expect(asked.filter((url) => url.includes('cameraTransfers'))).toEqual([])
  })
})
