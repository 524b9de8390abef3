import { hold } from '@sightline/platform/db-testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { addStaff, call, dealerToken } from '../../staff-testing.ts'
import { ask } from '../../token-testing.ts'

const PASSWORD = 'Correct-horse7'
const MANAGE = { password: PASSWORD, permissions: ['manageApiKeys'] } as const
const RESELLER = 'resellers/255/apiKeys'
const SETTINGS = { name: 'Alarm', scopes: ['read', 'write'] }
let under: AuthUnderTest
let owner: string
let dealer: string

beforeAll(async () => {
  under = await openAuthUnderTest()
  for (const userId of [1001, 1002])
    await under.addUser({ userId, email: `u${userId}@demo.example`, password: PASSWORD })
  await under.addUser({ userId: 1005, accountId: 1001, email: 'guard@demo.example', password: PASSWORD })
  await addStaff(under, { userId: 2001, email: 'dealer@demo.example', ...MANAGE })
  await addStaff(under, { userId: 2002, email: 'colleague@demo.example', ...MANAGE })
  await addStaff(under, { userId: 2003, email: 'sales@demo.example', password: PASSWORD })
  await addStaff(under, { userId: 2004, email: 'distributor@demo.example', level: 'distributor', ...MANAGE })
  await addStaff(under, { userId: 2005, email: 'brand@demo.example', resellerId: 300, ...MANAGE })
  owner = await member('u1001')
  dealer = await staff('dealer')
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(async () => {
  await under.owner.deleteFrom('auth.clients').where('api_key_id', 'is not', null).execute()
  await under.owner.deleteFrom('audit_log').execute()
})

const member = (name: string) => under.browser().token(`${name}@demo.example`, PASSWORD)
const staff = (name: string) => dealerToken(under.browser(), `${name}@demo.example`, PASSWORD)
const create = async (token: string, path: string) => (await call(under, token, `POST ${path}`, SETTINGS)).body
const tokenOf = async ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) =>
  (await ask(under, { grant_type: 'client_credentials' }, { basic: [clientId, clientSecret] })).body.access_token
const works = async (token: string) => (await call(under, token, 'POST users/self/sessions')).status

/** Every call on one key, with its status. */
async function statuses(token: string, path: string): Promise<readonly number[]> {
  const calls = [`GET ${path}`, `PATCH ${path}`, `POST ${path}/rotate`, `DELETE ${path}`]
  const seen: number[] = []
  for (const what of calls) {
    const body = what.startsWith('PATCH') ? { provisioning: true } : undefined
    seen.push((await call(under, token, what, body)).status)
  }
  return seen
}

describe('an account’s keys', () => {
  test('belong to the owner: sub-users and staff can’t read them', async () => {
    const { apiKeyId } = await create(owner, 'apiKeys')
    expect(await statuses(await member('guard'), `apiKeys/${apiKeyId}`)).toEqual([403, 403, 403, 403])
    expect(await statuses(dealer, `apiKeys/${apiKeyId}`)).toEqual([403, 403, 403, 403])
  })
  test('of another account or a reseller look like nonexistent ones', async () => {
    const { apiKeyId } = await create(await member('u1002'), 'apiKeys')
    const { apiKeyId: ofStaff } = await create(dealer, RESELLER)
    for (const id of [apiKeyId, ofStaff, 77])
      expect(await statuses(owner, `apiKeys/${id}`)).toEqual([404, 404, 404, 404])
    expect((await call(under, owner, 'GET apiKeys')).body).toEqual([])
  })
})

describe('a key requested while its caller loses access', () => {
  const arrangements = [
    ['an owner’s token ends', 'u1002', `delete from auth.access_sessions where user_id = 1002`, 401],
    ['a dealer’s permission is removed', 'colleague', `update staff set permissions = '{}' where user_id = 2002`, 403],
  ] as const
  test.each(arrangements)('is refused and not created when %s', async (_, who, statement, status) => {
    const token = who === 'u1002' ? await member(who) : await staff(who)
    await using clients = await hold(under, 'lock table auth.clients in exclusive mode')
    const asked = call(under, token, `POST ${who === 'u1002' ? 'apiKeys' : RESELLER}`, SETTINGS)
    await clients.waiting(1)
    await sql.raw(statement).execute(under.owner)
    await clients.release()
    expect((await asked).status).toBe(status)
    const keys = under.owner.selectFrom('auth.clients').where('api_key_id', 'is not', null).select('client_id')
    expect(await keys.execute()).toEqual([])
  })
  afterAll(async () => {
    await sql`update staff set permissions = array['manageApiKeys'] where user_id = 2002`.execute(under.owner)
  })
})

describe('changing a key', () => {
  const at = async () => `apiKeys/${(await create(owner, 'apiKeys')).apiKeyId}`

  test('returns the changed key and keeps unnamed settings', async () => {
    const path = await at()
    const end = '2099-01-01T00:00:00.000+00:00'
    const { body } = await call(under, owner, `PATCH ${path}`, { name: 'Gate', expiresAt: end, provisioning: true })
    expect(body).toMatchObject({ name: 'Gate', expiresAt: end, provisioning: true, scopes: ['read', 'write'] })
    expect((await call(under, owner, `GET ${path}`)).body).toEqual(body)
    expect((await call(under, owner, `PATCH ${path}`, { expiresAt: null })).body.expiresAt).toBeNull()
  })
  test('ends its tokens only if a scope is removed', async () => {
    const key = await create(owner, 'apiKeys')
    const token = await tokenOf(key)
    await call(under, owner, `PATCH apiKeys/${key.apiKeyId}`, { name: 'Gate', scopes: ['write', 'read'] })
    expect(await works(token)).toBe(200)
    await call(under, owner, `PATCH apiKeys/${key.apiKeyId}`, { scopes: ['read'] })
    expect(await works(token)).toBe(401)
    expect(await works(await tokenOf(key))).toBe(403)
  })
  test('to a name in use is refused with code 5', async () => {
    const path = await at()
    await call(under, owner, 'POST apiKeys', { ...SETTINGS, name: 'Gate' })
    const taken = await call(under, owner, `PATCH ${path}`, { name: 'GATE' })
    expect(taken).toMatchObject({ status: 409, body: { code: 5 } })
  })
  test('with an outdated If-Match is refused', async () => {
    const path = await at()
    const { headers } = await call(under, owner, `GET ${path}`)
    await call(under, owner, `PATCH ${path}`, { name: 'Gate' })
    const response = await fetch(`${under.origin}/rest/v2.4/${path}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${owner}`,
        'content-type': 'application/json',
        'if-match': headers.get('etag') ?? '',
      },
      body: JSON.stringify({ name: 'Door' }),
    })
    expect(response.status).toBe(412)
  })
  test('writes an audit entry each time, without the secret', async () => {
    const key = await create(owner, 'apiKeys')
    const path = `apiKeys/${key.apiKeyId}`
    await call(under, owner, `PATCH ${path}`, { scopes: ['read'] })
    const { body: next } = await call(under, owner, `POST ${path}/rotate`)
    await call(under, owner, `DELETE ${path}`)
    const lines = await under.owner
      .selectFrom('audit_log')
      .select(['account_id', 'user_id', 'action', 'target_id', 'before', 'after'])
      .orderBy('at')
      .execute()
    const of = (action: string) => lines.find((line) => line.action === action)
    expect(lines.map(({ action }) => action).sort()).toEqual([
      'deleteApiKey',
      'patchApiKey',
      'postApiKey',
      'rotateApiKey',
    ])
    for (const line of lines) expect(line).toMatchObject({ account_id: 1001, user_id: 1001, target_id: key.apiKeyId })
    expect(of('patchApiKey')).toMatchObject({ before: { scopes: ['read', 'write'] }, after: { scopes: ['read'] } })
    for (const secret of [key.clientSecret, next.clientSecret]) expect(JSON.stringify(lines)).not.toContain(secret)
  })
})

