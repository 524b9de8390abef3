import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { overflow, violations } from '../screens.ts'
import { addUser } from '../web-app.ts'
import { type WebAppWithCamera, webAppWithCamera } from '../web-app-with-camera.ts'

describe.skipIf(chromiumPath === undefined)('quick controls of a camera in Chromium', () => {
  let tried: WebAppWithCamera
  beforeAll(async () => {
    tried = await webAppWithCamera({ ptz: true })
  })
  afterAll(() => tried[Symbol.asyncDispose]())

  const person = async (name: string, rights: Readonly<Record<string, boolean>>) => {
    const email = `${name}@demo.example`
    await addUser(tried.app, email, { rights, cameraIds: [tried.cameraId] })
    return email
  }

  test('lamp, exposure and focus are changed in the camera from its page', async () => {
    await using tab = await tried.app.open(`/cameras/${tried.cameraId}`)
    const { page } = tab
    await page.getByRole('button', { name: 'Camera controls', exact: true }).click()
    const panel = page.getByRole('region', { name: 'Camera controls' })
    await panel.getByRole('group', { name: 'Illumination' }).getByRole('button', { name: 'On', exact: true }).click()
    await expect.poll(() => tried.camera.settings.lamp).toMatch(/On$/)
    await panel.getByRole('group', { name: 'Day/night mode' }).getByRole('button', { name: 'Night' }).click()
    await expect.poll(() => tried.camera.settings.imaging.irCut).toBe('OFF')
    await panel.locator('button[aria-pressed=true]', { hasText: 'Night' }).waitFor()
    const { lens } = tried.camera.settings
    const before = lens.position
    const farther = await panel.getByRole('button', { name: 'Focus farther' }).boundingBox()
    if (farther === null) throw new Error('there is no button')
    await page.mouse.move(farther.x + 10, farther.y + 10)
    await page.mouse.down()
    await expect.poll(() => lens.isMoving).toBe(true)
    await page.mouse.up()
    await expect.poll(() => lens.isMoving).toBe(false)
    expect(lens.position).toBeGreaterThan(before)
    await panel.getByRole('button', { name: 'Focus automatically' }).click()
    await expect.poll(() => lens.mode).toBe('AUTO')
    expect(await violations(page)).toEqual([])
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBe(0)
    }
    expect(tab.complaints).toEqual([])
  })

  test('each right shows what it names, and no other; without any there is no button', async () => {
    const lamp = await person('lamp', { cameraIllumination: true })
    const exposure = await person('exposure', { cameraExposureControl: true })
    const none = await person('none', {})
    const groups = async (email: string) => {
      await using tab = await tried.app.open(`/cameras/${tried.cameraId}`, email)
      const { page } = tab
      await page.getByRole('button', { name: 'Camera controls', exact: true }).click()
      const panel = page.getByRole('region', { name: 'Camera controls' })
      await panel.locator('legend').first().waitFor()
      return (await panel.locator('legend').allTextContents()).toSorted()
    }
    expect(await groups(lamp)).toEqual(['Illumination'])
    expect(await groups(exposure)).toEqual(['Backlight compensation', 'Day/night mode'])
    await using tab = await tried.app.open(`/cameras/${tried.cameraId}`, none)
    await tab.page.getByRole('button', { name: 'Full screen' }).waitFor()
    await tab.page.waitForTimeout(1000)
    expect(await tab.page.getByRole('button', { name: 'Camera controls', exact: true }).count()).toBe(0)
  })
})
