/** The Wi-Fi of a camera, from the API through the worker to the simulated camera. */
import type { CameraWifi, WifiNetwork } from '@sightline/contract/camera-wifi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

let watched: WatchedCamera
let worker: MediaWorker | undefined
const networks = [{ ssid: 'Office & Küche', password: 'correct horse' }, { ssid: 'Guests' }]

beforeAll(async () => {
  watched = await watchedCamera({
    media: { command: async (question) => (await worker?.command(question)) ?? { kind: 'cameraOffline' } },
    wifi: { networks, joinMs: 300 },
  })
  await watched.api.owner.plain
    .updateTable('cameras')
    .set({ onvif_port: watched.camera.address.onvifPort })
    .where('camera_id', '=', watched.cameraId)
    .execute()
  worker = await watched.openWorker()
  await until('the camera answers', async () => (await call(`GET ${path()}`)).status === 200)
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched?.[Symbol.asyncDispose]()
})

const call = (request: string, body?: unknown) => watched.api.call(watched.token, request, body)
const path = () => `cameras/${watched.cameraId}/wifi`
const wifi = async (): Promise<CameraWifi> => (await call(`GET ${path()}`)).body
const scan = async (): Promise<readonly WifiNetwork[]> => (await call(`GET ${path()}/networks?scan=true`)).body
const office = () => `${path()}/networks/${encodeURIComponent('Office & Küche')}`

test('networks in reach are listed; only those that the camera is set up for without a scan', async () => {
  expect(await wifi()).toMatchObject({ enabled: true, state: 'disconnected', currentSsid: null })
  const seen = { known: false, visible: true, current: false, signal: 3 }
  expect(await scan()).toEqual([
    { ssid: 'Guests', security: 'none', ...seen },
    { ssid: 'Office & Küche', security: 'psk', ...seen },
  ])
  expect((await call(`GET ${path()}/networks`)).body).toEqual([])
})

test('a wrong password leaves the camera outside, and that is said', async () => {
  expect((await call(`PUT ${office()}`, {})).body).toMatchObject({ code: 3 })
  expect((await call(`PUT ${office()}`, { password: 'wrong horse' })).status).toBe(204)
  expect(await wifi()).toMatchObject({ state: 'connecting', currentSsid: null, failedSsid: null })
  const failed = await until('it is given up', async () => {
    const now = await wifi()
    return now.state !== 'connecting' && now
  })
  expect(failed).toMatchObject({ state: 'disconnected', failedSsid: 'Office & Küche' })
})

test('what the camera could not join is still said after its worker starts again', async () => {
  await worker?.[Symbol.asyncDispose]()
  worker = await watched.openWorker()
  await until('the camera answers', async () => (await call(`GET ${path()}`)).status === 200)
  expect(await wifi()).toMatchObject({ state: 'disconnected', failedSsid: 'Office & Küche' })
})

test('a network is joined and another one instead; the current one is not forgotten, others are', async () => {
  expect((await call(`PUT ${office()}`, { password: 'correct horse' })).status).toBe(204)
  await until('it is connected', async () => (await wifi()).state === 'connected')
  expect(await wifi()).toMatchObject({ currentSsid: 'Office & Küche', failedSsid: null })
  expect(await call(`DELETE ${office()}`)).toMatchObject({ status: 409, body: { code: 6 } })

  expect((await call(`PUT ${path()}/networks/Guests`, {})).status).toBe(204)
  await until('it is in the other one', async () => (await wifi()).currentSsid === 'Guests')
  expect(watched.camera.wifi?.known.toSorted()).toEqual(['Guests', 'Office & Küche'])
  // The password that the camera has is still the right one.
  expect((await call(`PUT ${office()}`, {})).status).toBe(204)
  await until('it is back', async () => (await wifi()).currentSsid === 'Office & Küche')
  expect((await call(`DELETE ${path()}/networks/Guests`)).status).toBe(204)
  expect(watched.camera.wifi?.known).toEqual(['Office & Küche'])
  expect(await call(`DELETE ${path()}/networks/Guests`)).toMatchObject({ status: 404, body: { code: 4 } })
})

test('a network that is gone can’t be joined, and the camera is in none', async () => {
  watched.camera.wifi?.lose('Office & Küche')
  expect(await wifi()).toMatchObject({ state: 'disconnected', currentSsid: null })
  expect(await scan()).toMatchObject([{ ssid: 'Guests' }, { ssid: 'Office & Küche', known: true, visible: false }])
  expect(await call(`PUT ${office()}`, {})).toMatchObject({ status: 409, body: { code: 6 } })
})

test('Wi-Fi is switched off and on', async () => {
  expect((await call(`PATCH ${path()}`, { enabled: false })).body).toMatchObject({ enabled: false, state: 'disabling' })
  await until('it is off', async () => (await wifi()).state === 'disabled')
  expect((await call(`PATCH ${path()}`, { enabled: true })).body).toMatchObject({ enabled: true, state: 'enabling' })
  await until('it is on', async () => (await wifi()).state === 'disconnected')
})
