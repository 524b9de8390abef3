import { expect, test } from 'vitest'
import { allRightGroups, rightGroups, rightGroupTextKey, rightTextKeys } from './groups.ts'
import { allRights } from './rights.ts'

test('every right belongs to exactly one group', () => {
  const shown = allRightGroups.flatMap((group) => [...rightGroups[group]])
  expect(shown.toSorted()).toEqual([...allRights].toSorted())
})

test('no two rights or groups share a text', () => {
  const keys = [
    ...allRights.flatMap((right) => Object.values(rightTextKeys(right))),
    ...allRightGroups.map((group) => rightGroupTextKey(group)),
  ]
  expect(new Set(keys).size).toBe(2 * allRights.length + allRightGroups.length)
})
