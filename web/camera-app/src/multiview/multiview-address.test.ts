import { expect, test } from 'vitest'
import { idsOfText, moveTile, searchOfMultiview } from './multiview-address.ts'

test('an address names at most nine different cameras, and anything else in it is ignored', () => {
  expect(idsOfText('1,2,2,x,-3,4')).toEqual([1, 2, 4])
  expect(idsOfText('1,2,3,4,5,6,7,8,9,10')).toHaveLength(9)
  expect(idsOfText(36_438_477_000_132)).toEqual([36_438_477_000_132])
  expect(idsOfText(undefined)).toEqual([])
})

test('a time that cannot be read means live', () => {
  expect(searchOfMultiview({ cameras: '1', t: 'yesterday' })).toEqual({ cameras: '1', t: undefined })
  expect(searchOfMultiview({ t: '2026-11-21T15:29:28Z' })).toEqual({ cameras: undefined, t: '2026-11-21T15:29:28Z' })
})

test('a tile moves to the place of another, also to the first and the last', () => {
  expect(moveTile([1, 2, 3], 3, 0)).toEqual([3, 1, 2])
  expect(moveTile([1, 2, 3], 1, 2)).toEqual([2, 3, 1])
  expect(moveTile([1, 2, 3], 1, -1)).toEqual([1, 2, 3])
})
