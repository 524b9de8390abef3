import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@sightline/platform/clock'
import { idSource, instant } from '@sightline/platform/db'
import { testDatabase } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { expect, test } from 'vitest'
import type { AccessUnit } from '../frame/index.ts'
import { CameraSampler } from './camera-sampler.ts'
import { type SampledCamera, StatisticsKeeper } from './statistics-keeper.ts'
import { dropOldStatistics, insertMinutes, sumQuarter } from './statistics-store.ts'

const keyframe = (time: number, wallClock: number) => {
  const unit: AccessUnit = { kind: 'video', time: time * 90, wallClock, isKey: true, units: [] }
  return { tracks: [], unit }
}
const received = (packets: number, droppedPictures = 0) => ({ packets, bytes: packets * 1000, droppedPictures })

test('a bucket is what was counted since the last one; one in which nothing arrived is none', () => {
  const sampler = new CameraSampler()
  sampler.add({ received: received(100), bufferBytes: 10, latest: keyframe(0, 1_000_000) })
  sampler.add({ received: received(150, 2), bufferBytes: 900, latest: keyframe(5000, 1_005_040) })
  sampler.add({ received: received(200, 2), bufferBytes: 20, latest: keyframe(10_000, 1_010_010) })
  expect(sampler.take()).toEqual({ bytes: 100_000, dropped: 2, latencyMs: 25, maxLatencyMs: 40, bufferBytes: 900 })
  sampler.add({ received: received(200, 2), bufferBytes: 0, latest: keyframe(10_000, 1_010_010) })
  expect(sampler.take()).toBeUndefined()
  // Another connection counts its times from zero: that is no delay of ten seconds.
  sampler.add({ received: received(210, 2), bufferBytes: 0, latest: keyframe(0, 1_080_000) })
  sampler.add({ received: received(220, 2), bufferBytes: 0, latest: keyframe(5000, 1_085_005) })
  expect(sampler.take()).toMatchObject({ bytes: 20_000, latencyMs: 5, maxLatencyMs: 5 })
})

test('minutes are written once a minute for all cameras, summed to quarters, and dropped when they are old', async () => {
  await using database = await testDatabase()
  const owner = database.db('owner')
  const media = database.db('media')
  const ids = idSource(owner)
  const [accountId, zoneId, cameraId] = [await ids.next(), await ids.next(), await ids.next()]
  await owner.plain.insertInto('distributors').values({ distributor_id: 1, name: 'D' }).execute()
  await owner.plain.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'R' }).execute()
  await owner.plain.insertInto('accounts').values({ account_id: accountId, reseller_id: 255, name: 'A' }).execute()
  await owner.plain.insertInto('zones').values({ account_id: accountId, zone_id: zoneId, name: 'Z' }).execute()
  const camera = { account_id: accountId, camera_id: cameraId, zone_id: zoneId, name: 'Door', address: '192.0.2.1' }
  const where = { rtsp_port: 554, main_path: '/', eth_mac_address: '02:00:00:00:00:01' }
  await owner.plain
    .insertInto('cameras')
    .values({ ...camera, ...where })
    .execute()
  const rows = () => owner.plain.selectFrom('camera_statistics').selectAll().orderBy('seconds').orderBy('at').execute()

  const quarter = Date.UTC(2026, 10, 27, 10, 15)
  let now = quarter + 13 * MS_PER_MINUTE + 1000
  let packets = 0
  const samples = (): SampledCamera[] => {
    packets += 60
    const sample = { accountId, received: received(packets), bufferBytes: 5, latest: undefined }
    // The second one was removed meanwhile.
    return [cameraId, cameraId + 1].map((id) => ({ ...sample, cameraId: id }))
  }
  {
    await using keeper = new StatisticsKeeper({
      db: media,
      samples,
      isFirst: () => true,
      log: silentLogger,
      now: () => now,
    })
    keeper.sample()
    now += 30_000
    keeper.sample()
    expect(await rows()).toEqual([])
    now += 30_000
    keeper.sample()
  }
  const at = quarter + 13 * MS_PER_MINUTE
  expect(await rows()).toMatchObject([{ camera_id: cameraId, seconds: 60, at, bytes: 120_000, latency_ms: null }])

  const more = { accountId, cameraId, dropped: 4, latencyMs: 10, maxLatencyMs: 30, bufferBytes: 50 }
  await insertMinutes(media, [{ ...more, at: at + MS_PER_MINUTE, bytes: 1000 }])
  for (let times = 0; times < 2; times++) await sumQuarter(media, quarter, quarter + 15 * MS_PER_MINUTE)
  const summed = { seconds: 900, at: quarter, bytes: 121_000, dropped: 4, latency_ms: 10, buffer_bytes: 50 }
  expect((await rows()).at(-1)).toMatchObject(summed)
  const old = { account_id: accountId, camera_id: cameraId, bytes: 1, dropped: 0, buffer_bytes: 0 }
  for (const seconds of [60, 900] as const)
    await owner.plain
      .insertInto('camera_statistics')
      .values({ ...old, seconds, at: instant(now - 9 * MS_PER_DAY) })
      .execute()
  await dropOldStatistics(media, { minutesBefore: now - 25 * MS_PER_HOUR, quartersBefore: now - 8 * MS_PER_DAY })
  expect(await rows()).toHaveLength(3)
})
