import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resellerAccounts } from '../reseller-accounts/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { insights } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [insights, resellerAccounts] })
})
afterAll(() => api[Symbol.asyncDispose]())

test("a reseller's accounts, cameras and users are counted, with those gained and lost", async () => {
  const resellerId = await api.addReseller()
  await api.addPackage(1, { resellerId })
  const { token } = await api.addStaff({ resellerId })
  const [one, two] = [await api.addAccount({ resellerId }), await api.addAccount({ resellerId })]
  const cameras = [
    await api.addCamera(one.accountId, one.zoneId, 'Door'),
    await api.addCamera(one.accountId, one.zoneId, 'Gate'),
    await api.addCamera(two.accountId, two.zoneId, 'Hall'),
  ]
  await api.owner.plain
    .insertInto('camera_status')
    .values({ account_id: one.accountId, camera_id: cameras[0] ?? 0, online: true })
    .execute()
  await api.owner.plain
    .insertInto('recording_runs')
    .values({
      account_id: one.accountId,
      camera_id: cameras[0] ?? 0,
      stream: 'main',
      run_id: 'a'.repeat(32),
      started_at: instant(api.now - 60_000),
      ended_at: instant(api.now),
      bytes: 5000,
    })
    .execute()
  await api.owner.plain
    .updateTable('accounts')
    .set({ status: 'inactive', user_type: 'trial' })
    .where('account_id', '=', two.accountId)
    .execute()
  const given = {
    contactDetails: { firstName: 'Gone', lastName: 'Soon' },
    email: `gone-${resellerId}@demo.example`,
    subscriptionId: 1,
  }
  const gone = await api.call(token, 'POST resellers/self/accounts', given)
  expect((await api.call(token, `DELETE resellers/self/accounts/${gone.body.accountId}`)).status).toBe(204)
  const answer = await api.call(token, 'GET resellers/self/insights?period=day')
  expect(answer).toMatchObject({
    status: 200,
    body: {
      resellerId,
      accounts: { total: 2, active: 1, inactive: 1, suspended: 0, trial: 1, new: 2, lost: 1 },
      cameras: { total: 3, online: 1, offline: 2 },
      users: 2,
      storageBytes: 5000,
    },
  })
  const some = await api.addStaff({ resellerId, accountIds: [two.accountId] })
  const theirs = await api.call(some.token, 'GET resellers/self/insights')
  expect(theirs.body).toMatchObject({
    accounts: { total: 1, lost: 0 },
    cameras: { total: 1, online: 0 },
    storageBytes: 0,
  })
  expect((await api.call(token, 'GET resellers/self/insights?period=decade')).body.code).toBe(3)
})

test('a moved account counts as lost at the old reseller and new at the other', async () => {
  const [from, to] = [await api.addReseller(), await api.addReseller()]
  const { accountId } = await api.addAccount({ resellerId: from })
  const long = new Date(0)
  await api.owner.plain
    .updateTable('accounts')
    .set(({ val }) => ({ created_at: val(long) as never }))
    .where('account_id', '=', accountId)
    .execute()
  const { token } = await api.addStaff({ level: 'distributor' })
  const moved = await api.call(token, `PUT resellers/${from}/accounts/${accountId}/reseller`, { resellerId: to })
  expect(moved.status).toBe(200)
  const counts = async (resellerId: number) =>
    (await api.call(token, `GET resellers/${resellerId}/insights`)).body.accounts
  expect(await counts(from)).toMatchObject({ total: 0, new: 0, lost: 1 })
  expect(await counts(to)).toMatchObject({ total: 1, new: 1, lost: 0 })
})
