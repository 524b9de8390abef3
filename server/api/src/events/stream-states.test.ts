import type { SupportSession } from '@sightline/contract/support-sessions'
import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { followStream } from './event-stream-testing.ts'
import { events } from './index.ts'

let api: TestApi
let account: { accountId: number; token: string; zoneId: number }
let [door, yard] = [0, 0]
/** What the auth plane says. */
const inside: SupportSession[] = []
beforeAll(async () => {
  api = await testApi({ slices: [events], supportSessions: inside })
  account = await api.addAccount()
  door = await api.addCamera(account.accountId, account.zoneId, 'Door')
  yard = await api.addCamera(account.accountId, account.zoneId, 'Yard')
})
afterAll(() => api[Symbol.asyncDispose]())

const STATES = '?statesOf=cameras,exports'

/** As media workers write it. */
const setOnline = (cameraId: number, online: boolean) =>
  api.owner.plain
    .insertInto('camera_status')
    .values({ account_id: account.accountId, camera_id: cameraId, online, recording: online })
    .onConflict((conflict) => conflict.columns(['account_id', 'camera_id']).doUpdateSet({ online, recording: online }))
    .execute()

const addExport = async (exportId: number, userId = account.accountId) => {
  const times = { started_at: instant(0), ended_at: instant(1000), created_at: instant(1000) }
  const made = { account_id: account.accountId, export_id: exportId, user_id: userId, camera_ids: [door], ...times }
  await api.owner.plain
    .insertInto('exports')
    .values({ ...made, format: 'mp4', has_password: false, estimated_bytes: 1 })
    .execute()
}

const setProgress = (exportId: number, progress: number) =>
  api.owner.plain.updateTable('exports').set({ progress }).where('export_id', '=', exportId).execute()

test('a stream begins with all states that its caller may list, and then tells what changed', async () => {
  await addExport(1)
  await using stream = await followStream(api, account.token, STATES)
  await expect
    .poll(() => stream.states)
    .toMatchObject([
      { complete: true, cameras: [{ cameraId: door, online: false }, { cameraId: yard }], exports: [{ exportId: 1 }] },
    ])
  await setOnline(door, true)
  await expect
    .poll(() => stream.states.slice(1))
    .toMatchObject([
      { complete: false, cameras: [{ cameraId: door, online: true, recordingOnCloud: true }], exports: [] },
    ])
  await setProgress(1, 40)
  await expect
    .poll(() => stream.states.slice(2))
    .toMatchObject([{ cameras: [], exports: [{ exportId: 1, progress: 40 }] }])
  await api.owner.plain
    .updateTable('exports')
    .set({ removed_at: instant(0) })
    .where('export_id', '=', 1)
    .execute()
  await expect.poll(() => stream.states.slice(3)).toMatchObject([{ exports: [], goneExportIds: [1] }])
})

test('what was written without a change of what is shown sends nothing', async () => {
  await using stream = await followStream(api, account.token, STATES)
  await expect.poll(() => stream.states.length).toBe(1)
  await api.owner.plain
    .updateTable('camera_status')
    .set({ changed_at: instant(5) })
    .where('camera_id', '=', door)
    .execute()
  await setOnline(yard, true)
  await expect.poll(() => stream.states.slice(1)).toMatchObject([{ cameras: [{ cameraId: yard }] }])
})

