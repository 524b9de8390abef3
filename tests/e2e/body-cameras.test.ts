import type { Camera } from '@sightline/contract/cameras'
import jsQR from 'jsqr'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../browser.ts'
import { faultsInEveryLook } from '../every-look.ts'
import { overflow, soon } from '../screens.ts'
import { addUser, type RunningWebApp, startWebApp } from '../web-app.ts'

const SIDE = 320

/** The QR code on the screen, read like a camera reads it: from pixels. */
async function scan(page: Page, label: string): Promise<Record<string, unknown>> {
  const code = page.getByRole('img', { name: label })
  await code.waitFor(soon)
  const pixels = await code.evaluate(async (svg, side) => {
    const picture = new Image()
    picture.src = `data:image/svg+xml;utf8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = side
    canvas.height = side
    const context = canvas.getContext('2d')
    context?.drawImage(picture, 0, 0, side, side)
    const data = context?.getImageData(0, 0, side, side).data ?? new Uint8ClampedArray()
    return Array.from({ length: side * side }, (_, index) => ((data[index * 4] ?? 0) < 128 ? '#' : ' ')).join('')
  }, SIDE)
  const grey = [...pixels].flatMap((pixel) => (pixel === '#' ? [0, 0, 0, 255] : [255, 255, 255, 255]))
  const read = jsQR.default(Uint8ClampedArray.from(grey), SIDE, SIDE)
  if (read === null) throw new Error('no QR code can be read')
  return JSON.parse(read.data)
}

describe.skipIf(chromiumPath === undefined)('body-worn cameras in the Web App', () => {
  let app: RunningWebApp
  beforeAll(async () => {
    app = await startWebApp()
    await addUser(app, 'outfitter@demo.example', { allCameras: true, rights: { addPnpCamera: true } })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const post = async (path: string, body: object, token?: string): Promise<Record<string, unknown>> => {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const url = `${app.product.origin}/rest/v2.4/${path}`
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: reply.status, ...((await reply.json()) as object) }
  }
  let token = ''

  test('a user with the right addPnpCamera alone creates a code, and the camera that scans it is added', async () => {
    await using tab = await app.open('/', 'outfitter@demo.example')
    const { page } = tab
    await page.getByRole('link', { name: 'Add camera' }).click()
    await page.getByRole('link', { name: 'Add body-worn camera' }).click()
    await page.getByRole('heading', { level: 1, name: 'Add body-worn camera' }).waitFor(soon)
    expect(await faultsInEveryLook(page)).toEqual([])
    await page.getByLabel('Name', { exact: true }).fill('Patrol 1')
    await page.getByLabel('Wi-Fi name').fill('Night shift')
    const password = page.getByLabel('Wi-Fi password', { exact: true })
    await password.fill('short')
    await password.blur()
    await page.getByText('A Wi-Fi password has 8 to 63 letters, digits and signs').waitFor(soon)
    await password.fill('correct horse')
    await page.getByRole('button', { name: 'Create code' }).click()
    const scanned = await scan(page, 'Set-up code for Patrol 1')
    expect(scanned).toMatchObject({
      v: 1,
      url: app.product.origin,
      wifi: { ssid: 'Night shift', password: 'correct horse' },
    })
    await page.getByText(/^Expires in (30:00|29:)/).waitFor(soon)
    expect(await faultsInEveryLook(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 780 })
    expect(await overflow(page)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    const renewed = page.waitForResponse(/\/bodyCameras\/setupCodes$/, soon)
    await page.getByRole('button', { name: 'Create new code' }).click()
    await renewed
    const codeNow = async () => (await scan(page, 'Set-up code for Patrol 1')).code
    await expect.poll(codeNow, soon).not.toBe(scanned.code)
    const { code } = await scan(page, 'Set-up code for Patrol 1')
    const registered = await post('bodyCameras/registrations', { code, serialNumber: 'BW-0007', brand: 'Acme' })
    expect(registered.status).toBe(201)
    token = String(registered.deviceToken)
    await page.getByText('Patrol 1 is set up and reports its position.').waitFor(soon)
    await page.getByRole('link', { name: 'Open camera' }).click()
    await page.getByText("Its video isn't available yet").waitFor(soon)
    // The track needs another right.
    expect(await page.getByRole('heading', { name: 'Track' }).count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  test('a code for a mobile network has its country and network codes', async () => {
    await using tab = await app.open('/body-cameras/add')
    const { page } = tab
    await page.getByLabel('Name', { exact: true }).fill('Patrol 2')
    await page.getByRole('radio', { name: 'Mobile network' }).click()
    await page.getByLabel('Access point name (APN)').fill('internet')
    await page.getByLabel('Country code (MCC)').fill('204')
    await page.getByLabel('Network code (MNC)').fill('04')
    await page.getByRole('button', { name: 'Create code' }).click()
    const scanned = await scan(page, 'Set-up code for Patrol 2')
    expect(scanned).toMatchObject({ mobile: { apn: 'internet', mcc: '204', mnc: '04' } })
    expect(tab.complaints).toEqual([])
  })

  test('the mobile network of a camera is saved, and its code has the password that is entered for it', async () => {
    const cameras = await app.ask<Camera[]>('GET cameras')
    const camera = cameras.find(({ name }) => name === 'Patrol 1')
    await using tab = await app.open(`/cameras/${camera?.cameraId}`)
    const { page } = tab
    await page.getByRole('link', { name: 'Camera settings' }).click()
    await page.getByRole('link', { name: 'Mobile network' }).click()
    await page.getByText('No mobile network saved yet').waitFor(soon)
    const tabs = page.getByRole('navigation', { name: 'Camera settings' }).getByRole('link')
    expect(await tabs.allTextContents()).toEqual(['General', 'Mobile network'])
    expect(await faultsInEveryLook(page)).toEqual([])
    await page.getByLabel('Name', { exact: true }).fill('Fleet')
    await page.getByLabel('Access point name (APN)').fill('fleet.example')
    await page.getByLabel('Country code (MCC)').fill('31')
    await page.getByLabel('Network code (MNC)').fill('260')
    await page.getByText('A country code has 3 digits').waitFor(soon)
    await page.getByLabel('Country code (MCC)').fill('310')
    await page.getByLabel('User name, if the operator asks for one').fill('gprs')
    await page.getByRole('switch', { name: 'The operator asks for a password' }).click()
    await page.getByRole('link', { name: 'General' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    const saved = { name: 'Fleet', accessPointName: 'fleet.example', userName: 'gprs', needsPassword: true }
    const password = page.getByLabel('Password of the mobile network', { exact: true })
    await password.fill('secret')
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
    await page.getByRole('button', { name: 'Create code' }).click()
    const mobile = { apn: 'fleet.example', mcc: '310', mnc: '260', userName: 'gprs', password: 'secret' }
    expect(await scan(page, 'Mobile network code for Patrol 1')).toEqual({ v: 1, mobile })
    expect(await faultsInEveryLook(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 780 })
    expect(await overflow(page)).toBe(0)
    expect(await app.ask(`GET cameras/${camera?.cameraId}/mobileNetwork`)).toMatchObject(saved)
    expect(sent.filter((request) => request.includes('secret'))).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('the owner sees where the camera was, drawn and as a table, and no video', async () => {
    const now = Date.now()
    const positions = Array.from({ length: 20 }, (_, index) => ({
      time: new Date(now - (20 - index) * 60_000).toISOString(),
      latitude: 52.37 + index * 0.0004,
      longitude: 4.89 + (index % 5) * 0.0008,
      heading: 45,
      speed: 1.4,
    }))
    expect(await post('bodyCameras/positions', { positions }, token)).toEqual({ status: 200, stored: 20 })
    const cameras = await app.ask<Camera[]>('GET cameras')
    const camera = cameras.find(({ name }) => name === 'Patrol 1')
    await using list = await app.open('/')
    await list.page.getByText('No video yet').waitFor(soon)
    await using tab = await app.open(`/cameras/${camera?.cameraId}`)
    const { page } = tab
    await page.getByRole('img', { name: /^Track of Patrol 1 from / }).waitFor(soon)
    await page.getByRole('table', { name: 'Positions' }).getByText('5 km/h').first().waitFor(soon)
    expect(await page.getByText('Connecting').count()).toBe(0)
    expect(await faultsInEveryLook(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 780 })
    expect(await overflow(page)).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  /** Where the ring around the chosen position is, in the window. */
  const ringOf = async (page: Page) => {
    const box = await page.locator('[data-pointer] > :first-child').boundingBox()
    if (box === null) throw new Error('no position is chosen')
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  const openTrack = async (page: Page) => {
    const cameras = await app.ask<Camera[]>('GET cameras')
    const camera = cameras.find(({ name }) => name === 'Patrol 1')
    await page.goto(`${app.product.origin}/app/cameras/${camera?.cameraId}`)
    const slider = page.getByRole('slider', { name: 'Time on the track' })
    await slider.waitFor(soon)
    return slider
  }

  /** Keys move along the track, and what the mouse points at is named, at the same place. */
  const provePointer = async (page: Page) => {
    const { timeZone } = await app.ask<{ timeZone: string }>('GET accounts/self/timeZone')
    const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone })
    const cameras = await app.ask<Camera[]>('GET cameras')
    const camera = cameras.find(({ name }) => name === 'Patrol 1')
    const from = new Date(Date.now() - 3_600_000).toISOString()
    const path = `GET bodyCameras/${camera?.cameraId}/track?from=${from}&till=${new Date().toISOString()}`
    const times = (await app.ask<{ time: string }[]>(path)).map(({ time }) => format.format(new Date(time)))
    const slider = page.getByRole('slider', { name: 'Time on the track' })
    const named = () => slider.getAttribute('aria-valuetext')
    expect(await named()).toBe(times.at(-1))
    await slider.press('Home')
    expect(await named()).toBe(times[0])
    const first = await ringOf(page)
    await slider.press('ArrowRight')
    expect(await named()).toBe(times[1])
    await slider.press('End')
    expect(await named()).toBe(times.at(-1))
    await page.mouse.move(first.x + 4, first.y + 4)
    await expect.poll(named, soon).toBe(times[0])
    expect(await page.locator('[data-pointer]').textContent()).toBe(times[0])
  }

  test('the track is on a map from this server alone, with a pointer that names the time', async () => {
    await using tab = await app.open('/')
    const { page } = tab
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await openTrack(page)
    await page.getByRole('button', { name: 'Zoom in' }).waitFor({ timeout: 60_000 })
    await page.getByText('Map: Natural Earth. Coasts and borders are approximate.').waitFor(soon)
    // The whole of its place is drawn.
    const sizeOf = (css: string) =>
      page.locator(css).evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight])
    expect(await sizeOf('.maplibregl-canvas')).toEqual(await sizeOf('[role=img]:has(.maplibregl-canvas)'))
    await provePointer(page)
    const before = await ringOf(page)
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await expect.poll(() => ringOf(page), soon).not.toEqual(before)
    await page.getByRole('button', { name: 'Show everything' }).click()
    await expect.poll(() => ringOf(page), soon).toEqual(before)
    expect(await faultsInEveryLook(page)).toEqual([])
    expect(asked.filter((url) => url.includes('/assets/countries-50m'))).toHaveLength(1)
    expect(asked.filter((url) => !url.startsWith(`${app.product.origin}/`) && !/^(?:data|blob):/.test(url))).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('without WebGL the track is drawn, with the same pointer, and no map is loaded', async () => {
    await using tab = await app.open('/')
    const { page } = tab
    await page.addInitScript(`
      const getContext = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return kind === 'webgl2' ? null : getContext.call(this, kind, ...more)
      }
    `)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await openTrack(page)
    await provePointer(page)
    expect(await page.getByRole('button', { name: 'Zoom in' }).count()).toBe(0)
    expect(await faultsInEveryLook(page)).toEqual([])
    expect(asked.filter((url) => /open-map|maplibre|countries-50m/.test(url))).toEqual([])
    expect(tab.complaints).toEqual([])
  })
})
