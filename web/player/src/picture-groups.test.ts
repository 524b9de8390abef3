import { expect, test } from 'vitest'
import { PictureGroups } from './picture-groups.ts'

const STEP_MS = 100
const SECOND = 1000

/** Groups of ten pictures, in the given order of arrival. */
function groupsOf(keys: readonly number[], bytes = 10): PictureGroups {
  const groups = new PictureGroups()
  for (const key of keys) {
    for (let n = 0; n < 10; n++) {
      groups.add({ time: key + n * STEP_MS, isKey: n === 0, data: new Uint8Array(bytes) }, STEP_MS)
    }
  }
  return groups
}

test('groups are found by time, whatever their order of arrival', () => {
  const groups = groupsOf([2 * SECOND, SECOND, 0])
  const middle = groups.at(1500)
  expect(middle?.key).toBe(SECOND)
  expect(middle && groups.after(middle)?.key).toBe(2 * SECOND)
  expect(middle && groups.before(middle)?.key).toBe(0)
  expect(groups.first?.key).toBe(0)
})

test('the picture to be seen is the last that began by then', () => {
  const groups = groupsOf([0, SECOND])
  expect(groups.timeDue(1250)).toBe(1200)
  expect(groups.timeDue(1200)).toBe(1200)
  expect(groups.timeDue(-STEP_MS)).toBeUndefined()
})

test('steps cross groups, and end where nothing has arrived', () => {
  const groups = groupsOf([0, SECOND])
  expect(groups.timeOfStep(900, 1)).toBe(SECOND)
  expect(groups.timeOfStep(SECOND, -1)).toBe(900)
  expect(groups.timeOfStep(0, -1)).toBeUndefined()
  expect(groups.timeOfStep(1900, 1)).toBeUndefined()
})

test('a step back waits for the end of a group that is on its way', () => {
  const groups = groupsOf([SECOND])
  for (let n = 0; n < 6; n++) groups.add({ time: n * STEP_MS, isKey: n === 0, data: new Uint8Array(1) }, STEP_MS)
  expect(groups.timeOfStep(SECOND, -1)).toBeUndefined()
  expect(groups.timeOfStep(1500, -5)).toBe(SECOND)
  expect(groups.timeOfStep(300, -1)).toBe(200)
  for (let n = 6; n < 10; n++) groups.add({ time: n * STEP_MS, isKey: false, data: new Uint8Array(1) }, STEP_MS)
  expect(groups.timeOfStep(SECOND, -1)).toBe(900)
})

test('a group that comes again keeps its pictures meanwhile', () => {
  const groups = groupsOf([0, SECOND])
  groups.add({ time: SECOND, isKey: true, data: new Uint8Array(1) }, STEP_MS)
  groups.add({ time: SECOND + STEP_MS, isKey: false, data: new Uint8Array(1) }, STEP_MS)
  expect(groups.timeOfStep(1900, -1)).toBe(1800)
  expect(groups.at(1500)?.pictures).toHaveLength(10)
})

test('of a group that comes again with other pictures, those count', () => {
  const groups = groupsOf([0])
  groups.add({ time: 0, isKey: true, data: new Uint8Array(1) }, 500)
  groups.add({ time: 500, isKey: false, data: new Uint8Array(1) }, 500)
  expect(groups.at(0)?.pictures.map(({ time }) => time)).toEqual([0, 500])
  expect(groups.at(0)?.till).toBe(SECOND)
})

test('a group that comes again is there once, and a picture without a key picture before it is left out', () => {
  const groups = groupsOf([0, 0])
  expect(groups.at(500)?.pictures).toHaveLength(10)
  groups.endGroup()
  groups.add({ time: 950, isKey: false, data: new Uint8Array(1) }, STEP_MS)
  expect(groups.at(950)?.pictures).toHaveLength(10)
})

test('only the group that is being received can be incomplete', () => {
  const groups = groupsOf([SECOND, 0])
  const [first, second] = [groups.at(0), groups.at(SECOND)]
  expect(first !== undefined && groups.isArriving(first)).toBe(true)
  expect(second !== undefined && groups.isArriving(second)).toBe(false)
})

test('what is furthest from the clock is dropped first', () => {
  const groups = groupsOf([0, 20 * SECOND, 40 * SECOND], 1_200_000)
  groups.trim(40 * SECOND)
  expect(groups.first?.key).toBe(20 * SECOND)
  expect(groups.at(40 * SECOND)?.pictures).toHaveLength(10)
})

test('a picture has arrived if it lasts until then, or if a later group is here', () => {
  const groups = groupsOf([0])
  expect(groups.hasArrived(990, 0)).toBe(true)
  expect(groups.hasArrived(999, 0)).toBe(false)
  expect(groups.hasArrived(1000, 0)).toBe(false)
  expect(groups.hasArrived(1050, 60)).toBe(true)
  groups.add({ time: 2 * SECOND, isKey: true, data: new Uint8Array(1) }, STEP_MS)
  expect(groups.hasArrived(1000, 0)).toBe(true)
})
