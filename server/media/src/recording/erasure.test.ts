import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { eraseAccount, listAccounts } from './erasure.ts'
import { MemoryRunLog, removeTemporaryFolders, temporaryFolder } from './recording-stage.ts'
import { storeKeeper } from './retention.ts'
import { SyncGroup } from './sync-group.ts'

afterAll(removeTemporaryFolders)

const SEGMENT = `1793527200000-1-${'a'.repeat(32)}.seg`

/** A store with a segment of each account. */
async function storeOf(...accounts: readonly number[]): Promise<string> {
  const store = await temporaryFolder()
  for (const account of accounts) {
    const hour = join(store, String(account), '7', 'main', '2026-11-01', '10')
    await mkdir(hour, { recursive: true })
    await writeFile(join(hour, SEGMENT), 'canary')
    await writeFile(join(hour, 'manifest.jsonl'), '{}\n')
  }
  return store
}

test('everything of the account is erased, including manifests, and nothing of another', async () => {
  const store = await storeOf(1001, 1002)
  await eraseAccount(store, 1001, new SyncGroup())
  expect(await readdir(store)).toEqual(['1002'])
  expect(await listAccounts(store)).toEqual([1002])
  expect(await readdir(join(store, '1002', '7', 'main', '2026-11-01', '10'))).toContain(SEGMENT)
})

test('leftovers of an erasure after a crash are listed as that account and erased next time', async () => {
  const store = await storeOf(1001, 1002)
  await mkdir(join(store, 'erased-1001', '7'), { recursive: true })
  await mkdir(join(store, 'erased-1003', '7'), { recursive: true })
  expect([...(await listAccounts(store))].sort()).toEqual([1001, 1002, 1003])
  for (const account of [1001, 1003]) await eraseAccount(store, account, new SyncGroup())
  expect(await readdir(store)).toEqual(['1002'])
})

test('an account without footage changes nothing', async () => {
  const store = await storeOf(1002)
  await eraseAccount(store, 1001, new SyncGroup())
  expect(await readdir(store)).toEqual(['1002'])
})

test("erased footage doesn't count toward the store's limit", async () => {
  const store = await storeOf(1001, 1002)
  const settings = { store, group: new SyncGroup(), runs: new MemoryRunLog(), now: () => 1_793_527_300_000 }
  const keeper = storeKeeper(settings)
  expect((await keeper.sweep()).bytes).toBe(12)
  await eraseAccount(store, 1001, new SyncGroup())
  expect((await keeper.sweep()).bytes).toBe(6)
})