test('states follow the rights of the calls that list them, and an access that was taken away is gone at once', async () => {
  await addExport(2)
  const guard = await api.addSubUser(account.accountId, { rights: ['CameraView', 'export'], cameraIds: [door, yard] })
  const clerk = await api.addSubUser(account.accountId, { rights: ['CameraView'], cameraIds: [yard] })
  await addExport(3, guard.userId)
  await addExport(4, clerk.userId)
  await using theirs = await followStream(api, guard.token, STATES)
  await using others = await followStream(api, clerk.token, STATES)
  await expect
    .poll(() => theirs.states)
    .toMatchObject([{ cameras: [{ cameraId: door }, { cameraId: yard }], exports: [{ exportId: 3 }] }])
  await expect.poll(() => others.states).toMatchObject([{ cameras: [{ cameraId: yard }], exports: [] }])
  await api.owner.plain
    .deleteFrom('user_cameras')
    .where('user_id', '=', guard.userId)
    .where('camera_id', '=', door)
    .execute()
  await expect.poll(() => theirs.states.slice(1)).toMatchObject([{ cameras: [], goneCameraIds: [door] }])
  await setOnline(door, false)
  await setOnline(yard, false)
  await expect.poll(() => theirs.states.slice(2)).toMatchObject([{ cameras: [{ cameraId: yard }] }])
  await api.owner.plain
    .updateTable('users')
    .set({ rights: ['CameraView'] })
    .where('user_id', '=', guard.userId)
    .execute()
  await expect.poll(() => theirs.states.slice(3)).toMatchObject([{ cameras: [], goneExportIds: [3] }])
})

const ALL = '?statesOf=devices,jobs,shares,supportSessions'

const addDevice = async (deviceId: number, zoneId = account.zoneId) => {
  const named = { account_id: account.accountId, device_id: deviceId }
  const shape = {
    zone_id: zoneId,
    name: `Recorder ${deviceId}`,
    eth_mac_address: '',
    addition_status: 'added',
  } as const
  await api.owner.plain
    .insertInto('devices')
    .values({ ...named, ...shape })
    .execute()
  await api.owner.plain
    .insertInto('device_status')
    .values({ ...named, online: false, last_connection_result: 'neverConnected', changed_at: instant(0) })
    .execute()
}

const addJob = async (jobId: number, of: { device_id: number } | { camera_id: number }) => {
  const job = { account_id: account.accountId, job_id: jobId, type: 'reboot', state: 'queued' } as const
  await api.owner.plain
    .insertInto('device_jobs')
    .values({ ...job, ...of, created_at: instant(Date.now()), deadline: instant(Date.now() + 600_000) })
    .execute()
}

const advanceJob = (jobId: number, progress: number) =>
  api.owner.plain.updateTable('device_jobs').set({ state: 'running', progress }).where('job_id', '=', jobId).execute()

test('recorders come with their status and jobs, and jobs of cameras as they go on', async () => {
  await addDevice(71)
  await using stream = await followStream(api, account.token, ALL)
  await expect
    .poll(() => stream.states)
    .toMatchObject([
      { complete: true, devices: [{ deviceId: 71, connection: { online: false }, jobs: [] }], jobs: [], cameras: [] },
    ])
  await api.owner.plain
    .updateTable('device_status')
    .set({ online: true, last_connection_result: 'ok' })
    .where('device_id', '=', 71)
    .execute()
  await expect
    .poll(() => stream.states.slice(1))
    .toMatchObject([
      { devices: [{ deviceId: 71, status: 'online', connection: { lastConnectionResult: 'ok' } }], jobs: [] },
    ])
  await addJob(501, { device_id: 71 })
  await expect
    .poll(() => stream.states.slice(2))
    .toMatchObject([{ devices: [{ jobs: [{ jobId: 501, state: 'queued' }] }], jobs: [] }])
  await addJob(502, { camera_id: door })
  await expect
    .poll(() => stream.states.slice(3))
    .toMatchObject([{ devices: [], jobs: [{ jobId: 502, cameraId: door, state: 'queued' }] }])
  await advanceJob(502, 30)
  await expect
    .poll(() => stream.states.slice(4))
    .toMatchObject([{ jobs: [{ jobId: 502, state: 'running', progress: 30 }] }])
})

