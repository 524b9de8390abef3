import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RIGHT_PASSWORD, type TestApi, testApi } from '../slice-testing.ts'
import { subUsers } from '../sub-users/index.ts'
import { users } from './index.ts'

describe.each(engines)('users/self on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices: [subUsers, users], open })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  test('returns the signed-in user', async () => {
    const { accountId, token } = await api.addAccount({ email: 'ada@demo.example' })
    expect((await api.call(token, 'GET users/self')).body).toEqual({
      userId: accountId,
      accountId,
      email: 'ada@demo.example',
      firstName: 'Ada',
      lastName: 'Byron',
    })
  })

  test('a new name is saved and in the audit log with before and after', async () => {
    const { accountId, token } = await api.addAccount()
    const answer = await api.call(token, 'PATCH users/self', { firstName: 'Grace', lastName: 'Hopper' })
    expect(answer).toMatchObject({ status: 200, body: { firstName: 'Grace', lastName: 'Hopper' } })
    expect((await api.call(token, 'GET users/self')).body).toMatchObject({ firstName: 'Grace' })
    const [line] = await api.owner.plain
      .selectFrom('audit_log')
      .selectAll()
      .where('account_id', '=', accountId)
      .execute()
    expect(line).toMatchObject({ action: 'patchUser', user_id: accountId, address: '192.0.2.1' })
    expect(line?.before).toMatchObject({ firstName: 'Ada' })
    expect(line?.after).toMatchObject({ firstName: 'Grace' })
  })

  test.each([
    [{ firstName: '' }, 'First name is required'],
    [{ lastName: ' ' }, 'Last name is required'],
    [{ firstName: 'A' }, 'Please enter a valid name'],
    [{ lastName: 'x'.repeat(33) }, 'Please enter a valid name'],
    [{ firstName: 'Ada<script>' }, 'Please enter a valid name'],
    [{ email: 'not an address', password: RIGHT_PASSWORD }, 'Please enter a valid email address'],
  ])('%j is refused with code 3 and the message of the field', async (body, message) => {
    const { token } = await api.addAccount()
    const answer = await api.call(token, 'PATCH users/self', body)
    expect(answer).toMatchObject({ status: 400, body: { code: 3, fields: [{ message }] } })
  })

  test.each(['José Ñandú', 'Ирина', '山田太郎', 'O:Neil & Co; A/B', 'ab'])(
    'the name %s is valid',
    async (firstName) => {
      const { token } = await api.addAccount()
      expect((await api.call(token, 'PATCH users/self', { firstName })).status).toBe(200)
    },
  )

  test('a new email address needs the current password, and the old address is notified', async () => {
    const { token, accountId: userId } = await api.addAccount({ email: 'before@demo.example' })
    const told = async () => (await api.askedMails()).filter((asked) => asked.userId === userId)
    const email = `new-${Date.now()}@demo.example`
    expect(await api.call(token, 'PATCH users/self', { email })).toMatchObject({ status: 400, body: { code: 3 } })
    const wrong = await api.call(token, 'PATCH users/self', { email, password: 'wrong' })
    expect(wrong).toMatchObject({ status: 401, body: { code: 8, detail: 'Incorrect password' } })
    // Clients end the session on this header; a wrong password is no reason for that.
    expect(wrong.headers.get('www-authenticate')).toBeNull()
    expect(await told()).toEqual([])
    const right = await api.call(token, 'PATCH users/self', { email, password: RIGHT_PASSWORD })
    expect(right).toMatchObject({ status: 200, body: { email } })
    expect(await told()).toEqual([{ kind: 'newEmail', userId, to: 'before@demo.example' }])
    expect((await api.call(token, 'PATCH users/self', { email, firstName: 'Grace' })).status).toBe(200)
    expect(await told()).toHaveLength(1)
  })

  test('an email address of another user of the reseller is refused with code 5, in any case', async () => {
    await api.addAccount({ email: 'taken@demo.example' })
    const { token } = await api.addAccount()
    const body = { email: 'TAKEN@demo.example', password: RIGHT_PASSWORD }
    expect(await api.call(token, 'PATCH users/self', body)).toMatchObject({ status: 409, body: { code: 5 } })
  })

  test("details can't change if the reseller prevents it (code 9)", async () => {
    const { token } = await api.addAccount({ preventEditUserDetails: true })
    expect(await api.call(token, 'PATCH users/self', { firstName: 'Grace' })).toMatchObject({
      status: 403,
      body: { code: 9 },
    })
    expect((await api.call(token, 'GET users/self/featureFlags')).body).toMatchObject({
      userSelfServiceManagement: false,
      preventEditUserDetails: true,
      webAppBarred: false,
      agreementOwed: false,
    })
  })

  test("if the account disables the Web App for its sub-users, they get that error and the owner doesn't", async () => {
    const { accountId, token } = await api.addAccount()
    const sub = await api.addSubUser(accountId, { rights: [] })
    const accounts = api.owner.plain.updateTable('accounts').where('account_id', '=', accountId)
    await accounts.set({ sub_users_barred: true }).execute()
    const told = async (who: string) => (await api.call(who, 'GET users/self/featureFlags')).body.webAppBarred
    expect([await told(token), await told(sub.token)]).toEqual([false, true])
  })

  test('a demo user changes nothing', async () => {
    const { token } = await api.addAccount({ rights: ['demoUser'] })
    expect(await api.call(token, 'PATCH users/self', { firstName: 'Grace' })).toMatchObject({
      status: 403,
      body: { code: 9 },
    })
    expect((await api.call(token, 'GET users/self')).status).toBe(200)
  })

  test('twenty changes at once: each is saved completely', async () => {
    const { token } = await api.addAccount()
    const names = Array.from({ length: 20 }, (_, n) => ({ firstName: `First${n}`, lastName: `Last${n}` }))
    const answers = await Promise.all(names.map((body) => api.call(token, 'PATCH users/self', body)))
    expect(answers.map((answer) => answer.status)).toEqual(names.map(() => 200))
    const { body } = await api.call(token, 'GET users/self')
    expect(body.lastName).toBe(body.firstName.replace('First', 'Last'))
  })

  test('an owner has every right except demoUser; a sub-user has the mandatory ones and those granted', async () => {
    const { accountId, token } = await api.addAccount()
    const owned = (await api.call(token, 'GET users/self/rights')).body
    expect(Object.keys(owned)).toHaveLength(43)
    expect(Object.entries(owned).filter(([, on]) => on !== true)).toEqual([['demoUser', false]])
    const sub = await api.addSubUser(accountId, { rights: ['ptz'] })
    const given = (await api.call(sub.token, 'GET users/self/rights')).body
    const on = Object.keys(given).filter((right) => given[right])
    expect(on.sort()).toEqual(['CameraView', 'LiveCamera', 'ZonesView', 'ptz'])
  })
})

test('too many wrong passwords return 429 and how long to wait', async () => {
  await using api = await testApi({ slices: [subUsers, users], password: 'locked' })
  const { token } = await api.addAccount()
  const answer = await api.call(token, 'PATCH users/self', { email: 'new@demo.example', password: 'x' })
  expect(answer).toMatchObject({ status: 429, body: { code: 16 } })
  expect(answer.headers.get('retry-after')).toBe('900')
})

test('too many password checks at once return 429 with a time to wait', async () => {
  await using api = await testApi({ slices: [subUsers, users], password: 'overloaded' })
  const { token } = await api.addAccount()
  const answer = await api.call(token, 'PATCH users/self', { email: 'new@demo.example', password: 'x' })
  expect(answer).toMatchObject({ status: 429, body: { code: 16 } })
  expect(answer.headers.get('retry-after')).toBe('2')
})
