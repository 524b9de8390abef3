import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  changeSubscription,
  getDueChange,
  onDay,
  type PackageFacts,
  prolongState,
  type SubscriptionState,
  subscriptionActions,
} from './rules.ts'

const pack = (subscriptionPackageId: number, given: Partial<PackageFacts> = {}): PackageFacts => ({
  subscriptionPackageId,
  quality: 'HD1',
  retention: 30 * 24,
  maxAmountOfCameras: 20,
  available: true,
  valid: true,
  ...given,
})
const current = pack(1)
const state: SubscriptionState = {
  packageId: 1,
  nextPackageId: 1,
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  contractPeriodMonths: 12,
}
const choose = (target: PackageFacts | 'none', given: Partial<Parameters<typeof changeSubscription>[0]> = {}) =>
  changeSubscription({ state, current, target, from: 'soonest', camerasInUse: 5, today: '2026-11-21', ...given })

test('choosing the current package renews it and reverts a downgrade or cancellation', () => {
  for (const nextPackageId of [1, 2, undefined]) {
    expect(choose(current, { state: { ...state, nextPackageId } })).toEqual({ kind: 'changed', state })
  }
})

test("a package that is no longer valid can't be renewed", () => {
  expect(choose(pack(1, { valid: false }))).toEqual({ kind: 'refused', because: 'notValid' })
})

test.each([
  ['quality', { quality: 'HD2' }],
  ['days', { retention: 60 * 24 }],
  ['cameras', { maxAmountOfCameras: 21 }],
  ['unlimited cameras', { maxAmountOfCameras: null }],
  ['all three', { quality: 'HD2', retention: 90 * 24, maxAmountOfCameras: 50 }],
] as const)('an upgrade with more %s and less of nothing applies immediately and keeps the last day', (_, more) => {
  const after = { ...state, packageId: 2, nextPackageId: 2, startDate: '2026-11-21' }
  expect(choose(pack(2, more))).toEqual({ kind: 'changed', state: after })
})

test.each([
  ['less', { quality: 'SD1' }],
  ['more quality but fewer days', { quality: 'HD2', retention: 7 * 24 }],
  ['more days but fewer cameras', { retention: 90 * 24, maxAmountOfCameras: 10 }],
  ['live video only', { quality: 'CM10', retention: 0, maxAmountOfCameras: 200 }],
  ['the same package under another name', {}],
  ['a package without a quality', { quality: null, maxAmountOfCameras: 50 }],
] as const)('%s applies after the last day', (_, other) => {
  expect(choose(pack(2, other))).toEqual({ kind: 'changed', state: { ...state, nextPackageId: 2 } })
})

test('an upgrade waits until the last day when the caller asks for that', () => {
  const answer = choose(pack(2, { quality: 'HD2' }), { from: 'lastDay' })
  expect(answer).toEqual({ kind: 'changed', state: { ...state, nextPackageId: 2 } })
})

test('choosing none ends the subscription on its last day; without a subscription there is nothing to end', () => {
  expect(choose('none')).toEqual({ kind: 'changed', state: { ...state, nextPackageId: undefined } })
  expect(choose('none', { state: undefined })).toEqual({ kind: 'refused', because: 'nothingToEnd' })
})

test('an unavailable package, or one with fewer slots than cameras in use, is refused', () => {
  expect(choose(pack(2, { available: false }))).toEqual({ kind: 'refused', because: 'notAvailable' })
  expect(choose(pack(2, { maxAmountOfCameras: 4 }))).toEqual({ kind: 'refused', because: 'tooFewSlots' })
  expect(choose(pack(2, { maxAmountOfCameras: 5 })).kind).toBe('changed')
  expect(choose(pack(1, { maxAmountOfCameras: 4 }))).toEqual({ kind: 'refused', because: 'tooFewSlots' })
})

test('the first subscription starts today and lasts a year; an ended one starts again the same way', () => {
  const first = { packageId: 2, nextPackageId: 2, startDate: '2026-11-21', contractPeriodMonths: 12 }
  const answer = { kind: 'changed', state: { ...first, endDate: '2027-11-20' } }
  expect(choose(pack(2), { state: undefined, current: undefined })).toEqual(answer)
  const over = { ...state, nextPackageId: undefined, endDate: '2026-11-20' }
  expect(choose(pack(2), { state: over })).toEqual(answer)
})

