import { MOVE_AGAIN_MS } from '@sightline/contract/camera-ptz'
import type { Page } from 'playwright-core'
import { checkedConnect, OnvifCommander, PtzDevice } from '../../server/media/src/source/index.ts'
import { chromiumPath, closeSharedBrowser, openKillableBrowser } from '../../tests/browser.ts'
import { openUserPage } from '../../tests/signed-in.ts'
import { type WebAppWithCamera, webAppWithCamera } from '../../tests/web-app-with-camera.ts'
import { type Bench, type BenchResult, CannotMeasure, type Figure, type Pace } from '../figure.ts'
import { quantile } from '../quantile.ts'

const KILLS: Readonly<Record<Pace, number>> = { full: 20, short: 2 }
const COMMANDS: Readonly<Record<Pace, number>> = { full: 200, short: 20 }
const RUNAWAY_GOAL_MS = 1500
const POLL_MS = 5
const GIVE_UP_MS = 20_000
const login = { username: 'viewer', password: 'right one' }

/** How soon a camera that ignores its timeout stops once the browser that turned it is killed, and what a command costs. */
export const ptz: Bench = {
  name: 'ptz',
  title: 'Moving cameras',
  async run(pace) {
    try {
      return await measure(pace)
    } finally {
      await closeSharedBrowser()
    }
  },
}

async function measure(pace: Pace): Promise<BenchResult> {
  if (chromiumPath === undefined) throw new CannotMeasure('there is no Chromium')
  await using tried = await webAppWithCamera({ ptz: true })
  await tried.camera.fault({ kind: 'onvif-quirks', quirks: ['ptz-ignores-timeout'] })
  const runaways: number[] = []
  for (let round = 0; round < KILLS[pace]; round++) runaways.push(await killWhileTurning(tried))
  const commands = await measureCommands(tried, COMMANDS[pace])
  const figures: Figure[] = [
    {
      what: 'Browser killed: the camera stands still, longest',
      unit: 'ms',
      ours: Math.max(...runaways),
      beside: { name: 'how often a browser repeats a move', value: MOVE_AGAIN_MS },
      target: { is: 'at most', value: RUNAWAY_GOAL_MS },
    },
    {
      what: 'Browser killed: the camera stands still, median',
      unit: 'ms',
      ours: quantile(runaways, 0.5),
      beside: { name: 'how often a browser repeats a move', value: MOVE_AGAIN_MS },
    },
    {
      what: 'Command through the API, median',
      unit: 'ms',
      ours: quantile(commands.api, 0.5),
      beside: { name: 'the same ONVIF request alone', value: quantile(commands.floor, 0.5) },
    },
    {
      what: 'Command through the API, 95th percentile',
      unit: 'ms',
      ours: quantile(commands.api, 0.95),
      beside: { name: 'the same ONVIF request alone', value: quantile(commands.floor, 0.95) },
    },
  ]
  return {
    figures,
    remarks: [
      `${KILLS[pace]} times, Chromium holds the joystick for a second and is killed (SIGKILL). The simulated camera ignores its timeout; its own state is read every ${POLL_MS} ms.`,
      `${COMMANDS[pace]} changes of direction, in turn by \`POST cameras/{cameraId}/ptz\` and by the product's own ONVIF client to the same camera, without API, rights and worker.`,
    ],
  }
}

const turning = ({ camera }: WebAppWithCamera): boolean => {
  if (camera.ptz === undefined) throw new Error('the camera has no PTZ')
  return camera.ptz.isMoving
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`not within ${GIVE_UP_MS} ms: ${what}`)
    await new Promise((done) => setTimeout(done, POLL_MS))
  }
}

/** Milliseconds from the kill until the camera stands still. */
async function killWhileTurning(tried: WebAppWithCamera): Promise<number> {
  const { app, cameraId } = tried
  await app.ask(`POST cameras/${cameraId}/ptz`, { action: 'home' })
  const browser = await openKillableBrowser()
  try {
    const page = await browser.browser.newPage()
    await openUserPage(page, `${app.product.origin}/app/cameras/${cameraId}`, 'owner@demo.example')
    await holdJoystick(page)
    await until('the camera turns', () => turning(tried))
    await new Promise((done) => setTimeout(done, 1000))
    if (!turning(tried)) throw new Error('the camera stopped while the joystick was held')
    const killedAt = performance.now()
    browser.kill()
    await until('the camera stands still', () => !turning(tried))
    return performance.now() - killedAt
  } finally {
    browser.kill()
  }
}

async function holdJoystick(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Move camera', exact: true }).click()
  await page.getByRole('region', { name: 'Move camera', exact: true }).waitFor()
  const box = await page.locator('[data-joystick]').boundingBox()
  if (box === null) throw new Error('there is no joystick')
  await page.mouse.move(box.x + box.width / 2 + 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 3 })
}

/** Slow, so that the camera never reaches its end. */
const SPEED = 0.1

async function measureCommands({ app, camera, cameraId }: WebAppWithCamera, count: number) {
  const device = new PtzDevice(
    new OnvifCommander({
      address: { host: '127.0.0.1', port: camera.address.onvifPort, path: '/onvif/device_service', isSecure: false },
      credentials: login,
      allowBasic: false,
      certificate: undefined,
      connect: checkedConnect({ allowed: ['127.0.0.0/8'] }),
      stream: { mainPath: '/main', input: 1 },
    }),
    null,
  )
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
  const send = async (pan: number) => {
    const moved = await device.move({ pan, tilt: 0, zoom: 0 }, AbortSignal.timeout(GIVE_UP_MS))
    if (!moved.ok) throw new Error(moved.failure.detail)
  }
  const measured: Record<'api' | 'floor', number[]> = { api: [], floor: [] }
  // What is asked only once is asked before.
  await send(SPEED)
  for (let turn = 0; turn < count; turn++) {
    const pan = turn % 2 === 0 ? SPEED : -SPEED
    const body = { action: 'move', pan, duration: 10, mover: 'bench', sequence: turn }
    measured.api.push(await timed(() => app.ask(`POST cameras/${cameraId}/ptz`, body)))
    measured.floor.push(await timed(() => send(-pan)))
  }
  await app.ask(`POST cameras/${cameraId}/ptz`, { action: 'stop', mover: 'bench', sequence: count })
  return measured
}
