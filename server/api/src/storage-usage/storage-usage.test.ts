import { instant } from '@sightline/platform/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from '../accounts/index.ts'
import { resellerAccounts } from '../reseller-accounts/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { subscriptions } from '../subscriptions/index.ts'
import { listDays } from './days.ts'
import { storageUsage } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [subscriptions, accounts, resellerAccounts, storageUsage] })
})
afterAll(() => api[Symbol.asyncDispose]())

const HOUR_MS = 3_600_000

interface Footage {
  readonly start: number
  readonly end: number
  readonly bytes: number
  readonly stream?: 'main' | 'sub'
}

let runs = 0
const record = (of: { accountId: number; cameraId: number }, { start, end, bytes, stream = 'main' }: Footage) =>
  api.owner.plain
    .insertInto('recording_runs')
    .values({
      account_id: of.accountId,
      camera_id: of.cameraId,
      stream,
      run_id: String(++runs).padStart(32, '0'),
      started_at: instant(start),
      ended_at: instant(end),
      bytes,
    })
    .execute()

/** An account in Amsterdam, where a summer day begins at 22:00 UTC, with footage of two cameras. */
async function shop() {
  const { accountId, token, zoneId } = await api.addAccount()
  await api.call(token, 'PATCH accounts/self/timeZone', { timeZone: 'Europe/Amsterdam' })
  const door = await api.addCamera(accountId, zoneId, 'Door')
  const yard = await api.addCamera(accountId, zoneId, 'Yard')
  const midnight = Date.UTC(2026, 6, 9, 22)
  await record(
    { accountId, cameraId: door },
    { start: midnight - HOUR_MS / 4, end: midnight + 0.75 * HOUR_MS, bytes: 4000 },
  )
  await record(
    { accountId, cameraId: door },
    { start: midnight, end: midnight + HOUR_MS / 2, bytes: 500, stream: 'sub' },
  )
  await record({ accountId, cameraId: yard }, { start: midnight + HOUR_MS, end: midnight + 1.5 * HOUR_MS, bytes: 1000 })
  return { accountId, token, zoneId, door, yard }
}

describe('GET accounts/{id}/storage', () => {
  test('footage over midnight is divided between days; both streams count for bytes, one for hours', async () => {
    const { accountId, token, door, yard } = await shop()
    const answer = await api.call(token, `GET accounts/${accountId}/storage?from=2026-07-08&till=2026-07-10`)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      accountId,
      timeZone: 'Europe/Amsterdam',
      from: '2026-07-08',
      till: '2026-07-10',
      bytes: 5500,
      hours: 1.5,
      cameras: [
        { cameraId: door, name: 'Door', bytes: 4500, hours: 1, oldestRecording: '2026-07-09T21:45:00.000+00:00' },
        { cameraId: yard, name: 'Yard', bytes: 1000, hours: 0.5, oldestRecording: '2026-07-09T23:00:00.000+00:00' },
      ],
      days: [
        { day: '2026-07-08', bytes: 0, hours: 0 },
        { day: '2026-07-09', bytes: 1000, hours: 0.25 },
        { day: '2026-07-10', bytes: 4500, hours: 1.25 },
      ],
    })
    const oneDay = await api.call(token, 'GET accounts/self/storage?from=2026-07-09&till=2026-07-09')
    expect(oneDay.body).toMatchObject({ bytes: 1000, days: [{ bytes: 1000 }] })
  })

  test('the oldest footage of a camera is shown whatever the span, and null if there is none', async () => {
    const { accountId, token, zoneId, door } = await shop()
    const fresh = await api.addCamera(accountId, zoneId, 'Attic')
    const { body } = await api.call(token, 'GET accounts/self/storage?from=2026-07-01&till=2026-07-01')
    expect(body.cameras).toMatchObject([
      { cameraId: fresh, bytes: 0, oldestRecording: null },
      { cameraId: door, bytes: 0, oldestRecording: '2026-07-09T21:45:00.000+00:00' },
      { name: 'Yard' },
    ])
  })

  test("the default span is the 31 days up to today in the account's time zone", async () => {
    const { token } = await shop()
    api.now = Date.UTC(2026, 6, 20, 22, 30)
    const { body } = await api.call(token, 'GET accounts/self/storage')
    expect(body).toMatchObject({ from: '2026-06-21', till: '2026-07-21', bytes: 5500 })
    expect(body.days).toHaveLength(31)
  })

  test('a sub-user with the right storageUsage sees only the storage of cameras in scope', async () => {
    const { accountId, yard } = await shop()
    const path = 'GET accounts/self/storage?from=2026-07-08&till=2026-07-10'
    const guard = await api.addSubUser(accountId, { rights: ['storageUsage'], cameraIds: [yard] })
    const seen = (await api.call(guard.token, path)).body
    expect(seen).toMatchObject({ bytes: 1000, hours: 0.5, cameras: [{ cameraId: yard }] })
    expect(seen.cameras).toHaveLength(1)
    expect(seen.days.map(({ bytes }: { bytes: number }) => bytes)).toEqual([0, 0, 1000])
    const without = await api.addSubUser(accountId, { rights: [], allCameras: true })
    expect((await api.call(without.token, path)).body).toMatchObject({ code: 9 })
    expect((await api.call(without.token, 'GET accounts/self/usage')).body).toMatchObject({ code: 9 })
  })

  test.each([
    'from=2026-02-31&till=2026-03-01',
    'from=2026-07-10&till=2026-07-09',
    'from=2020-01-01&till=2026-01-01',
    'from=yesterday',
  ])('a span of %s is refused (code 3)', async (query) => {
    const { token } = await api.addAccount()
    expect((await api.call(token, `GET accounts/self/storage?${query}`)).body).toMatchObject({ code: 3 })
  })

  test.each(['storage', 'usage'])('the %s of another account returns the same as for an unknown one', async (what) => {
    const [mine, theirs] = [await api.addAccount(), await api.addAccount()]
    expect((await api.call(mine.token, `GET accounts/${theirs.accountId}/${what}`)).body).toMatchObject({ code: 4 })
    expect((await api.call(mine.token, `GET accounts/999999999/${what}`)).body).toMatchObject({ code: 4 })
  })
})

