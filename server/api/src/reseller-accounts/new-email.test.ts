import { instant } from '@sightline/platform/db'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { staff } from '../staff/index.ts'
import { subUsers } from '../sub-users/index.ts'
import { resellerAccounts } from './index.ts'

let api: TestApi
let dealer: string
let accountId: number
let owner: string
let path: string

beforeAll(async () => {
  api = await testApi({ slices: [resellerAccounts, staff, subUsers] })
  dealer = (await api.addStaff()).token
})
afterAll(() => api[Symbol.asyncDispose]())
beforeEach(async () => {
  const added = await api.addAccount()
  accountId = added.accountId
  owner = added.token
  path = `resellers/self/accounts/${accountId}/users`
})

const oldEmail = () => `owner-${accountId}@demo.example`
const wanted = () => `wanted-${accountId}@demo.example`
const patch = (body: object, userId = accountId, headers?: Record<string, string>) =>
  api.call(dealer, `PATCH ${path}/${userId}`, body, headers)
const show = (userId = accountId) => api.call(dealer, `GET ${path}/${userId}`)

/** What the authorization server writes down when it asks. */
const setPending = (userId = accountId, expiresInMs = 60_000) =>
  api.owner.plain
    .insertInto('email_changes')
    .values({
      account_id: accountId,
      user_id: userId,
      old_email_folded: oldEmail(),
      email: wanted(),
      email_folded: wanted(),
      asked_by: 1,
      asked_by_name: 'Dee',
      expires_at: instant(Date.now() + expiresInMs),
    })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()

describe('an email address that a dealer enters for a user', () => {
  test('waits: the old address stays, and gets the question', async () => {
    const answer = await patch({ email: wanted(), firstName: 'Clara' })
    expect(answer).toMatchObject({
      status: 200,
      body: { email: oldEmail(), pendingEmail: wanted(), firstName: 'Clara' },
    })
    expect((await api.askedMails()).at(-1)).toEqual({ kind: 'emailChange', userId: accountId, to: oldEmail() })
    expect((await show()).body).toMatchObject({ email: oldEmail(), firstName: 'Clara' })
  })

  test('is in the account’s log with the dealer’s name', async () => {
    await patch({ email: wanted() })
    const line = await api.owner.plain
      .selectFrom('audit_log')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('action', '=', 'patchAccountUser')
      .executeTakeFirstOrThrow()
    expect(line.staff_id).not.toBeNull()
    expect(line.actor_name).not.toBeNull()
    expect(line).toMatchObject({
      before: { email: oldEmail(), pendingEmail: null },
      after: { email: oldEmail(), pendingEmail: wanted() },
    })
  })

  test('is shown only until it expires', async () => {
    expect((await show()).body.pendingEmail).toBeNull()
    await setPending()
    expect((await show()).body.pendingEmail).toBe(wanted())
    expect((await api.call(dealer, `GET ${path}`)).body).toMatchObject([{ pendingEmail: wanted() }])
    const over = { expires_at: instant(Date.now() - 1000) }
    await api.owner.plain.updateTable('email_changes').set(over).where('user_id', '=', accountId).execute()
    expect((await show()).body.pendingEmail).toBeNull()
  })

  test('sends no question if it is the current address', async () => {
    const before = await api.askedMails()
    expect(await patch({ email: oldEmail() })).toMatchObject({ status: 200, body: { pendingEmail: null } })
    expect(await api.askedMails()).toEqual(before)
  })

  test('of another user of the reseller is refused with code 5, and no question is sent', async () => {
    const other = await api.addAccount()
    const before = await api.askedMails()
    const answer = await patch({ email: `OWNER-${other.accountId}@demo.example`, firstName: 'Clara' })
    expect(answer).toMatchObject({ status: 409, body: { code: 5 } })
    expect(await api.askedMails()).toEqual(before)
    expect((await show()).body.firstName).toBe('Ada')
  })

  test('may belong to a user of another reseller', async () => {
    const foreign = await api.addAccount({ resellerId: await api.addReseller() })
    expect((await patch({ email: `owner-${foreign.accountId}@demo.example` })).status).toBe(200)
  })

  test('that is invalid is refused with code 3', async () => {
    const answer = await patch({ email: 'nobody' })
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 3, fields: [{ field: 'email', message: 'Please enter a valid email address' }] },
    })
  })

  test('is refused for a blocked user, who couldn’t confirm it', async () => {
    const { userId } = await api.addSubUser(accountId, { rights: [] })
    await api.owner.plain.updateTable('users').set({ blocked: true }).where('user_id', '=', userId).execute()
    expect(await patch({ email: wanted() }, userId)).toMatchObject({ status: 409, body: { code: 6 } })
  })

  test('sends no question if the user has changed meanwhile', async () => {
    const { headers } = await show()
    await patch({ firstName: 'Clara' })
    const before = await api.askedMails()
    const answer = await patch({ email: wanted() }, accountId, { 'if-match': headers.get('etag') ?? '' })
    expect(answer.status).toBe(412)
    expect(await api.askedMails()).toEqual(before)
  })

  test('is dropped when the owner gives the sub-user a new address', async () => {
    const { userId } = await api.addSubUser(accountId, { rights: [], email: 'dead@demo.example' })
    await api.owner.plain.deleteFrom('email_changes').execute()
    await setPending(userId)
    await api.owner.plain
      .updateTable('email_changes')
      .set({ old_email_folded: 'dead@demo.example' })
      .where('user_id', '=', userId)
      .execute()
    expect((await show(userId)).body).toMatchObject({ email: 'dead@demo.example', pendingEmail: wanted() })
    expect((await api.call(owner, `PATCH users/${userId}`, { email: wanted() })).status).toBe(200)
    expect((await show(userId)).body).toMatchObject({ email: wanted(), pendingEmail: null })
    expect(await api.owner.plain.selectFrom('email_changes').selectAll().execute()).toEqual([])
  })
})

