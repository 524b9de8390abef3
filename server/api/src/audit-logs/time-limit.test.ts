import { hold } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { auditLogs } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [auditLogs] })
})
afterAll(() => api[Symbol.asyncDispose]())

test('a query longer than five seconds is stopped for every reader (code 19), and the next one works', async () => {
  const { accountId, token } = await api.addAccount()
  const staff = await api.addStaff()
  const ask = () =>
    Promise.all([
      api.call(token, 'GET auditLogs'),
      api.call(token, 'GET auditLogs/export'),
      api.call(staff.token, 'GET resellers/self/auditLogs'),
      api.call(staff.token, `GET resellers/self/accounts/${accountId}/auditLogs`),
    ])
  await using lock = await hold({ owner: api.owner.plain }, 'lock table audit_log in access exclusive mode')
  const answers = await ask()
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([504, 19]))
  await lock.release()
  expect((await ask()).map(({ status }) => status)).toEqual([200, 200, 200, 200])
})
