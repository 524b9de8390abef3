/** A camera with faults is checked, from the API through the worker to the simulated camera and back. */
import type { CameraCheckUp, CheckUpFinding } from '@sightline/contract/camera-check-ups'
import { instant } from '@sightline/platform/db'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

let watched: WatchedCamera
let worker: MediaWorker | undefined

beforeAll(async () => {
  watched = await watchedCamera({
    media: {
      command: async (question) => (await worker?.command(question)) ?? { kind: 'cameraOffline' },
      camerasChanged: () => void worker?.camerasChanged(),
    },
  })
  await watched.api.owner.plain
    .updateTable('cameras')
    .set({ onvif_port: watched.camera.address.onvifPort, addition_started_at: instant(Date.now()) })
    .where('camera_id', '=', watched.cameraId)
    .execute()
  worker = await watched.openWorker()
  await online()
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched?.[Symbol.asyncDispose]()
})
afterEach(() => watched.camera.heal())

const call = (request: string, body?: unknown) => watched.api.call(watched.token, request, body)
const path = () => `cameras/${watched.cameraId}`
const online = () =>
  until('the camera is online', async () => (await call(`GET ${path()}/status`)).body.online === true)
const last = async (): Promise<CameraCheckUp> => (await call(`GET ${path()}/checkUp`)).body
const jobOf = async (jobId: number) => (await call(`GET ${path()}/jobs/${jobId}`)).body
const reasonsOf = (findings: readonly CheckUpFinding[]) =>
  Object.fromEntries(findings.map(({ topic, reason }) => [topic, reason]))

/** Checks up to the wait for motion. */
async function begin(): Promise<number> {
  const jobId = await until('a check begins', async () => {
    const { status, body } = await call(`POST ${path()}/checkUp`)
    return status === 202 && Number(body.jobId)
  })
  await until('motion is waited for', async () => (await jobOf(jobId)).phase === 'WaitingForMotion')
  return jobId
}

test('a new camera is checked once, without anybody asking and without a job', async () => {
  const checked = await until('it was checked', async () => {
    const found = await last()
    return found.checkedAt !== null && found
  })
  expect(reasonsOf(checked.findings)).toEqual({
    clock: 'clockRight',
    signIn: 'signInDigest',
    connection: 'connectionTcp',
    keyframes: 'keyframesOften',
    packetLoss: 'lossNone',
    jitter: 'jitterLow',
    motionDelay: 'motionSkipped',
    subStream: 'subStreamUnused',
    card: 'cardNone',
    firmware: 'firmwareNewest',
  })
  expect((await call(`GET ${path()}/jobs`)).body).toEqual([])
})

test('a clock that is a day off and keyframes ten seconds apart are found, and gone once they are mended', async () => {
  const { camera } = watched
  await camera.fault({ kind: 'clock-jump', byMs: 86_400_000 })
  await camera.fault({ kind: 'rare-keyframes', everySeconds: 10 })
  const jobId = await begin()
  expect((await call(`DELETE ${path()}/jobs/${jobId}`)).status).toBe(204)
  expect(await jobOf(jobId)).toMatchObject({ state: 'canceled' })
  const found = await last()
  const clock = found.findings.find(({ topic }) => topic === 'clock')
  expect(clock).toMatchObject({ outcome: 'problem', reason: 'clockWrong', fix: 'setClock' })
  expect(Math.abs((clock?.measured ?? 0) - 86_400)).toBeLessThanOrEqual(1)
  const keyframes = found.findings.find(({ topic }) => topic === 'keyframes')
  const fix = 'setKeyframeInterval'
  expect(keyframes).toMatchObject({ outcome: 'problem', reason: 'keyframesRare', limit: 5, fix })
  expect(keyframes?.measured ?? 0).toBeGreaterThanOrEqual(9.5)
  expect(reasonsOf(found.findings)).toMatchObject({ motionDelay: 'motionSkipped', packetLoss: 'lossNone' })

  expect((await call(`POST ${path()}/clock`)).status).toBe(200)
  const video = await call(`PATCH ${path()}/settings/video`, { keyframeInterval: 50 })
  expect(video).toMatchObject({ status: 200, body: { keyframeInterval: 50 } })
  await call(`DELETE ${path()}/jobs/${await begin()}`)
  expect(reasonsOf((await last()).findings)).toMatchObject({ clock: 'clockRight', keyframes: 'keyframesOften' })
})

test('lost packets are found, as a share of those that were sent', async () => {
  await watched.camera.fault({ kind: 'drop-packets', every: 50 })
  await call(`DELETE ${path()}/jobs/${await begin()}`)
  const loss = (await last()).findings.find(({ topic }) => topic === 'packetLoss')
  expect(loss).toMatchObject({ outcome: 'problem', reason: 'lossSome' })
  expect(Math.abs((loss?.measured ?? 0) - 2)).toBeLessThan(0.7)
})

test('the delay of motion is measured by the time that the camera names', async () => {
  const jobId = await begin()
  watched.camera.events.move(true)
  await until('the job ended', async () => (await jobOf(jobId)).endedAt !== null)
  watched.camera.events.move(false)
  expect(await jobOf(jobId)).toMatchObject({ state: 'done', progress: 100 })
  const motion = (await last()).findings.find(({ topic }) => topic === 'motionDelay')
  expect(motion).toMatchObject({ outcome: 'ok', reason: 'motionFast', limit: 2 })
  expect(motion?.measured ?? -1).toBeGreaterThanOrEqual(0)
})