test('shares come while they are prepared, and until they end', async () => {
  await addExport(11)
  await using stream = await followStream(api, account.token, ALL)
  await expect.poll(() => stream.states.length).toBe(1)
  const key = { account_id: account.accountId, share_id: 5 }
  const link = { secret_sha256: Buffer.alloc(32, 5), is_public: true, expires_at: instant(Date.now() + 3_600_000) }
  await api.owner.plain
    .insertInto('shares')
    .values({ ...key, ...link, export_id: 11, user_id: account.accountId, created_at: instant(1000) })
    .execute()
  await expect
    .poll(() => stream.states.slice(1))
    .toMatchObject([{ shares: [{ shareId: 5, status: 'Preparing', progress: 0 }] }])
  await setProgress(11, 60)
  await expect.poll(() => stream.states.slice(2)).toMatchObject([{ shares: [{ shareId: 5, progress: 60 }] }])
  await api.owner.plain
    .updateTable('shares')
    .set({ ended_at: instant(Date.now()) })
    .where('share_id', '=', 5)
    .execute()
  await expect.poll(() => stream.states.slice(3)).toMatchObject([{ shares: [], goneShareIds: [5] }])
})

test('recorders, jobs, shares and support sessions follow the rights of the calls that list them', async () => {
  await addDevice(72)
  await addJob(503, { camera_id: yard })
  const viewer = await api.addSubUser(account.accountId, { rights: ['CameraView'], cameraIds: [yard] })
  const editor = await api.addSubUser(account.accountId, { rights: ['CameraView', 'editCamera'], cameraIds: [door] })
  await using seen = await followStream(api, viewer.token, ALL)
  await expect
    .poll(() => seen.states)
    .toMatchObject([{ complete: true, devices: [], jobs: [], shares: [], supportSessions: [] }])
  await using edited = await followStream(api, editor.token, ALL)
  await expect.poll(() => edited.states).toMatchObject([{ devices: [], jobs: [{ jobId: 502, cameraId: door }] }])
})

test('only the owner is told when support staff enter and leave the account', async () => {
  const helper = await api.addSubUser(account.accountId, { rights: ['CameraView', 'editCamera'], allCameras: true })
  await using owners = await followStream(api, account.token, '?statesOf=supportSessions')
  await using others = await followStream(api, helper.token, '?statesOf=supportSessions')
  await expect.poll(() => owners.states).toMatchObject([{ complete: true, supportSessions: [] }])
  const visit = { tokenId: 91, userId: account.accountId, staffId: 3, staffName: 'Dora Dealer', organisation: 'Shop' }
  const times = { since: '2026-11-30T10:00:00.000Z', until: '2026-11-30T11:00:00.000Z' }
  inside.push({ ...visit, ...times, video: 'hidden', readOnly: true, address: null })
  // As the grant is written when it is opened.
  await api.owner.plain
    .updateTable('accounts')
    .set({ helpdesk_expires_at: instant(Date.now() + 3_600_000) })
    .where('account_id', '=', account.accountId)
    .execute()
  await expect
    .poll(() => owners.states.slice(1))
    .toMatchObject([{ complete: false, supportSessions: [{ tokenId: 91, staffName: 'Dora Dealer' }] }])
  inside.pop()
  await api.owner.plain
    .updateTable('accounts')
    .set({ helpdesk_expires_at: null })
    .where('account_id', '=', account.accountId)
    .execute()
  await expect.poll(() => owners.states.slice(2)).toMatchObject([{ supportSessions: [], goneTokenIds: [91] }])
  expect(others.states).toMatchObject([{ complete: true, supportSessions: [] }])
})

test('only states that are asked for come, of the cameras that are asked for, and others are refused', async () => {
  const { body } = await api.call(account.token, `GET events/stream?statesOf=cameras&cameraIds=${yard}&follow=false`)
  const data = /^event: states\ndata: (.*)$/m.exec(String(body))?.[1] ?? ''
  expect(JSON.parse(data)).toMatchObject({ complete: true, cameras: [{ cameraId: yard }], exports: [] })
  expect(String((await api.call(account.token, 'GET events/stream?follow=false')).body)).not.toContain('event: states')
  expect((await api.call(account.token, 'GET events/stream?statesOf=zones')).body).toMatchObject({ code: 3 })
})