test('the next package applies after the last day, in every period', () => {
  const monthly = { ...state, nextPackageId: 2, endDate: '2026-01-31', contractPeriodMonths: 1 }
  expect(onDay(monthly, '2026-01-31')).toEqual(monthly)
  expect(onDay(monthly, '2026-02-01')).toEqual({
    ...monthly,
    packageId: 2,
    startDate: '2026-02-01',
    endDate: '2026-02-28',
  })
  expect(onDay(monthly, '2026-11-21')).toMatchObject({ startDate: '2026-11-01', endDate: '2026-11-30' })
  const ending = { ...monthly, nextPackageId: undefined }
  expect(onDay(ending, '2026-11-21')).toEqual(ending)
})

test("a period that starts on a day that its last month doesn't have ends one day before the month's last day", () => {
  const answer = choose(pack(2), {
    state: { ...state, nextPackageId: undefined, endDate: '2028-02-01', contractPeriodMonths: 12 },
    today: '2028-02-29',
  })
  expect(answer).toMatchObject({ state: { startDate: '2028-02-29', endDate: '2029-02-27' } })
})

test('prolongState is auto for the current package, downgrade for another one and cancel for none', () => {
  expect([prolongState(1, 1), prolongState(1, 2), prolongState(1, -1)]).toEqual(['auto', 'downgrade', 'cancel'])
})

test.each([
  ['auto', true, ['doNotProlong']],
  ['auto', false, ['doNotProlong']],
  ['downgrade', true, ['cancelDowngrade', 'doNotProlong']],
  ['downgrade', false, ['cancelDowngrade', 'doNotProlong']],
  ['cancel', true, ['prolong']],
  ['cancel', false, []],
] as const)(
  "in the state %s, valid %s, the menu offers %j; it offers nothing if the account isn't active",
  (state, valid, menu) => {
    expect(subscriptionActions({ state, valid, isActive: true })).toEqual(menu)
    expect(subscriptionActions({ state, valid, isActive: false })).toEqual([])
  },
)

const day = fc
  .integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2034, 11, 31) })
  .map((ms) => new Date(ms).toISOString().slice(0, 10))
const anyState: fc.Arbitrary<SubscriptionState> = fc.record({
  packageId: fc.constantFrom(1, 2),
  nextPackageId: fc.constantFrom(1, 2, undefined),
  startDate: fc.constant('2023-12-01'),
  endDate: day,
  contractPeriodMonths: fc.integer({ min: 1, max: 36 }),
})

test('a change is due from the day after the last day, and only once', () => {
  fc.assert(
    fc.property(anyState, day, (given, today) => {
      const due = getDueChange(given, today)
      expect(due === undefined).toBe(given.endDate >= today)
      if (due === undefined) return
      expect(due.kind === 'ended').toBe(given.nextPackageId === undefined)
      if (due.kind === 'ended') return
      expect(due.state).toEqual(onDay(given, today))
      expect(due.state.startDate <= today && today <= due.state.endDate).toBe(true)
      expect(due.state.packageId).toBe(given.nextPackageId)
      expect(due.kind).toBe(given.packageId === given.nextPackageId ? 'prolonged' : 'changed')
      expect(getDueChange(due.state, today)).toBeUndefined()
    }),
  )
})

test('changes applied daily have the same result as changes applied at once', () => {
  fc.assert(
    fc.property(anyState, day, fc.integer({ min: 0, max: 800 }), (given, from, days) => {
      let stepped = given
      const at = (count: number) => new Date(Date.parse(from) + count * 86_400_000).toISOString().slice(0, 10)
      for (let count = 0; count <= days; count += 1) {
        const due = getDueChange(stepped, at(count))
        if (due !== undefined && due.kind !== 'ended') stepped = due.state
      }
      expect(stepped).toEqual(onDay(given, at(days)))
    }),
    { numRuns: 30 },
  )
})

test('no choice shortens the period, and the package before its end never includes less', () => {
  const choice = fc.record({
    quality: fc.constantFrom('SD1', 'HD1', 'HD2', 'CM10', null),
    retention: fc.constantFrom(0, 168, 720, null),
    maxAmountOfCameras: fc.constantFrom(5, 20, 200, null),
  })
  fc.assert(
    fc.property(choice, fc.constantFrom('soonest' as const, 'lastDay' as const), (more, from) => {
      const answer = choose(pack(2, more), { from })
      if (answer.kind === 'refused') return
      expect(answer.state.endDate).toBe(state.endDate)
      expect(answer.state.nextPackageId).toBe(2)
      if (answer.state.packageId === 2) expect(more.retention ?? 0).toBeGreaterThanOrEqual(720)
    }),
  )
})
