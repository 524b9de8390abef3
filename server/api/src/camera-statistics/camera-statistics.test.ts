import { MS_PER_HOUR, MS_PER_MINUTE } from '@sightline/platform/clock'
import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { cameraStatistics } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [cameraStatistics] })
  api.now = Date.UTC(2026, 10, 27, 10, 20, 30)
})
afterAll(() => api[Symbol.asyncDispose]())

async function oneCamera() {
  const account = await api.addAccount()
  const cameraId = await api.addCamera(account.accountId, account.zoneId, 'Door')
  const key = { account_id: account.accountId, camera_id: cameraId }
  const store = (at: number, row: { seconds?: 60 | 900; bytes: number; latency?: number | null; dropped?: number }) => {
    const { seconds = 60, bytes, latency = 40, dropped = 0 } = row
    const worst = latency === null ? null : latency * 2
    const values = { ...key, at: instant(at), seconds, bytes, dropped, latency_ms: latency, latency_max_ms: worst }
    return api.owner.plain
      .insertInto('camera_statistics')
      .values({ ...values, buffer_bytes: 4096 })
      .execute()
  }
  return { ...account, cameraId, store, path: `cameras/${cameraId}/statistics` }
}

test('the last hour comes by minutes; a minute without a connection has no point', async () => {
  const { token, path, store, cameraId } = await oneCamera()
  const minute = Date.UTC(2026, 10, 27, 10, 19)
  await store(minute, { bytes: 7_500_000, dropped: 3 })
  await store(minute - 5 * MS_PER_MINUTE, { bytes: 750_000, latency: null })
  await store(minute - 2 * MS_PER_HOUR, { bytes: 1 })
  const { body } = await api.call(token, `GET ${path}`)
  expect(body).toEqual({
    cameraId,
    period: 'hour',
    from: '2026-11-27T09:21:00.000+00:00',
    till: '2026-11-27T10:21:00.000+00:00',
    pointSeconds: 60,
    points: [
      {
        time: '2026-11-27T10:14:00.000+00:00',
        bandwidth: 100,
        latency: null,
        maxLatency: null,
        droppedFrames: 0,
        buffer: 4,
      },
      {
        time: '2026-11-27T10:19:00.000+00:00',
        bandwidth: 1000,
        latency: 40,
        maxLatency: 80,
        droppedFrames: 3,
        buffer: 4,
      },
    ],
  })
})

test('a day is summed by quarters of an hour from minutes, a week by two hours from quarters', async () => {
  const { token, path, store } = await oneCamera()
  const quarter = Date.UTC(2026, 10, 27, 9, 45)
  await store(quarter, { bytes: 7_500_000, latency: 20, dropped: 1 })
  await store(quarter + 14 * MS_PER_MINUTE, { bytes: 15_000_000, latency: 40, dropped: 2 })
  await store(Date.UTC(2026, 10, 24, 6), { seconds: 900, bytes: 112_500_000, latency: 10 })
  await store(Date.UTC(2026, 10, 24, 7, 45), { seconds: 900, bytes: 0, latency: 30 })
  const day = (await api.call(token, `GET ${path}?period=day`)).body
  expect(day).toMatchObject({ pointSeconds: 900, till: '2026-11-27T10:30:00.000+00:00' })
  // The average of the two minutes that were connected, not of fifteen.
  const summed = { bandwidth: 1500, latency: 30, maxLatency: 80, droppedFrames: 3 }
  expect(day.points).toMatchObject([{ time: '2026-11-27T09:45:00.000+00:00', ...summed }])
  const week = (await api.call(token, `GET ${path}?period=week`)).body
  expect(week).toMatchObject({ pointSeconds: 7200, till: '2026-11-27T12:00:00.000+00:00' })
  expect(week.points).toMatchObject([{ time: '2026-11-24T06:00:00.000+00:00', bandwidth: 500, latency: 20 }])
})

test('another period is refused; it needs the right logFiles and access to the camera', async () => {
  const { accountId, cameraId, token, path } = await oneCamera()
  expect(await api.call(token, `GET ${path}?period=year`)).toMatchObject({ status: 400, body: { code: 3 } })
  const viewer = await api.addSubUser(accountId, { rights: ['CameraView', 'editCamera'], cameraIds: [cameraId] })
  const reader = await api.addSubUser(accountId, { rights: ['logFiles'], cameraIds: [cameraId] })
  const elsewhere = await api.addSubUser(accountId, { rights: ['logFiles'] })
  const stranger = await api.addAccount()
  const statuses = [viewer, reader, elsewhere, stranger].map(
    async (who) => (await api.call(who.token, `GET ${path}`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([403, 200, 404, 404])
})
