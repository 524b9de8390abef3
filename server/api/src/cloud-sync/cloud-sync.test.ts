import { setTimeout as sleep } from 'node:timers/promises'
import { instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentAbilities } from '../media-testing.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cloudSync } from './index.ts'

let api: TestApi
let notified = 0
beforeAll(async () => {
  api = await testApi({ slices: [cloudSync], media: { camerasChanged: () => void notified++ } })
})
afterAll(() => api[Symbol.asyncDispose]())

type Values = Partial<{
  onvif_port: number
  device_inputs: number
  mode: 'armed' | 'silent' | 'disarmed' | 'private' | 'scheduled'
  recording_mode: 'continuous' | 'event'
}>

async function oneCamera(values: Values = { onvif_port: 80 }) {
  const account = await api.addAccount()
  const cameraId = await api.addCamera(account.accountId, account.zoneId, 'Door')
  const set = (given: object) =>
    api.owner.plain.updateTable('cameras').set(given).where('camera_id', '=', cameraId).execute()
  if (Object.keys(values).length > 0) await set(values)
  return { ...account, cameraId, set, path: `cameras/${cameraId}/cloudSync` }
}

test('is off, is switched on, and the worker and the audit log learn of it', async () => {
  const { accountId, token, path, cameraId } = await oneCamera()
  expect((await api.call(token, `GET ${path}`)).body).toEqual({ enabled: false, paused: null })
  notified = 0
  expect(await api.call(token, `PATCH ${path}`, { enabled: true })).toMatchObject({
    status: 200,
    body: { enabled: true, paused: null },
  })
  expect(notified).toBe(1)
  const row = api.owner.plain.selectFrom('cameras').select('cloud_sync').where('camera_id', '=', cameraId)
  expect(await row.executeTakeFirst()).toEqual({ cloud_sync: true })
  const log = api.owner.plain.selectFrom('audit_log').selectAll().where('account_id', '=', accountId)
  expect(await log.execute()).toMatchObject([{ action: 'patchCloudSync', before: { enabled: false } }])
  expect(await api.call(token, `PATCH ${path}`, { enabled: 'yes' })).toMatchObject({ status: 400 })
})

test.each([
  [{ mode: 'silent' as const }],
  [{ mode: 'disarmed' as const }],
  [{ mode: 'private' as const }],
  [{ recording_mode: 'event' as const }],
  [{ mode: 'scheduled' as const, recording_mode: 'event' as const }],
])('needs continuous recording, armed or by a schedule: not with %j', async (values) => {
  const { token, path, set } = await oneCamera({ onvif_port: 80, ...values })
  expect(await api.call(token, `PATCH ${path}`, { enabled: true })).toMatchObject({ status: 409, body: { code: 6 } })
  await set({ mode: 'scheduled', recording_mode: 'continuous' })
  expect(await api.call(token, `PATCH ${path}`, { enabled: true })).toMatchObject({ status: 200 })
  await set(values)
  expect((await api.call(token, `GET ${path}`)).body).toEqual({ enabled: true, paused: 'mode' })
  expect(await api.call(token, `PATCH ${path}`, { enabled: false })).toMatchObject({ status: 200 })
})

test('a camera whose card cannot be read is refused with the reason', async () => {
  const refused = { status: 422, body: { code: 11 } }
  const plain = await oneCamera({})
  expect(await api.call(plain.token, `PATCH ${plain.path}`, { enabled: true })).toMatchObject(refused)
  const { accountId, token, path, cameraId } = await oneCamera()
  const abilities = { ...silentAbilities, abilities: { edgeStorage: { state: 'no', tried: 'GetServices' } } }
  const row = { account_id: accountId, camera_id: cameraId, asked_at: instant(api.now) }
  await api.owner.plain
    .insertInto('camera_capabilities')
    .values({ ...row, abilities: JSON.stringify(abilities) })
    .execute()
  const reply = await api.call(token, `PATCH ${path}`, { enabled: true })
  expect(reply).toMatchObject(refused)
  expect(reply.body.detail).toContain('Profile G')
})

test('an input of a recorder can be filled from the recorder', async () => {
  const { token, path } = await oneCamera({ onvif_port: 80, device_inputs: 8 })
  expect(await api.call(token, `PATCH ${path}`, { enabled: true })).toMatchObject({
    status: 200,
    body: { enabled: true, paused: null },
  })
})

test('jobs say which gap was filled and how far, newest first', async () => {
  const { accountId, token, path, cameraId } = await oneCamera()
  const noon = Date.UTC(2026, 2, 1, 12)
  const job = (at: number, more: { status: 'Running' | 'Ended'; synced_ms: number; note?: string }) => ({
    account_id: accountId,
    camera_id: cameraId,
    gap_start: instant(at),
    gap_end: instant(at + 30_000),
    began_at: instant(at),
    ...more,
  })
  await api.owner.plain
    .insertInto('sync_jobs')
    .values([
      job(noon, { status: 'Ended', synced_ms: 28_500, note: 'nothing was recorded on the device at this time' }),
      job(noon + 60_000, { status: 'Running', synced_ms: 0 }),
    ])
    .execute()
  expect((await api.call(token, `GET ${path}/jobs`)).body).toMatchObject([
    { status: 'Running', duration: 30, syncedDuration: 0, recordingStart: '2026-03-01T12:01:00.000+00:00', note: null },
    { status: 'Ended', duration: 30, syncedDuration: 28.5, recordingEnd: '2026-03-01T12:00:30.000+00:00' },
  ])
})

