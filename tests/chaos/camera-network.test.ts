/** The network settings of a camera, from the API through the worker to the simulated camera. */
import type { CameraNetwork } from '@sightline/contract/camera-network'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

let watched: WatchedCamera
let worker: MediaWorker | undefined

beforeAll(async () => {
  watched = await watchedCamera({
    media: {
      command: async (question) => (await worker?.command(question)) ?? { kind: 'cameraOffline' },
      camerasChanged: () => worker?.camerasChanged(),
    },
    network: { rebootNeeded: true, hasPorts: true },
  })
  const { onvifPort } = watched.camera.address
  await watched.api.owner.plain.updateTable('cameras').set({ onvif_port: onvifPort }).execute()
  worker = await watched.openWorker()
  await until('the camera answers', async () => (await call(`GET ${path()}`)).status === 200)
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched?.[Symbol.asyncDispose]()
})

const call = (request: string, body?: unknown) => watched.api.call(watched.token, request, body)
const path = () => `cameras/${watched.cameraId}/network`
const network = async (): Promise<CameraNetwork> => (await call(`GET ${path()}`)).body

test('what the camera says of its network is shown', async () => {
  const { onvifPort, rtspPort } = watched.camera.address
  expect(await network()).toEqual({
    cameraId: watched.cameraId,
    ipv4: { dhcp: false, address: '127.0.0.1', prefixLength: 24, gateway: '127.0.0.254' },
    dns: { dhcp: true, servers: [] },
    ports: { http: onvifPort, https: null, rtsp: rtspPort },
    ntp: { enabled: false, dhcp: true, servers: [] },
    unavailable: {},
    confirmed: true,
  })
})

test('time and DNS servers are set and read back; without NTP Sightline sets the clock', async () => {
  const dns = { dhcp: false, servers: ['192.0.2.1', '192.0.2.2'] }
  const ntp = { enabled: true, dhcp: false, servers: ['time.example', '192.0.2.3'] }
  expect((await call(`PATCH ${path()}`, { dns, ntp })).body).toMatchObject({ dns, ntp, confirmed: true })
  expect(watched.camera.network).toMatchObject({ dns, isTimeByNtp: true })
  expect((await call(`PATCH ${path()}`, { ntp: { enabled: false } })).body.ntp).toMatchObject({ enabled: false })
})

test('an address outside of the allowed networks is refused before the camera hears of it', async () => {
  const ipv4 = { dhcp: false, address: '10.0.0.7', prefixLength: 24, gateway: null }
  expect(await call(`PATCH ${path()}`, { ipv4, password: 'secret' })).toMatchObject({ status: 409, body: { code: 6 } })
  expect(watched.camera.address.host).toBe('127.0.0.1')
})

test('a wrong password is refused before the camera hears of the new address', async () => {
  const ipv4 = { dhcp: false, address: '127.0.0.9', prefixLength: 24, gateway: null }
  expect(await call(`PATCH ${path()}`, { ipv4 })).toMatchObject({ status: 400, body: { code: 3 } })
  expect(await call(`PATCH ${path()}`, { ipv4, password: 'wrong' })).toMatchObject({ status: 424, body: { code: 12 } })
  expect(watched.camera.address.host).toBe('127.0.0.1')
})

test('a camera that restarts for its new address is reached there afterwards', async () => {
  const ipv4 = { dhcp: false, address: '127.0.0.9', prefixLength: 24, gateway: '127.0.0.254' }
  const moved = await call(`PATCH ${path()}`, { ipv4, password: 'secret' })
  expect(moved).toMatchObject({ status: 200, body: { ipv4, confirmed: true } })
  expect(watched.camera.address.host).toBe('127.0.0.9')
  const { body } = await call(`GET cameras/${watched.cameraId}/connection/details`)
  expect(body).toMatchObject({ localIp: '127.0.0.9', localPort: watched.camera.address.onvifPort })
  const log = await watched.api.owner.plain.selectFrom('audit_log').selectAll().execute()
  expect(JSON.stringify(log)).not.toContain('secret')
})

test('the connection follows the camera to another port', async () => {
  const http = watched.camera.address.onvifPort + 1
  expect((await call(`PATCH ${path()}`, { ports: { http } })).body).toMatchObject({ ports: { http }, confirmed: true })
  const { body } = await call(`GET cameras/${watched.cameraId}/connection/details`)
  expect(body).toMatchObject({ localIp: '127.0.0.9', localPort: http })
})

test('a camera that refuses stays as it is, and that is said', async () => {
  watched.camera.network.refuses = true
  const before = await network()
  const refused = await call(`PATCH ${path()}`, { dns: { dhcp: true } })
  expect(refused).toMatchObject({ status: 424, body: { code: 13 } })
  expect(await network()).toEqual(before)
})
