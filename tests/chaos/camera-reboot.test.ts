/** A camera is restarted from the API down to the camera, also by a worker that is restarted meanwhile. */
import type { DeviceJob } from '@sightline/contract/device-jobs'
import { instant } from '@sightline/platform/db'
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
      camerasChanged: () => void worker?.camerasChanged(),
    },
  })
  await watched.api.owner.plain
    .updateTable('cameras')
    .set({ onvif_port: watched.camera.address.onvifPort })
    .where('camera_id', '=', watched.cameraId)
    .execute()
  worker = await watched.openWorker()
  await online()
})
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched?.[Symbol.asyncDispose]()
})

const call = (request: string, body?: unknown) => watched.api.call(watched.token, request, body)
const path = () => `cameras/${watched.cameraId}`
const online = () =>
  until('the camera is online', async () => (await call(`GET ${path()}/status`)).body.online === true)
const reboot = async (): Promise<number> => (await call(`POST ${path()}/reboot`)).body.jobId
const jobOf = async (jobId: number): Promise<DeviceJob> => (await call(`GET ${path()}/jobs/${jobId}`)).body
const ended = (jobId: number) =>
  until('the job ended', async () => {
    const job = await jobOf(jobId)
    return job.endedAt !== null && job
  })

test('a restarted camera is away for a while, and the job is done when its pictures arrive again', async () => {
  const states = new Set<string>()
  const jobId = await reboot()
  const job = await until('the job ended', async () => {
    const found = await jobOf(jobId)
    states.add(`${found.state} ${found.phase}`)
    return found.endedAt !== null && found
  })
  expect(job).toMatchObject({ type: 'reboot', state: 'done', progress: 100 })
  expect(states).toContain('running Restarting')
  expect(watched.camera.onvifRequests.filter(({ operation }) => operation === 'SystemReboot')).toHaveLength(1)
  await online()
})

test('a worker that is restarted meanwhile watches on and doesn’t ask the camera again', async () => {
  const before = watched.camera.onvifRequests.filter(({ operation }) => operation === 'SystemReboot').length
  const jobId = await reboot()
  await until('the camera was asked', async () => (await jobOf(jobId)).phase === 'Restarting')
  await worker?.[Symbol.asyncDispose]()
  expect(await jobOf(jobId)).toMatchObject({ state: 'running' })
  worker = await watched.openWorker()
  expect(await ended(jobId)).toMatchObject({ state: 'done' })
  const after = watched.camera.onvifRequests.filter(({ operation }) => operation === 'SystemReboot').length
  expect(after).toBe(before + 1)
  await online()
})

test('a worker that is stopped while a camera doesn’t answer a restart stops at once, and the next one goes on', async () => {
  await watched.camera.fault({ kind: 'onvif-quirks', quirks: ['reboot-silent'] })
  const asked = () => watched.camera.onvifRequests.filter(({ operation }) => operation === 'SystemReboot').length
  const before = asked()
  const jobId = await reboot()
  await until('the camera was asked', async () => asked() > before)
  const began = performance.now()
  await worker?.[Symbol.asyncDispose]()
  expect(performance.now() - began).toBeLessThan(8000)
  expect(await jobOf(jobId)).toMatchObject({ state: 'running', phase: 'Restarting' })
  await watched.camera.heal()
  worker = await watched.openWorker()
  await online()
  expect(await ended(jobId)).toMatchObject({ state: 'done' })
})

test('a worker that is stopped before it asked the camera leaves the job to the next one', async () => {
  const before = watched.camera.onvifRequests.filter(({ operation }) => operation === 'SystemReboot').length
  await watched.camera.fault({ kind: 'refuse' })
  await until(
    'the worker knows that it is away',
    async () => (await call(`GET ${path()}/status`)).body.online === false,
  )
  await watched.api.owner.plain
    .updateTable('camera_status')
    .set({ online: true })
    .where('camera_id', '=', watched.cameraId)
    .execute()
  const jobId = await reboot()
  await until('it has begun', async () => (await jobOf(jobId)).phase === 'Requesting')
  await worker?.[Symbol.asyncDispose]()
  expect(await jobOf(jobId)).toMatchObject({ state: 'queued', phase: null })
  await watched.camera.heal()
  worker = await watched.openWorker()
  expect(await ended(jobId)).toMatchObject({ state: 'done' })
  expect(watched.camera.onvifRequests.filter(({ operation }) => operation === 'SystemReboot')).toHaveLength(before + 1)
  await online()
})

test('a camera whose user is no administrator fails the job, with the reason', async () => {
  await watched.camera.fault({ kind: 'onvif-quirks', quirks: ['no-administrator'] })
  expect(await ended(await reboot())).toMatchObject({ state: 'failed', error: expect.stringContaining('password') })
  await watched.camera.heal()
})

test('a job that nobody ends fails after its deadline', async () => {
  const jobId = await watched.api.owner.plain
    .insertInto('device_jobs')
    .values({
      account_id: (await call('GET users/self')).body.accountId,
      // Its recorder is gone for every worker.
      device_id: await silentRecorder(),
      job_id: 77,
      type: 'reboot',
      state: 'running',
      phase: 'Restarting',
      created_at: instant(Date.now() - 700_000),
      started_at: instant(Date.now() - 700_000),
      deadline: instant(Date.now() - 60_000),
    })
    .returning('job_id')
    .executeTakeFirstOrThrow()
  await worker?.camerasChanged()
  const job = await until('it failed', async () => {
    const found = watched.api.owner.plain.selectFrom('device_jobs').selectAll().where('job_id', '=', jobId.job_id)
    const row = await found.executeTakeFirstOrThrow()
    return row.state === 'failed' && row
  })
  expect(job.error).toContain('in time')
})

/** One that never answered a worker: nothing listens at its address. */
async function silentRecorder(): Promise<number> {
  const zones = await call('GET zones')
  const given = { name: 'Cellar', zoneId: zones.body[0].zoneId, address: '127.0.0.1', port: 9 }
  return (await call('POST devices', given)).body.deviceId
}
