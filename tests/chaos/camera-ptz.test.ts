/** Cameras are moved from the API's answer down to the camera's own position, by the worker that owns the camera. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { checkedConnect, OnvifCommander, PtzDevice } from '../../server/media/src/source/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

let watched: WatchedCamera
let worker: MediaWorker

beforeAll(async () => {
  watched = await watchedCamera({ ptz: true, media: { command: (question) => worker.command(question) } })
  await watched.database
    .db('owner')
    .plain.updateTable('cameras')
    .set({ onvif_port: watched.camera.address.onvifPort })
    .where('camera_id', '=', watched.cameraId)
    .execute()
  worker = await watched.openWorker()
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await watched.camera.heal()
  await act({ action: 'stop' })
  await act({ action: 'home' })
})

const ptz = () => {
  const { camera } = watched
  if (camera.ptz === undefined) throw new Error('the camera has no PTZ')
  return camera.ptz
}
const call = (request: string, body?: unknown, token = watched.token) => watched.api.call(token, request, body)
const act = (body: object, token?: string) => call(`POST cameras/${watched.cameraId}/ptz`, body, token)
const bad = (...quirks: ('ptz-ignores-timeout' | 'ptz-no-stop' | 'ptz-no-presets' | 'ptz-no-field-of-view')[]) =>
  watched.camera.fault({ kind: 'onvif-quirks', quirks })
const operations = () => watched.camera.onvifRequests.map(({ operation }) => operation)
const untilStill = () => until('the camera stands still', async () => !ptz().isMoving)

/** So that what was learned of a camera before its quirks is forgotten. */
async function withAnotherWorker(work: () => Promise<void>): Promise<void> {
  await worker[Symbol.asyncDispose]()
  worker = await watched.openWorker()
  await work()
  await worker[Symbol.asyncDispose]()
  await watched.camera.heal()
  worker = await watched.openWorker()
}

test('a camera turns while it is told to, and stops when it is told to', async () => {
  expect(await act({ action: 'move', pan: 1, tilt: -0.5 })).toMatchObject({ status: 204 })
  expect(ptz().isMoving).toBe(true)
  await sleep(300)
  expect(await act({ action: 'stop' })).toMatchObject({ status: 204 })
  expect(ptz().isMoving).toBe(false)
  const { pan, tilt, zoom } = ptz().position
  expect(pan).toBeGreaterThan(0.05)
  expect(tilt).toBeCloseTo(-pan / 2, 3)
  expect(zoom).toBe(0)
})

test.each([[[]], [['ptz-ignores-timeout']], [['ptz-ignores-timeout', 'ptz-no-stop']]] as const)(
  'a camera whose mover falls silent is stopped within a second and a half (%j)',
  async (quirks) => {
    await bad(...quirks)
    await act({ action: 'move', pan: -1 })
    const begun = performance.now()
    expect(ptz().isMoving).toBe(true)
    await untilStill()
    expect(performance.now() - begun).toBeLessThan(1500)
    expect(performance.now() - begun).toBeGreaterThan(900)
  },
)

test('a move that is repeated goes on, and the camera isn’t told again each time', async () => {
  const before = operations().filter((operation) => operation === 'ContinuousMove').length
  for (let beat = 0; beat < 6; beat++) {
    await act({ action: 'move', pan: 0.2 })
    await sleep(250)
  }
  expect(ptz().isMoving).toBe(true)
  const told = operations().filter((operation) => operation === 'ContinuousMove').length - before
  expect(told).toBeGreaterThanOrEqual(1)
  expect(told).toBeLessThanOrEqual(3)
})

test('one person at a time moves a camera; anybody may stop it', async () => {
  const { accountId } = (await call('GET users/self')).body
  const guard = await watched.api.addSubUser(accountId, { rights: ['CameraView', 'ptz'], allCameras: true })
  await act({ action: 'move', pan: 0.1, duration: 5 })
  for (const body of [{ action: 'move', pan: -1 }, { action: 'home' }, { action: 'center', x: 0, y: 0 }])
    expect(await act(body, guard.token)).toMatchObject({ status: 409, body: { code: 6 } })
  expect(await act({ action: 'move', pan: 0.1, mover: 'another-tab' })).toMatchObject({ status: 409 })
  expect(await act({ action: 'stop' }, guard.token)).toMatchObject({ status: 204 })
  expect(ptz().isMoving).toBe(false)
  await act({ action: 'stop' })
  expect(await act({ action: 'home' }, guard.token)).toMatchObject({ status: 204 })
})

test('a step that was overtaken by the stop after it doesn’t move the camera again', async () => {
  const mine = { mover: 'tab' }
  await act({ action: 'move', pan: 1, ...mine, sequence: 1 })
  await act({ action: 'stop', ...mine, sequence: 3 })
  expect(await act({ action: 'move', pan: 1, ...mine, sequence: 2 })).toMatchObject({ status: 204 })
  expect(ptz().isMoving).toBe(false)
})

test('a stop that fails is tried again until the camera takes it', async () => {
  await act({ action: 'move', pan: 1 })
  await watched.camera.fault({ kind: 'wrong-password' })
  expect(await act({ action: 'stop' })).toMatchObject({ status: 424, body: { code: 12 } })
  expect(ptz().isMoving).toBe(true)
  await bad('ptz-ignores-timeout')
  await watched.camera.heal()
  await untilStill()
})

