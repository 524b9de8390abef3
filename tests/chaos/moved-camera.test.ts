/** A camera that gets another address, as after a change of Wi-Fi networks, is recorded again without anybody doing anything. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCameras } from '../../camera-simulator/src/index.ts'
import { testCamera } from '../../camera-simulator/src/testing/clips.ts'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const FORMER = '127.0.0.2'
const NOW = '127.0.0.1'
const stack = new AsyncDisposableStack()
let watched: WatchedCamera
let worker: MediaWorker

beforeAll(async () => {
  watched = stack.use(await watchedCamera())
})
afterAll(() => stack.disposeAsync())

const status = async () => (await watched.api.call(watched.token, `GET cameras/${watched.cameraId}/status`)).body

test('a camera that got another address is found, and recorded again', async () => {
  const mac = `02${randomBytes(5).toString('hex')}`.replaceAll(/(..)(?=.)/g, '$1:')
  const settings = { ...testCamera, name: 'Gate', mac, username: 'admin', password: 'secret' }
  const former = await startCameras({ host: FORMER, cameras: [settings] })
  const { rtspPort = 0, onvifPort = 0 } = former.cameras[0]?.address ?? {}
  await watched.api.owner.plain
    .updateTable('cameras')
    .set({ address: FORMER, rtsp_port: rtspPort, onvif_port: onvifPort, eth_mac_address: mac })
    .where('camera_id', '=', watched.cameraId)
    .execute()
  worker = stack.use(await watched.openWorker())
  await until('the camera is recorded', async () => (await status()).recordingOnCloud === true)

  await former[Symbol.asyncDispose]()
  await until('the camera is missed', async () => (await status()).online === false)
  stack.use(
    await startCameras({
      host: NOW,
      discovery: { interfaceAddress: NOW },
      cameras: [{ ...settings, rtspPort, onvifPort }],
    }),
  )
  // The first search is after half a minute.
  await sleep(25_000)
  await until('the camera is recorded again', async () => (await status()).recordingOnCloud === true)
  const details = await watched.api.call(watched.token, `GET cameras/${watched.cameraId}/connection/details`)
  expect(details.body).toMatchObject({ localIp: NOW })
  await until('the log has it', async () => {
    const { body } = await watched.api.call(watched.token, `GET cameras/${watched.cameraId}/logs`)
    return body.some(({ event }: { event: string }) => event === 'addressChanged')
  })
  expect(worker.cameraIds()).toContain(watched.cameraId)
}, 150_000)
