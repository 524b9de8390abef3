import { describe, expect, test } from 'vitest'
import { describeStep, getDenyReason, listSteps, type Rule } from './decide.ts'
import { allModules } from './modules.ts'
import { allPermissions, staffLevels } from './permissions.ts'
import { effectiveRights, type Member, type Staff, sourceOfRight } from './principal.ts'
import { allRights, mandatoryRights } from './rights.ts'

const member = (given: Partial<Member> = {}): Member => ({
  kind: 'member',
  userId: 11,
  accountId: 10,
  resellerId: 255,
  isSuperUser: false,
  granted: new Set(),
  access: { kind: 'all' },
  modules: new Set(allModules),
  accountStatus: 'active',
  userType: 'regular',
  isWebAppDisabled: false,
  owesAgreement: false,
  isGuest: false,
  scopes: ['read', 'write'],
  support: undefined,
  apiKeyId: undefined,
  provisioning: false,
  ...given,
})
const owner = (given: Partial<Member> = {}): Member => member({ userId: 10, isSuperUser: true, ...given })
const staff = (given: Partial<Staff> = {}): Staff => ({
  kind: 'staff',
  userId: 20,
  level: 'reseller',
  distributorId: 1,
  resellerId: 255,
  permissions: new Set(allPermissions),
  modules: new Set(allModules),
  accountIds: undefined,
  scopes: ['read', 'write'],
  apiKeyId: undefined,
  provisioning: false,
  ...given,
})
const support = (video: 'shown' | 'hidden') => owner({ support: { staffId: 20, staffName: 'Ada', video } })

const reading: Rule = { method: 'GET', callers: 'members', support: 'yes' }
const writing: Rule = { method: 'PATCH', callers: 'members', support: 'yes' }
const byStaff: Rule = { method: 'GET', callers: 'staff', support: 'no' }

/** What forbids it, as check and reason, or undefined. */
const forbiddenBy = (rule: Rule, who: Member | Staff) => {
  const step = getDenyReason(rule, who)
  return step === undefined ? undefined : `${step.check} ${step.by}`
}

describe('rights', () => {
  test.each(allRights.filter((right) => !mandatoryRights.includes(right)))(
    '%s comes only from its own switch',
    (right) => {
      const rule = { ...reading, right }
      const everyOther = new Set(allRights.filter((other) => other !== right && other !== 'demoUser'))
      expect(forbiddenBy(rule, member({ granted: everyOther }))).toBe('right missing')
      expect(forbiddenBy(rule, member({ granted: new Set([right]) }))).toBeUndefined()
    },
  )

  test.each(mandatoryRights)('every user has %s', (right) => {
    expect(forbiddenBy({ ...reading, right }, member())).toBeUndefined()
    expect(sourceOfRight(member(), right)).toBe('mandatory')
  })

  test('an owner has every right without a switch, except the one that restricts its user', () => {
    expect([...effectiveRights(owner())]).toEqual(allRights.filter((right) => right !== 'demoUser'))
    expect(forbiddenBy(writing, owner())).toBeUndefined()
  })

  test('a right whose module the brand lacks is granted to no one', () => {
    const rule = { ...reading, right: 'deviceIORead' } as const
    const modules = new Set(allModules.filter((module) => module !== 'deviceIO'))
    expect(forbiddenBy(rule, owner({ modules }))).toBe('right module')
    expect(forbiddenBy(rule, member({ granted: new Set(['deviceIORead']), modules }))).toBe('right module')
    expect(forbiddenBy(rule, owner())).toBeUndefined()
  })

  test('of two rights either is enough, and the one that counts is named', () => {
    const rule = { ...reading, right: 'deviceIORead', orRight: 'deviceIOWrite' } as const
    const namedBy = (granted: readonly string[]) => listSteps(rule, member({ granted: new Set(granted) })).at(-1)
    expect(namedBy(['deviceIORead', 'deviceIOWrite'])).toMatchObject({ subject: 'deviceIORead', holds: true })
    expect(namedBy(['deviceIOWrite'])).toMatchObject({ subject: 'deviceIOWrite', by: 'switch', holds: true })
    expect(forbiddenBy(rule, member({ granted: new Set(['ptz']) }))).toBe('right missing')
    const denied = getDenyReason(rule, member())
    expect(denied === undefined ? '' : describeStep(denied)).toBe('this needs the right deviceIORead or deviceIOWrite')
    const modules = new Set(allModules.filter((module) => module !== 'deviceIO'))
    expect(forbiddenBy(rule, member({ granted: new Set(['deviceIOWrite']), modules }))).toBe('right module')
  })

  test('no right allows what is reserved for the owner', () => {
    const rule = { ...writing, superUserOnly: true } as const
    const everyRight = new Set(allRights.filter((right) => right !== 'demoUser'))
    expect(forbiddenBy(rule, member({ granted: everyRight }))).toBe('owner missing')
    expect(forbiddenBy(rule, owner())).toBeUndefined()
  })
})

