/** A camera that records on events keeps what came before each of them, and its timeline says why nothing else is there. */
import type { CameraStatus } from '@sightline/contract/cameras'
import type { RecordingTimeline } from '@sightline/contract/recordings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const SECOND = 1000
const PRE_ROLL = 5 * SECOND

let watched: WatchedCamera
let worker: MediaWorker
beforeAll(async () => {
  watched = await watchedCamera()
  const { token, cameraId } = watched
  expect((await watched.api.call(token, `PATCH cameras/${cameraId}/mode`, { recordingMode: 'event' })).status).toBe(200)
  worker = await watched.openWorker()
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched[Symbol.asyncDispose]()
})

const call = (request: string, body?: object) => watched.api.call(watched.token, request, body)
const status = async (): Promise<CameraStatus> => (await call(`GET cameras/${watched.cameraId}/status`)).body

async function timeline(): Promise<RecordingTimeline> {
  const { api, cameraId } = watched
  api.now = Date.now()
  const at = (moment: number) => new Date(moment).toISOString()
  const span = `from=${at(api.now - 600 * SECOND)}&till=${at(api.now + SECOND)}`
  return (await call(`GET cameras/${cameraId}/recordingTimeline?${span}`)).body
}

/** As the API does it when someone adds an event. */
async function addEvent(): Promise<number> {
  watched.api.now = Date.now()
  const added = await call(`POST cameras/${watched.cameraId}/events`, { type: 'custom', name: 'Badge 12' })
  expect(added.status).toBe(201)
  const at = Date.parse(added.body.timestamp)
  worker.eventAdded({ cameraId: watched.cameraId, at })
  return at
}

test('without an event the camera is online, nothing is wrong, and nothing is stored', async () => {
  await until('the camera is online', async () => (await status()).online)
  await until('the recorder is ready', async () => (await worker.figures()).cameras.off === 1)
  expect(await status()).toMatchObject({ online: true, recordingOnCloud: false })
  expect(worker.problems()).toEqual([])
  expect((await timeline()).segments).toEqual([])
})

test('a custom event is recorded with five seconds before it, and the rest is a gap without events', {
  timeout: 90_000,
}, async () => {
  const connectedAt = Date.parse((await status()).lastSeen ?? '')
  await until('there is a pre-roll', async () => Date.now() - connectedAt > PRE_ROLL + 2 * SECOND)
  const at = await addEvent()
  await until('the event is recorded', async () => (await status()).recordingOnCloud)
  const isOver = ({ segments, gaps }: RecordingTimeline) =>
    segments.length > 0 && gaps.at(-1)?.start === segments[0]?.end
  const { segments, gaps } = await until('the clip has ended', async () => {
    const shown = await timeline()
    return isOver(shown) && shown
  })
  expect(gaps.at(-1)).toMatchObject({ reason: 'noEvent' })
  expect(segments).toMatchObject([{ type: 'event' }])
  const [start, end] = [Date.parse(segments[0]?.start ?? ''), Date.parse(segments[0]?.end ?? '')]
  expect(start).toBeLessThanOrEqual(at - PRE_ROLL + 100)
  expect(start).toBeGreaterThan(at - PRE_ROLL - 10 * SECOND)
  expect(end).toBeGreaterThanOrEqual(at + 10 * SECOND)
  await until('the status says so', async () => !(await status()).recordingOnCloud)
  expect(worker.problems()).toEqual([])
})

test('a worker that is gone while nothing happens leaves no doubt why nothing is recorded', async () => {
  await worker[Symbol.asyncDispose]()
  await until('the timeline has a gap', async () => (await timeline()).gaps.at(-1)?.reason === 'stopped')
  worker = await watched.openWorker()
  await until('nothing happens', async () => (await timeline()).gaps.at(-1)?.reason === 'noEvent')
})
