/** What a camera can do and is set to, from the camera through the worker that owns it to the API's answer. */
import type { CameraCapabilities } from '@sightline/contract/camera-capabilities'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

let watched: WatchedCamera
let worker: MediaWorker | undefined

beforeAll(async () => {
  const command: MediaPlane['command'] = async (question) =>
    (await worker?.command(question)) ?? { kind: 'cameraOffline' }
  watched = await watchedCamera({ media: { command }, backChannel: 'PCMU' })
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

const call = (request: string, body?: unknown) => watched.api.call(watched.token, request, body)
const capabilities = async (): Promise<CameraCapabilities> =>
  (await call(`GET cameras/${watched.cameraId}/capabilities`)).body

test('a camera is asked what it can do once it is online, and what it said is kept', async () => {
  await until('the camera was asked', async () => (await capabilities()).askedAt !== null)
  expect(await capabilities()).toMatchObject({
    speaker: 'yes',
    ptz: 'no',
    mobile: 'unknown',
    wdr: 'yes',
    services: expect.arrayContaining(['media', 'media2', 'imaging']),
  })
  expect(await call(`GET cameras/${watched.cameraId}/deviceInfo`)).toMatchObject({
    body: { firmwareVersion: '1.0.0', serial: '001B44113AB7' },
  })
})

test('asking again stores what the camera says now', async () => {
  const before = await capabilities()
  await watched.camera.fault({ kind: 'onvif-quirks', quirks: ['no-imaging'] })
  expect(await call(`POST cameras/${watched.cameraId}/capabilities`)).toMatchObject({ body: { wdr: 'no' } })
  await watched.camera.heal()
  const after = await capabilities()
  expect(after.wdr).toBe('no')
  expect(after.askedAt).not.toBe(before.askedAt)
})

test('a change reaches the camera, and the answer is what the camera says', async () => {
  const path = `cameras/${watched.cameraId}/settings/video`
  const before = (await call(`GET ${path}`)).body
  expect(await call(`PATCH ${path}`, { framesPerSecond: 12, dayNight: 'night' })).toMatchObject({
    status: 200,
    body: { ...before, framesPerSecond: 12, dayNight: 'night' },
  })
  expect(watched.camera.settings.encoders.get('main')?.framesPerSecond).toBe(12)
  expect(watched.camera.settings.imaging.irCut).toBe('OFF')
})

test('a camera that is off is neither read nor changed', async () => {
  const path = `cameras/${watched.cameraId}/settings/video`
  await watched.camera.fault({ kind: 'refuse' })
  expect(await call(`GET ${path}`)).toMatchObject({ status: 424, body: { code: 18 } })
  expect(await call(`PATCH ${path}`, { framesPerSecond: 5 })).toMatchObject({ status: 424, body: { code: 18 } })
  await watched.camera.heal()
  expect(watched.camera.settings.encoders.get('main')?.framesPerSecond).toBe(12)
})