describe('a demo user', () => {
  const demos = [member({ granted: new Set(['demoUser']) }), owner({ userType: 'demo' })]

  test.each(demos)('reads but changes nothing, except with calls that leave no lasting change', (who) => {
    expect(forbiddenBy(reading, who)).toBeUndefined()
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      expect(forbiddenBy({ ...writing, method }, who)).toMatch(/^demoUser/)
    }
    expect(forbiddenBy({ ...writing, changesNothing: true }, who)).toBeUndefined()
  })
})

test('the owner of an account that became a demonstration can still remove access; a demo user can’t', () => {
  const rule = { ...writing, endsAccess: true }
  expect(forbiddenBy(rule, owner({ userType: 'demo' }))).toBeUndefined()
  expect(forbiddenBy(rule, owner({ granted: new Set(['demoUser']) }))).toBe('demoUser switch')
  expect(forbiddenBy(rule, member({ userType: 'demo' }))).toBe('demoUser account')
  expect(forbiddenBy({ ...rule, support: 'no' }, support('shown'))).toBe('support forbidden')
})

test('a guest of a public demo deletes nothing, changes nothing, and sees no data about people', () => {
  const visitor = owner({ userType: 'demo', isGuest: true })
  expect(forbiddenBy(reading, visitor)).toBeUndefined()
  expect(forbiddenBy({ ...writing, changesNothing: true }, visitor)).toBeUndefined()
  expect(forbiddenBy(writing, visitor)).toBe('demoUser account')
  expect(forbiddenBy({ ...writing, endsAccess: true }, visitor)).toBe('demoUser account')
  expect(forbiddenBy({ ...reading, visitor: 'no' }, visitor)).toBe('demoUser visitor')
  expect(forbiddenBy({ ...reading, visitor: 'no' }, owner({ userType: 'demo' }))).toBeUndefined()
})

describe('the status of an account', () => {
  test('inactive: everything except calls that need an active account', () => {
    const who = owner({ accountStatus: 'inactive' })
    expect(forbiddenBy(writing, who)).toBeUndefined()
    expect(forbiddenBy({ ...writing, activeAccountOnly: true }, who)).toBe('account inactive')
  })

  test('suspended: nothing', () => {
    expect(forbiddenBy(reading, owner({ accountStatus: 'suspended' }))).toBe('account suspended')
  })
})

test('a sub-user whose Web App is disabled can only access their own user', () => {
  const who = member({ isWebAppDisabled: true, granted: new Set(allRights) })
  for (const access of ['tenant', 'object', undefined] as const) {
    expect(forbiddenBy({ ...reading, ...(access === undefined ? {} : { access }) }, who)).toBe('account barred')
  }
  expect(forbiddenBy({ ...reading, access: 'authenticated' }, who)).toBeUndefined()
})

describe("a user who has not accepted the brand's agreement", () => {
  const owes = { owesAgreement: true } as const

  test.each([owner(owes), member({ ...owes, granted: new Set(allRights.filter((right) => right !== 'demoUser')) })])(
    'can only access their own user',
    (who) => {
      for (const access of ['tenant', 'object', undefined] as const) {
        expect(forbiddenBy({ ...reading, ...(access === undefined ? {} : { access }) }, who)).toBe('account owed')
      }
      expect(forbiddenBy({ ...reading, access: 'authenticated' }, who)).toBeUndefined()
      expect(forbiddenBy({ ...writing, access: 'authenticated' }, who)).toBeUndefined()
    },
  )

  test('can still end other people’s access to an account that they own', () => {
    expect(forbiddenBy({ ...writing, endsAccess: true }, owner(owes))).toBeUndefined()
    expect(forbiddenBy({ ...writing, endsAccess: true }, member(owes))).toBe('account owed')
  })

  test.each([
    ['an API key', owner({ ...owes, apiKeyId: 30 })],
    ['support', owner({ ...owes, support: { staffId: 20, staffName: 'Ada', video: 'shown' } })],
    ['a demo user', member({ ...owes, granted: new Set(['demoUser']) })],
    ['the owner of a demonstration', owner({ ...owes, userType: 'demo' })],
  ])('doesn’t include callers who can’t accept it: %s', (_, who) => {
    expect(forbiddenBy(reading, who)).toBeUndefined()
  })
})

describe('a support session (the table in product.md)', () => {
  test.each([
    ['yes', 'shown', undefined],
    ['yes', 'hidden', undefined],
    ['no', 'shown', 'support forbidden'],
    ['no', 'hidden', 'support forbidden'],
    ['video', 'shown', undefined],
    ['video', 'hidden', 'support hidden'],
    // The code that creates the picture blurs it.
    ['blurred', 'hidden', undefined],
    ['blurred', 'shown', undefined],
  ] as const)('support %s, video %s: %s', (allowed, video, expected) => {
    expect(forbiddenBy({ ...reading, support: allowed }, support(video))).toBe(expected)
    expect(forbiddenBy({ ...reading, support: allowed }, owner())).toBeUndefined()
  })
})

