import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, idSource, openDatabase } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { envelopeEncryption } from '@sightline/platform/envelope-encryption'
import { silentLogger } from '@sightline/platform/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyService } from './key-service.ts'
import { LEASE_MS } from './lease-keeper.ts'
import { leaseRenewals } from './lease-renewals.ts'
import { type HeldLease, renewLeases, takeLease } from './lease-store.ts'
import { openMediaWorker } from './media-worker.ts'

let database: TestDatabase
let owner: Db
let db: Db
const accountId = 1001
beforeAll(async () => {
  database = await testDatabase()
  owner = database.db('owner')
  db = database.db('media')
  await owner.plain.insertInto('distributors').values({ distributor_id: 1, name: 'd' }).execute()
  await owner.plain.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'r' }).execute()
  await owner.plain.insertInto('accounts').values({ account_id: accountId, reseller_id: 255, name: 'a' }).execute()
  await owner.plain.insertInto('zones').values({ account_id: accountId, zone_id: 5, name: 'z' }).execute()
})
afterAll(() => database[Symbol.asyncDispose]())

/** A camera that is nowhere. */
async function addCamera(cameraId: number): Promise<void> {
  const camera = { name: 'c', eth_mac_address: '', address: '192.0.2.1', rtsp_port: 554, main_path: '/' }
  await owner.plain
    .insertInto('cameras')
    .values({ account_id: accountId, camera_id: cameraId, zone_id: 5, ...camera })
    .execute()
}

test('a lease belongs to one worker, and its fence increases each time it is taken', async () => {
  await addCamera(1)
  const take = (workerId: string, now: number) =>
    takeLease(db, { above: 0, accountId, cameraId: 1, workerId, now, expiresAt: now + LEASE_MS })
  const start = Date.now()
  expect(await take('one', start)).toEqual({ fence: 1, isTakeover: false })
  expect(await take('two', start + 5000)).toBeUndefined()
  expect(await take('one', start + 5000)).toEqual({ fence: 2, isTakeover: false })
  expect(await take('two', start + 20_000)).toEqual({ fence: 3, isTakeover: true })
  expect(await take('one', start + 21_000)).toBeUndefined()
})

test('an expired lease keeps its fence until another worker takes it', async () => {
  for (const cameraId of [2, 3]) await addCamera(cameraId)
  const start = Date.now()
  const held = async (cameraId: number): Promise<HeldLease> => {
    const key = { accountId, cameraId, workerId: 'one' }
    const taken = await takeLease(db, { above: 0, ...key, now: start, expiresAt: start + LEASE_MS })
    return { cameraId, fence: taken?.fence ?? 0 }
  }
  const leases = [await held(2), await held(3)]
  const late = start + 60_000
  await takeLease(db, { above: 0, accountId, cameraId: 3, workerId: 'two', now: late, expiresAt: late + LEASE_MS })
  const renew = leaseRenewals((batch) =>
    renewLeases(db, { workerId: 'one', leases: batch, expiresAt: late + LEASE_MS }),
  )
  expect(await Promise.all(leases.map(renew))).toEqual(['held', 'takeover'])
  const row = await owner.plain
    .selectFrom('camera_leases')
    .selectAll()
    .where('camera_id', '=', 2)
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ fence: 1, worker_id: 'one', expires_at: late + LEASE_MS })
})

test('leases that fall due during a renewal are renewed together', async () => {
  const batches: number[] = []
  const gate = Promise.withResolvers<void>()
  const renew = leaseRenewals(async (leases) => {
    batches.push(leases.length)
    await gate.promise
    return new Map(leases.map(({ cameraId }) => [cameraId, 'held']))
  })
  const lease = (cameraId: number): HeldLease => ({ cameraId, fence: 1 })
  const first = renew(lease(1))
  await Promise.resolve()
  const rest = Array.from({ length: 200 }, (_, n) => renew(lease(n + 2)))
  gate.resolve()
  expect(await Promise.all([first, ...rest])).toEqual(Array.from({ length: 201 }, () => 'held'))
  expect(batches.length).toBeLessThanOrEqual(2)
})

test('leases are renewed while viewers keep all other connections busy', async () => {
  await addCamera(9)
  const store = await mkdtemp(join(tmpdir(), 'sightline-store-'))
  const viewers = database.db('media')
  await using leaseDb = openDatabase({
    connection: database.connection,
    role: 'media',
    maxConnections: 1,
    applicationName: 'leases',
    log: silentLogger,
  })
  const worker = await openMediaWorker({
    workerId: 'busy',
    db: viewers,
    leaseDb,
    ids: idSource(viewers),
    keyService: keyService({
      db: viewers,
      kek: new Uint8Array(32),
      encryption: envelopeEncryption(Buffer.alloc(32, 1)),
    }),
    encryptsFootage: true,
    store,
    storeLimitBytes: undefined,
    s3: undefined,
    memoryBytes: 1e9,
    legalFolder: store,
    cameraNetworks: [],
    decoder: undefined,
    streamLimits: { perPerson: 40, perAccount: 200 },
    socketPath: undefined,
    log: silentLogger,
    now: Date.now,
  })
  const lease = () =>
    owner.plain
      .selectFrom('camera_leases')
      .select(['expires_at', 'fence'])
      .where('camera_id', '=', 9)
      .executeTakeFirst()
  await expect.poll(lease).toBeDefined()
  const done = Promise.withResolvers<void>()
  const lent: Promise<void>[] = []
  let begun = 0
  for (let n = 0; n < 20; n += 1) {
    lent.push(
      viewers.transaction(async () => {
        begun += 1
        await done.promise
      }),
    )
  }
  await expect.poll(() => begun).toBeGreaterThan(0)
  const before = await lease()
  await expect.poll(async () => (await lease())?.expires_at).toBeGreaterThan(before?.expires_at ?? 0)
  expect(begun).toBeLessThan(20)
  expect((await lease())?.fence).toBe(before?.fence)
  done.resolve()
  await Promise.all(lent)
  await worker[Symbol.asyncDispose]()
  await rm(store, { recursive: true })
})
