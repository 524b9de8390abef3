import { instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { footage, playTracks } from '../../../../tests/fixtures/footage.ts'
import { databaseRunLog, onDisk, SyncGroup } from '../recording/index.ts'
import { CAMERA, filesBelow, removeTemporaryFolders, stage, TEN_THIRTY } from '../recording/recording-stage.ts'
import { recordErasure } from './deletion-ledger-store.ts'
import { storageSweeper } from './storage-sweeper.ts'

const HOUR = 3_600_000
const NOW = TEN_THIRTY + HOUR
const { accountId, cameraId } = CAMERA

const group = new SyncGroup({ delayMs: 1 })
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  const owner = database.db('owner').plain
  await owner.insertInto('distributors').values({ distributor_id: 1, name: 'D' }).execute()
  await owner.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'R' }).execute()
  await owner.insertInto('accounts').values({ account_id: accountId, reseller_id: 255, name: 'A' }).execute()
  await owner.insertInto('zones').values({ account_id: accountId, zone_id: 1, name: 'Z' }).execute()
  const camera = { account_id: accountId, camera_id: cameraId, zone_id: 1, name: 'C' }
  const connection = { eth_mac_address: '', address: '', rtsp_port: 554, main_path: '' }
  await owner
    .insertInto('cameras')
    .values({ ...camera, ...connection })
    .execute()
})
afterAll(async () => {
  await group[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await removeTemporaryFolders()
})

let requests = 0
async function ask(from: number, till: number): Promise<number> {
  const footage_deletion_request_id = ++requests
  const times = { started_at: instant(TEN_THIRTY + from), ended_at: instant(TEN_THIRTY + till) }
  const asked = { requested_by: 77, requested_at: instant(NOW) }
  await database.db('app').inTenant({ accountId, userId: 77 }, (tx) =>
    tx
      .insertInto('footage_deletion_requests')
      .values({ account_id: accountId, footage_deletion_request_id, camera_id: cameraId, ...times, ...asked })
      .execute(),
  )
  return footage_deletion_request_id
}

const answers = () =>
  database
    .db('media')
    .plain.selectFrom('footage_deletion_requests')
    .select(['footage_deletion_request_id as id', 'status', 'deny_reason as denied'])
    .orderBy('footage_deletion_request_id')
    .execute()

const ledger = () =>
  database.db('media').plain.selectFrom('footage_deletions').selectAll().orderBy('footage_deletion_id').execute()

test('a range that a user wants deleted is deleted, unless it is locked or new, and the ledger has it', async () => {
  const set = await stage({ segmentMs: 10_000 })
  set.show(...playTracks([footage('high.h264')], { seconds: 60, wallClock: TEN_THIRTY }))
  await set.stop()
  const before = await filesBelow(set.store)
  const lock = {
    account_id: accountId,
    camera_id: cameraId,
    footage_lock_id: 1,
    locked_by: 77,
    locked_at: instant(NOW),
  }
  await database
    .db('owner')
    .plain.insertInto('footage_locks')
    .values({ ...lock, started_at: instant(TEN_THIRTY + 50_000), ended_at: instant(TEN_THIRTY + 55_000) })
    .execute()
  const ids = [await ask(-HOUR, 25_000), await ask(49_000, 51_000), await ask(0, HOUR)]
  {
    await using runs = databaseRunLog(database.db('media'), silentLogger, { store: set.store })
    await using _ = storageSweeper({
      db: database.db('media'),
      keys: { erase: async () => undefined, find: async () => undefined },
      log: silentLogger,
      now: () => NOW,
      store: set.store,
      storeLimitBytes: undefined,
      files: onDisk,
      copier: { eraseKey: async () => undefined, eraseAccount: async () => undefined },
      group,
      runs,
      membership: { keeps: () => true, isFirstOnDisk: true, isSteady: true },
      disk: 'disk',
      letGo: async () => undefined,
      databaseNow: () => NOW,
      everyMs: 20,
    })
    await expect.poll(answers, { timeout: 20_000 }).toEqual([
      { id: ids[0], status: 'done', denied: null },
      { id: ids[1], status: 'refused', denied: 'locked' },
      { id: ids[2], status: 'refused', denied: 'tooNew' },
    ])
  }
  expect((await filesBelow(set.store)).length).toBe(before.length - 3)
  expect(await ledger()).toMatchObject([
    { camera_id: cameraId, stream: 'main', segments: 4, reason: 'user', deleted_by: 77, deleted_at: NOW },
  ])
  expect((await ledger())[0]?.started_at).toBe(TEN_THIRTY)
})

test('the ledger can be added to, and not changed, by either plane', async () => {
  expect((await ledger()).length).toBeGreaterThan(0)
  const media = database.db('media').plain
  await expect(media.updateTable('footage_deletions').set({ bytes: 0 }).execute()).rejects.toThrow(/permission denied/)
  await expect(media.deleteFrom('footage_deletions').execute()).rejects.toThrow(/permission denied/)
  const { rows } = await sql`
    select has_table_privilege('sightline_app', 'footage_deletions', privilege) as allowed
      from unnest(array['insert', 'update', 'delete', 'truncate']) privilege`.execute(database.db('owner').plain)
  expect(rows).toEqual(Array.from({ length: 4 }, () => ({ allowed: false })))
})

test('an erased account leaves a row for each stream that it had footage of', async () => {
  const [time, end] = [instant(TEN_THIRTY), instant(TEN_THIRTY + 1000)]
  const run = { account_id: accountId, camera_id: cameraId, run_id: 'a'.repeat(32), started_at: time, ended_at: end }
  await database
    .db('media')
    .plain.insertInto('recording_runs')
    .values({ ...run, stream: 'sub', bytes: 12 })
    .execute()
  await recordErasure(database.db('media'), accountId, NOW)
  expect((await ledger()).filter(({ reason }) => reason === 'erasure')).toMatchObject([
    { stream: 'sub', bytes: 12, deleted_by: null, started_at: TEN_THIRTY },
  ])
  await recordErasure(database.db('media'), accountId, NOW)
  expect((await ledger()).filter(({ reason }) => reason === 'erasure')).toHaveLength(1)
})
