/** A camera's mode and schedule decide what is stored and shown of it, at once. */
import type { CameraStatus } from '@sightline/contract/cameras'
import type { RecordingTimeline } from '@sightline/contract/recordings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const SECOND = 1000

let watched: WatchedCamera
let worker: MediaWorker
beforeAll(async () => {
  watched = await watchedCamera()
  worker = await watched.openWorker()
  await until('the camera is recorded', async () => (await status()).recordingOnCloud)
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched[Symbol.asyncDispose]()
})

const call = (request: string, body?: object) => watched.api.call(watched.token, request, body)
const status = async (): Promise<CameraStatus> => (await call(`GET cameras/${watched.cameraId}/status`)).body
const snapshot = () => worker.snapshot({ cameraId: watched.cameraId, format: 'mp4' })

async function pictureOf(at: number) {
  const { accountId } = (await call(`GET cameras/${watched.cameraId}`)).body
  return worker.recordedPicture({ accountId, cameraId: watched.cameraId, at, format: 'mp4' })
}

async function setMode(mode: string): Promise<number> {
  const changed = await call(`PATCH cameras/${watched.cameraId}/mode`, { mode })
  expect(changed.status).toBe(200)
  const at = Date.now()
  await worker.camerasChanged()
  return at
}

async function timeline(): Promise<RecordingTimeline> {
  const { api, cameraId } = watched
  api.now = Date.now()
  const at = (moment: number) => new Date(moment).toISOString()
  const span = `from=${at(api.now - 600 * SECOND)}&till=${at(api.now + SECOND)}`
  return (await call(`GET cameras/${cameraId}/recordingTimeline?${span}`)).body
}

test('a disarmed camera is shown and not recorded; the gap has its cause, and recording continues once it is armed again', async () => {
  const at = await setMode('disarmed')
  await until('the status says so', async () => !(await status()).recordingOnCloud)
  expect(await status()).toMatchObject({ online: true })
  expect(await snapshot()).toMatchObject({ kind: 'picture' })
  expect(worker.problems()).toEqual([])
  expect((await worker.figures()).cameras).toMatchObject({ off: 1, unrecorded: 0 })
  await until('the timeline has a gap', async () => (await timeline()).gaps.at(-1)?.reason === 'mode')
  expect(Date.parse((await timeline()).gaps.at(-1)?.start ?? '')).toBeLessThan(at + SECOND)
  await setMode('silent')
  await until('the camera is recorded again', async () => (await status()).recordingOnCloud)
})

test('of a private camera nothing is stored or shown, and its connection is closed', async () => {
  const at = await setMode('private')
  expect(await snapshot()).toEqual({ kind: 'cameraOffline' })
  await until('no one is connected to the camera', async () => watched.camera.openConnections === 0)
  await until('the status says so', async () => !(await status()).online)
  await until('the timeline has a gap', async () => (await timeline()).gaps.at(-1)?.reason === 'mode')
  const gap = (await timeline()).gaps.at(-1)
  expect(Date.parse(gap?.start ?? '')).toBeLessThan(at + SECOND)
  // The last picture is what the camera showed until a moment after it.
  const later = Date.parse(gap?.start ?? '') + 3 * SECOND
  await until('a while has passed', async () => Date.now() > later)
  expect(await pictureOf(later)).toEqual({ kind: 'noFootage' })
  expect(await pictureOf(Date.parse(gap?.start ?? '') - SECOND)).toMatchObject({ kind: 'picture' })
  await setMode('armed')
  await until('the camera is recorded again', async () => (await status()).recordingOnCloud)
})

test('a scheduled camera is recorded only at the times of its schedule', async () => {
  const hour = new Date().getUTCHours()
  const clock = (hours: number) => `${String((hours + 24) % 24).padStart(2, '0')}:00`
  const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  const at = (from: string, to: string) => ({ recording: [{ days: week, from, to }], push: [], email: [] })
  const put = async (from: string, to: string) => {
    expect((await call(`PUT cameras/${watched.cameraId}/schedule`, at(from, to))).status).toBe(200)
    await worker.camerasChanged()
  }
  await put(clock(hour + 3), clock(hour + 4))
  await setMode('scheduled')
  await until('nothing is recorded', async () => !(await status()).recordingOnCloud)
  await until('the timeline has a gap', async () => (await timeline()).gaps.at(-1)?.reason === 'schedule')
  await put(clock(hour - 1), clock(hour + 2))
  await until('the camera is recorded again', async () => (await status()).recordingOnCloud)
})
