import { hold } from '@sightline/platform/db-testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import { ask, errorReply, rest } from '../../token-testing.ts'
import { newClientSecret } from './registration.ts'
import { removeClient, replaceSecret } from './store.ts'

const EMAIL = 'owner@demo.example'
const PASSWORD = 'Correct-horse7'
let under: AuthUnderTest
let clientId = ''
let secret = ''
let count = 0

beforeAll(async () => {
  under = await openAuthUnderTest()
  await under.addUser({ userId: 1001, email: EMAIL, password: PASSWORD })
})
afterAll(() => under[Symbol.asyncDispose]())
beforeEach(async () => {
  count += 1
  clientId = `robot${count}`
  secret = await under.addClient({ clientId, userId: 1001, redirectUris: [], passwordGrant: true })
})

const byCredentials = () => ask(under, { grant_type: 'client_credentials' }, { basic: [clientId, secret] })
const byPassword = () =>
  ask(under, { grant_type: 'password', username: EMAIL, password: PASSWORD }, { basic: [clientId, secret] })
const rowsOf = async (id: string) => {
  const tokens = await under.owner.selectFrom('auth.access_sessions').selectAll().where('client_id', '=', id).execute()
  const records = await under.owner.selectFrom('auth.provider_records').select(['kind', 'payload']).execute()
  return [...tokens, ...records.filter(({ payload }) => payload.clientId === id)]
}

/** Removes the client after a token request has all it needs and before the token is written. */
async function removeWhileWriting(request: () => Promise<unknown>): Promise<void> {
  await using tokens = await hold(under, 'lock table auth.access_sessions in share mode')
  const asking = request()
  await tokens.waiting(1)
  const removing = removeClient(under.database.db('owner'), clientId)
  await tokens.waiting(2)
  await tokens.release()
  expect(await removing).toBe(true)
  await asking
  expect(await rowsOf(clientId)).toEqual([])
}

describe('removing a client', () => {
  test('ends its tokens', async () => {
    const { body } = await byPassword()
    expect((await rest(under, body.access_token)).status).toBe(200)
    expect(await removeClient(under.database.db('owner'), clientId)).toBe(true)
    expect((await rest(under, body.access_token)).status).toBe(401)
    expect(await rowsOf(clientId)).toEqual([])
  })

  test.each([
    ['client credentials', byCredentials],
    ['a password', byPassword],
  ])('gives nothing to a request with %s that has already authenticated', async (_, request) => {
    await using people = await hold(under, 'lock table users in access exclusive mode')
    const asking = request()
    await people.waiting(1)
    expect(await removeClient(under.database.db('owner'), clientId)).toBe(true)
    await people.release()
    expect((await asking).status).toBeGreaterThanOrEqual(400)
    expect(await rowsOf(clientId)).toEqual([])
  })

  test('waits for a token that is being written, and ends it', async () => {
    await removeWhileWriting(byCredentials)
  })

  test('ends the tokens of a refresh token in use', async () => {
    const { body } = await byPassword()
    const fields = { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' }
    await removeWhileWriting(() => ask(under, fields, { basic: [clientId, secret] }))
    expect(await byPassword()).toMatchObject(errorReply('invalid_client', 401))
  })
})

describe('a new secret', () => {
  const replace = async (endTokens: boolean): Promise<string> => {
    const { secret: next, sha256 } = newClientSecret()
    expect(await replaceSecret(under.database.db('owner'), { clientId, sha256, endTokens })).toBe(true)
    return next
  }

  test('gives nothing to a request that authenticated with the old secret', async () => {
    await using people = await hold(under, 'lock table users in access exclusive mode')
    const asking = byPassword()
    await people.waiting(1)
    secret = await replace(false)
    await people.release()
    expect(await asking).toMatchObject(errorReply('invalid_client'))
    expect((await byPassword()).status).toBe(200)
  })

  test("keeps the client's tokens or ends them", async () => {
    const { body } = await byPassword()
    secret = await replace(false)
    expect((await rest(under, body.access_token)).status).toBe(200)
    secret = await replace(true)
    expect((await rest(under, body.access_token)).status).toBe(401)
    const again = { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' }
    expect(await ask(under, again, { basic: [clientId, secret] })).toMatchObject(errorReply('invalid_grant'))
    expect((await byPassword()).status).toBe(200)
  })
})
