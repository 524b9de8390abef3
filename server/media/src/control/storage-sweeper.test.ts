import { setTimeout as sleep } from 'node:timers/promises'
import { instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { type Logger, silentLogger } from '@sightline/platform/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { onDisk, SyncGroup } from '../recording/index.ts'
import {
  CAMERA,
  filesBelow,
  MemoryRunLog,
  removeTemporaryFolders,
  stage,
  TEN_THIRTY,
} from '../recording/recording-stage.ts'
import { storageSweeper } from './storage-sweeper.ts'

const HOUR = 3_600_000
const { accountId, cameraId } = CAMERA

const group = new SyncGroup()
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  const owner = database.db('owner').plain
  await owner.insertInto('distributors').values({ distributor_id: 1, name: 'D' }).execute()
  await owner.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'R' }).execute()
  await owner.insertInto('accounts').values({ account_id: accountId, reseller_id: 255, name: 'A' }).execute()
})
afterAll(async () => {
  await group[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await removeTemporaryFolders()
})

/** A minute of footage of a camera that was removed just after it, with two hours of retention. */
async function removedCamera(): Promise<string> {
  const set = await stage({ segmentMs: 10_000 })
  set.show(...playTracks([footage('high.h264')], { seconds: 60, wallClock: TEN_THIRTY }))
  await set.stop()
  const row = { account_id: accountId, camera_id: cameraId, retention_hours: 2, removed_at: instant(TEN_THIRTY) }
  const owner = database.db('owner').plain
  await owner.deleteFrom('removed_cameras').execute()
  await owner.insertInto('removed_cameras').values(row).execute()
  return set.store
}

const sweeping = (
  store: string,
  now: () => number,
  more: { readonly log?: Logger; readonly databaseNow?: () => number; readonly monotonic?: () => number } = {},
) =>
  storageSweeper({
    db: database.db('media'),
    keys: { erase: async () => undefined, find: async () => undefined },
    log: silentLogger,
    now,
    databaseNow: now,
    store,
    storeLimitBytes: undefined,
    files: onDisk,
    copier: { eraseKey: async () => undefined, eraseAccount: async () => undefined },
    group,
    runs: new MemoryRunLog(),
    membership: { keeps: () => true, isFirstOnDisk: true, isSteady: true },
    disk: 'disk',
    letGo: async () => undefined,
    everyMs: 20,
    ...more,
  })

test('footage of a removed camera ages out, to the last segment', async () => {
  const store = await removedCamera()
  // Less than an hour before: a clock that jumps further isn't trusted.
  let now = TEN_THIRTY + 1.5 * HOUR
  await using _ = sweeping(store, () => now)
  const before = await filesBelow(store)
  expect(before.length).toBeGreaterThan(3)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await filesBelow(store)).toEqual(before)
  now += 0.5 * HOUR + 60_000
  await expect.poll(() => filesBelow(store)).toEqual([])
})

test.each([
  ['has failed', { status: 'Failed' }],
  ['was canceled', { removed_at: instant(TEN_THIRTY) }],
] as const)('footage that an export needs outlives its age until the export %s', async (_, end) => {
  const store = await removedCamera()
  const owner = database.db('owner').plain
  const key = { account_id: accountId, export_id: 1 }
  await owner.deleteFrom('exports').execute()
  const span = { started_at: instant(TEN_THIRTY), ended_at: instant(TEN_THIRTY + 60_000) }
  const wanted = { user_id: 1, camera_ids: [cameraId], format: 'mp4', has_password: false, estimated_bytes: 1 } as const
  const row = { ...key, ...span, ...wanted, status: 'InProgress', created_at: instant(TEN_THIRTY) } as const
  await owner.insertInto('exports').values(row).execute()
  const before = await filesBelow(store)
  let time = TEN_THIRTY + 1.5 * HOUR
  let looked = 0
  const now = () => {
    looked += 1
    return time
  }
  await using _sweeper = sweeping(store, now)
  await expect.poll(() => looked).toBeGreaterThan(2)
  time += 0.5 * HOUR + 61_000
  const aged = looked
  await expect.poll(() => looked).toBeGreaterThan(aged + 20)
  expect(await filesBelow(store)).toEqual(before)
  await owner.updateTable('exports').set(end).where('export_id', '=', 1).execute()
  await expect.poll(() => filesBelow(store)).toEqual([])
})

/** Takes what is logged as an error, and what is logged about the end of it. */
function listen(): { readonly logged: string[]; readonly log: Logger } {
  const logged: string[] = []
  const take = (text: string) => void logged.push(text)
  return { logged, log: { ...silentLogger, error: take, info: take } as unknown as Logger }
}

test('after months the clock is confirmed by a steady day, which is logged; then footage ages out, and the camera is forgotten', async () => {
  const store = await removedCamera()
  const before = await filesBelow(store)
  let passed = 0
  const { logged, log } = listen()
  const clocks = { log, monotonic: () => passed }
  await using _ = sweeping(store, () => TEN_THIRTY + 2000 * HOUR + passed, clocks)
  await expect.poll(() => logged).toEqual([expect.stringContaining('more than a day ahead of the last footage')])
  await sleep(300)
  expect(await filesBelow(store)).toEqual(before)
  const removed = () => database.db('media').plain.selectFrom('removed_cameras').select('camera_id').execute()
  expect(await removed()).toHaveLength(1)
  passed += 25 * HOUR
  await expect.poll(() => filesBelow(store)).toEqual([])
  expect(logged.at(-1)).toBe('footage is deleted by age again')
  await expect.poll(removed).toEqual([])
})

test("footage stays while this machine's clock and the database's disagree, which is logged", async () => {
  const store = await removedCamera()
  const before = await filesBelow(store)
  let ahead = 3 * HOUR
  const { logged, log } = listen()
  const now = () => TEN_THIRTY + ahead
  await using _ = sweeping(store, now, { log, databaseNow: () => TEN_THIRTY + 100_000 })
  await expect.poll(() => logged).toEqual([expect.stringContaining("differs from the database's by more than an hour")])
  await sleep(300)
  expect(await filesBelow(store)).toEqual(before)
  ahead = 100_000
  await expect.poll(() => logged).toContain('footage is deleted by age again')
  expect(await filesBelow(store)).toEqual(before)
})

test('a clock that jumped is logged once, and no footage is deleted', async () => {
  const store = await removedCamera()
  const before = await filesBelow(store)
  let now = TEN_THIRTY + HOUR
  const { logged, log } = listen()
  await using _ = sweeping(store, () => now, { log })
  // So that the clock is known before it jumps.
  await sleep(500)
  now += 24 * HOUR
  await expect.poll(() => logged).toEqual([expect.stringContaining('jumped by more than an hour')])
  await sleep(500)
  expect(logged).toHaveLength(1)
  expect(await filesBelow(store)).toEqual(before)
})
