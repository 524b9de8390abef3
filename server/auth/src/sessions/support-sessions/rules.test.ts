import { describe, expect, test } from 'vitest'
import { getSessionEnd, limitScopes, type Wish } from './rules.ts'

const BOTH = ['read', 'write']

describe('the scopes of a session', () => {
  test.each<readonly [Wish, readonly string[]]>([
    [{}, BOTH],
    [{ scope: 'read' }, ['read']],
    [{ scope: 'write' }, ['write']],
    [{ scope: 'write read' }, BOTH],
    [{ readOnly: true }, ['read']],
    [{ readOnly: true, scope: 'read' }, ['read']],
    [{ readOnly: false }, BOTH],
  ])('for %j are %j', (wish, scopes) => {
    expect(limitScopes(wish, ['openid', ...BOTH])).toEqual({ ok: true, value: scopes })
  })
  test("never exceed those of the caller's token", () => {
    expect(limitScopes({}, ['write'])).toEqual({ ok: true, value: ['write'] })
    for (const wish of [{ scope: 'read write' }, { readOnly: true }] as const) {
      expect(limitScopes(wish, ['write'])).toMatchObject({
        failure: { error: 'notAuthorized', detail: 'this token lacks the scope read' },
      })
    }
  })
  test("can't be read-only and include write", () => {
    expect(limitScopes({ readOnly: true, scope: 'read write' }, BOTH)).toMatchObject({
      failure: { error: 'validation', fields: [{ field: 'readOnly' }] },
    })
  })
})

test('the preconditions of a session are checked in this order: module, account, user, grant', () => {
  const preconditions = { modules: {}, accountStatus: 'suspended', isUserBlocked: true, grantEndsAt: 5 } as const
  const details = [
    preconditions,
    { ...preconditions, modules: { generateAccessToken: true } },
    { ...preconditions, modules: { generateAccessToken: true }, accountStatus: 'inactive' as const },
    {
      ...preconditions,
      modules: { generateAccessToken: true },
      accountStatus: 'active' as const,
      isUserBlocked: false,
    },
  ].map((given) => {
    const end = getSessionEnd(given, 5)
    return end.ok ? end.value : end.failure.detail
  })
  expect(details).toEqual([
    'the brand does not have the module generateAccessToken',
    'the account is suspended',
    'the user is blocked',
    "the account owner hasn't allowed support access",
  ])
})
