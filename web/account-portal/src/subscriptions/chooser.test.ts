import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  availableOptions,
  type Choice,
  changeEffect,
  clampCameras,
  defaults,
  findPackage,
  initialChoice,
  isCustom,
  MAX_CAMERAS,
  mostCameras,
  namedPackage,
  nextDay,
} from './chooser.ts'

type Offered = Parameters<typeof findPackage>[0][number]
const pack = (id: number, quality: Offered['quality'], days: number | null, most: number | null): Offered => ({
  subscriptionPackageId: id,
  name: `P${id}`,
  sku: `SKU-${id}`,
  quality,
  retention: days === null ? null : days * 24,
  maxAmountOfCameras: most,
})
/** The maximum cameras by days of storage (specification §9). */
const limits = [
  [7, 200],
  [14, 200],
  [30, 200],
  [60, 120],
  [90, 80],
  [180, 40],
  [365, 20],
  [730, 10],
] as const
const standard = [
  ...(['SD1', 'HD1', 'HD2'] as const).flatMap((quality, at) =>
    limits.flatMap(([days, most], index) => [
      pack(100 * at + 10 * index + 1, quality, days, most),
      pack(100 * at + 10 * index, quality, days, 10),
    ]),
  ),
  pack(900, 'CM10', 0, 200),
]

test('cloud storage starts with SD1, 7 days, 10 cameras; live only with CM10, 0 days, 200', () => {
  expect(findPackage(standard, defaults.cloud)).toMatchObject({
    quality: 'SD1',
    retention: 168,
    maxAmountOfCameras: 10,
  })
  expect(findPackage(standard, defaults.liveOnly)).toMatchObject({ quality: 'CM10', maxAmountOfCameras: 200 })
})

test('the chooser starts with the account’s current package', () => {
  for (const one of standard) expect(findPackage(standard, initialChoice(one))?.quality).toBe(one.quality)
  expect(initialChoice(undefined)).toEqual(defaults.cloud)
  expect(initialChoice(pack(1, null, null, 10))).toEqual(defaults.cloud)
})

test.each(limits)('%i days allow at most %i cameras, for every quality', (days, most) => {
  for (const quality of ['SD1', 'HD1', 'HD2'] as const) {
    expect(mostCameras(standard, { ...defaults.cloud, quality, days })).toBe(most)
  }
})

test('without a known limit, the maximum is 99999 cameras', () => {
  expect(mostCameras([], defaults.cloud)).toBe(99_999)
  expect(MAX_CAMERAS).toBe(99_999)
})

test('only available qualities and days are offered, in order', () => {
  expect(availableOptions(standard)).toEqual({ qualities: ['SD1', 'HD1', 'HD2'], days: limits.map(([days]) => days) })
  expect(availableOptions([pack(1, 'HD2', 90, 5), pack(2, 'SD1', 7, 5)])).toEqual({
    qualities: ['SD1', 'HD2'],
    days: [7, 90],
  })
})

const anyChoice: fc.Arbitrary<Choice> = fc.record({
  kind: fc.constant('cloud' as const),
  quality: fc.constantFrom('SD1' as const, 'HD1' as const, 'HD2' as const),
  days: fc.constantFrom(...limits.map(([days]) => days)),
  cameras: fc.integer({ min: 1, max: 250 }),
})

describe('the matching package', () => {
  test('is the smallest one with the chosen quality and days and room for the cameras', () => {
    fc.assert(
      fc.property(anyChoice, (choice) => {
        const found = findPackage(standard, choice)
        const fit = standard.filter(
          (one) =>
            one.quality === choice.quality &&
            one.retention === choice.days * 24 &&
            (one.maxAmountOfCameras ?? 0) >= choice.cameras,
        )
        expect(found === undefined).toBe(fit.length === 0)
        if (found === undefined) return
        expect(fit).toContainEqual(found)
        for (const one of fit) expect(one.maxAmountOfCameras).toBeGreaterThanOrEqual(found.maxAmountOfCameras ?? 0)
      }),
    )
  })

  test('exists for every camera count that the field allows', () => {
    fc.assert(
      fc.property(anyChoice, fc.double(), (choice, typed) => {
        const cameras = clampCameras(typed, mostCameras(standard, choice))
        expect(Number.isInteger(cameras) && cameras >= 1).toBe(true)
        expect(findPackage(standard, { ...choice, cameras })).toBeDefined()
      }),
    )
  })
})

test('packages are chosen by name if the first one lacks SKU, quality, days or cameras', () => {
  expect(isCustom(standard)).toBe(false)
  expect(isCustom([])).toBe(false)
  expect(isCustom([{ ...pack(1, 'SD1', 7, 10), sku: null }])).toBe(true)
  for (const one of [pack(1, null, 7, 10), pack(1, 'SD1', null, 10), pack(1, 'SD1', 7, null)]) {
    expect(isCustom([one, ...standard])).toBe(true)
    expect(isCustom([...standard, one])).toBe(false)
  }
})

test('a custom package’s name ends with an underscore and its number of cameras', () => {
  expect(namedPackage({ name: 'Museum_10', maxAmountOfCameras: 10 })).toEqual({ name: 'Museum', cameras: 10 })
  expect(namedPackage({ name: 'Night_shift_250', maxAmountOfCameras: null })).toEqual({
    name: 'Night_shift',
    cameras: 250,
  })
  expect(namedPackage({ name: 'Museum', maxAmountOfCameras: null })).toEqual({ name: 'Museum', cameras: undefined })
})

test('an upgrade applies now, other changes at the end of the period, and any change now if the subscription has ended', () => {
  const now = pack(1, 'HD1', 30, 20)
  expect(changeEffect(pack(2, 'HD2', 30, 20), now, false)).toBe('now')
  expect(changeEffect(pack(2, 'HD2', 7, 20), now, false)).toBe('lastDay')
  expect(changeEffect(now, now, false)).toBe('none')
  expect(changeEffect(now, now, true)).toBe('now')
  expect(changeEffect(now, undefined, false)).toBe('now')
  expect(changeEffect(undefined, now, false)).toBe('none')
})

test('the next day crosses months and years', () => {
  expect(nextDay('2026-12-31')).toBe('2027-01-01')
  expect(nextDay('2028-02-28')).toBe('2028-02-29')
})
