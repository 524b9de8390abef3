/** A camera over TLS: its certificate is pinned when it is added, and another one later gets no credentials. */
import type { CameraStatus } from '@sightline/contract/cameras'
import { selfSignedPair } from '@sightline/platform/certificate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCameras } from '../../camera-simulator/src/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const clip = (name: string): string => new URL(`../../camera-simulator/test-clips/${name}`, import.meta.url).pathname
const login = { username: 'admin', password: 'secret' }
const clips = {
  main: { path: clip('main.h264'), framesPerSecond: 25 },
  sub: { path: clip('sub.h264'), framesPerSecond: 10 },
}
const certificate = () =>
  selfSignedPair({ names: ['127.0.0.1'], notBefore: Date.now() - 60_000, notAfter: Date.now() + 600_000 })

let watched: WatchedCamera
beforeAll(async () => {
  watched = await watchedCamera()
})
afterAll(() => watched[Symbol.asyncDispose]())

const call = (request: string, body?: object) => watched.api.call(watched.token, request, body)
const startSecure = (rtspPort: number) =>
  startCameras({
    cameras: [{ name: 'Gate', mac: '00:1b:44:11:3a:b8', ...login, clips, rtspPort, rtspTls: certificate() }],
  })

test('the certificate of the addition stays the only one, and the status says if it changes', async () => {
  const { zoneId } = (await call(`GET cameras/${watched.cameraId}`)).body
  const first = await startSecure(0)
  const port = first.cameras[0]?.address.rtspPort ?? 0
  const streams = { port, https: true, streamPath: '/main', subStreamPath: '/sub' }
  await using _worker = await watched.openWorker()
  const camera = { name: 'Gate', zoneId, address: '127.0.0.1', ...login, ...streams }
  const { cameraId } = (await call('POST cameras', camera)).body
  const status = async (): Promise<CameraStatus> => (await call(`GET cameras/${cameraId}/status`)).body
  await until('both streams are recorded', async () => {
    const { recordingOnCloud, subStream } = await status()
    return recordingOnCloud && subStream?.recordingOnCloud === true
  })
  expect(await status()).toMatchObject({ additionStatus: 'added', lastConnectionResult: 'ok' })
  const row = () =>
    watched.api.owner.plain
      .selectFrom('cameras')
      .select('certificate_sha256')
      .where('camera_id', '=', cameraId)
      .executeTakeFirstOrThrow()
  const pinned = (await row()).certificate_sha256
  expect(pinned).toHaveLength(32)
  await first.stop()
  await using _other = await startSecure(port)
  await until('the status says why', async () => (await status()).lastConnectionResult === 'certificateChanged')
  expect(await status()).toMatchObject({ online: false, passwordStatus: 'known' })
  expect((await row()).certificate_sha256).toEqual(pinned)
})
