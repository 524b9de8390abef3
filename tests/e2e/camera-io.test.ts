import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, violations } from '../screens.ts'
import { addUser, beginSupport, lendToken } from '../web-app.ts'
import { type WebAppWithCamera, webAppWithCamera } from '../web-app-with-camera.ts'

describe.skipIf(chromiumPath === undefined)('inputs, outputs and the restart of a camera in Chromium', () => {
  let own: WebAppWithCamera
  beforeAll(async () => {
    own = await webAppWithCamera({ io: { relays: 2, inputs: 1, pulseSeconds: 2 }, restartMs: 4000 })
  })
  afterAll(() => own?.[Symbol.asyncDispose]())
  const settings = (tab: string) => `/cameras/${own.cameraId}/settings/${tab}`

  test('an output is switched and named, a pulse ends by itself, and an input is shown live', async () => {
    await using tab = await own.app.open(settings('io'))
    const { page } = tab
    await page.getByRole('switch', { name: 'Output 1' }).click()
    await expect.poll(() => own.camera.io.isActive('relay1')).toBe(true)
    await page.getByRole('switch', { name: 'Output 1', checked: true }).waitFor()
    await page.getByRole('button', { name: 'Switch on' }).click()
    await expect.poll(() => own.camera.io.isActive('relay2')).toBe(true)
    await expect.poll(() => own.camera.io.isActive('relay2'), { timeout: 5000 }).toBe(false)
    await page.getByRole('button', { name: 'Rename Input 1' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Doorbell')
    await page.getByRole('button', { name: 'Save changes' }).click()
    const input = page.getByRole('listitem').filter({ hasText: 'Doorbell' })
    await input.getByText('Idle').waitFor()
    own.camera.io.setInput(1, true)
    await input.getByText('Active').waitFor()
    own.camera.io.setInput(1, false)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test.each([
    { rights: { deviceIORead: true }, hasTab: true, switches: 0, inputs: 1 },
    { rights: { deviceIORead: true, deviceIOWrite: true }, hasTab: true, switches: 1, inputs: 1 },
    { rights: { deviceIOWrite: true }, hasTab: true, switches: 1, inputs: 0 },
    { rights: { editCamera: true }, hasTab: false, switches: 0, inputs: 0 },
  ])('the rights $rights offer exactly what they name', async ({ rights, hasTab, switches, inputs }) => {
    const email = `${Object.keys(rights).join('-').toLowerCase()}@demo.example`
    await addUser(own.app, email, { allCameras: true, rights })
    await using tab = await own.app.open(settings(hasTab ? 'io' : 'info'), email)
    const { page } = tab
    await page.getByRole('heading', { name: hasTab ? 'Outputs' : 'Device', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Inputs and outputs' }).count()).toBe(hasTab ? 1 : 0)
    await expect.poll(() => page.getByRole('switch').count()).toBe(switches)
    expect(await page.getByRole('heading', { name: 'Inputs', exact: true }).count()).toBe(inputs)
    expect(tab.complaints).toEqual([])
  })

  test('who may control outputs and not view inputs switches one', async () => {
    await addUser(own.app, 'gatekeeper@demo.example', { allCameras: true, rights: { deviceIOWrite: true } })
    await using tab = await own.app.open(settings('io'), 'gatekeeper@demo.example')
    const before = own.camera.io.isActive('relay1')
    await tab.page.getByRole('switch', { name: 'Output 1', checked: before }).click()
    await expect.poll(() => own.camera.io.isActive('relay1')).toBe(!before)
    await tab.page.getByRole('switch', { name: 'Output 1', checked: !before }).waitFor()
    expect(tab.complaints).toEqual([])
  })

  test('a demo user and a support session see the states and switch nothing', async () => {
    const rights = { demoUser: true, deviceIORead: true, deviceIOWrite: true }
    await addUser(own.app, 'demo-io@demo.example', { allCameras: true, rights })
    await using demo = await own.app.open(settings('io'), 'demo-io@demo.example')
    await demo.page.getByText('Output 1').waitFor()
    expect(await demo.page.getByRole('switch').count()).toBe(0)
    const token = await beginSupport(own.app, { video: 'shown' })
    await using tab = await own.app.newPage()
    const { page } = tab
    await page.goto(`${own.app.product.origin}/cookies`)
    await lendToken(page, own.app.product.origin, token)
    await page.goto(`${own.app.product.origin}/app${settings('io')}`)
    await page.getByText('Output 1').waitFor()
    expect(await page.getByRole('switch').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Switch on' }).count()).toBe(0)
  })

  test('a restart says what it costs, shows its progress, and is over when pictures arrive again', async () => {
    await using tab = await own.app.open(settings('info'))
    const { page } = tab
    await page.getByRole('button', { name: 'Restart camera' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restart Gate?' })
    await dialog.getByText('The settings of the camera stay.').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Restart camera' }).click()
    await page.getByRole('progressbar', { name: 'The camera is restarting…' }).waitFor()
    await page.getByText('Last restarted').waitFor({ timeout: 30_000 })
    const status = await own.app.ask<{ online: boolean }>(`GET cameras/${own.cameraId}/status`)
    expect(status.online).toBe(true)
    expect(own.camera.onvifRequests.filter(({ operation }) => operation === 'SystemReboot')).toHaveLength(1)
    expect(tab.complaints).toEqual([])
  })
})
