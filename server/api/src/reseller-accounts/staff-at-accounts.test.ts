import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLogs } from '../audit-logs/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { subscriptions } from '../subscriptions/index.ts'
import { resellerAccounts } from './index.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [auditLogs, resellerAccounts, subscriptions] })
})
afterAll(() => api[Symbol.asyncDispose]())

const READS = ['', '/details', '/subscriptions', '/subscriptions/current']

describe('accounts/{accountId} for staff', () => {
  test('an account in their scope gives the same reply as at resellers/{resellerId}/accounts/{accountId}', async () => {
    const dealer = await api.addStaff()
    await api.addPackage(1)
    const given = { contactDetails: { firstName: 'Cora', lastName: 'Customer' }, email: 'staff-reads@demo.example' }
    const added = await api.call(dealer.token, 'POST resellers/255/accounts', { ...given, subscriptionId: 1 })
    expect(added.status).toBe(201)
    const { accountId } = added.body
    for (const { token } of [
      dealer,
      await api.addStaff({ level: 'distributor' }),
      await api.addStaff({ level: 'admin' }),
    ]) {
      for (const path of READS) {
        const answer = await api.call(token, `GET accounts/${accountId}${path}`)
        expect(answer.status, path).toBe(200)
        if (path === '/details') expect(answer.body).toEqual(added.body.contactDetails)
        else expect(answer.body).toEqual((await api.call(token, `GET resellers/255/accounts/${accountId}${path}`)).body)
      }
    }
    const { body } = await api.call(dealer.token, `PATCH accounts/${accountId}/details`, { city: 'Delft' })
    expect(body).toMatchObject({ city: 'Delft' })
    const logs = await api.call(dealer.token, `GET resellers/255/accounts/${accountId}/auditLogs`)
    expect(logs.body).toMatchObject([{ action: 'patchAccountDetails', user: expect.any(String) }, {}])
  })

  test('an account out of scope and self are not found; each call needs its permission', async () => {
    const { accountId } = await api.addAccount()
    const elsewhere = await api.addStaff({ resellerId: await api.addReseller() })
    const limited = await api.addStaff({ accountIds: [] })
    const without = await api.addStaff({ permissions: ['viewAccounts'] })
    const none = await api.addStaff({ permissions: [] })
    for (const path of READS) {
      for (const { token } of [elsewhere, limited]) {
        expect((await api.call(token, `GET accounts/${accountId}${path}`)).status, path).toBe(404)
      }
      expect((await api.call(without.token, `GET accounts/self${path}`)).status, path).toBe(404)
      expect((await api.call(none.token, `GET accounts/${accountId}${path}`)).status, path).toBe(403)
    }
    const patched = (token: string) => api.call(token, `PATCH accounts/${accountId}/details`, { city: 'Delft' })
    expect((await patched(elsewhere.token)).status).toBe(404)
    expect((await patched(without.token)).status).toBe(403)
  })
})
