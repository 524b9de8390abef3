import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthUnderTest, openAuthUnderTest } from '../../auth-testing.ts'
import type { TokenBody } from '../../browser-testing.ts'

const PASSWORD = 'Correct-horse7'
const settings = { authFlow: 'code', tokenParametersInQuery: true } as const
let strict: AuthUnderTest
let lenient: AuthUnderTest
const secrets = new Map<AuthUnderTest, string>()

beforeAll(async () => {
  strict = await openAuthUnderTest()
  lenient = await openAuthUnderTest({ settings })
  for (const under of [strict, lenient]) {
    await under.addUser({ userId: 1001, email: 'owner@demo.example', password: PASSWORD })
    secrets.set(under, await under.addClient({ clientId: 'nvr', passwordGrant: true }))
  }
})
afterAll(async () => {
  await strict[Symbol.asyncDispose]()
  await lenient[Symbol.asyncDispose]()
})

const parameters = (under: AuthUnderTest) => ({
  grant_type: 'password',
  username: 'owner@demo.example',
  password: PASSWORD,
  client_id: 'nvr',
  client_secret: secrets.get(under) ?? '',
})
async function post(under: AuthUnderTest, query: Record<string, string>, init: RequestInit = {}) {
  const response = await fetch(`${under.origin}/oauth/token?${new URLSearchParams(query)}`, { method: 'POST', ...init })
  const body: Partial<TokenBody> = JSON.parse(await response.text())
  return { status: response.status, body }
}

test('parameters in the address are refused unless the operator allows them, even correct ones', async () => {
  const refusal = {
    status: 400,
    body: { error: 'invalid_request', error_description: expect.stringContaining('body') },
  }
  expect(await post(strict, parameters(strict))).toEqual(refusal)
  const { client_secret, ...rest } = parameters(strict)
  expect(await post(strict, { client_secret }, { body: new URLSearchParams(rest) })).toEqual(refusal)
  expect(await post(strict, {}, { body: new URLSearchParams(parameters(strict)) })).toMatchObject({ status: 200 })
})

test('if allowed, they count like those in the body', async () => {
  expect(await post(lenient, parameters(lenient))).toMatchObject({ status: 200, body: { token_type: 'bearer' } })
  const { client_id, client_secret, ...rest } = parameters(lenient)
  const headers = { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` }
  expect(await post(lenient, rest, { headers })).toMatchObject({ status: 200 })
  const { grant_type, ...body } = parameters(lenient)
  expect(await post(lenient, { grant_type }, { body: new URLSearchParams(body) })).toMatchObject({ status: 200 })
})

test('a question mark in a parameter is part of it', async () => {
  const query = `x=a?b&${new URLSearchParams(parameters(lenient))}`
  const response = await fetch(`${lenient.origin}/oauth/token?${query}`, { method: 'POST' })
  expect(response.status).toBe(200)
})

test('a parameter in both places is refused as a duplicate', async () => {
  const twice = await post(lenient, { username: 'x' }, { body: new URLSearchParams(parameters(lenient)) })
  expect(twice).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
})

test('a body that isn’t a form, or is too long, is refused', async () => {
  const json = { body: JSON.stringify(parameters(lenient)), headers: { 'content-type': 'application/json' } }
  expect(await post(lenient, { scope: 'read' }, json)).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  })
  const long = { body: new URLSearchParams({ ...parameters(lenient), x: 'x'.repeat(10_000) }) }
  expect(await post(lenient, { scope: 'read' }, long)).toMatchObject({ status: 400 })
})

test('the log contains no secret, password or token', async () => {
  const { body } = await post(lenient, parameters(lenient))
  const { body: refused } = await post(lenient, { ...parameters(lenient), client_secret: 'wr0ng-s3cret' })
  expect(refused.error).toBe('invalid_client')
  const log = lenient.logged.join('\n')
  const hidden = [PASSWORD, secrets.get(lenient), 'wr0ng-s3cret', body.access_token, body.refresh_token]
  for (const secret of hidden) expect(log).not.toContain(secret ?? 'every one must be there')
  expect(hidden).not.toContain(undefined)
})