describe.each([
  ['an account', () => owner, 'apiKeys', 1001],
  ['a reseller', () => dealer, RESELLER, 255],
] as const)('%s can’t', (_, token, path, organisationId) => {
  const post = (body: object) => call(under, token(), `POST ${path}`, { ...SETTINGS, ...body })

  test('create a key with invalid settings or change it that way: code 3', async () => {
    const { apiKeyId } = await create(token(), path)
    const one = `${path}/${apiKeyId}`
    const calls = [
      await post({ name: 'two words' }),
      await call(under, token(), `PATCH ${one}`, { expiresAt: '2020-01-01T00:00:00Z' }),
      await call(under, token(), `PATCH ${one}`, { allowedAddresses: ['everywhere'] }),
      await call(under, token(), `POST ${one}/rotate`, { endOldSecret: 'yes' }),
    ]
    expect(calls.map(({ status, body }) => [status, body.code])).toEqual(Array(calls.length).fill([400, 3]))
  })
  test('have two keys with one name: code 5', async () => {
    await post({ name: 'Gate' })
    const { apiKeyId } = await create(token(), path)
    expect(await post({ name: 'gATE' })).toMatchObject({ status: 409, body: { code: 5 } })
    const renamed = await call(under, token(), `PATCH ${path}/${apiKeyId}`, { name: 'gate' })
    expect(renamed).toMatchObject({ status: 409, body: { code: 5 } })
  })
  test('have more than 100 keys: code 6', async () => {
    await sql`
      insert into auth.clients (client_id, kind, name, secret_sha256, redirect_uris, logged_out_uris, scopes, user_id,
                                api_key_id, account_id)
      select 'full-' || n, 'confidential', 'full' || n, sha256('x'), '{}', '{}', '{read}', 1001, 900000 + n, ${organisationId}
        from generate_series(1, 100) n`.execute(under.owner)
    expect(await post({})).toMatchObject({ status: 409, body: { code: 6 } })
  })
})

