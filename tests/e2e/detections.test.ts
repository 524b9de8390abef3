import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { longTest } from '../long-run.ts'
import { overflow, violations } from '../screens.ts'
import { drag } from '../touch.ts'
import { addUser, type RunningWebApp, startWebApp } from '../web-app.ts'

interface Area {
  readonly kind: string
  readonly enabled: boolean
  readonly direction?: string
  readonly points: readonly (readonly number[])[]
}

describe.skipIf(chromiumPath === undefined)('detections in Chromium', () => {
  let app: RunningWebApp
  let cameraId = 0
  beforeAll(async () => {
    app = await startWebApp()
    const cameras = await app.ask<{ cameraId: number; name: string }[]>('GET cameras')
    cameraId = cameras.find(({ name }) => name === 'Car park')?.cameraId ?? 0
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const video = () => app.ask<{ enabled: boolean; sensitivity: number }>(`GET cameras/${cameraId}/detectors/video`)
  const areas = () => app.ask<Area[]>(`GET cameras/${cameraId}/detectors/video/areas`)

  test('the sensitivity is saved, and the last detection stays on with the way to Disarmed', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/detections`)
    const { page } = tab
    await page.getByRole('slider', { name: 'Sensitivity' }).fill('80')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save changes' }).first().click()
    await expect.poll(video).toMatchObject({ enabled: true, sensitivity: 80 })
    await page.getByText('Detections saved').waitFor()
    await page.getByRole('switch', { name: 'Detect motion' }).click()
    await page.getByRole('button', { name: 'Save changes' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Unable to turn off all detections' })
    await dialog.getByText('At least one detection must stay on.').waitFor()
    expect(await video()).toMatchObject({ enabled: true })
    await dialog.getByRole('link', { name: 'Change the camera mode' }).click()
    await page.getByRole('radio', { name: 'Disarmed' }).waitFor()
    // The browser reports the refused change, too.
    expect(tab.complaints.filter((complaint) => !complaint.includes('409'))).toEqual([])
  })

  test('PIR sensors of a camera without ONVIF can’t be turned on, and the page says why', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/detections`)
    const { page } = tab
    await page.getByText('Sensors that feel the warmth of people and animals').waitFor()
    const available = (await app.ask<{ available: boolean }>(`GET cameras/${cameraId}/detectors/pir`)).available
    if (available) {
      await page.getByRole('switch', { name: 'Detect with PIR sensors' }).click()
      await page.getByRole('button', { name: 'Save changes' }).last().click()
      await page.getByText('Detections saved').waitFor()
      expect(await app.ask(`GET cameras/${cameraId}/detectors/pir`)).toMatchObject({ enabled: true })
      await app.ask(`PATCH cameras/${cameraId}/detectors/pir`, { enabled: false })
    } else await page.getByText('Available for cameras connected by ONVIF.').waitFor()
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page)).toBe(0)
    }
    expect(tab.complaints).toEqual([])
  })

  test('what triggers is shown on request', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/detections`)
    const { page } = tab
    await page.getByRole('button', { name: 'Show what triggers' }).click()
    await page.getByText('This camera is not being watched for motion now.').waitFor()
    expect(tab.complaints).toEqual([])
  })

  test('areas and tripwires are drawn with the mouse and the keyboard, undone and saved', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/areas`)
    const { page } = tab
    await page.getByRole('button', { name: 'Add tripwire' }).click()
    const first = page.getByRole('button', { name: /^Point 1:/ })
    await first.hover()
    const box = await first.boundingBox()
    if (box === null) throw new Error('the point has no place')
    await page.mouse.down()
    await page.mouse.move(box.x - 60, box.y - 60, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('combobox', { name: 'Direction' }).click()
    await page.getByRole('option', { name: 'Left to right, seen from point 1' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Detection areas saved').waitFor()
    const [wire] = await areas()
    expect(wire).toMatchObject({ kind: 'tripwire', direction: 'leftToRight', enabled: true })
    expect(wire?.points[0]?.[0]).toBeLessThan(0.29)
    await page.getByRole('button', { name: 'Add area' }).click()
    await page.getByRole('button', { name: /^Point 3:/ }).focus()
    for (let step = 0; step < 6; step++) await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('Disabled because an area covers this tripwire.').waitFor()
    await page.getByRole('button', { name: 'Add point after point 1' }).click()
    await page.getByRole('button', { name: /^Point 2:/ }).focus()
    await page.keyboard.press('Shift+ArrowUp')
    await page.keyboard.press('ArrowRight')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(areas).toMatchObject([{ kind: 'tripwire', enabled: false }, { kind: 'intrusion' }])
    const [, area] = await areas()
    expect(area?.points).toHaveLength(5)
    await page.getByRole('button', { name: 'Delete Area 2' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Delete Area 2' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Delete Area 2' }).waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(page)).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test('a point of an area is moved with a finger, and the page stays where it is', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/areas`, undefined, {
      width: 360,
      height: 740,
      touch: true,
    })
    const { page } = tab
    await page.getByRole('button', { name: 'Add tripwire' }).tap()
    const point = page.getByRole('button', { name: /^Point 1:/ })
    await point.scrollIntoViewIfNeeded()
    const before = await point.getAttribute('aria-label')
    const box = await point.boundingBox()
    if (box === null) throw new Error('the point has no place')
    const scrolled = await page.evaluate(() => window.scrollY)
    const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    {
      await using _finger = await drag(page, from, { x: from.x - 30, y: from.y - 40 })
    }
    await expect.poll(() => point.getAttribute('aria-label')).not.toBe(before)
    expect(await page.evaluate(() => window.scrollY)).toBe(scrolled)
    expect(tab.complaints).toEqual([])
  })

  test.each([
    { right: 'motionDetection', tabs: ['Detections', 'Detection areas'], heading: 'Motion', without: 'Sound' },
    { right: 'audioPIR', tabs: ['Detections'], heading: 'Sound', without: 'Motion' },
  ])('the right $right alone shows $tabs', async ({ right, tabs, heading, without }) => {
    const email = `${right.toLowerCase()}@demo.example`
    await addUser(app, email, { allCameras: true, rights: { [right]: true } })
    await using tab = await app.open(`/cameras/${cameraId}/settings`, email)
    const links = tab.page.getByRole('navigation', { name: 'Camera settings' }).getByRole('link')
    await expect.poll(() => links.allTextContents()).toEqual(tabs)
    await tab.page.getByRole('heading', { name: heading, exact: true }).waitFor()
    expect(await tab.page.getByRole('heading', { name: without, exact: true }).count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  longTest('an error while saving areas is reported, and nothing is lost', async () => {
    await using tab = await app.open(`/cameras/${cameraId}/settings/areas`)
    const { page } = tab
    await page.route('**/detectors/video/areas', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 500, json: { code: 1, title: 'x' } })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Add excluded area' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Error saving areas.').waitFor()
    await page.getByRole('button', { name: /^Delete Excluded area/ }).waitFor()
  })
})
