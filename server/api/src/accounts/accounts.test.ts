import { afterAll, beforeAll, expect, test } from 'vitest'
import { resellerAccounts } from '../reseller-accounts/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { accounts } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [accounts, resellerAccounts] })
})
afterAll(() => api[Symbol.asyncDispose]())

test('the owner changes the time zone of the account', async () => {
  const { token } = await api.addAccount()
  const changed = await api.call(token, 'PATCH accounts/self/timeZone', { timeZone: 'Europe/Amsterdam' })
  expect(changed).toMatchObject({ status: 200, body: { timeZone: 'Europe/Amsterdam' } })
  expect((await api.call(token, 'GET accounts/self/timeZone')).body).toEqual({ timeZone: 'Europe/Amsterdam' })
})

test.each(['Mars/Olympus', '', 'x'.repeat(65), '../etc/passwd'])(
  "the time zone %j doesn't exist (code 3)",
  async (timeZone) => {
    const { token } = await api.addAccount()
    const answer = await api.call(token, 'PATCH accounts/self/timeZone', { timeZone })
    expect(answer).toMatchObject({ status: 400, body: { code: 3 } })
  },
)

test('a sub-user sees the time zone but needs the right userSettings to change it', async () => {
  const { accountId } = await api.addAccount()
  const without = await api.addSubUser(accountId, { rights: [] })
  const change = { timeZone: 'Asia/Tokyo' }
  expect((await api.call(without.token, 'GET accounts/self/timeZone')).status).toBe(200)
  expect((await api.call(without.token, 'PATCH accounts/self/timeZone', change)).body).toMatchObject({ code: 9 })
  const allowed = await api.addSubUser(accountId, { rights: ['userSettings'] })
  expect((await api.call(allowed.token, 'PATCH accounts/self/timeZone', change)).status).toBe(200)
})

test("a change in one account doesn't affect any other", async () => {
  const mine = await api.addAccount()
  const theirs = await api.addAccount()
  await api.call(mine.token, 'PATCH accounts/self/timeZone', { timeZone: 'Asia/Tokyo' })
  expect((await api.call(theirs.token, 'GET accounts/self/timeZone')).body).toEqual({ timeZone: 'UTC' })
})

test("the owner changes the account's contact and address, which sub-users can't see here", async () => {
  const { accountId, token } = await api.addAccount()
  const sub = await api.addSubUser(accountId, { rights: ['userSettings'] })
  const changed = await api.call(token, 'PATCH accounts/self/details', { city: 'Delft', phone: '+31 15 2000000' })
  expect(changed).toMatchObject({ status: 200, body: { city: 'Delft', phone: '+31 15 2000000' } })
  const cleared = await api.call(token, `PATCH accounts/${accountId}/details`, { phone: null })
  expect(cleared.body).not.toHaveProperty('phone')
  expect((await api.call(token, 'GET accounts/self/details')).body).toEqual(cleared.body)
  for (const call of ['GET accounts/self/details', 'PATCH accounts/self/details']) {
    expect((await api.call(sub.token, call, call.startsWith('P') ? {} : undefined)).body).toMatchObject({ code: 9 })
  }
})

test.each([{ country: 'XX' }, { city: 'D' }, { contactEmail: 'nobody' }, { phone: 'call me' }])(
  'the details of an account cannot be %j (code 3)',
  async (details) => {
    const { token } = await api.addAccount()
    const answer = await api.call(token, 'PATCH accounts/self/details', details)
    expect(answer).toMatchObject({ status: 400, body: { code: 3 } })
  },
)

test('the details of another account are not found', async () => {
  const mine = await api.addAccount()
  const theirs = await api.addAccount()
  const answer = await api.call(mine.token, `GET accounts/${theirs.accountId}/details`)
  expect(answer).toMatchObject({ status: 404, body: { code: 4 } })
})