describe('GET accounts/{id}/usage', () => {
  test('shows what the account uses and what its package and dealer allow', async () => {
    const resellerId = await api.addReseller()
    const packageId = 71
    await api.addPackage(packageId, { resellerId })
    const { accountId, token, zoneId } = await api.addAccount({ resellerId })
    const cameraId = await api.addCamera(accountId, zoneId, 'Door')
    await api.addSubUser(accountId, { rights: [] })
    const start = Date.UTC(2026, 0, 1)
    await record({ accountId, cameraId }, { start, end: start + HOUR_MS, bytes: 700 })
    await record({ accountId, cameraId }, { start: start - 1000, end: start - 1000, bytes: 0 })
    expect((await api.call(token, 'GET accounts/self/usage')).body).toEqual({
      cameras: 1,
      cameraSlots: null,
      devices: 0,
      deviceSlots: null,
      users: 1,
      maxUsers: 100,
      storageBytes: 700,
      maxStorageBytes: null,
      oldestRecording: '2026-01-01T00:00:00.000+00:00',
    })
    const staff = await api.addStaff({ resellerId })
    const path = `resellers/self/accounts/${accountId}`
    await api.call(staff.token, `PATCH ${path}/subscriptions/current`, { subscriptionId: packageId })
    await api.call(staff.token, `PATCH ${path}`, { maxSubUsers: 5 })
    expect((await api.call(token, 'GET accounts/self/usage')).body).toMatchObject({ cameraSlots: 10, maxUsers: 5 })
    const changed = { max_storage_bytes: 5000, retention_hours: 99 }
    await api.owner.plain.updateTable('subscription_packages').set(changed).execute()
    expect((await api.call(token, 'GET accounts/self/usage')).body).toMatchObject({ maxStorageBytes: 5000 })
    // The account's cameras follow its package.
    const cameras = api.owner.plain.selectFrom('cameras').where('camera_id', '=', cameraId).select('retention_hours')
    expect(await cameras.execute()).toEqual([{ retention_hours: 99 }])
  })
})

test('a query longer than five seconds is stopped (code 19)', async () => {
  const { token } = await shop()
  const answers = await api.owner.transaction(async (tx) => {
    await sql`lock table recording_runs in access exclusive mode`.execute(tx)
    return Promise.all(['storage', 'usage'].map((what) => api.call(token, `GET accounts/self/${what}`)))
  })
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [504, 19],
    [504, 19],
  ])
})

describe('days in a time zone', () => {
  const begins = (timeZone: string, day: string) => new Date(listDays(timeZone, day, day).bounds[0] ?? 0).toISOString()
  const hours = (timeZone: string, day: string) => {
    const [start = 0, end = 0] = listDays(timeZone, day, day).bounds
    return (end - start) / HOUR_MS
  }
  test('a day has 23 hours when clocks go forward and 25 when they go back', () => {
    expect(hours('Europe/Amsterdam', '2026-03-29')).toBe(23)
    expect(hours('Europe/Amsterdam', '2026-10-25')).toBe(25)
    expect(hours('Asia/Kolkata', '2026-10-25')).toBe(24)
  })
  test('a day starts at one if clocks go forward at midnight', () => {
    expect(begins('America/Asuncion', '2023-10-01')).toBe('2023-10-01T04:00:00.000Z')
    expect(hours('America/Asuncion', '2023-10-01')).toBe(23)
  })
  test('a day starts at the second midnight if clocks go back at midnight', () => {
    expect(begins('America/Asuncion', '2023-03-26')).toBe('2023-03-26T04:00:00.000Z')
    expect(hours('America/Asuncion', '2023-03-25')).toBe(25)
  })
})
