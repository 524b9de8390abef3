/** Other credentials and addresses of a camera, tried on a simulated camera by its worker before they are stored. */
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
  watched = await watchedCamera({ media: { command, camerasChanged: () => worker?.camerasChanged() } })
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

const patch = (part: string, body: object) =>
  watched.api.call(watched.token, `PATCH cameras/${watched.cameraId}/connection/${part}`, body)
const isOnline = async () =>
  (await watched.api.call(watched.token, `GET cameras/${watched.cameraId}/status`)).body.online === true

test('a wrong password is refused by the camera, and the camera stays connected by the old one', async () => {
  await until('the camera is online', isOnline)
  expect(await patch('credentials', { password: 'mistyped' })).toMatchObject({ status: 424, body: { code: 12 } })
  expect(await isOnline()).toBe(true)
})

test('a right password is stored, and the camera is connected by it', async () => {
  expect(await patch('credentials', { username: 'admin', password: 'secret' })).toMatchObject({
    status: 200,
    body: { username: 'admin', passwordKnown: true },
  })
  await until('the camera is online', isOnline)
})

test('an address where nothing answers is refused', async () => {
  expect(await patch('details', { localPort: 9 })).toMatchObject({ status: 424, body: { code: 14 } })
})

test('a port that is named is the one where the camera is found, with its streams', async () => {
  const { onvifPort } = watched.camera.address
  const name = () => patch('details', { localPort: onvifPort })
  // Its worker connects to it anew with the credentials of the test before.
  await until('the camera was found', async () => (await name()).status === 200)
  const found = await watched.api.call(watched.token, `GET cameras/${watched.cameraId}/connection/details`)
  expect(found.body).toMatchObject({ localIp: '127.0.0.1', localPort: onvifPort, onvif: true })
  await until('the camera is online', isOnline)
})
