/** The password of a camera, set from the API through the worker in the simulated camera. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { MediaPlane } from '@sightline/contract/media-plane'
import { idSource } from '@sightline/platform/db'
import { afterEach, expect, test } from 'vitest'
import { cameraPasswordTasks } from '../../server/api/src/camera-connection/password-tasks.ts'
import type { MediaWorker } from '../../server/media/src/control/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, type WatchedCameraOptions, watchedCamera } from './watched-camera.ts'

let watched: WatchedCamera | undefined
let worker: MediaWorker | undefined
/** The server dies once the camera has the new password. */
let dies = false

afterEach(async () => {
  await worker?.[Symbol.asyncDispose]()
  await watched?.[Symbol.asyncDispose]()
  worker = undefined
  watched = undefined
  dies = false
})

const media: Pick<MediaPlane, 'command' | 'camerasChanged'> = {
  command: async (question) => {
    const answer = (await worker?.command(question)) ?? { kind: 'cameraOffline' as const }
    if (dies && question.name === 'changePassword') throw new Error('killed')
    return answer
  },
  camerasChanged: () => worker?.camerasChanged(),
}

async function recorded(options: WatchedCameraOptions = {}) {
  watched = await watchedCamera({ ...options, media })
  const { api, camera, cameraId, token } = watched
  const cameras = api.owner.plain.updateTable('cameras')
  await cameras.set({ onvif_port: camera.address.onvifPort }).execute()
  worker = await watched.openWorker()
  const isRecorded = async () => {
    const row = await api.owner.plain.selectFrom('camera_status').select(['online', 'recording']).executeTakeFirst()
    return row?.online === true && row.recording
  }
  await until('the camera is recorded', isRecorded)
  const put = (password: string) =>
    api.call(token, `POST cameras/${cameraId}/connection/password`, { password, allowPlainText: true })
  return { ...watched, put, isRecorded }
}

test('recording continues with the new password after a gap of less than five seconds', async () => {
  const { api, camera, put } = await recorded()
  await sleep(2000)
  expect(await put('Correct-horse-1')).toMatchObject({ status: 200, body: { passwordKnown: true } })
  expect(camera.users.account.password).toBe('Correct-horse-1')
  const listRuns = () =>
    api.owner.plain.selectFrom('recording_runs').select(['started_at', 'ended_at']).orderBy('started_at').execute()
  await until('it is recorded again', async () => (await listRuns()).length > 1)
  const [before, after] = await listRuns()
  const gapMs = Number(after?.started_at) - Number(before?.ended_at)
  // None at all if the camera was connected again before its next key picture.
  expect(gapMs).toBeGreaterThanOrEqual(0)
  expect(gapMs).toBeLessThan(5000)
})

test('a server that dies after the camera took the password signs in with it afterwards', async () => {
  const { api, camera, cameraId, put, isRecorded } = await recorded()
  dies = true
  expect(await put('Correct-horse-1')).toMatchObject({ status: 500 })
  expect(camera.users.account.password).toBe('Correct-horse-1')
  dies = false
  const job = cameraPasswordTasks({ db: api.app, ids: idSource(api.app), media, clock: { now: Date.now } })
  const of = await api.owner.plain.selectFrom('cameras').select('account_id').executeTakeFirstOrThrow()
  const running = { jobId: '1', attempt: 1, signal: new AbortController().signal }
  expect(await job.settleCameraPassword?.run({ accountId: of.account_id, cameraId }, running)).toMatchObject({
    ok: true,
  })
  await until('it is recorded again', isRecorded)
  expect(await api.owner.plain.selectFrom('camera_password_changes').selectAll().execute()).toEqual([])
})

test.each([
  ['short', 3, { minLength: 8 }],
  ['x'.repeat(40), 3, {}],
  ['Correct-horse-1', 12, { level: 'Operator' as const }],
  ['Correct-horse-1', 13, { apart: true }],
])(
  '%s: what the camera refuses or takes for ONVIF only is said, and it is recorded as before',
  async (password, code, users) => {
    const { camera, put, isRecorded } = await recorded({ users })
    expect(await put(password)).toMatchObject({ body: { code } })
    expect(camera.users.account.password).toBe('secret')
    await until('it is recorded', isRecorded)
  },
)

test('a camera that says yes and keeps its password is code 13', async () => {
  const { camera, put } = await recorded()
  camera.users.ignores = true
  expect(await put('Correct-horse-1')).toMatchObject({ status: 424, body: { code: 13 } })
})

test('a camera that takes the password without a word has it afterwards', async () => {
  const { camera, put } = await recorded()
  camera.users.isSilent = true
  expect(await put('Correct-horse-1')).toMatchObject({ status: 200 })
  expect(camera.users.account.password).toBe('Correct-horse-1')
})