test('an address that got many emails lately gets no more: 429 with a time to wait, and nothing changes', async () => {
  const email = 'full-mailbox@demo.example'
  await api.fillMailbox(email)
  const { userId } = await api.addSubUser(accountId, { rights: [], email })
  const isRefused = (answer: { status: number; headers: Headers; body: unknown }) => {
    expect(answer).toMatchObject({ status: 429, body: { code: 16 } })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3500)
  }
  isRefused(await patch({ email: wanted(), firstName: 'Clara' }, userId))
  isRefused(await api.call(owner, `PATCH users/${userId}`, { email: wanted(), firstName: 'Clara' }))
  isRefused(await api.call(owner, `PATCH users/${userId}/credentials`, { sendLink: true }))
  isRefused(await api.call(owner, `POST users/${userId}/invitation`))
  expect((await show(userId)).body).toMatchObject({ firstName: 'Ada', email })
  await api.owner.plain.deleteFrom('users').where('user_id', '=', userId).execute()
  const person = { email, firstName: 'Gus', lastName: 'Guard', language: 'en' }
  isRefused(await api.call(owner, 'POST users', { ...person, userType: 'regular' }))
  isRefused(await api.call(dealer, 'POST resellers/self/users', person))
  expect((await api.call(dealer, `GET ${path}`)).body).toHaveLength(1)
})

test('a change isn’t requested if the owner can’t be notified', async () => {
  const { userId } = await api.addSubUser(accountId, { rights: [] })
  const before = await api.askedMails()
  await api.fillMailbox(oldEmail())
  expect(await patch({ email: wanted() }, userId)).toMatchObject({ status: 429 })
  expect(await api.askedMails()).toEqual(before)
  expect((await show(userId)).body).toMatchObject({ pendingEmail: null })
})

test('the owner is notified of the question, and the dealer sees the pending address immediately', async () => {
  const { userId } = await api.addSubUser(accountId, { rights: [] })
  expect(await patch({ email: wanted() }, userId)).toMatchObject({ status: 200 })
  expect((await api.askedMails()).slice(-2)).toEqual([
    { kind: 'emailChange', userId, to: `user-${userId}@demo.example` },
    { kind: 'emailChangeNote', userId, to: oldEmail() },
  ])
  expect((await show(userId)).body).toMatchObject({ pendingEmail: wanted() })
})
