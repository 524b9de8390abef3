import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@sightline/platform/clock'
import { describe, expect, test } from 'vitest'
import { type ActionLinkKind, actionLinkKinds, findLinkPage, getLinkRule, listEndedKinds, opens } from './rules.ts'

const preconditions = { accountId: 7, emailFolded: 'ada@video.example', generation: 3 }
const opensFor = (
  kind: ActionLinkKind,
  now: { readonly [K in keyof typeof preconditions]?: unknown } & { barred?: boolean } = {},
) => {
  const { barred: isBlocked = false, ...changed } = now
  const person = { preconditions: { ...preconditions, ...changed } as typeof preconditions, isBlocked }
  return opens({ kind, expiresAt: 1000, madeOn: preconditions }, person, 999)
}

describe('an action link', () => {
  test.each([
    ['invitation', 7 * MS_PER_DAY],
    ['reset', 30 * MS_PER_MINUTE],
    ['lockdown', 72 * MS_PER_HOUR],
    ['emailChange', 7 * MS_PER_DAY],
  ] as const)('of kind %s is valid for %i ms', (kind, ms) => {
    expect(getLinkRule(kind).lifeMs).toBe(ms)
  })

  test.each(actionLinkKinds)('of kind %s works until it expires', (kind) => {
    expect(opensFor(kind)).toBe(true)
    expect(opens({ kind, expiresAt: 999, madeOn: preconditions }, { preconditions, isBlocked: false }, 999)).toBe(false)
  })

  test.each([
    ['invitation', { address: false, account: false, signIns: false, noPassword: false, barred: false }],
    ['reset', { address: false, account: false, signIns: false, noPassword: false, barred: false }],
    ['lockdown', { address: true, account: true, signIns: true, noPassword: true, barred: true }],
    ['emailChange', { address: false, account: false, signIns: true, noPassword: true, barred: false }],
  ] as const)('of kind %s: whether it still works after a change to the user', (kind, expected) => {
    expect({
      address: opensFor(kind, { emailFolded: 'other@video.example' }),
      account: opensFor(kind, { accountId: 8 }),
      signIns: opensFor(kind, { generation: 4 }),
      noPassword: opensFor(kind, { generation: null }),
      barred: opensFor(kind, { barred: true }),
    }).toEqual(expected)
  })
})

test('a new address and the end of all sign-ins each end certain kinds of links for good', () => {
  expect(listEndedKinds('newAddress')).toEqual(['invitation', 'reset', 'emailChange'])
  expect(listEndedKinds('endOfSignIns')).toEqual(['invitation', 'reset'])
})

test("a page's path determines which kinds of links it opens", () => {
  expect(findLinkPage('/sign-in/password/abc')).toEqual({
    kinds: ['invitation', 'reset'],
    over: 'passwordLink',
    token: 'abc',
  })
  expect(findLinkPage('/sign-in/lockdown/abc')).toEqual({ kinds: ['lockdown'], over: 'lockdownLink', token: 'abc' })
  expect(findLinkPage('/sign-in/email/')).toEqual({ kinds: ['emailChange'], over: 'emailLink', token: '' })
  expect(findLinkPage('/sign-in/forgot')).toBeUndefined()
})
