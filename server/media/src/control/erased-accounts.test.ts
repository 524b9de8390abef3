import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, instant } from '@sightline/platform/db'
import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { silentLogger } from '@sightline/platform/log'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eraseAccount, SyncGroup } from '../recording/index.ts'
import { eraseGoneAccounts } from './erased-accounts.ts'

let database: TestDatabase
let owner: Db
let store: string
beforeAll(async () => {
  database = await testDatabase()
  owner = database.db('owner')
  await owner.plain.insertInto('distributors').values({ distributor_id: 1, name: 'D' }).execute()
  await owner.plain.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'R' }).execute()
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  store = await mkdtemp(join(tmpdir(), 'sightline-store-'))
  for (const account of ['1001', '1002']) {
    await mkdir(join(store, account, '7', 'main'), { recursive: true })
    await writeFile(join(store, account, '7', 'main', 'x.seg'), 'canary')
  }
  await owner.plain.deleteFrom('erasures').execute()
  await owner.plain.deleteFrom('recording_runs').execute()
  await owner.plain.deleteFrom('footage_heads').execute()
  for (const account_id of [1001, 1002]) {
    const run = { camera_id: 7, stream: 'main' as const, run_id: 'a'.repeat(32), bytes: 6 }
    await owner.plain
      .insertInto('recording_runs')
      .values({ account_id, ...run, started_at: instant(0), ended_at: instant(1000) })
      .execute()
    const head = { camera_id: 7, stream: 'main' as const, hour: 1, bytes: 1, line: '{}' }
    await owner.plain
      .insertInto('footage_heads')
      .values({ account_id, ...head })
      .execute()
  }
  return () => rm(store, { recursive: true })
})

const gone = (userId: number, accountId: number, eraseAfter = 0) =>
  owner.plain
    .insertInto('erasures')
    .values({ user_id: userId, account_id: accountId, removed_at: instant(0), erase_after: instant(eraseAfter) })
    .execute()
const letGo: string[] = []
const erase = (now = Date.now()) =>
  eraseGoneAccounts(
    { db: database.db('media'), store, now: () => now, log: silentLogger, group: new SyncGroup() },
    async () => void letGo.push('asked'),
  )
const runs = async () =>
  (await owner.plain.selectFrom('recording_runs').select('account_id').execute()).map((row) => row.account_id)
const erasedAt = async (userId: number) =>
  (
    await owner.plain
      .selectFrom('erasures')
      .select('footage_erased_at')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
  ).footage_erased_at

test("a deleted account's footage and rows are erased once its cameras are released, and no other account's", async () => {
  await gone(1001, 1001)
  letGo.length = 0
  await erase()
  expect(letGo).toEqual(['asked'])
  expect(await readdir(store)).toEqual(['1002'])
  expect(await runs()).toEqual([1002])
  const heads = await owner.plain.selectFrom('footage_heads').select('account_id').execute()
  expect(heads).toEqual([{ account_id: 1002 }])
  expect(await erasedAt(1001)).not.toBeNull()
})

test("an account whose footage can't be erased doesn't delay others, and is retried", async () => {
  for (const account of [1001, 1002]) await gone(account, account)
  const refused = async (folder: string, accountId: number, group: SyncGroup) => {
    if (accountId === 1001) throw new Error('EIO: i/o error')
    await eraseAccount(folder, accountId, group)
  }
  const parts = { db: database.db('media'), store, now: Date.now, log: silentLogger, group: new SyncGroup() }
  await eraseGoneAccounts({ ...parts, erase: refused }, async () => undefined)
  expect(await readdir(store)).toEqual(['1001'])
  expect([await erasedAt(1001), await erasedAt(1002)]).toEqual([null, expect.anything()])
  await eraseGoneAccounts(parts, async () => undefined)
  expect(await readdir(store)).toEqual([])
  expect(await erasedAt(1001)).not.toBeNull()
})

test('rows that arrive late are erased before the account is marked, and a disk that returns is cleared later', async () => {
  await gone(1001, 1001)
  await erase(1000)
  expect(await erasedAt(1001)).toBeNull()
  await erase()
  await mkdir(join(store, '1001', '7'), { recursive: true })
  await erase()
  expect(await readdir(store)).toEqual(['1002'])
})

test('nothing is erased early, for a user who only left an account, or for an account that still exists', async () => {
  await gone(1001, 1001, Date.now() + 60_000)
  await gone(77, 1002)
  await erase()
  expect(await readdir(store)).toEqual(['1001', '1002'])
  await owner.plain.insertInto('accounts').values({ account_id: 1002, reseller_id: 255, name: 'A' }).execute()
  const person = { first_name: 'A', last_name: 'B', email: 'a@demo.example', email_folded: 'a@demo.example' }
  await owner.plain
    .insertInto('users')
    .values({ account_id: 1002, user_id: 1002, reseller_id: 255, ...person })
    .execute()
  await gone(1002, 1002)
  await erase()
  expect(await readdir(store)).toEqual(['1001', '1002'])
})
