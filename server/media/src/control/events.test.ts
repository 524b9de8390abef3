import { MS_PER_DAY } from '@sightline/platform/clock'
import { idSource, instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { saveOutcome } from './addition-store.ts'
import type { CameraLogRecord } from './camera-log.ts'
import { insertDetections, keepEventMonths } from './event-store.ts'
import { insertLogEntries } from './store.ts'

const NOON = Date.UTC(2026, 0, 1, 12)

let database: TestDatabase
let [accountId, cameraId] = [0, 0]
beforeAll(async () => {
  database = await testDatabase()
  const owner = database.db('owner')
  const ids = idSource(owner)
  accountId = await ids.next()
  cameraId = await ids.next()
  const zoneId = await ids.next()
  const db = owner.plain
  await db.insertInto('distributors').values({ distributor_id: 1, name: 'Distributor' }).execute()
  await db.insertInto('resellers').values({ reseller_id: 2, distributor_id: 1, name: 'Reseller' }).execute()
  await db.insertInto('accounts').values({ account_id: accountId, reseller_id: 2, name: 'Shop' }).execute()
  await db.insertInto('zones').values({ account_id: accountId, zone_id: zoneId, name: 'Shop' }).execute()
  await db
    .insertInto('cameras')
    .values({
      account_id: accountId,
      camera_id: cameraId,
      zone_id: zoneId,
      name: 'Door',
      eth_mac_address: '',
      address: '192.0.2.7',
      rtsp_port: 554,
      main_path: '/main',
    })
    .execute()
})
beforeEach(() => database.db('owner').plain.deleteFrom('events').execute())
afterAll(() => database[Symbol.asyncDispose]())

const entry = (event: CameraLogRecord['event'], seconds: number): CameraLogRecord => ({
  accountId,
  cameraId,
  at: NOON + seconds * 1000,
  level: 'info',
  event,
  detail: 'the camera at 192.0.2.7 closed the connection',
})
const write = (...entries: readonly CameraLogRecord[]) => insertLogEntries(database.db('media'), entries)

async function events() {
  const rows = await database.db('owner').plain.selectFrom('events').selectAll().orderBy('event_id').execute()
  const seconds = (at: number | null) => (at === null ? undefined : (at - NOON) / 1000)
  return rows.map((row) => [row.type, seconds(row.at), seconds(row.ended_at)])
}

test('an absence is one event that lasts until the camera is back, however often its cause changes', async () => {
  await write(entry('connected', 0), entry('connectionLost', 10))
  await write(entry('connectionFailed', 20), entry('credentialsRefused', 30))
  expect(await events()).toEqual([['cameraOffline', 10, undefined]])
  await write(entry('connected', 40))
  expect(await events()).toEqual([
    ['cameraOffline', 10, 40],
    ['cameraOnline', 40, 40],
  ])
  const [row] = await database.db('owner').plain.selectFrom('events').selectAll().orderBy('event_id').execute()
  // Addresses of cameras are for those with the right to its log.
  expect(row).toMatchObject({ source_name: 'Door', source_id: cameraId, data: { reason: 'connectionLost' } })
})

test('a recording that stops and starts again is an event, with its cause; a start of the server is no event', async () => {
  await write(entry('connected', 0), entry('recordingStarted', 1))
  expect(await events()).toEqual([])
  await write(entry('recordingFailed', 10), entry('recordingStarted', 25))
  expect(await events()).toEqual([
    ['recordingStopped', 10, 25],
    ['recordingStarted', 25, 25],
  ])
})

test('a camera that was added is an event, one that could not be is none', async () => {
  const media = database.db('media')
  const owner = database.db('owner').plain
  const camera = { accountId, cameraId, additionStartedAt: NOON }
  const start = () =>
    owner
      .updateTable('cameras')
      .set({ addition_status: 'inProgress', addition_started_at: instant(NOON) })
      .where('camera_id', '=', cameraId)
      .execute()
  await start()
  await saveOutcome(media, camera, { status: 'failure', subStatus: 'deviceOffline', lastStep: null, at: NOON + 1000 })
  expect(await events()).toEqual([])
  await start()
  await saveOutcome(media, camera, { status: 'added', subStatus: 'none', lastStep: 'recording', at: NOON + 2000 })
  await saveOutcome(media, camera, { status: 'added', subStatus: 'none', lastStep: 'recording', at: NOON + 3000 })
  expect(await events()).toEqual([['cameraAdded', 2, 2]])
})

test('the same entries again write no event twice', async () => {
  const lines = [entry('connectionLost', 10), entry('connected', 20)]
  await write(...lines)
  const once = await events()
  await write(...lines)
  expect(await events()).toEqual(once)
})

test('each change of an event has a later position', async () => {
  const positions = async () => {
    const db = database.db('owner').plain
    return (await db.selectFrom('events').select('position').orderBy('event_id').execute()).map((row) => row.position)
  }
  await write(entry('connectionLost', 10))
  const [start = 0] = await positions()
  await write(entry('connected', 20))
  const [end = 0, online = 0] = await positions()
  expect(end).toBeGreaterThan(start)
  expect(online).toBeGreaterThan(end)
})

test('months of events are made ahead and removed when they are too old', async () => {
  const media = database.db('media')
  const owner = database.db('owner').plain
  const monthsOf = async () => {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'event_partitions' and c.relkind = 'r' and c.relname like 'events\\_2026%' order by 1`.execute(
      owner,
    )
    return rows.map(({ name }) => name)
  }
  const source = { source_kind: 'camera', source_name: 'Door', camera_id: cameraId, type: 'custom' } as const
  const add = (at: number) =>
    owner
      .insertInto('events')
      .values({ account_id: accountId, at: instant(at), ...source, once_key: String(at) })
      .execute()
  await sql`drop table if exists event_partitions.events_202611, event_partitions.events_202612`.execute(owner)
  await keepEventMonths(media, NOON)
  expect(await monthsOf()).toEqual(['events_202601', 'events_202602', 'events_202603'])
  await add(NOON)
  await add(NOON - 100 * MS_PER_DAY)
  await add(NOON + 70 * MS_PER_DAY)
  // 2026-03-12 has a partition; its year is over only with the month.
  await keepEventMonths(media, NOON + 400 * MS_PER_DAY)
  expect(await monthsOf()).toEqual(['events_202602', 'events_202603'])
  expect((await owner.selectFrom('events').select('once_key').execute()).map((row) => row.once_key)).toEqual([
    String(NOON + 70 * MS_PER_DAY),
  ])
  // The same again changes nothing.
  await keepEventMonths(media, NOON + 400 * MS_PER_DAY)
  expect(await monthsOf()).toEqual(['events_202602', 'events_202603'])
})

test('what is detected is an event from its beginning to its end; what a killed worker left open ends when the camera was last seen', async () => {
  const motion = (change: 'begins' | 'ends', seconds: number) =>
    ({ accountId, cameraId, type: 'motion', at: NOON + seconds * 1000, change, detectedBy: 'server' }) as const
  const detect = (...records: Parameters<typeof insertDetections>[1]) =>
    database.db('media').transaction((tx) => insertDetections(tx, records))
  await detect(motion('begins', 10), motion('begins', 10), motion('ends', 15), motion('begins', 20))
  expect(await events()).toEqual([
    ['motion', 10, 15],
    ['motion', 20, undefined],
  ])
  const seen = { account_id: accountId, camera_id: cameraId, online: true, last_seen: instant(NOON + 30_000) }
  await database.db('owner').plain.insertInto('camera_status').values(seen).execute()
  await detect({ accountId, cameraId, change: 'lost' }, motion('begins', 60))
  expect(await events()).toEqual([
    ['motion', 10, 15],
    ['motion', 20, 30],
    ['motion', 60, undefined],
  ])
})
