/** Where a camera is, on the map of its General tab. */
import type { Camera } from '@sightline/contract/cameras'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { faultsInEveryLook } from '../every-look.ts'
import { addUser, type RunningWebApp, startWebApp } from '../web-app.ts'

const drawn = { timeout: 60_000 }

describe.skipIf(chromiumPath === undefined)('the location of a camera in Chromium', () => {
  let app: RunningWebApp
  let camera: Camera
  beforeAll(async () => {
    app = await startWebApp({ cameras: true })
    const all = await app.ask<Camera[]>('GET cameras')
    const found = all.find(({ name }) => name === 'Car park')
    if (found === undefined) throw new Error('the demonstration has no camera Car park')
    camera = found
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const openTab = (email?: string) => app.open(`/cameras/${camera.cameraId}/settings/general`, email)
  const placeNow = async () => {
    const { latitude, longitude } = await app.ask<Camera>(`GET cameras/${camera.cameraId}`)
    return { latitude, longitude }
  }
  const put = (location: object | null) => app.ask(`PATCH cameras/${camera.cameraId}`, { location })
  const marker = (page: Page) => page.getByRole('button', { name: 'Location of this camera' })
  const map = (page: Page) => page.getByRole('img', { name: 'Map with the location of Car park' })
  const field = async (page: Page, name: string) => Number(await page.getByLabel(name).inputValue())
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Camera saved').first().waitFor()
  }

  test('without a location no map loads; a click sets it, it is dragged, and Save keeps it', async () => {
    await put(null)
    await using tab = await openTab()
    const { page } = tab
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.getByText('No location yet').waitFor()
    expect(await faultsInEveryLook(page)).toEqual([])
    expect(asked.filter((url) => /open-map|maplibre|countries-50m/.test(url))).toEqual([])
    await page.getByRole('button', { name: 'Choose on the map' }).click()
    await page.getByRole('button', { name: 'Zoom in' }).waitFor(drawn)
    await map(page).click({ position: { x: 200, y: 120 } })
    await marker(page).waitFor()
    const clicked = await field(page, 'Longitude')
    const box = await marker(page).boundingBox()
    const [x, y] = [(box?.x ?? 0) + 22, (box?.y ?? 0) + 22]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 60, y, { steps: 4 })
    await page.mouse.up()
    const dragged = await field(page, 'Longitude')
    expect(dragged).toBeGreaterThan(clicked)
    expect(await placeNow()).toEqual({ latitude: null, longitude: null })
    const typed = await field(page, 'Latitude')
    await save(page)
    expect(await placeNow()).toEqual({ latitude: typed, longitude: dragged })
    expect(await faultsInEveryLook(page)).toEqual([])
    expect(asked.filter((url) => !url.startsWith(`${app.product.origin}/`) && !/^(?:data|blob):/.test(url))).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('arrow keys move the marker, farther with Shift, leaving asks first, and the location can be removed', async () => {
    await put({ latitude: 52, longitude: 4 })
    await using tab = await openTab()
    const { page } = tab
    await marker(page).waitFor(drawn)
    await marker(page).press('ArrowUp')
    const up = await field(page, 'Latitude')
    expect(up).toBeGreaterThan(52)
    expect(await field(page, 'Longitude')).toBeCloseTo(4, 4)
    await marker(page).press('ArrowRight')
    const near = (await field(page, 'Longitude')) - 4
    await marker(page).press('Shift+ArrowRight')
    expect((await field(page, 'Longitude')) - 4).toBeCloseTo(near * 11, 3)
    await page.getByRole('link', { name: 'Cameras' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('button', { name: 'Remove location' }).click()
    await page.getByRole('button', { name: 'Place at the center of the map' }).waitFor()
    expect(await marker(page).count()).toBe(0)
    await save(page)
    expect(await placeNow()).toEqual({ latitude: null, longitude: null })
    await page.getByRole('button', { name: 'Place at the center of the map' }).press('Enter')
    await marker(page).waitFor()
    expect(tab.complaints).toEqual([])
  })

  test('who may not edit the camera sees where it is and can’t move it', async () => {
    await put({ latitude: 52, longitude: 4 })
    const email = 'location-demo@demo.example'
    await addUser(app, email, { allCameras: true, rights: { demoUser: true, editCamera: true } })
    await using tab = await openTab(email)
    const { page } = tab
    await page.getByRole('button', { name: 'Zoom in' }).waitFor(drawn)
    expect(await marker(page).count()).toBe(0)
    await map(page).click({ position: { x: 100, y: 80 } })
    expect(await field(page, 'Latitude')).toBe(52)
    expect(tab.complaints).toEqual([])
  })

  test('other cameras have their names and lead to their pages, and a narrower map still shows the marker', async () => {
    await put({ latitude: 52, longitude: 4 })
    const all = await app.ask<Camera[]>('GET cameras')
    const other = all.find(({ name }) => name === 'Front door') ?? all.find(({ name }) => name !== 'Car park')
    if (other === undefined) throw new Error('the demonstration has one camera only')
    await app.ask(`PATCH cameras/${other.cameraId}`, { location: { latitude: 53, longitude: 6 } })
    await using tab = await openTab()
    const { page } = tab
    await marker(page).waitFor(drawn)
    const link = page.locator('figure').getByRole('link', { name: other.name })
    await link.hover()
    await link.getByText(other.name).first().waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    const isWhole = async () => {
      const [dot, box] = [await marker(page).boundingBox(), await map(page).boundingBox()]
      return dot !== null && box !== null && dot.x >= box.x && dot.x + dot.width <= box.x + box.width
    }
    await expect.poll(isWhole).toBe(true)
    expect(await faultsInEveryLook(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await link.click()
    await page.waitForURL(`**/app/cameras/${other.cameraId}`)
    await app.ask(`PATCH cameras/${other.cameraId}`, { location: null })
    expect(tab.complaints).toEqual([])
  })
})
