/**
 * A camera's sub-stream is connected, shown and recorded beside its main stream, and nothing that happens to it disturbs
 * the main stream or the status of the camera.
 */
import type { CameraLogEntry } from '@sightline/contract/camera-logs'
import type { CameraStatus } from '@sightline/contract/cameras'
import type { RecordingTimeline } from '@sightline/contract/recordings'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { openPlayback } from '../../server/media/src/playback/index.ts'
import { keysInFiles } from '../../server/media/src/recording/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const SECOND = 1000

let watched: WatchedCamera
let worker: MediaWorker
beforeAll(async () => {
  watched = await watchedCamera({ subPath: '/sub' })
  worker = await watched.openWorker()
})
afterEach(() => watched.camera.heal())
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched[Symbol.asyncDispose]()
})

const call = (request: string, body?: object) => watched.api.call(watched.token, request, body)
const status = async (): Promise<CameraStatus> => (await call(`GET cameras/${watched.cameraId}/status`)).body
const stored = (stream: 'main' | 'sub') =>
  watched.api.owner.plain.selectFrom('recording_runs').selectAll().where('stream', '=', stream).execute()

async function log(): Promise<readonly CameraLogEntry['event'][]> {
  const { body } = await call(`GET cameras/${watched.cameraId}/logs`)
  return (body as CameraLogEntry[]).map(({ event }) => event)
}

async function timeline(): Promise<RecordingTimeline> {
  const { api, cameraId } = watched
  api.now = Date.now()
  const at = (moment: number) => new Date(moment).toISOString()
  const span = `from=${at(api.now - 600 * SECOND)}&till=${at(api.now + SECOND)}`
  return (await call(`GET cameras/${cameraId}/recordingTimeline?${span}`)).body
}

const isRecorded = async () => {
  const { recordingOnCloud, subStream } = await status()
  return recordingOnCloud && subStream?.recordingOnCloud === true
}

test('both streams are recorded, and both can be played; the timeline counts them once', async () => {
  await until('both streams are recorded', isRecorded)
  expect((await status()).subStream).toEqual({ online: true, recordingOnCloud: true, lastConnectionResult: 'ok' })
  expect((await status()).warnings).toEqual([])
  expect((await call(`GET cameras/${watched.cameraId}/streams`)).body).toMatchObject([
    { streamId: { value: 0 }, stream: 'main', width: 1920, codec: 'h264' },
    { streamId: { value: 1 }, stream: 'sub', width: 640, urls: { mseWss: expect.stringContaining('&stream=sub') } },
  ])
  for (const stream of ['main', 'sub'] as const) {
    const [run] = await until(`${stream} has a run`, async () => {
      const runs = await stored(stream)
      return runs.some(({ bytes }) => bytes > 0) && runs
    })
    expect(await sizeOf(stream, run?.started_at ?? 0)).toBe(stream === 'main' ? 1920 : 640)
  }
  expect((await timeline()).segments).toHaveLength(1)
})

/** The width of the recorded pictures at a time. */
async function sizeOf(stream: 'main' | 'sub', at: number): Promise<number | undefined> {
  const { accountId } = (await call(`GET cameras/${watched.cameraId}`)).body
  const keys = keysInFiles(new Uint8Array(32))
  const key = { accountId, cameraId: watched.cameraId, stream }
  for await (const message of openPlayback({ store: watched.store, stream: key, keys, at })) {
    if (message.kind !== 'tracks') continue
    const video = message.tracks.find((track) => track.kind === 'video')
    return video?.width
  }
  return undefined
}

test('a sub-stream that is gone leaves the main stream, the status and the timeline as they are', async () => {
  await until('both streams are recorded', isRecorded)
  const runs = (await stored('main')).length
  await watched.camera.fault({ kind: 'sub-stream-missing' })
  await watched.camera.fault({ kind: 'reset-stream', stream: 'sub' })
  await until('the sub-stream is missing', async () => (await status()).subStream?.online === false)
  await until('it says why', async () => (await status()).subStream?.lastConnectionResult === 'streamNotFound')
  expect(await status()).toMatchObject({ online: true, recordingOnCloud: true, lastConnectionResult: 'ok' })
  expect((await stored('main')).length).toBe(runs)
  expect(worker.problems()).toEqual([])
  await until('the log says so', async () => (await log()).includes('subStreamLost'))
  expect(await log()).not.toContain('connectionLost')
  await watched.camera.heal()
  await until('both streams are recorded', isRecorded)
})

test('a disarmed camera records neither stream, and shows both', async () => {
  await until('both streams are recorded', isRecorded)
  const setMode = async (mode: string) => {
    expect((await call(`PATCH cameras/${watched.cameraId}/mode`, { mode })).status).toBe(200)
    await worker.camerasChanged()
  }
  await setMode('disarmed')
  await until('nothing is recorded', async () => {
    const { recordingOnCloud, subStream } = await status()
    return !recordingOnCloud && subStream?.recordingOnCloud === false
  })
  expect(await status()).toMatchObject({ online: true, subStream: { online: true } })
  await setMode('private')
  await until('no one is connected to the camera', async () => watched.camera.openConnections === 0)
  await setMode('armed')
  await until('both streams are recorded', isRecorded)
})

test('a camera without a connection left for its sub-stream keeps the main stream, and says so', async () => {
  await until('both streams are recorded', isRecorded)
  await watched.camera.fault({ kind: 'viewer-limit', most: 1 })
  await watched.camera.fault({ kind: 'reset' })
  await until(
    'the sub-stream is given up',
    async () => (await status()).subStream?.lastConnectionResult === 'cameraBusy',
  )
  await until('the main stream is recorded', async () => (await status()).recordingOnCloud)
  await until('there is one connection', async () => watched.camera.openConnections === 1)
  expect((await status()).subStream).toMatchObject({ online: false, recordingOnCloud: false })
})
