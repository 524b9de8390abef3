import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, testApi } from '../slice-testing.ts'
import { preferences } from './index.ts'
import { mergePatch } from './merge-patch.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi({ slices: [preferences] })
})
afterAll(() => api[Symbol.asyncDispose]())

const patch = (token: string, body: unknown) => api.call(token, 'PATCH users/self/preferences', body)

test('preferences are empty at first', async () => {
  const { token } = await api.addAccount()
  expect(await api.call(token, 'GET users/self/preferences')).toMatchObject({ status: 200, body: {} })
})

test('a patch is saved for each user separately', async () => {
  const { accountId, token } = await api.addAccount()
  const other = await api.addSubUser(accountId, { rights: [] })
  await patch(token, { tour: { seen: true }, grid: ['a', 'b'] })
  const changed = await patch(token, { tour: { step: 3 }, grid: ['c'] })
  expect(changed).toMatchObject({ status: 200, body: { tour: { seen: true, step: 3 }, grid: ['c'] } })
  expect((await api.call(token, 'GET users/self/preferences')).body).toEqual(changed.body)
  expect((await api.call(other.token, 'GET users/self/preferences')).body).toEqual({})
})

test('more than 16 KiB in total is refused, and the saved preferences stay', async () => {
  const { token } = await api.addAccount()
  await patch(token, { first: 'x'.repeat(10_000) })
  const answer = await patch(token, { second: 'x'.repeat(10_000) })
  expect(answer).toMatchObject({ status: 400, body: { code: 3 } })
  expect(answer.body.detail).toContain('at most 16384 bytes')
  expect(Object.keys((await api.call(token, 'GET users/self/preferences')).body)).toEqual(['first'])
})

test('names with a special meaning in JavaScript are ordinary names', async () => {
  const { token } = await api.addAccount()
  const answer = await api.call(
    token,
    'PATCH users/self/preferences',
    '{"__proto__":{"rights":1},"constructor":{"a":1}}',
  )
  expect(answer.status).toBe(200)
  expect(({} as { rights?: unknown }).rights).toBeUndefined()
})

// RFC 7396, appendix A, where target and patch are objects.
describe('a merge patch', () => {
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('of %j with %j gives %j', (target, given, merged) => {
    expect(mergePatch(target, given)).toEqual(merged)
  })
})
