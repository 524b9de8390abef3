import { tokenSummary } from '@sightline/contract/tokens'
import { tokenSha256 } from '@sightline/platform/sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type AuthUnderTest, expireTokens, openAuthUnderTest } from '../../auth-testing.ts'

const PASSWORD = 'Correct-horse7'
let under: AuthUnderTest
beforeAll(async () => {
  under = await openAuthUnderTest()
  for (const userId of [1001, 1002, 1003, 1004]) {
    const rights = userId === 1004 ? ['demoUser'] : []
    await under.addUser({ userId, email: `user${userId}@demo.example`, password: PASSWORD, rights })
  }
})
afterAll(() => under[Symbol.asyncDispose]())

const tokenOf = (userId: number) => under.browser().token(`user${userId}@demo.example`, PASSWORD)
const call = async (token: string, method: string, path: string) => {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${under.origin}/rest/v2.0/users/self/${path}`, { method, headers })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
const dead = { status: 401, body: { error: 'invalid_token' } }

describe('users/self/tokens', () => {
  test('lists the user’s own sign-ins, newest first, without tokens', async () => {
    const tokens = [await tokenOf(1001), await tokenOf(1001)]
    await tokenOf(1002)
    const { body } = await call(tokens[0] ?? '', 'GET', 'tokens')
    const list = z.parse(z.array(tokenSummary), body)
    expect(list.map(({ current }) => current)).toEqual([false, true])
    expect(list[0]).toMatchObject({
      clientId: 'account.v2',
      appId: 'account.v2',
      address: expect.stringContaining('127.0.0.1'),
    })
    for (const token of tokens) expect(JSON.stringify(body)).not.toContain(token)
  })

  test('DELETE current ends exactly that token and closes its open streams', async () => {
    const [first, second] = [await tokenOf(1002), await tokenOf(1002)]
    expect((await call(first, 'DELETE', 'tokens/current')).status).toBe(204)
    expect(await call(first, 'GET', 'tokens')).toMatchObject(dead)
    expect((await call(second, 'GET', 'tokens')).status).toBe(200)
    expect(under.revoked.some((r) => r.tokenSha256?.equals(tokenSha256(first)))).toBe(true)
  })

  test('ends an own token by id; another user’s is not found (code 4)', async () => {
    const mine = await tokenOf(1003)
    const other = await tokenOf(1003)
    const foreign = await tokenOf(1002)
    const idOf = async (token: string) => {
      const { body } = await call(token, 'GET', 'tokens')
      return body.find((entry: { current: boolean }) => entry.current).tokenId as number
    }
    const absent = await call(mine, 'DELETE', 'tokens/999')
    expect(absent).toMatchObject({ status: 404, body: { code: 4 } })
    expect(await call(mine, 'DELETE', `tokens/${await idOf(foreign)}`)).toEqual(absent)
    expect((await call(foreign, 'GET', 'tokens')).status).toBe(200)
    expect((await call(mine, 'DELETE', `tokens/${await idOf(other)}`)).status).toBe(204)
    expect(await call(other, 'GET', 'tokens')).toMatchObject(dead)
    expect((await call(mine, 'DELETE', 'tokens/all')).status).toBe(204)
    expect(await call(mine, 'GET', 'tokens')).toMatchObject(dead)
  })

  test('lets a demo user sign out but not sign others out', async () => {
    const token = await tokenOf(1004)
    expect(await call(token, 'DELETE', 'tokens/all')).toMatchObject({ status: 403, body: { code: 9 } })
    expect((await call(token, 'DELETE', 'tokens/current')).status).toBe(204)
  })

  test('lets a read-only token end itself and nothing else', async () => {
    const browser = under.browser()
    const back = await browser.signIn('user1002@demo.example', PASSWORD, { extra: { scope: 'read' } })
    const { body } = await browser.exchange(back.searchParams.get('code') ?? '')
    expect(body.scope).toBe('read')
    expect(await call(body.access_token, 'DELETE', 'tokens/all')).toMatchObject({ status: 403, body: { code: 9 } })
    expect((await call(body.access_token, 'DELETE', 'tokens/current')).status).toBe(204)
    expect(await call(body.access_token, 'GET', 'tokens')).toMatchObject(dead)
  })

  test('POST users/self/sessions returns the caller’s own token even if another token used the same Idempotency-Key', async () => {
    const sessionOf = async (token: string) => {
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'same' }
      const response = await fetch(`${under.origin}/rest/v2.0/users/self/sessions`, { method: 'POST', headers })
      return z.parse(z.object({ session: z.object({ sessionId: z.number() }) }), await response.json()).session
        .sessionId
    }
    const [first, second] = [await tokenOf(1003), await tokenOf(1003)]
    const ids = [await sessionOf(first), await sessionOf(second)]
    expect(new Set(ids).size).toBe(2)
    expect(await sessionOf(first)).toBe(ids[0])
    const { body } = await call(second, 'GET', 'tokens')
    expect(body.find((entry: { current: boolean }) => entry.current).tokenId).toBe(ids[1])
  })

  test('POST users/self/sessions returns token and user for existing clients', async () => {
    const token = await tokenOf(1001)
    const { status, body } = await call(token, 'POST', 'sessions')
    expect(status).toBe(200)
    expect(body).toEqual({ session: { sessionId: expect.any(Number), userId: 1001 } })
  })

  test('rejects a token after it expires', async () => {
    const token = await tokenOf(1001)
    await expireTokens(under.owner)
    expect(await call(token, 'GET', 'tokens')).toMatchObject(dead)
  })
})
