import { describe, expect, test } from 'vitest'
import { positionMap } from './position.ts'

describe('the time of day of a picture', () => {
  test('counts on from the last known point before it', () => {
    const map = positionMap()
    map.add(1, 10_000)
    map.add(2, 60_000)
    expect(map.wallclockAt(1.5)).toBe(10_500)
    expect(map.wallclockAt(2)).toBe(60_000)
    expect(map.wallclockAt(3.25)).toBe(61_250)
  })
  test('before the first point it counts back from there', () => {
    const map = positionMap()
    map.add(5, 100_000)
    expect(map.wallclockAt(4.5)).toBe(99_500)
  })
  test('a place that a browser rounded down still is of the point it was set to', () => {
    const map = positionMap()
    map.add(1, 10_000)
    map.add(2, 60_000)
    expect(map.wallclockAt(1.999_999)).toBeCloseTo(60_000, 0)
  })
  test('is unknown without a point, and again after clearing', () => {
    const map = positionMap()
    expect(map.wallclockAt(1)).toBeUndefined()
    map.add(1, 10_000)
    map.clear()
    expect(map.wallclockAt(1)).toBeUndefined()
  })
  test('a point at an earlier media time replaces those after it', () => {
    const map = positionMap()
    map.add(10, 1000)
    map.add(4, 500_000)
    expect(map.wallclockAt(11)).toBe(507_000)
  })
})
