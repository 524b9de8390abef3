import { bothEngines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from '../accounts/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { users } from '../users/index.ts'

describe.each(bothEngines)('database connections on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices: [accounts, users], open })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  test('other accounts are served while forty changes of one account wait for the same row', async () => {
    const [one, other] = [await api.addAccount(), await api.addAccount()]
    const { waiting, served } = await api.owner.transaction(async (tx) => {
      await tx.selectFrom('accounts').select('name').where('account_id', '=', one.accountId).forUpdate().execute()
      const change = () => api.call(one.token, 'PATCH accounts/self/timeZone', { timeZone: 'Asia/Tokyo' })
      const changes = Array.from({ length: 40 }, change)
      await new Promise((resolve) => setTimeout(resolve, 200))
      return { waiting: changes, served: await api.call(other.token, 'GET users/self') }
    })
    expect(served.status).toBe(200)
    // And none of them is lost.
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]))
  })
})