test('a camera is stopped when its worker lets go of it', async () => {
  await bad('ptz-ignores-timeout')
  await act({ action: 'move', pan: 1, duration: 10 })
  await worker[Symbol.asyncDispose]()
  expect(ptz().isMoving).toBe(false)
  worker = await watched.openWorker()
})

test('a camera that was moving when its worker died is stopped by the next worker', async () => {
  const isMoving = async (): Promise<unknown> => {
    const { plain } = watched.database.db('owner')
    const row = await plain.selectFrom('camera_habits').select('habits').executeTakeFirst()
    return (row?.habits as { isMoving?: boolean } | undefined)?.isMoving ?? false
  }
  await act({ action: 'move', pan: 0.5, duration: 10 })
  await expect.poll(isMoving).toBe(true)
  await act({ action: 'stop' })
  await expect.poll(isMoving).toBe(false)
  await act({ action: 'move', pan: 0.5, duration: 10 })
  await expect.poll(isMoving).toBe(true)
  // A clean shutdown stops the camera. Moving it again without the worker is what a kill leaves behind.
  await worker[Symbol.asyncDispose]()
  await bad('ptz-ignores-timeout')
  const { address } = watched.camera
  const device = new PtzDevice(
    new OnvifCommander({
      address: { host: '127.0.0.1', port: address.onvifPort, path: '/onvif/device_service', isSecure: false },
      credentials: { username: 'admin', password: 'secret' },
      allowBasic: false,
      certificate: undefined,
      connect: checkedConnect({ allowed: ['127.0.0.0/8'] }),
      stream: { mainPath: '/main', input: 1 },
    }),
    null,
  )
  await device.move({ pan: 0.5, tilt: 0, zoom: 0 }, AbortSignal.timeout(5000))
  expect(ptz().isMoving).toBe(true)
  worker = await watched.openWorker()
  await untilStill()
})

test('a click brings a point of the picture to the middle, where the camera has the space for it', async () => {
  expect(await act({ action: 'center', x: 1, y: 0.25 })).toMatchObject({ status: 204 })
  expect(ptz().position).toEqual({ pan: 0.1, tilt: 0.05, zoom: 0 })
  await bad('ptz-no-field-of-view')
  await withAnotherWorker(async () => {
    expect(await act({ action: 'center', x: 1, y: 0.25 })).toMatchObject({ status: 422, body: { code: 11 } })
    const { body } = await call(`GET cameras/${watched.cameraId}/capabilities/ptz`)
    expect(body).toMatchObject({ ptz: true, continuous: true, center: false })
  })
})

test('presets are saved, found again, given another view and deleted', async () => {
  const presets = `cameras/${watched.cameraId}/ptz/presets`
  await act({ action: 'center', x: 1, y: 0.5 })
  const gate = (await call(`POST ${presets}`, { name: 'Gate & <yard>' })).body
  expect((await call(`GET ${presets}`)).body).toEqual([{ presetId: gate.presetId, name: 'Gate & <yard>' }])
  await act({ action: 'home' })
  expect(await act({ action: 'goto', presetId: gate.presetId })).toMatchObject({ status: 204 })
  expect(ptz().position.pan).toBe(0.1)
  await act({ action: 'home' })
  expect((await call(`POST ${presets}`, { name: 'Home', presetId: gate.presetId })).body.presetId).toBe(gate.presetId)
  await act({ action: 'center', x: 0, y: 0.5 })
  await act({ action: 'goto', presetId: gate.presetId })
  expect(ptz().position.pan).toBe(0)
  expect(await call(`DELETE ${presets}/${gate.presetId}`)).toMatchObject({ status: 204 })
  expect(await call(`DELETE ${presets}/${gate.presetId}`)).toMatchObject({ status: 404 })
  expect(await act({ action: 'goto', presetId: gate.presetId })).toMatchObject({ status: 404 })
})

test('a ninth preset has no room in a camera with eight', async () => {
  const presets = `cameras/${watched.cameraId}/ptz/presets`
  for (let preset = 1; preset <= 8; preset++)
    expect(await call(`POST ${presets}`, { name: `View ${preset}` })).toMatchObject({ status: 201 })
  expect(await call(`POST ${presets}`, { name: 'View 9' })).toMatchObject({ status: 409, body: { code: 6 } })
})

test('a camera that knows only positions is moved by steps, and one without presets says so', async () => {
  await watched.camera.fault({ kind: 'onvif-quirks', quirks: ['ptz-absolute-only', 'ptz-no-presets'] })
  await withAnotherWorker(async () => {
    const { body } = await call(`GET cameras/${watched.cameraId}/capabilities/ptz`)
    expect(body).toMatchObject({ ptz: true, panTilt: true, absolute: true, continuous: false, presets: 0 })
    await act({ action: 'move', pan: 1 })
    await act({ action: 'move', pan: 1 })
    expect(ptz().position.pan).toBeCloseTo(0.2, 5)
    expect(await act({ action: 'stop' })).toMatchObject({ status: 204 })
    expect(await call(`GET cameras/${watched.cameraId}/ptz/presets`)).toMatchObject({ status: 422 })
  })
})

test('a camera that is off, and one that is connected by RTSP only, can’t be moved', async () => {
  await watched.camera.fault({ kind: 'refuse' })
  expect(await act({ action: 'home' })).toMatchObject({ status: 424, body: { code: 18 } })
})
