/** The lens of a camera, from the API's answer down to where the lens is, by the worker that owns the camera. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

let watched: WatchedCamera
let worker: MediaWorker | undefined

beforeAll(async () => {
  watched = await watchedCamera({
    ptz: true,
    media: { command: async (question) => (await worker?.command(question)) ?? { kind: 'cameraOffline' } },
  })
  await watched.api.owner.plain
    .updateTable('cameras')
    .set({ onvif_port: watched.camera.address.onvifPort })
    .where('camera_id', '=', watched.cameraId)
    .execute()
  worker = await watched.openWorker()
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await watched.camera.heal()
  await act({ action: 'auto' })
})

const call = (request: string, body?: unknown) => watched.api.call(watched.token, request, body)
const act = (body: object) => call(`POST cameras/${watched.cameraId}/focus`, body)
const lens = () => watched.camera.settings.lens

test('what a lens can do is asked of the camera', async () => {
  const all = { focus: true, continuous: true, relative: true, auto: true, mode: 'auto' }
  expect((await call(`GET cameras/${watched.cameraId}/focus`)).body).toEqual(all)
})

test('a lens moves while it is told to, stops when it is told to, and no longer focuses itself', async () => {
  const before = lens().position
  expect(await act({ action: 'move', speed: -1 })).toMatchObject({ status: 204 })
  expect(lens().isMoving).toBe(true)
  expect(lens().mode).toBe('MANUAL')
  await sleep(200)
  expect(await act({ action: 'stop' })).toMatchObject({ status: 204 })
  expect(lens().isMoving).toBe(false)
  expect(lens().position).toBeLessThan(before)
})

test('a lens whose mover falls silent is stopped after a second', async () => {
  await act({ action: 'move', speed: 0.2 })
  const begun = performance.now()
  await until('the lens stands still', async () => !lens().isMoving)
  expect(performance.now() - begun).toBeGreaterThan(800)
})

test('a step moves the lens a little, and automatic focus is on again when it is asked for', async () => {
  const before = lens().position
  expect(await act({ action: 'step', distance: 1 })).toMatchObject({ status: 204 })
  expect(lens().position).toBeGreaterThan(before)
  expect(lens().isMoving).toBe(false)
  expect(await act({ action: 'auto' })).toMatchObject({ status: 204 })
  expect(lens().mode).toBe('AUTO')
})

test('a camera without an imaging service has nothing to focus', async () => {
  await watched.camera.fault({ kind: 'onvif-quirks', quirks: ['no-imaging'] })
  await worker?.[Symbol.asyncDispose]()
  worker = await watched.openWorker()
  expect((await call(`GET cameras/${watched.cameraId}/focus`)).body).toMatchObject({ focus: false })
  expect(await act({ action: 'move', speed: 1 })).toMatchObject({ status: 422, body: { code: 11 } })
})
