import { allRights, type CameraAccess, canAccessCamera, mandatoryRights, type Right } from '@sightline/contract/rights'
import type { AccessPatch, RightsPatch } from '@sightline/contract/sub-users'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyAccessPatch,
  applyRightsPatch,
  type CameraZones,
  type Grants,
  getUserGuard,
  type Holder,
  type ProfileRights,
  type StoredAccess,
  sharedCameras,
  toCameraAccess,
  visibleAccess,
} from './rules.ts'

const ACCOUNT = 1
/** Cameras 11-16 in zones 1-3. */
const cameras: CameraZones = new Map([11, 12, 13, 14, 15, 16].map((cameraId) => [cameraId, (cameraId % 3) + 1]))
const zones: ReadonlySet<number> = new Set([1, 2, 3])
/** Few enough that people often have the same ones. */
const somePowers: readonly Right[] = ['ptz', 'playback', 'export', 'addUser', 'editUser', 'demoUser']

interface Person {
  readonly userId: number
  readonly grants: Grants
  readonly access: StoredAccess
}
const holderOf = ({ userId, grants, access }: Person): Holder => ({
  userId,
  accountId: ACCOUNT,
  isSuperUser: userId === ACCOUNT,
  granted: new Set(grants.rights),
  access: userId === ACCOUNT ? { kind: 'all' } : toCameraAccess(access),
})

const powersOf = ({ granted }: Holder) => new Set([...granted].filter((right) => right !== 'demoUser'))
const reachOf = (who: Holder) =>
  new Set(
    [...cameras]
      .filter(([cameraId, zoneId]) => canAccessCamera(who, { accountId: ACCOUNT, cameraId, zoneId }))
      .map(([id]) => id),
  )
const isWithin = (some: ReadonlySet<unknown>, all: ReadonlySet<unknown>) => [...some].every((one) => all.has(one))
const zonesOf = ({ access }: { access: CameraAccess }): ReadonlySet<unknown> =>
  access.kind === 'all' ? new Set([...zones, 'all']) : access.zoneIds

const anyRights = fc.uniqueArray(fc.constantFrom(...somePowers))
const anyAccess = fc
  .record({
    allCameras: fc.boolean(),
    cameraIds: fc.uniqueArray(fc.constantFrom(...cameras.keys())),
    zoneIds: fc.uniqueArray(fc.constantFrom(...zones)),
  })
  .map(({ allCameras, cameraIds, zoneIds }) => ({
    allCameras,
    cameraIds: new Set(cameraIds),
    zoneIds: new Set(zoneIds),
  }))
const anyPerson = (userId: number) =>
  fc
    .record({ rights: anyRights, access: anyAccess })
    .map(({ rights, access }): Person => ({ userId, grants: { rights, permissionProfileId: null }, access }))
const anyProfile = fc.record({ permissionProfileId: fc.constantFrom(7, 8), rights: anyRights })

const aRightsPatch: fc.Arbitrary<RightsPatch> = fc.oneof(
  fc.constant({ grantAll: true as const }),
  fc.record({ permissionProfileId: fc.constantFrom(7, 8) }),
  fc.dictionary(fc.constantFrom(...somePowers), fc.boolean()),
)
const anAccessPatch: fc.Arbitrary<AccessPatch> = fc.record(
  {
    allCameras: fc.boolean(),
    cameraIds: fc.array(fc.constantFrom(...cameras.keys(), 99)),
    zoneIds: fc.array(fc.constantFrom(...zones, 98)),
  },
  { requiredKeys: [] },
)
const anyStep = fc.record({
  who: fc.integer({ min: 0, max: 3 }),
  whom: fc.integer({ min: 0, max: 3 }),
  rights: fc.option(aRightsPatch),
  access: fc.option(anAccessPatch),
})
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never

/** The user after a call; undefined if it is refused. */
function after(
  target: Person,
  step: Step,
  { caller, profiles }: { caller: Holder; profiles: readonly ProfileRights[] },
) {
  if (getUserGuard(caller, holderOf(target), cameras) !== null) return undefined
  if (step.access !== null) {
    const next = applyAccessPatch(target.access, step.access, { caller, cameras, zones })
    return next.ok ? { ...target, access: next.value } : undefined
  }
  const patch = step.rights ?? {}
  const profile = profiles.find(({ permissionProfileId }) => permissionProfileId === patch.permissionProfileId)
  const next = applyRightsPatch(target.grants, patch, { caller, profile })
  return next.ok ? { ...target, grants: next.value } : undefined
}

