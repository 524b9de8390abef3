import { setTimeout as sleep } from 'node:timers/promises'
import { apiKey, apiKeyWithSecret } from '@sightline/contract/api-keys'
import { type ManualClock, MS_PER_HOUR, manualClock } from '@sightline/platform/clock'
import { hold } from '@sightline/platform/db-testing'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { addStaff, call, dealerToken } from '../../staff-testing.ts'
import { ask, errorReply } from '../../token-testing.ts'

const PASSWORD = 'Correct-horse7'
const MANAGE = { password: PASSWORD, permissions: ['manageApiKeys'] } as const
const RESELLER = 'resellers/255/apiKeys'
let clock: ManualClock
let under: AuthUnderTest
let owner: string

interface Key {
  readonly apiKeyId: number
  readonly clientId: string
  readonly clientSecret: string
}

beforeAll(async () => {
  clock = manualClock(Date.now())
  under = await openAuthUnderTest({ clock })
  for (const userId of [1001, 1002])
    await under.addUser({ userId, email: `u${userId}@demo.example`, password: PASSWORD })
  await addStaff(under, { userId: 2002, email: 'colleague@demo.example', ...MANAGE })
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(async () => {
  await under.owner.deleteFrom('auth.clients').where('api_key_id', 'is not', null).execute()
  await under.owner.deleteFrom('auth.access_sessions').execute()
  await under.owner.deleteFrom('audit_log').execute()
  owner = await under.browser().token('u1001@demo.example', PASSWORD)
})

const staff = (name: string) => dealerToken(under.browser(), `${name}@demo.example`, PASSWORD)
const create = async (given: object = {}, { token = owner, path = 'apiKeys' } = {}): Promise<Key> => {
  const reply = await call(under, token, `POST ${path}`, { name: 'Alarm', scopes: ['read', 'write'], ...given })
  if (reply.status !== 201) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}
/** The token endpoint's response to a key. */
const tokenFor = ({ clientId, clientSecret }: Key, given: { from?: string; fields?: Record<string, string> } = {}) =>
  ask(
    under,
    { grant_type: 'client_credentials', ...given.fields },
    {
      basic: [clientId, clientSecret],
      ...(given.from === undefined ? {} : { headers: { 'x-forwarded-for': given.from } }),
    },
  )
const tokenOf = async (key: Key): Promise<string> => {
  const { status, body } = await tokenFor(key)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.access_token
}
const works = async (token: string) => (await call(under, token, 'POST users/self/sessions')).status
const lines = () =>
  under.owner
    .selectFrom('audit_log')
    .select(['account_id', 'user_id', 'action', 'target_kind', 'target_id', 'before', 'after'])
    .where('target_kind', '=', 'apiKey')
    .orderBy('at')
    .execute()

describe('an API key', () => {
  test('shows its secret only once', async () => {
    const made = await call(under, owner, 'POST apiKeys', { name: 'Alarm2' })
    expect(made.status).toBe(201)
    const key = z.parse(apiKeyWithSecret, made.body)
    expect(made.headers.get('location')).toBe(`/rest/v2.4/apiKeys/${key.apiKeyId}`)
    expect(key).toMatchObject({
      name: 'Alarm2',
      scopes: ['read'],
      grants: ['client_credentials'],
      provisioning: false,
      expiresAt: null,
      allowedAddresses: [],
      lastUsed: null,
      oldSecretUntil: null,
      actsAs: { userId: 1001, name: 'Ada Lovelace' },
    })
    expect(key.clientSecret.length).toBe(43)
    const list = await call(under, owner, 'GET apiKeys')
    expect(z.parse(z.array(apiKey), list.body)).toHaveLength(1)
    const one = await call(under, owner, `GET apiKeys/${key.apiKeyId}`)
    for (const { body } of [list, one]) {
      expect(JSON.stringify(body)).not.toContain(key.clientSecret)
      expect(JSON.stringify(body)).not.toContain('clientSecret')
    }
    expect(JSON.stringify(await lines())).not.toContain(key.clientSecret)
    expect(under.logged.join()).not.toContain(key.clientSecret)
  })

  test('is a client that gets one-hour tokens for its owner, by header or body, and no refresh tokens', async () => {
    const key = await create()
    const byHeader = await tokenFor(key)
    expect(byHeader).toMatchObject({
      status: 200,
      body: { expires_in: 3600, token_type: 'bearer', scope: 'read write' },
    })
    expect(byHeader.body.refresh_token).toBeUndefined()
    const inBody = { client_id: key.clientId, client_secret: key.clientSecret }
    const byBody = await ask(under, { grant_type: 'client_credentials', ...inBody })
    for (const { body } of [byHeader, byBody])
      expect((await call(under, body.access_token, 'POST users/self/sessions')).body.session.userId).toBe(1001)
  })

  test('can do what its scopes allow, and can request fewer', async () => {
    const reading = await tokenOf(await create({ name: 'Reading', scopes: ['read'] }))
    expect((await call(under, reading, 'GET users/self/supportSession')).status).toBe(200)
    expect(await works(reading)).toBe(403)
    const both = await create()
    const less = await tokenFor(both, { fields: { scope: 'read' } })
    expect(await works(less.body.access_token)).toBe(403)
    expect(await tokenFor(both, { fields: { scope: 'openid' } })).toMatchObject(errorReply('invalid_scope'))
  })

  test.each(['authorization_code', 'password', 'refresh_token'])("can't use the grant %s", async (grant_type) => {
    const fields = { grant_type, username: 'u1001@demo.example', password: PASSWORD, code: 'x', refresh_token: 'x' }
    const { clientId, clientSecret } = await create()
    const reply = await ask(under, fields, { basic: [clientId, clientSecret] })
    expect(reply).toMatchObject(errorReply('unauthorized_client'))
  })

  test.each([
    'GET apiKeys',
    'POST apiKeys',
    'GET users/self/tokens',
    'DELETE users/self/tokens/all',
    'GET users/self/credentials',
    'PATCH users/self/credentials',
    'GET accounts/self/supportSessions',
    'DELETE accounts/self/supportSessions',
  ])("can't call %s", async (what) => {
    const body = what.startsWith('P') ? { name: 'more', password: PASSWORD, newPassword: 'Battery-staple8' } : undefined
    expect(await call(under, await tokenOf(await create()), what, body)).toMatchObject({
      status: 403,
      body: { code: 9, detail: 'this is not available to API keys' },
    })
  })

  test('can end its own token like any client', async () => {
    const token = await tokenOf(await create())
    expect((await call(under, token, 'DELETE users/self/tokens/current')).status).toBe(204)
    expect(await works(token)).toBe(401)
  })

  test('shows when it last got a token, to the minute', async () => {
    const key = await create()
    await tokenOf(key)
    const at = clock.now()
    await expect
      .poll(async () => (await call(under, owner, `GET apiKeys/${key.apiKeyId}`)).body.lastUsed)
      .toBe(new Date(at - (at % 60_000)).toISOString().replace('Z', '+00:00'))
  })
})

describe('settings of a key', () => {
  test.each([
    ['a name with a space', { name: 'my key' }, 'name', 'The name can contain only letters and numbers.'],
    ['a short name', { name: 'ab' }, 'name', '3-64 characters'],
    ['a long name', { name: 'a'.repeat(65) }, 'name', '3-64 characters'],
    ['no scope at all', { scopes: [] }, 'scopes', 'At least one of read and write'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt', 'Choose an end in the future'],
    [
      'an invalid address',
      { allowedAddresses: ['10.0.0.0/33'] },
      'allowedAddresses.0',
      expect.stringContaining('range'),
    ],
    ['another grant', { grants: ['password'] }, 'grants.0', 'API keys support only client_credentials'],
    [
      'a redirect address',
      { redirectUris: ['https://a.example/'] },
      'redirectUris',
      expect.stringContaining('no redirect addresses'),
    ],
  ])('with %s are refused with code 3 and the reason', async (_, given, field, message) => {
    expect(await call(under, owner, 'POST apiKeys', { name: 'Alarm', ...given })).toMatchObject({
      status: 400,
      body: { code: 3, fields: [{ field, message }] },
    })
  })
  test('accept letters and digits of every script', async () => {
    await create({ name: 'Türöffner門2' })
  })
  test('need a name that is unique in the account, in any case: code 5', async () => {
    await create()
    expect(await call(under, owner, 'POST apiKeys', { name: 'aLARM' })).toMatchObject({
      status: 409,
      body: { code: 5 },
    })
    const other = await under.browser().token('u1002@demo.example', PASSWORD)
    await create({}, { token: other })
  })
  test("can't exceed the limit of 100 even if 20 are created at once: code 6", async () => {
    const first = await create({ name: 'number0' })
    const row = await under.owner
      .selectFrom('auth.clients')
      .selectAll()
      .where('api_key_id', '=', first.apiKeyId)
      .executeTakeFirstOrThrow()
    for (let n = 1; n < 93; n += 1) {
      const copy = { ...row, client_id: `copy-${n}`, api_key_id: 500_000 + n, name: `number${n}` }
      await under.owner
        .insertInto('auth.clients')
        .values({ ...copy, created_at: undefined, expires_at: undefined } as never)
        .execute()
    }
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call(under, owner, 'POST apiKeys', { name: `parallel${n}` })),
    )
    expect(made.filter(({ status }) => status === 201)).toHaveLength(7)
    const rest = made.filter(({ status }) => status !== 201)
    expect(rest.map(({ status, body }) => [status, body.code])).toEqual(Array(13).fill([409, 6]))
    expect((await call(under, owner, 'GET apiKeys')).body).toHaveLength(100)
  })
})

describe("a key's allowed addresses", () => {
  test('apply at the token endpoint', async () => {
    const key = await create({ allowedAddresses: ['192.0.2.0/24', '2001:db8::/32'] })
    for (const from of ['192.0.2.9', '2001:db8::9']) expect((await tokenFor(key, { from })).status).toBe(200)
    for (const from of ['198.51.100.9', '2001:db9::9']) {
      expect(await tokenFor(key, { from })).toMatchObject({
        status: 400,
        body: { error: 'unauthorized_client', error_description: 'this API key is not allowed from this address' },
      })
    }
  })
  test('apply at every call', async () => {
    const key = await create({ allowedAddresses: ['192.0.2.0/24'] })
    const { body } = await tokenFor(key, { from: '192.0.2.9' })
    expect(await call(under, body.access_token, 'POST users/self/sessions')).toMatchObject({
      status: 403,
      body: { code: 9, detail: 'this API key is not allowed from this address' },
    })
  })
  test('take effect as soon as they change', async () => {
    const key = await create()
    const token = await tokenOf(key)
    const allow = (allowedAddresses: readonly string[]) =>
      call(under, owner, `PATCH apiKeys/${key.apiKeyId}`, { allowedAddresses })
    await allow(['192.0.2.1'])
    expect(await works(token)).toBe(403)
    await allow(['127.0.0.0/8'])
    expect(await works(token)).toBe(200)
  })
})

describe('a key stops working', () => {
  test('when it expires, along with its tokens', async () => {
    const key = await create({ expiresAt: new Date(Date.now() + 900).toISOString() })
    const token = await tokenOf(key)
    expect(await works(token)).toBe(200)
    await sleep(1000)
    expect(await works(token)).toBe(401)
    expect(await tokenFor(key)).toMatchObject(errorReply('invalid_client', 401))
    expect((await call(under, owner, 'GET apiKeys')).body).toHaveLength(1)
  })
  test('when it is deleted, immediately and for open streams too', async () => {
    const key = await create()
    const token = await tokenOf(key)
    under.revoked.length = 0
    expect((await call(under, owner, `DELETE apiKeys/${key.apiKeyId}`)).status).toBe(204)
    expect(under.revoked.some((revocation) => revocation.tokenSha256?.equals(tokenSha256(token)))).toBe(true)
    expect(await works(token)).toBe(401)
    expect(await tokenFor(key)).toMatchObject(errorReply('invalid_client', 401))
    expect((await call(under, owner, `DELETE apiKeys/${key.apiKeyId}`)).status).toBe(404)
  })
  test('when its user is deleted', async () => {
    const key = await create({}, { token: await staff('colleague'), path: RESELLER })
    await under.owner.deleteFrom('staff').where('user_id', '=', 2002).execute()
    expect(await tokenFor(key)).toMatchObject(errorReply('invalid_client', 401))
    await addStaff(under, { userId: 2002, email: 'colleague@demo.example', ...MANAGE })
  })
  test('while its user is blocked', async () => {
    const key = await create({}, { token: await staff('colleague'), path: RESELLER })
    const token = await tokenOf(key)
    const block = (blocked: boolean) =>
      under.owner.updateTable('staff').set({ blocked }).where('user_id', '=', 2002).execute()
    await block(true)
    expect(await works(token)).toBe(401)
    expect(await tokenFor(key)).toMatchObject(errorReply('invalid_grant'))
    await block(false)
    expect((await tokenFor(key)).status).toBe(200)
  })
  test('for a token that is being created while the key is deleted', async () => {
    const key = await create()
    await using row = await hold(under, 'lock table auth.access_sessions in access exclusive mode')
    const asking = tokenFor(key)
    await row.waiting(1)
    const deleting = fetch(`${under.origin}/rest/v2.4/apiKeys/${key.apiKeyId}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${owner}` },
    })
    await row.waiting(2)
    await row.release()
    expect((await deleting).status).toBe(204)
    const { body } = await asking
    if (body.access_token !== undefined) expect(await works(body.access_token)).toBe(401)
  })
})

