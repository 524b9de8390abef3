import { type TestDatabase, testDatabase } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cameraNetworks } from './camera-networks.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  const owner = database.db('owner')
  await owner.plain.insertInto('distributors').values({ distributor_id: 1, name: 'D' }).execute()
  await owner.plain.insertInto('resellers').values({ reseller_id: 255, distributor_id: 1, name: 'R' }).execute()
  for (const account_id of [1001, 1002])
    await owner.plain.insertInto('accounts').values({ account_id, reseller_id: 255, name: 'A' }).execute()
})
afterAll(() => database[Symbol.asyncDispose]())

const SETTING = ['192.168.0.0/16', '127.0.0.0/8']

test('as long as nothing is assigned, every account has the networks of the setting; then only what is its own', async () => {
  const networks = cameraNetworks(database.db('media'), SETTING)
  await networks.refresh()
  expect(networks.networksOf(1001)).toEqual(SETTING)
  const assigned = database.db('owner').plain
  await assigned.insertInto('camera_networks').values({ account_id: 1001, network: '192.168.1.0/24' }).execute()
  await networks.refresh()
  expect(networks.networksOf(1001)).toEqual(['127.0.0.0/8', '192.168.1.0/24'])
  expect(networks.networksOf(1002)).toEqual(['127.0.0.0/8'])
  const { signal } = new AbortController()
  const reach = (accountId: number) => networks.connectOf(accountId)({ host: '192.168.1.64', port: 80, signal })
  expect(await reach(1002)).toMatchObject({ ok: false, failure: { kind: 'addressRefused' } })
})
