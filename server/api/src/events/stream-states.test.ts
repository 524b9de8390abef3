import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { followStream } from './event-stream-testing.ts'
import { events } from './index.ts'

let api: TestApi
let account: { accountId: number; token: string; zoneId: number }
let [door, yard] = [0, 0]
beforeAll(async () => {
  api = await testApi({ slices: [events] })
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

test('only states that are asked for come, of the cameras that are asked for, and others are refused', async () => {
  const { body } = await api.call(account.token, `GET events/stream?statesOf=cameras&cameraIds=${yard}&follow=false`)
  const data = /^event: states\ndata: (.*)$/m.exec(String(body))?.[1] ?? ''
  expect(JSON.parse(data)).toMatchObject({ complete: true, cameras: [{ cameraId: yard }], exports: [] })
  expect(String((await api.call(account.token, 'GET events/stream?follow=false')).body)).not.toContain('event: states')
  expect((await api.call(account.token, 'GET events/stream?statesOf=zones')).body).toMatchObject({ code: 3 })
})
