import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resellerAccounts } from '../reseller-accounts/index.ts'
import { type TestApi, testApi } from '../slice-testing.ts'
import { zones } from '../zones/index.ts'
import { auditLogs } from './index.ts'
import { type EntryInput, writeEntries } from './testing-store.ts'

describe.each(engines)('the audit log for staff on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices: [auditLogs, resellerAccounts, zones], open })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const write = (accountId: number, lines: readonly EntryInput[]) => writeEntries(api.owner, accountId, lines)

  test('staff read the log of their accounts, without values and camera names', async () => {
    const { accountId, zoneId } = await api.addAccount()
    const door = await api.addCamera(accountId, zoneId, 'Secret door')
    await write(accountId, [{ action: 'patchCamera', camera: door, after: { name: 'Secret door' } }, { name: null }])
    const { token: dealer } = await api.addStaff({ level: 'reseller' })
    for (const reseller of [255, 'self']) {
      const answer = await api.call(dealer, `GET resellers/${reseller}/accounts/${accountId}/auditLogs`)
      expect(answer.body).toMatchObject([
        { user: 'Ada Byron', action: 'login' },
        { action: 'patchCamera', target: { kind: 'camera', id: door, name: null }, cameraId: door, camera: null },
      ])
      expect(JSON.stringify(answer.body)).not.toContain('Secret')
      expect('after' in answer.body[1]).toBe(false)
    }
    const searched = await api.call(dealer, `GET resellers/255/accounts/${accountId}/auditLogs?q=secret`)
    expect(searched.body).toEqual([])
  })

  test('staff read the log of their reseller', async () => {
    await write(255, [{ action: 'postResellerAccount', userId: 99, staffId: 99, name: 'Dee Ler' }])
    const { body } = await api.call((await api.addStaff()).token, 'GET resellers/255/auditLogs')
    expect(body).toMatchObject([
      { accountId: 255, user: 'Dee Ler', supportSession: false, staff: { staffId: 99, name: 'Dee Ler' } },
    ])
  })

  test("staff limited to some accounts read entries about no others in the reseller's log", async () => {
    const { accountId: theirs } = await api.addAccount()
    const { accountId: notTheirs } = await api.addAccount()
    const { token: chief } = await api.addStaff()
    for (const accountId of [theirs, notTheirs]) {
      expect((await api.call(chief, `DELETE resellers/255/accounts/${accountId}`)).status).toBe(204)
    }
    const targetsSeenBy = async (token: string): Promise<readonly unknown[]> => {
      const { body } = await api.call(token, 'GET resellers/255/auditLogs?actions=deleteResellerAccount')
      return body.map((line: { target: { id: number } }) => line.target.id).toSorted()
    }
    expect(await targetsSeenBy(chief)).toEqual([theirs, notTheirs].toSorted())
    const { token: limited } = await api.addStaff({ accountIds: [(await api.addAccount()).accountId] })
    expect(await targetsSeenBy(limited)).toEqual([])
    const all = await api.call(limited, 'GET resellers/255/auditLogs')
    expect(JSON.stringify(all.body)).not.toContain(String(notTheirs))
  })

  test('an unknown sort order, action or format is refused with code 3 in every log', async () => {
    const { accountId, token } = await api.addAccount()
    const { token: dealer } = await api.addStaff({ level: 'reseller' })
    for (const [who, path] of [
      [dealer, `resellers/255/accounts/${accountId}/auditLogs?sort=color`],
      [dealer, 'resellers/255/auditLogs?sort=color'],
      [token, 'auditLogs?sort=color'],
      [token, 'auditLogs/actions?sort=color'],
      [token, 'auditLogs/export?format=xml'],
      [token, 'zones?sort=color'],
    ] as const) {
      expect(await api.call(who, `GET ${path}`), path).toMatchObject({ status: 400, body: { code: 3 } })
    }
  })

  test('accounts and resellers outside the caller’s scope look like unknown ones', async () => {
    const { accountId } = await api.addAccount()
    const { accountId: notTheirs } = await api.addAccount()
    const elsewhere = await api.addReseller({ distributorId: await api.addDistributor() })
    const unknown = { status: 404, body: { code: 4 } }
    const { token: dealer } = await api.addStaff({ level: 'reseller', accountIds: [accountId] })
    expect((await api.call(dealer, `GET resellers/255/accounts/${accountId}/auditLogs`)).status).toBe(200)
    for (const path of [
      `resellers/255/accounts/${notTheirs}/auditLogs`,
      `resellers/${elsewhere}/accounts/${accountId}/auditLogs`,
      `resellers/255/accounts/999999999/auditLogs`,
      `resellers/${elsewhere}/auditLogs`,
      'resellers/999999999/auditLogs',
    ]) {
      expect(await api.call(dealer, `GET ${path}`), path).toMatchObject(unknown)
    }
    const { token: distributor } = await api.addStaff({ level: 'distributor' })
    expect((await api.call(distributor, `GET resellers/255/accounts/${accountId}/auditLogs`)).status).toBe(200)
    expect(await api.call(distributor, `GET resellers/${elsewhere}/auditLogs`)).toMatchObject(unknown)
    const { token: admin } = await api.addStaff({ level: 'admin' })
    expect((await api.call(admin, `GET resellers/${elsewhere}/auditLogs`)).status).toBe(200)
    expect(await api.call(admin, `GET resellers/${elsewhere}/accounts/${accountId}/auditLogs`)).toMatchObject(unknown)
  })

  test('reading needs the permission, and members and staff can’t use each other’s calls', async () => {
    const { accountId, token } = await api.addAccount()
    const { token: without } = await api.addStaff({ level: 'reseller', permissions: ['viewAccounts'] })
    const { token: dealer } = await api.addStaff({ level: 'reseller' })
    for (const [who, path] of [
      [without, 'resellers/255/auditLogs'],
      [without, `resellers/255/accounts/${accountId}/auditLogs`],
      [token, 'resellers/255/auditLogs'],
      [token, `resellers/255/accounts/${accountId}/auditLogs`],
      [dealer, 'auditLogs'],
      [dealer, 'auditLogs/export'],
    ] as const) {
      expect((await api.call(who, `GET ${path}`)).status, path).toBe(403)
    }
  })
})
