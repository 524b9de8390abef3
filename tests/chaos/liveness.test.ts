/**
 * A camera that sends data but no usable picture, and a disk that answers nothing, are not recorded, and everything says so: status,
 * timeline, log of the camera and figures.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CameraLogEntry } from '@sightline/contract/camera-logs'
import type { CameraStatus } from '@sightline/contract/cameras'
import type { RecordingTimeline } from '@sightline/contract/recordings'
import { silentLogger } from '@sightline/platform/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCameraChannel } from '../../server/media/src/control/camera-channel.ts'
import { footageKeyring, keyService, type MediaWorker } from '../../server/media/src/control/index.ts'
import { loadCameras, saveStatus } from '../../server/media/src/control/store.ts'
import { workerTally } from '../../server/media/src/control/worker-figures.ts'
import { MemoryBudget } from '../../server/media/src/hub/index.ts'
import { databaseRunLog, SyncGroup } from '../../server/media/src/recording/index.ts'
import { checkedConnect } from '../../server/media/src/source/index.ts'
import { until } from './demo-cameras.ts'
import { type WatchedCamera, watchedCamera } from './watched-camera.ts'

const SECOND = 1000
/** From the last usable picture until everything says so: the promise is 6.5 s, and a busy machine may be late. */
const NOTICED_MS = 15 * SECOND

let watched: WatchedCamera

beforeAll(async () => {
  watched = await watchedCamera()
})
afterAll(() => watched[Symbol.asyncDispose]())

async function status(): Promise<CameraStatus> {
  return (await watched.api.call(watched.token, `GET cameras/${watched.cameraId}/status`)).body
}

async function timeline(): Promise<RecordingTimeline> {
  const { api, token, cameraId } = watched
  api.now = Date.now()
  const at = (moment: number) => new Date(moment).toISOString()
  const span = `from=${at(api.now - 600 * SECOND)}&till=${at(api.now + SECOND)}`
  return (await api.call(token, `GET cameras/${cameraId}/recordingTimeline?${span}`)).body
}

/** Events of the camera's log with their details, oldest first. */
async function cameraLog(): Promise<readonly (readonly [string, string])[]> {
  const { body } = await watched.api.call(watched.token, `GET cameras/${watched.cameraId}/logs`)
  return (body as CameraLogEntry[]).map(({ event, detail }) => [event, detail] as const).reverse()
}

test('a camera that sends data without a usable picture is not recorded, from its last picture on', async () => {
  const worker: MediaWorker = await watched.openWorker()
  await using _worker = worker
  await until('the camera is recorded', async () => (await status()).recordingOnCloud)
  // Every second packet is missing, and no picture fits into one.
  await watched.camera.fault({ kind: 'drop-packets', every: 2 })
  const brokenAt = Date.now()
  await until('the status says that nothing is recorded', async () => !(await status()).recordingOnCloud)
  const noticedAt = Date.now()
  expect(noticedAt - brokenAt).toBeLessThan(NOTICED_MS)
  expect(worker.problems().length + (await worker.figures()).cameras.recorded).toBe(0)
  await until('the timeline has an open gap', async () => (await timeline()).gaps.at(-1)?.reason === 'network')
  const gap = (await timeline()).gaps.at(-1)
  expect(Date.parse(gap?.start ?? '')).toBeLessThan(brokenAt + 2 * SECOND)
  expect(Date.parse(gap?.end ?? '')).toBeGreaterThan(noticedAt - SECOND)
  expect((await cameraLog()).at(-1)).toEqual([
    'connectionLost',
    expect.stringContaining('none of it made a whole picture'),
  ])
  await watched.camera.heal()
  await until('the camera is recorded again', async () => (await status()).recordingOnCloud)
})

