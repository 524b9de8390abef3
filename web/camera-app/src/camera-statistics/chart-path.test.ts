import { expect, test } from 'vitest'
import { linePath, scaleTop } from './chart-path.ts'

test('the scale ends at a round number at or above the largest value', () => {
  expect([
    scaleTop([]),
    scaleTop([0, null]),
    scaleTop([3]),
    scaleTop([1999]),
    scaleTop([2001]),
    scaleTop([6000]),
  ]).toEqual([1, 1, 5, 2000, 5000, 10_000])
})

test('a time without a value breaks the line, and a single point is a dot', () => {
  const at = (x: number, value: number | null) => ({ x, value })
  const points = [at(0, 0), at(0.1, 50), at(0.2, null), at(0.5, 100), at(0.6, 100)]
  expect(linePath(points, { top: 100, gap: 0.15 })).toBe('M0 100h0L60 50M300 0h0L360 0')
  expect(linePath([], { top: 1, gap: 1 })).toBe('')
})