describe('a reseller’s keys', () => {
  test('act as the staff member who created them', async () => {
    const made = await call(under, dealer, `POST ${RESELLER}`, SETTINGS)
    expect(made.headers.get('location')).toBe(`/rest/v2.4/${RESELLER}/${made.body.apiKeyId}`)
    const token = await tokenOf(made.body)
    expect((await call(under, token, 'POST users/self/sessions')).body.session.userId).toBe(2001)
    expect(await call(under, token, `GET ${RESELLER}`)).toMatchObject({
      status: 403,
      body: { detail: 'this is not available to API keys' },
    })
  })
  test('can be changed and rotated by that staff member', async () => {
    const key = await create(dealer, RESELLER)
    const path = `${RESELLER}/${key.apiKeyId}`
    expect((await call(under, dealer, `PATCH ${path}`, { name: 'Gate' })).body).toMatchObject({ name: 'Gate' })
    const { status, body } = await call(under, dealer, `POST ${path}/rotate`, { endOldSecret: true })
    expect(status).toBe(200)
    expect(await tokenOf(key)).toBeUndefined()
    expect(await works(await tokenOf(body))).toBe(200)
  })
  test('can be seen and deleted but not changed by colleagues, who would act as someone else', async () => {
    const { apiKeyId } = await create(dealer, RESELLER)
    const colleague = await staff('colleague')
    expect((await call(under, colleague, `GET ${RESELLER}`)).body).toMatchObject([
      { apiKeyId, actsAs: { userId: 2001, name: 'Dora Dealer' } },
    ])
    expect(await statuses(colleague, `${RESELLER}/${apiKeyId}`)).toEqual([200, 403, 403, 204])
  })
  test('can be seen and deleted but not created or changed by staff above the reseller', async () => {
    const { apiKeyId } = await create(dealer, RESELLER)
    const distributor = await staff('distributor')
    expect(await call(under, distributor, `POST ${RESELLER}`, SETTINGS)).toMatchObject({
      status: 403,
      body: { code: 9, detail: "a reseller's API key can act only as one of its own staff" },
    })
    expect(await statuses(distributor, `${RESELLER}/${apiKeyId}`)).toEqual([200, 403, 403, 204])
  })
  test('need the permission', async () => {
    const { apiKeyId } = await create(dealer, RESELLER)
    const sales = await staff('sales')
    expect(await statuses(sales, `${RESELLER}/${apiKeyId}`)).toEqual([403, 403, 403, 403])
    expect((await call(under, sales, `POST ${RESELLER}`, SETTINGS)).status).toBe(403)
  })
  test('of another reseller look like nonexistent ones, and so does that reseller', async () => {
    const { apiKeyId } = await create(dealer, RESELLER)
    const brand = await staff('brand')
    for (const path of [RESELLER, 'resellers/77/apiKeys']) {
      expect(await statuses(brand, `${path}/${apiKeyId}`)).toEqual([404, 404, 404, 404])
      expect((await call(under, brand, `GET ${path}`)).status).toBe(404)
      expect((await call(under, brand, `POST ${path}`, SETTINGS)).status).toBe(404)
    }
    expect(await statuses(brand, `resellers/300/apiKeys/${apiKeyId}`)).toEqual([404, 404, 404, 404])
  })
  test('are in the reseller’s log', async () => {
    const { apiKeyId } = await create(dealer, RESELLER)
    await call(under, await staff('distributor'), `DELETE ${RESELLER}/${apiKeyId}`)
    const lines = await under.owner
      .selectFrom('audit_log')
      .select(['account_id', 'staff_id', 'action'])
      .where('target_kind', '=', 'apiKey')
      .orderBy('action')
      .execute()
    expect(lines).toEqual([
      { account_id: 255, staff_id: 2004, action: 'deleteResellerApiKey' },
      { account_id: 255, staff_id: 2001, action: 'postResellerApiKey' },
    ])
  })
})