test('a disk that confirms nothing means not recorded, while the camera stays online; footage that it took late is no gap', async () => {
  const db = watched.database.db('media')
  const [camera] = await loadCameras(db)
  if (camera === undefined) throw new Error('there is no camera')
  const store = await mkdtemp(join(tmpdir(), 'sightline-liveness-'))
  const told: string[] = []
  using tally = workerTally()
  await using runs = databaseRunLog(db, silentLogger, { store })
  await using group = new SyncGroup()
  await using channel = openCameraChannel({
    camera,
    password: 'secret',
    connect: checkedConnect({ allowed: ['127.0.0.0/8'] }),
    store,
    memory: new MemoryBudget(1e9),
    keys: footageKeyring({
      db,
      service: keyService({ db, kek: new Uint8Array(32), encryption: watched.encryption }),
      now: Date.now,
    }),
    encryptsFootage: false,
    group,
    runs,
    leases: {
      take: async () => ({ fence: 9, isTakeover: false }),
      renew: async () => 'held',
      late: () => undefined,
      announce: async () => undefined,
    },
    saveStatus: (change) => saveStatus(db, { ...change, workerId: 'worker', now: Date.now() }),
    saveStep: async () => undefined,
    saveOutcome: async () => undefined,
    abilities: { loadAskedAt: async () => Date.now(), save: async () => undefined, limit: (work) => work() },
    habitStore: { recalled: {}, save: async () => undefined },
    checkUps: { isDue: async () => false, save: async () => undefined },
    limitChecks: (work) => work(),
    admission: { join: () => undefined, leave: () => undefined, enter: async (_, signal) => signal },
    sync: { db },
    note: ({ event, detail }) => told.push(`${event}: ${detail}`),
    onMotion: () => undefined,
    onWarning: () => undefined,
    tally,
    log: silentLogger,
    now: Date.now,
  })
  await until('the camera is recorded', async () => (await status()).recordingOnCloud)
  // A disk syncs two files at a time: with both of these nothing else reaches it.
  const disk = Promise.withResolvers<void>()
  for (let file = 0; file < 2; file++) void group.wrote({ sync: () => disk.promise, syncFailed: () => undefined })
  const hungAt = Date.now()
  await until('the status says that nothing is recorded', async () => !(await status()).recordingOnCloud)
  expect(Date.now() - hungAt).toBeLessThan(NOTICED_MS)
  expect(await status()).toMatchObject({ online: true })
  expect(channel.situation).toBe('unrecorded')
  expect(channel.problem).toContain('the disk does not respond')
  expect(told.at(-1)).toBe('recordingFailed: the disk does not respond')
  await until('the timeline has an open gap', async () => (await timeline()).gaps.at(-1)?.reason === 'disk')
  disk.resolve()
  await until('the camera is recorded again', async () => (await status()).recordingOnCloud)
  expect(channel.problem).toBeUndefined()
  await until('what the disk took late is footage', async () =>
    (await timeline()).gaps.every(({ end }) => Date.parse(end) < hungAt),
  )
  await rm(store, { recursive: true, force: true })
})

test('a wrong password is not repeated by a worker that starts again', async () => {
  const tries = () => watched.camera.rtspRequests.filter(({ method }) => method === 'DESCRIBE').length
  const isRefused = async () => (await status()).lastConnectionResult === 'credentialsIncorrect'
  const minutesLeft = async () => (Date.parse((await status()).nextAttemptAt ?? '') - Date.now()) / (60 * SECOND)
  const counted = async () => {
    const row = await watched.api.owner.plain.selectFrom('camera_habits').select('habits').executeTakeFirst()
    return (row?.habits as { rejections?: { count: number } } | undefined)?.rejections?.count
  }
  await watched.camera.fault({ kind: 'wrong-password' })
  {
    await using _worker = await watched.openWorker()
    await until('the next try is minutes away', async () => (await isRefused()) && (await minutesLeft()) > 3)
    await until('the tries are kept', async () => (await counted()) === 3)
  }
  const before = tries()
  {
    await using _worker = await watched.openWorker()
    await until('the status says until when', async () => (await isRefused()) && (await minutesLeft()) > 3)
    await sleep(3 * SECOND)
    expect(tries()).toBe(before)
    await watched.camera.heal()
    await watched.saveCredentials()
    await until('the camera is recorded', async () => (await status()).recordingOnCloud)
    await until('the tries are forgotten', async () => (await counted()) === undefined)
  }
})

test('a wrong password is not repeated for minutes, the status says until when, and new credentials are tried at once', async () => {
  await using _worker = await watched.openWorker()
  await until('the camera is recorded', async () => (await status()).recordingOnCloud)
  await watched.camera.fault({ kind: 'wrong-password' })
  const inMinutes = async () => (Date.parse((await status()).nextAttemptAt ?? '') - Date.now()) / (60 * SECOND)
  await until('the next try is minutes away', async () => (await inMinutes()) > 3)
  expect(await status()).toMatchObject({ online: false, lastConnectionResult: 'credentialsIncorrect' })
  expect(await inMinutes()).toBeLessThan(6.1)
  await watched.camera.heal()
  await watched.saveCredentials()
  await until('the camera is recorded again', async () => (await status()).recordingOnCloud)
  expect(await status()).toMatchObject({ lastConnectionResult: 'ok', nextAttemptAt: null })
})