describe('tokens', () => {
  test('a GET needs the scope read and other methods the scope write, unless the call accepts any scope', () => {
    for (const [scopes, rule] of [
      [['write'], reading],
      [['read'], writing],
      [[], reading],
    ] as const) {
      expect(forbiddenBy(rule, owner({ scopes }))).toBe('scope missing')
      expect(forbiddenBy({ ...rule, anyScope: true }, owner({ scopes }))).toBeUndefined()
      expect(forbiddenBy({ ...rule, callers: 'staff' }, staff({ scopes }))).toBe('scope missing')
    }
  })

  test('an API key can do what its user can, except calls that are closed to keys', () => {
    const key = { apiKeyId: 30 }
    expect(forbiddenBy(writing, owner(key))).toBeUndefined()
    expect(forbiddenBy({ ...writing, apiKey: 'no' }, owner(key))).toBe('apiKey forbidden')
    expect(forbiddenBy({ ...byStaff, apiKey: 'no' }, staff(key))).toBe('apiKey forbidden')
    expect(forbiddenBy({ ...writing, apiKey: 'no' }, owner())).toBeUndefined()
  })

  test('only a key for provisioning can use provisioning calls', () => {
    for (const callers of ['members', 'staff'] as const) {
      const rule = { ...writing, callers, apiKey: 'provisioning' } as const
      const who = callers === 'members' ? owner : staff
      expect(forbiddenBy(rule, who({ apiKeyId: 30 }))).toBe('apiKey missing')
      expect(forbiddenBy(rule, who({ apiKeyId: 30, provisioning: true }))).toBeUndefined()
      expect(forbiddenBy(rule, who())).toBeUndefined()
      expect(forbiddenBy({ ...rule, apiKey: 'no' }, who({ apiKeyId: 30, provisioning: true }))).toBe('apiKey forbidden')
    }
  })
})

describe('members and staff', () => {
  test.each([
    ['members', undefined, 'caller staff'],
    ['staff', 'caller member', undefined],
    ['both', undefined, undefined],
  ] as const)('a call for %s', (callers, ofMember, ofStaff) => {
    expect(forbiddenBy({ ...reading, callers }, owner())).toBe(ofMember)
    expect(forbiddenBy({ ...reading, callers }, staff())).toBe(ofStaff)
  })

  test.each(allPermissions)('the permission %s comes only from its own switch, at every level', (permission) => {
    const rule = { ...byStaff, permission }
    const others = new Set(allPermissions.filter((other) => other !== permission))
    for (const level of staffLevels) {
      expect(forbiddenBy(rule, staff({ level, permissions: others }))).toBe('permission missing')
      expect(forbiddenBy(rule, staff({ level, permissions: new Set([permission]) }))).toBeUndefined()
    }
  })

  test('each level can do what the levels below it can', () => {
    const may = staffLevels.map((level) =>
      staffLevels.map((needed) => forbiddenBy({ ...byStaff, level: needed }, staff({ level })) === undefined),
    )
    expect(may).toEqual([
      [true, false, false],
      [true, true, false],
      [true, true, true],
    ])
  })

  test('the module check applies only to a reseller’s own staff', () => {
    const rule = { ...byStaff, module: 'whiteLabel' } as const
    expect(forbiddenBy(rule, staff({ modules: new Set() }))).toBe('module missing')
    expect(forbiddenBy(rule, staff({ modules: new Set(), level: 'distributor' }))).toBeUndefined()
  })
})

test('the steps end with the first one that forbids the call', () => {
  const rule = { ...writing, right: 'editUser', superUserOnly: true } as const
  expect(listSteps(rule, member()).map(({ check, holds }) => [check, holds])).toEqual([
    ['scope', true],
    ['owner', false],
  ])
  expect(listSteps({ ...writing, right: 'editUser' }, owner()).every(({ holds }) => holds)).toBe(true)
})

test('every deny reason has its own sentence', () => {
  const refusals: [Rule, Member | Staff][] = [
    [reading, owner({ scopes: [] })],
    [reading, staff()],
    [byStaff, owner()],
    [{ ...reading, apiKey: 'no' }, owner({ apiKeyId: 1 })],
    [{ ...writing, apiKey: 'provisioning' }, owner({ apiKeyId: 1 })],
    [reading, member({ isWebAppDisabled: true })],
    [{ ...reading, visitor: 'no' }, owner({ userType: 'demo', isGuest: true })],
    [reading, owner({ owesAgreement: true })],
    [reading, owner({ accountStatus: 'suspended' })],
    [writing, owner({ userType: 'demo' })],
    [{ ...reading, support: 'no' }, support('shown')],
    [{ ...reading, support: 'video' }, support('hidden')],
    [{ ...reading, superUserOnly: true }, member()],
    [{ ...reading, right: 'ptz' }, member()],
    [{ ...reading, right: 'deviceIORead' }, owner({ modules: new Set() })],
    [{ ...byStaff, level: 'admin' }, staff()],
    [{ ...byStaff, permission: 'viewAccounts' }, staff({ permissions: new Set() })],
    [{ ...byStaff, module: 'whiteLabel' }, staff({ modules: new Set() })],
  ]
  const sentences = refusals.map(([rule, who]) => {
    const step = getDenyReason(rule, who)
    return step === undefined ? 'nothing' : describeStep(step)
  })
  expect(new Set(sentences).size).toBe(refusals.length)
  expect(sentences).not.toContain('nothing')
})
