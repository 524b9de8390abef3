import { sceneClips } from '@sightline/camera-simulator/scene-clips'
import type { Camera } from '@sightline/contract/cameras'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SimulatedCamera, type Simulator, startCameras } from '../../camera-simulator/src/index.ts'
import { chromiumPath, openBrowser, type TestBrowser } from '../browser.ts'
import { type RunningProduct, startProduct } from '../running-product.ts'
import { callApi, fetchToken, openUserPage } from '../signed-in.ts'
import { drag } from '../touch.ts'

describe.skipIf(chromiumPath === undefined)('moving a camera in Chromium', () => {
  let product: RunningProduct
  let browser: TestBrowser
  let simulator: Simulator
  let owner: string
  let cameraId: number

  beforeAll(async () => {
    const clips = await sceneClips('car-park')
    simulator = await startCameras({
      cameras: [
        { name: 'Gate', mac: '02:00:00:00:00:31', username: 'viewer', password: 'right one', clips, ptz: true },
      ],
    })
    product = await startProduct({ cameras: false })
    browser = await openBrowser()
    owner = await fetchToken(product.origin, 'owner@demo.example')
    const zones = await callApi<{ zoneId: number; name: string }[]>(product.origin, owner, 'GET zones')
    const { onvifPort } = camera().address
    const added = await callApi<Camera>(product.origin, owner, 'POST cameras', {
      ...{
        name: 'Gate',
        zoneId: zones.body.find(({ name }) => name === 'Outside')?.zoneId,
        address: '127.0.0.1',
        port: onvifPort,
      },
      ...{ username: 'viewer', password: 'right one' },
    })
    cameraId = added.body.cameraId
    await callApi(product.origin, owner, `GET cameras/${cameraId}/additionStatus/poll`)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await product[Symbol.asyncDispose]()
    await simulator.stop()
  })
  beforeEach(async () => {
    await camera().heal()
    await callApi(product.origin, owner, `POST cameras/${cameraId}/ptz`, { action: 'stop' })
    await callApi(product.origin, owner, `POST cameras/${cameraId}/ptz`, { action: 'home' })
  })

  const camera = (): SimulatedCamera => {
    const [one] = simulator.cameras
    if (one === undefined) throw new Error('the simulator has no camera')
    return one
  }
  const ptz = () => {
    const { ptz: service } = camera()
    if (service === undefined) throw new Error('the camera has no PTZ')
    return service
  }
  const untilMoving = () => expect.poll(() => ptz().isMoving, { timeout: 10_000, interval: 20 }).toBe(true)
  const untilStill = () => expect.poll(() => ptz().isMoving, { timeout: 10_000, interval: 20 }).toBe(false)

  async function openPanel(page: Page, email = 'owner@demo.example'): Promise<void> {
    await openUserPage(page, `${product.origin}/app/cameras/${cameraId}`, email)
    await page.getByRole('button', { name: 'Move camera', exact: true }).click()
    await page.getByRole('region', { name: 'Move camera', exact: true }).waitFor()
  }

  /** Presses the joystick at its right edge. */
  async function pressRight(page: Page): Promise<void> {
    const box = await page.locator('[data-joystick]').boundingBox()
    if (box === null) throw new Error('there is no joystick')
    await page.mouse.move(box.x + box.width / 2 + 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 3 })
  }

  test('the joystick turns the camera for as long as it is held', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openPanel(page)
    await pressRight(page)
    await untilMoving()
    await expect.poll(() => ptz().position.pan, { timeout: 10_000 }).toBeGreaterThan(0.3)
    await page.mouse.up()
    await untilStill()
    const { pan, tilt } = ptz().position
    expect(Math.abs(tilt)).toBeLessThan(pan / 5)
    expect(tab.complaints).toEqual([])
  })

  test('a finger on a phone turns the camera for as long as it holds the joystick, and a tap centers', async () => {
    await using tab = await browser.newPage({ width: 360, height: 740, touch: true })
    const { page } = tab
    await openPanel(page)
    const box = await page.locator('[data-joystick]').boundingBox()
    if (box === null) throw new Error('there is no joystick')
    const middle = { x: box.x + box.width / 2 + 2, y: box.y + box.height / 2 }
    {
      await using _held = await drag(page, middle, { ...middle, x: box.x + box.width - 2 })
      await expect.poll(() => ptz().position.pan, { timeout: 10_000 }).toBeGreaterThan(0.3)
    }
    await untilStill()
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await page.getByRole('button', { name: 'Center on click' }).tap()
    await page
      .getByRole('button', { name: 'Click the picture to center it there' })
      .tap({ position: { x: 180, y: 30 } })
    await expect.poll(() => ptz().position.tilt).toBeGreaterThan(0)
    expect(tab.complaints).toEqual([])
  })

  test('arrow keys turn and + zooms while they are held, and a page that loses the focus stops the camera', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openPanel(page)
    await page.keyboard.down('ArrowLeft')
    await untilMoving()
    await page.keyboard.up('ArrowLeft')
    await untilStill()
    expect(ptz().position.pan).toBeLessThan(0)
    await page.keyboard.down('+')
    await untilMoving()
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await untilStill()
    expect(ptz().position.zoom).toBeGreaterThan(0)
    await page.keyboard.up('+')
  })

  test('a press of a key or a screen reader moves the camera a little', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openPanel(page)
    await page.getByRole('button', { name: 'Turn up' }).focus()
    await page.keyboard.press('Enter')
    await untilMoving()
    await untilStill()
    expect(ptz().position.tilt).toBeGreaterThan(0)
  })

  test('a browser that is killed in the middle of a move stops the camera within a second and a half, even if that ignores its timeout', async () => {
    await camera().fault({ kind: 'onvif-quirks', quirks: ['ptz-ignores-timeout'] })
    const own = await openBrowser({ isWhole: true })
    const { page } = await own.newPage()
    await openPanel(page)
    await pressRight(page)
    await untilMoving()
    // Ends the browser's own process at once, without a word to the page.
    const session = await own.browser.newBrowserCDPSession()
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    const pid = processInfo.find(({ type }) => type === 'browser')?.id
    if (pid === undefined) throw new Error('the browser has no process')
    expect(ptz().isMoving).toBe(true)
    process.kill(pid, 'SIGKILL')
    const killed = performance.now()
    await untilStill()
    expect(performance.now() - killed).toBeLessThan(1500)
  })

  test('views are saved, returned to, replaced and deleted', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openPanel(page)
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByText('Save views to come back to them with one click.').waitFor()
    await callApi(product.origin, owner, `POST cameras/${cameraId}/ptz`, { action: 'center', x: 1, y: 0.5 })
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByLabel('Name of the view').fill('Driveway')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('button', { name: 'Home position' }).click()
    await expect.poll(() => ptz().position.pan).toBe(0)
    await page.getByRole('button', { name: 'Driveway', exact: true }).click()
    await expect.poll(() => ptz().position.pan).toBe(0.1)
    await page.getByRole('button', { name: 'Replace Driveway' }).click()
    await page.getByLabel('Name of the view').fill('Road')
    await page.getByRole('button', { name: 'Replace view' }).click()
    await page.getByRole('button', { name: 'Road', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete Road' }).click()
    await page.getByRole('button', { name: 'Delete view' }).click()
    await page.getByText('Save views to come back to them with one click.').waitFor()
    expect(ptz().presets).toEqual([])
    expect(tab.complaints).toEqual([])
  })

  test('with centering on, a click brings that point to the middle', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    await openPanel(page)
    await expect
      .poll(() => page.locator('[data-camera-picture]:visible').count(), { timeout: 20_000 })
      .toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Center on click' }).click()
    const layer = page.getByRole('button', { name: 'Click the picture to center it there' })
    const box = await layer.boundingBox()
    if (box === null) throw new Error('nothing can be clicked')
    await expect
      .poll(async () => {
        await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.25)
        return ptz().position.tilt
      })
      .toBeGreaterThan(0)
    expect(Math.abs(ptz().position.pan)).toBeLessThan(0.01)
  })

  test('a second window is told that someone else moves the camera', async () => {
    await using first = await browser.newPage()
    await using second = await browser.newPage()
    await openPanel(first.page)
    await openPanel(second.page)
    await pressRight(first.page)
    await untilMoving()
    await pressRight(second.page)
    await second.page.getByText('Someone else is moving this camera.').waitFor()
    await first.page.mouse.up()
    await second.page.mouse.up()
  })

  test('a user without the right ptz has no such control', async () => {
    await using tab = await browser.newPage()
    const { page } = tab
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await openUserPage(page, `${product.origin}/app/cameras/${cameraId}`, 'guard@demo.example')
    await page.getByRole('button', { name: 'Full screen' }).waitFor()
    expect(await page.getByRole('button', { name: 'Move camera', exact: true }).count()).toBe(0)
    expect(asked.filter((url) => url.includes('capabilities/ptz'))).toEqual([])
  })
})