describe('users never get more than the caller has', () => {
  test('after any sequence of allowed calls', () => {
    const everybody = fc.tuple(anyPerson(2), anyPerson(3), anyPerson(4), anyPerson(5))
    const many = fc.array(anyStep, { maxLength: 40 })
    fc.assert(
      fc.property(everybody, many, fc.array(anyProfile), (start, steps, profiles) => {
        const all: Person[] = [...start]
        const held = new Set(start.flatMap((person) => [...powersOf(holderOf(person))]))
        for (const step of steps) {
          const [giver, before] = [all[step.who], all[step.whom]]
          if (giver === undefined || before === undefined) continue
          const caller = holderOf(giver)
          const person = after(before, step, { caller, profiles })
          if (person === undefined) continue
          const [was, is] = [holderOf(before), holderOf(person)]
          expect(isWithin(powersOf(is), new Set([...powersOf(was), ...powersOf(caller)]))).toBe(true)
          expect(isWithin(reachOf(is), new Set([...reachOf(was), ...reachOf(caller)]))).toBe(true)
          expect(isWithin(zonesOf(is), new Set([...zonesOf(was), ...zonesOf(caller)]))).toBe(true)
          all[step.whom] = person
        }
        expect(all.every((person) => isWithin(powersOf(holderOf(person)), held))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('a caller may change only users whose access the caller could have granted', () => {
    fc.assert(
      fc.property(anyPerson(2), anyPerson(3), (one, other) => {
        const [caller, target] = [holderOf(one), holderOf(other)]
        const covers =
          isWithin(powersOf(target), powersOf(caller)) &&
          isWithin(zonesOf(target), zonesOf(caller)) &&
          isWithin(reachOf(target), reachOf(caller))
        expect(getUserGuard(caller, target, cameras) === null).toBe(covers)
      }),
      { numRuns: 2000 },
    )
  })

  test('the owner can change everyone else, and no one can change the owner', () => {
    fc.assert(
      fc.property(anyPerson(ACCOUNT), anyPerson(3), (one, other) => {
        const [owner, sub] = [holderOf(one), holderOf(other)]
        expect(getUserGuard(owner, sub, cameras)).toBeNull()
        expect(getUserGuard(sub, owner, cameras)).toBe('owner')
        expect(getUserGuard(owner, owner, cameras)).toBe('self')
        expect(getUserGuard(sub, sub, cameras)).toBe('self')
      }),
    )
  })

  test('a user’s access is shown only within the caller’s scope', () => {
    fc.assert(
      fc.property(anyPerson(2), anyPerson(3), (one, other) => {
        const caller = holderOf(one)
        const told = visibleAccess(other.access, { caller, cameras })
        expect(isWithin(new Set(told.cameraIds), reachOf(caller))).toBe(true)
        expect(isWithin(new Set(told.zoneIds), zonesOf(caller))).toBe(true)
        expect(sharedCameras(caller, holderOf(other), cameras)).toBeLessThanOrEqual(reachOf(caller).size)
      }),
    )
  })

  test('mandatory rights are never stored and never off', () => {
    const caller = holderOf({
      userId: ACCOUNT,
      grants: { rights: [], permissionProfileId: null },
      access: { allCameras: true, cameraIds: new Set(), zoneIds: new Set() },
    })
    const anySwitches = fc.dictionary(fc.constantFrom(...allRights), fc.boolean())
    fc.assert(
      fc.property(anyRights, anySwitches, (rights, switches) => {
        const next = applyRightsPatch({ rights, permissionProfileId: 7 }, switches, { caller, profile: undefined })
        const isOff = mandatoryRights.some((right) => switches[right] === false)
        expect(next.ok).toBe(!isOff)
        if (next.ok) expect(next.value.rights.some((right) => mandatoryRights.includes(right))).toBe(false)
      }),
    )
  })
})
