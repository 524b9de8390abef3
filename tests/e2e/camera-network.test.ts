/** The Network tab: time servers of a camera, another address with its warning, another password, and the camera's users. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, violations } from '../screens.ts'
import { addUser } from '../web-app.ts'
import { type WebAppWithCamera, webAppWithCamera } from '../web-app-with-camera.ts'

describe.skipIf(chromiumPath === undefined)('the network of a camera in Chromium', () => {
  let own: WebAppWithCamera
  beforeAll(async () => {
    own = await webAppWithCamera({ network: { rebootNeeded: true, hasPorts: false }, users: { minLength: 8 } })
  })
  afterAll(() => own?.[Symbol.asyncDispose]())

  test('time servers are set; another address takes the password and a warning, and the server follows', async () => {
    await using tab = await own.app.open(`/cameras/${own.cameraId}/settings/network`)
    const { page } = tab
    await page.getByRole('combobox', { name: 'The camera’s clock is set by' }).click()
    await page.getByRole('option', { name: 'These time servers' }).click()
    await page.getByLabel('Time servers (NTP)').fill('time.example')
    const card = page.locator('form').filter({ hasText: 'Network of the camera' })
    await card.getByText('This camera offers no standard way (ONVIF) to set this.').waitFor()
    await card.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => own.camera.network.ntp).toEqual({ dhcp: false, servers: ['time.example'] })
    expect(await violations(page)).toEqual([])

    await card.getByLabel('IPv4 address of the camera').fill('127.0.0.9')
    await card.getByText(/goes offline for a moment and may restart/).waitFor()
    await card.getByLabel('Password of the camera').fill('right one')
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBe(0)
    }
    expect(await violations(page)).toEqual([])
    await card.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => own.camera.address.host, { timeout: 20_000 }).toBe('127.0.0.9')
    const details = `GET cameras/${own.cameraId}/connection/details`
    await expect
      .poll(() => own.app.ask<{ localIp: string }>(details), { timeout: 30_000 })
      .toMatchObject({ localIp: '127.0.0.9' })
    expect(tab.complaints).toEqual([])
  }, 120_000)

  test('another password is set in the camera, with consent to send it unencrypted, and a weak one is refused', async () => {
    await using tab = await own.app.open(`/cameras/${own.cameraId}/settings/network`)
    const { page } = tab
    const card = page.locator('form').filter({ hasText: 'Change the camera’s password' })
    const password = card.getByLabel('New camera password')
    await password.fill('weak')
    await expect.poll(() => card.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
    await card.getByRole('switch', { name: 'Send the new password unencrypted' }).click()
    await card.getByRole('button', { name: 'Save changes' }).click()
    await card.getByText(/refused this password as too weak or too long/).waitFor()
    expect(await violations(page)).toEqual([])
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBe(0)
    }
    await password.fill('Correct-horse-1')
    await card.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Camera password changed').waitFor()
    expect(own.camera.users.account.password).toBe('Correct-horse-1')
    expect(tab.complaints.filter((complaint) => !complaint.includes('status of 4'))).toEqual([])
  }, 120_000)

  test('a user is added to the camera, changed and removed; the one of the server is marked and stays', async () => {
    await using tab = await own.app.open(`/cameras/${own.cameraId}/settings/network`)
    const { page } = tab
    const names = () => own.camera.users.list.map(({ username, level }) => [username, level])
    const server = own.camera.users.account.username
    const item = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await item(server).getByText('Used by this server').waitFor()
    expect(await page.getByRole('button', { name: `Remove ${server}` }).count()).toBe(0)
    await page.getByRole('button', { name: 'Add user' }).click()
    const added = page.getByRole('dialog', { name: 'Add a user to the camera' })
    await added.getByLabel('Name in the camera').fill('guard')
    await added.getByLabel('Password in the camera').fill('weak')
    await added.getByRole('switch', { name: 'Send the password unencrypted' }).click()
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBe(0)
    }
    expect(await violations(page)).toEqual([])
    await added.getByRole('button', { name: 'Add user' }).click()
    await added.getByText(/refused this password as too weak/).waitFor()
    await added.getByLabel('Password in the camera').fill('Correct-horse-2')
    await added.getByRole('button', { name: 'Add user' }).click()
    await item('guard').getByText('Viewer').waitFor()

    await page.getByRole('button', { name: 'Change guard' }).click()
    const changed = page.getByRole('dialog', { name: 'Change guard' })
    await changed.getByRole('combobox', { name: 'Level' }).click()
    await page.getByRole('option', { name: 'Operator' }).click()
    await changed.getByRole('button', { name: 'Save changes' }).click()
    await item('guard').getByText('Operator').waitFor()
    expect(names()).toContainEqual(['guard', 'Operator'])
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBe(0)
    }
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: 'Remove guard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove user' }).click()
    await item('guard').waitFor({ state: 'detached' })
    expect(names()).toEqual([[server, 'Administrator']])
    expect(tab.complaints.filter((complaint) => !complaint.includes('status of 4'))).toEqual([])
  }, 120_000)

  test('without the right to local addresses, the hidden parts are named in one sentence', async () => {
    const rights = { editCamera: true }
    await addUser(own.app, 'no-addresses@demo.example', { allCameras: true, rights })
    await using tab = await own.app.open(`/cameras/${own.cameraId}/settings/network`, 'no-addresses@demo.example')
    const { page } = tab
    const card = page.locator('form').filter({ hasText: 'Network of the camera' })
    await card.getByText(/^To see and change the address, DNS servers and ports/).waitFor()
    expect(await card.getByText('Local addresses').count()).toBe(1)
    await card.getByRole('combobox', { name: 'The camera’s clock is set by' }).waitFor()
    for (const title of ['IPv4 address', 'DNS', 'Ports'])
      expect(await card.getByRole('heading', { name: title }).count(), title).toBe(0)
    expect(await violations(page)).toEqual([])
  })
})
