import { describe, expect, test } from 'vitest'
import { holdsZone, seesZone, zoneOrCameraName, zoneOrCameraNameProblem, zonePatch } from './index.ts'

const some = (given: { cameras?: number[]; zones?: number[] }) => ({
  accountId: 1,
  isSuperUser: false,
  access: { kind: 'some', cameraIds: new Set(given.cameras), zoneIds: new Set(given.zones) } as const,
})
const owner = { ...some({}), isSuperUser: true }
const everywhere = { ...some({}), access: { kind: 'all' } as const }
const zone = (accountId: number, zoneId: number, ...cameraIds: number[]) => ({
  accountId,
  zoneId,
  cameras: cameraIds.map((cameraId) => ({ accountId, zoneId, cameraId })),
})

describe('a zone', () => {
  test('can be managed by the owner, users with all cameras and users with access to the zone', () => {
    for (const who of [owner, everywhere, some({ zones: [7] })]) expect(holdsZone(who, zone(1, 7))).toBe(true)
    for (const who of [some({}), some({ zones: [8] }), some({ cameras: [5] })]) {
      expect(holdsZone(who, zone(1, 7, 5))).toBe(false)
    }
  })
  test('is also visible to users with access to a camera in it', () => {
    expect(seesZone(some({ cameras: [5] }), zone(1, 7, 4, 5))).toBe(true)
    expect(seesZone(some({ cameras: [6] }), zone(1, 7, 4, 5))).toBe(false)
    expect(seesZone(some({ zones: [7] }), zone(1, 7))).toBe(true)
  })
  test('of another account is neither manageable nor visible, whatever ids the user has', () => {
    for (const who of [owner, everywhere, some({ zones: [7], cameras: [5] })]) {
      expect([holdsZone(who, zone(2, 7, 5)), seesZone(who, zone(2, 7, 5))]).toEqual([false, false])
    }
  })
})

describe('the name of a zone or camera', () => {
  test.each([
    ['Zone', '', 'Zone name is required'],
    ['Camera', ' \t', 'Camera name is required'],
    ['Zone', 'a'.repeat(65), 'Zone name should be 1-64 characters'],
    ['Camera', 'a\u0000b', 'Please enter a valid camera name'],
    ['Zone', 'safe\u202eexe', 'Please enter a valid zone name'],
    ['Camera', 'a\u2066b', 'Please enter a valid camera name'],
    ['Zone', 'a\u2028b', 'Please enter a valid zone name'],
    ['Zone', '📷'.repeat(64), undefined],
    ['Camera', ` ${'a'.repeat(64)} `, undefined],
  ] as const)('%s %j: %s', (which, text, problem) => expect(zoneOrCameraNameProblem(which, text)).toBe(problem))

  test('is trimmed', () => expect(zoneOrCameraName('Zone').parse('  Yard ')).toBe('Yard'))
})

test('a location has both coordinates or neither, and both are cleared together', () => {
  const isTaken = (patch: object) => zonePatch.safeParse(patch).success
  expect([{}, { latitude: 0, longitude: 0 }, { latitude: null, longitude: null }].every(isTaken)).toBe(true)
  expect([{ latitude: 0 }, { longitude: null }, { latitude: null, longitude: 0 }].some(isTaken)).toBe(false)
})