describe('rotating the secret', () => {
  const rotate = (key: Key, body?: object) => call(under, owner, `POST apiKeys/${key.apiKeyId}/rotate`, body)

  test('makes a new secret valid immediately and keeps the old one for 24 hours', async () => {
    const key = await create()
    const token = await tokenOf(key)
    const { status, body: next } = await rotate(key)
    expect(status).toBe(200)
    expect(z.parse(apiKeyWithSecret, next).oldSecretUntil).toBe(
      new Date(clock.now() + 24 * MS_PER_HOUR).toISOString().replace('Z', '+00:00'),
    )
    expect([(await tokenFor(next)).status, (await tokenFor(key)).status, await works(token)]).toEqual([200, 200, 200])
    clock.advance(24 * MS_PER_HOUR)
    expect([(await tokenFor(next)).status, (await tokenFor(key)).status]).toEqual([200, 401])
    owner = await under.browser().token('u1001@demo.example', PASSWORD)
    expect((await call(under, owner, `GET apiKeys/${key.apiKeyId}`)).body.oldSecretUntil).toBeNull()
  })
  test("twice after a lost reply doesn't end the secret in use", async () => {
    const key = await create()
    await tokenOf(key)
    await rotate(key)
    const { body: next } = await rotate(key)
    expect([(await tokenFor(next)).status, (await tokenFor(key)).status]).toEqual([200, 200])
  })
  test('ends the old secret and its tokens on request', async () => {
    const key = await create()
    const token = await tokenOf(key)
    const { body: next } = await rotate(key, { endOldSecret: true })
    expect(await works(token)).toBe(401)
    expect([(await tokenFor(next)).status, (await tokenFor(key)).status]).toEqual([200, 401])
  })
})
