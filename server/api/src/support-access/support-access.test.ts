import { toDateTime } from '@sightline/contract/wire'
import { instant } from '@sightline/platform/db'
import { engines } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { subUsers } from '../sub-users/index.ts'
import { users } from '../users/index.ts'
import { supportAccess } from './index.ts'

describe.each(engines)('users/self/status on %s', (_engine, open) => {
  let api: TestApi
  beforeAll(async () => {
    api = await testApi({ slices: [subUsers, supportAccess, users], open })
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const closed = { allowsHelpdeskExpirationDate: null, allowsHelpdeskShowVideo: false }
  const patch = (token: string, body: object) => api.call(token, 'PATCH users/self/status', body)

  test('an account is closed to support until its owner opens it for a time, and can be closed again', async () => {
    const { token, accountId } = await api.addAccount()
    expect((await api.call(token, 'GET users/self/status')).body).toEqual(closed)
    const until = new Date(api.now + 3_600_000).toISOString().replace('Z', '+00:00')
    const opened = await patch(token, { allowsHelpdeskExpirationDate: until.replace('+00:00', '+0000') })
    expect(opened).toMatchObject({ status: 200, body: { ...closed, allowsHelpdeskExpirationDate: until } })
    const shown = await patch(token, { allowsHelpdeskShowVideo: true })
    expect(shown.body).toEqual({ allowsHelpdeskExpirationDate: until, allowsHelpdeskShowVideo: true })
    expect((await patch(token, { allowsHelpdeskExpirationDate: null })).body.allowsHelpdeskExpirationDate).toBeNull()
    const log = await api.owner.plain
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('account_id', '=', accountId)
      .execute()
    expect(log).toHaveLength(3)
    expect(
      log.find((line) => line.after?.allowsHelpdeskShowVideo === true && line.after.allowsHelpdeskExpirationDate),
    ).toBeDefined()
  })

  test.each(['9999-12-31T23:59:59.000+00:00', '9999-12-31T23:59:59.999-12:00'])('"always" is %s', async (always) => {
    const { token } = await api.addAccount()
    expect((await patch(token, { allowsHelpdeskExpirationDate: always })).body).toMatchObject({
      allowsHelpdeskExpirationDate: '9999-12-31T23:59:59.000+00:00',
    })
  })

  test.each([
    { allowsHelpdeskExpirationDate: '2020-01-01T00:00:00Z' },
    { allowsHelpdeskExpirationDate: 'tomorrow' },
    { allowsHelpdeskExpirationDate: 5 },
    { allowsHelpdeskShowVideo: 'yes' },
  ])('%j is refused with code 3', async (body) => {
    const { token } = await api.addAccount()
    expect(await patch(token, body)).toMatchObject({ status: 400, body: { code: 3 } })
    expect((await api.call(token, 'GET users/self/status')).body).toEqual(closed)
  })

  test('only the owner can do this: not sub-users with every right, API keys, support sessions or demo users', async () => {
    const { token, accountId } = await api.addAccount()
    const sub = await api.addSubUser(accountId, { rights: ['editUser', 'userSettings'] })
    const key = await api.addToken({ accountId, userId: accountId }, 'apiKey')
    const support = await api.addToken({ accountId, userId: accountId }, 'support')
    const body = { allowsHelpdeskShowVideo: true }
    for (const other of [sub.token, key, support]) {
      expect(await patch(other, body)).toMatchObject({ status: 403, body: { code: 9 } })
      expect((await api.call(other, 'GET users/self/status')).status).toBe(200)
    }
    const demo = await api.addAccount({ rights: ['demoUser'] })
    expect(await patch(demo.token, body)).toMatchObject({ status: 403, body: { code: 9 } })
    expect((await patch(token, body)).status).toBe(200)
  })

  test('the owner of a demonstration can end access and hide video, but not open, extend or show', async () => {
    const { token, accountId } = await api.addAccount()
    const sub = await api.addSubUser(accountId, { rights: ['editUser', 'userSettings'] })
    const accounts = (values: object) =>
      api.owner.plain
        .updateTable('accounts')
        .set(values as never)
        .where('account_id', '=', accountId)
        .execute()
    await accounts({ user_type: 'demo' })
    const until = api.now + 3_600_000
    const open = (shown: boolean) => accounts({ helpdesk_expires_at: instant(until), helpdesk_show_video: shown })
    const at = (ms: number) => ({ allowsHelpdeskExpirationDate: toDateTime(ms) })
    await open(true)
    for (const body of [{ allowsHelpdeskShowVideo: false }, at(until - 60_000), at(until - 60_000)]) {
      expect(await patch(sub.token, body)).toMatchObject({ status: 403 })
      expect(await patch(token, body)).toMatchObject({ status: 200, body })
    }
    expect(await patch(token, { allowsHelpdeskExpirationDate: null })).toMatchObject({ status: 200, body: closed })
    const refusal = { status: 403, body: { code: 9, detail: "demo users can't make changes" } }
    expect(await patch(token, at(until))).toMatchObject(refusal)
    await open(false)
    for (const body of [at(until + 1000), { allowsHelpdeskShowVideo: true }]) {
      expect(await patch(token, body)).toMatchObject(refusal)
    }
  })

  test('a support session ends with the next call after the owner closes the account', async () => {
    const { token, accountId } = await api.addAccount()
    const support = await api.addToken({ accountId, userId: accountId }, 'support')
    expect((await api.call(support, 'GET users/self')).status).toBe(200)
    await patch(token, { allowsHelpdeskExpirationDate: null })
    expect((await api.call(support, 'GET users/self')).status).toBe(401)
  })
})