test('needs its own right, and access to the camera', async () => {
  const { accountId, path } = await oneCamera()
  const calls = [`GET ${path}`, `PATCH ${path}`, `GET ${path}/jobs`] as const
  const editor = await api.addSubUser(accountId, { rights: ['editCamera', 'playback'], allCameras: true })
  const manager = await api.addSubUser(accountId, { rights: ['edgeStorageManagement'], allCameras: true })
  const other = await oneCamera()
  for (const call of calls) {
    const body = call.startsWith('PATCH') ? { enabled: true } : undefined
    expect(await api.call(editor.token, call, body)).toMatchObject({ status: 403 })
    expect(await api.call(other.token, call, body)).toMatchObject({ status: 404 })
    expect(await api.call(manager.token, call, body)).toMatchObject({ status: 200 })
  }
})

test('what a camera was to record is kept until it changes, so that nothing private comes in later', async () => {
  const { cameraId, set } = await oneCamera()
  await set({ mode: 'private' })
  // Plans that last less than a millisecond are none.
  await sleep(5)
  await set({ mode: 'armed' })
  const { rows } = await sql<{ mode: string }>`
    select mode from camera_plans where camera_id = ${cameraId} order by plan_until`.execute(api.owner.plain)
  expect(rows).toEqual([{ mode: 'armed' }, { mode: 'private' }])
})

test('with whether the microphone was on, so that no sound comes in of when it was off', async () => {
  const { accountId, cameraId, set } = await oneCamera()
  for (const microphone of [false, true]) {
    await sleep(5)
    await set({ microphone })
  }
  await sleep(5)
  await api.owner.plain
    .updateTable('zones')
    .set({ time_zone: 'Asia/Tokyo' })
    .where('account_id', '=', accountId)
    .execute()
  const { rows } = await sql<{ microphone: boolean }>`
    select microphone from camera_plans where camera_id = ${cameraId} order by plan_until`.execute(api.owner.plain)
  expect(rows.map(({ microphone }) => microphone)).toEqual([true, false, true])
})

test('with the schedule and the time zone of that time, also if they are the zone’s or the account’s and change there', async () => {
  const { accountId, cameraId, set } = await oneCamera()
  const recorded = (from: string) =>
    JSON.stringify({ recording: [{ days: ['mon'], from, to: '24:00' }], push: [], email: [] })
  const zones = (values: object) =>
    api.owner.plain.updateTable('zones').set(values).where('account_id', '=', accountId).execute()
  await zones({ schedule: recorded('08:00'), time_zone: 'Asia/Tokyo' })
  await sql`delete from camera_plans where camera_id = ${cameraId}`.execute(api.owner.plain)
  await zones({ schedule: recorded('09:00') })
  await sleep(5)
  await set({ mode: 'silent' })
  await sleep(5)
  await set({ schedule: recorded('10:00'), time_zone: 'Europe/Amsterdam' })
  await sleep(5)
  // Of no consequence for this camera any more.
  await zones({ schedule: recorded('11:00'), time_zone: 'UTC' })
  const { rows } = await sql<{ from: string; time_zone: string; mode: string }>`
    select schedule -> 'recording' -> 0 ->> 'from' as from, time_zone, mode
      from camera_plans where camera_id = ${cameraId} order by plan_until`.execute(api.owner.plain)
  expect(rows).toEqual([
    { from: '08:00', time_zone: 'Asia/Tokyo', mode: 'armed' },
    { from: '09:00', time_zone: 'Asia/Tokyo', mode: 'armed' },
    { from: '09:00', time_zone: 'Asia/Tokyo', mode: 'silent' },
  ])
})

test.each([
  ['turning sync off', { cloud_sync: false }, 'sync was turned off'],
  ['private mode', { mode: 'private' as const }, 'the mode of the camera was changed'],
  ['recording on events', { recording_mode: 'event' as const }, 'the mode of the camera was changed'],
])('%s ends a running job at once, and it may go on later', async (_, change, note) => {
  const { accountId, token, path, cameraId, set } = await oneCamera()
  await api.call(token, `PATCH ${path}`, { enabled: true })
  const noon = Date.UTC(2026, 2, 1, 12)
  const times = { gap_start: instant(noon), gap_end: instant(noon + 30_000), began_at: instant(noon) }
  const row = { account_id: accountId, camera_id: cameraId, status: 'Running', synced_ms: 0, ...times } as const
  await api.owner.plain.insertInto('sync_jobs').values(row).execute()
  await set({ name: 'Other name' })
  expect((await api.call(token, `GET ${path}/jobs`)).body).toMatchObject([{ status: 'Running' }])
  await set(change)
  expect((await api.call(token, `GET ${path}/jobs`)).body).toMatchObject([{ status: 'Ended', note }])
  const stored = api.owner.plain.selectFrom('sync_jobs').select('stopped').where('camera_id', '=', cameraId)
  expect(await stored.executeTakeFirst()).toEqual({ stopped: true })
})
