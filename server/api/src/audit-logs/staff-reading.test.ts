import type { Permission, StaffLevel } from '@sightline/contract/rights'
import { instant } from '@sightline/platform/db'
import { engines } from '@sightline/platform/db-testing'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../api-testing.ts'
import { type Written, writeLines } from './lines-testing.ts'

describe.each(engines)('the audit log for staff on %s', (_engine, open) => {
  let api: TestApi
  let nextId = 5000
  beforeAll(async () => {
    api = await testApi({ open })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const write = (accountId: number, lines: readonly Written[]) => writeLines(api.owner, accountId, lines)
  const addStaff = async (given: {
    level: StaffLevel
    permissions?: Permission[]
    of?: number
    accountIds?: number[]
  }) => {
    const userId = nextId++
    const { level, permissions = ['viewAuditLogs'], of = 255, accountIds } = given
    const places = {
      reseller: { organisation_id: of, reseller_id: of, distributor_id: 1 },
      distributor: { organisation_id: 1, distributor_id: 1 },
      admin: { organisation_id: 2 },
    }
    const place = places[level]
    const person = {
      email: `s${userId}@d.example`,
      email_folded: `s${userId}@d.example`,
      first_name: 'Dee',
      last_name: 'Ler',
    }
    await api.owner.plain
      .insertInto('staff')
      .values({ user_id: userId, level, ...place, ...person, permissions, all_accounts: accountIds === undefined })
      .execute()
    for (const account_id of accountIds ?? []) {
      await api.owner.plain.insertInto('staff_accounts').values({ user_id: userId, account_id }).execute()
    }
    const token = `staff-${userId}`
    const session = {
      token_id: nextId++,
      user_id: userId,
      account_id: place.organisation_id,
      client_id: 'dealer.v2',
      app_id: 'dealer.v2',
    }
    await api.owner.plain
      .insertInto('auth.access_sessions')
      .values({
        token_sha256: tokenSha256(token),
        ...session,
        scopes: ['read', 'write'],
        expires_at: instant(Date.now() + 3_600_000),
      })
      .execute()
    return token
  }
  const otherReseller = async () => {
    const [distributor, reseller] = [nextId++, nextId++]
    await api.owner.plain
      .insertInto('distributors')
      .values({ distributor_id: distributor, name: `D${distributor}` })
      .execute()
    await api.owner.plain
      .insertInto('resellers')
      .values({ reseller_id: reseller, distributor_id: distributor, name: `R${reseller}` })
      .execute()
    return reseller
  }

  test('the log of an account of theirs, without values and without names of cameras', async () => {
    const { accountId, zoneId } = await api.addAccount()
    const door = await api.addCamera(accountId, zoneId, 'Secret door')
    await write(accountId, [{ action: 'patchCamera', camera: door, after: { name: 'Secret door' } }, { name: null }])
    const dealer = await addStaff({ level: 'reseller' })
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

  test('the log of the reseller itself', async () => {
    await write(255, [{ action: 'postResellerAccount', userId: 99, staffId: 99, name: 'Dee Ler' }])
    const { body } = await api.call(await addStaff({ level: 'reseller' }), 'GET resellers/255/auditLogs')
    expect(body).toMatchObject([
      { accountId: 255, user: 'Dee Ler', supportSession: false, staff: { staffId: 99, name: 'Dee Ler' } },
    ])
  })

  test('what is outside their part of the tree is as unknown as none', async () => {
    const { accountId } = await api.addAccount()
    const { accountId: notTheirs } = await api.addAccount()
    const elsewhere = await otherReseller()
    const unknown = { status: 404, body: { code: 4 } }
    const dealer = await addStaff({ level: 'reseller', accountIds: [accountId] })
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
    const distributor = await addStaff({ level: 'distributor' })
    expect((await api.call(distributor, `GET resellers/255/accounts/${accountId}/auditLogs`)).status).toBe(200)
    expect(await api.call(distributor, `GET resellers/${elsewhere}/auditLogs`)).toMatchObject(unknown)
    const admin = await addStaff({ level: 'admin' })
    expect((await api.call(admin, `GET resellers/${elsewhere}/auditLogs`)).status).toBe(200)
    expect(await api.call(admin, `GET resellers/${elsewhere}/accounts/${accountId}/auditLogs`)).toMatchObject(unknown)
  })

  test('the permission is needed; members and staff do not have each other’s calls', async () => {
    const { accountId, token } = await api.addAccount()
    const without = await addStaff({ level: 'reseller', permissions: ['viewAccounts'] })
    const dealer = await addStaff({ level: 'reseller' })
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
