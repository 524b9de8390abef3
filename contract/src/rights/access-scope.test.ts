import { describe, expect, test } from 'vitest'
import { cameraStep, canAccessAccount, canAccessCamera, canAccessReseller } from './access-scope.ts'
import type { CameraAccess, Member, Staff } from './principal.ts'

const own = { accountId: 10, cameraId: 100, zoneId: 1000 }
const foreign = { ...own, accountId: 11 }
const nothing = { kind: 'some', cameraIds: new Set<number>(), zoneIds: new Set<number>() } as const

const member = (access: CameraAccess, isSuperUser = false): Pick<Member, 'accountId' | 'isSuperUser' | 'access'> => ({
  accountId: 10,
  isSuperUser,
  access,
})

describe('access to a camera', () => {
  test.each([
    ['as the owner', member(nothing, true), 'owner'],
    ['with all cameras', member({ kind: 'all' }), 'all'],
    ['with the camera itself', member({ ...nothing, cameraIds: new Set([100]) }), 'camera'],
    ['with its zone', member({ ...nothing, zoneIds: new Set([1000]) }), 'zone'],
  ] as const)('is granted: %s; and the step says why', (_, who, by) => {
    expect(cameraStep(who, own)).toEqual({ check: 'camera', subject: '100', by, holds: true })
    expect(canAccessCamera(who, foreign)).toBe(false)
  })

  test('needs a grant for this camera or its zone, not for another', () => {
    const others = { kind: 'some', cameraIds: new Set([101, 1000]), zoneIds: new Set([1001, 100]) } as const
    expect(cameraStep(member(nothing), own)).toMatchObject({ by: 'missing', holds: false })
    expect(cameraStep(member(others), own)).toMatchObject({ by: 'missing', holds: false })
  })

  test('is never granted in another account', () => {
    const everything = { kind: 'some', cameraIds: new Set([100]), zoneIds: new Set([1000]) } as const
    expect(cameraStep(member(everything, true), foreign)).toMatchObject({ by: 'foreign', holds: false })
  })
})

describe('access to accounts and resellers', () => {
  const staff = (given: Partial<Staff>): Staff => ({
    kind: 'staff',
    userId: 1,
    level: 'reseller',
    distributorId: 1,
    resellerId: 255,
    permissions: new Set(),
    modules: new Set(),
    accountIds: undefined,
    scopes: [],
    apiKeyId: undefined,
    provisioning: false,
    ...given,
  })
  const mine = { resellerId: 255, distributorId: 1 }
  const sibling = { resellerId: 300, distributorId: 1 }
  const distant = { resellerId: 400, distributorId: 2 }

  test.each([
    ['reseller', staff({}), [true, false, false]],
    ['distributor', staff({ level: 'distributor', resellerId: undefined }), [true, true, false]],
    ['admin', staff({ level: 'admin', resellerId: undefined, distributorId: undefined }), [true, true, true]],
  ] as const)('%s: own reseller, sibling, another distributor’s', (_, who, reached) => {
    expect([mine, sibling, distant].map((reseller) => canAccessReseller(who, reseller))).toEqual(reached)
    expect([mine, sibling, distant].map((reseller) => canAccessAccount(who, { ...reseller, accountId: 10 }))).toEqual(
      reached,
    )
  })

  test('staff limited to some accounts access only those, and none of another reseller', () => {
    const who = staff({ accountIds: new Set([10]) })
    expect(canAccessAccount(who, { ...mine, accountId: 10 })).toBe(true)
    expect(canAccessAccount(who, { ...mine, accountId: 11 })).toBe(false)
    expect(canAccessAccount(who, { ...sibling, accountId: 10 })).toBe(false)
    expect(canAccessAccount(staff({ accountIds: new Set() }), { ...mine, accountId: 10 })).toBe(false)
  })

  test('staff without a reseller or distributor don’t match other resellers by accident', () => {
    const nowhere = staff({ resellerId: undefined, distributorId: undefined })
    expect(canAccessReseller(nowhere, mine)).toBe(false)
  })
})
